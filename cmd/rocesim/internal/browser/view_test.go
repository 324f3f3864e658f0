//go:build peers

package browser

import (
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/cmd/rocesim/internal/viewer"
	"rocesim/results"
	"rocesim/results/page"
	"rocesim/results/why"
)

// TestIndexInBrowser sorts and filters the list of results, and follows a link
// to a page that is made for it, under the headers of the server.
func TestIndexInBrowser(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"incast-8-1", "single-flow"} {
		run := simulate(t, name)
		summary := results.Summarise(run)
		require.NoError(t, results.Write(filepath.Join(dir, name), run, &summary))
	}
	for _, name := range []string{"a<b>&", "c d", "e%2f", "f#g", "h?i", "j:k"} {
		run := simulate(t, "single-flow")
		summary := results.Summarise(run)
		require.NoError(t, results.Write(filepath.Join(dir, name), run, &summary))
	}
	s, err := viewer.Open(dir, map[string]viewer.Builder{viewer.Run: func(dir string) (*page.Document, error) {
		run, err := results.Read(dir)
		if err != nil {
			return nil, err
		}
		return page.Run(run, why.NewReport(run), page.Extra{})
	}})
	require.NoError(t, err)
	defer s.Close()
	server := httptest.NewServer(s)
	defer server.Close()

	b := Start(t)
	p := b.Open(server.URL+"/", 1280, 900)
	proper(t, p, "index")
	firsts := `[...document.querySelectorAll("tbody tr")].map((r) => r.cells[0].textContent)`
	require.Len(t, Eval[[]string](p, firsts), 8)
	p.Click(`thead button[data-column="5"]`) // XOFF frames
	assert.Equal(t, "incast-8-1", Eval[[]string](p, firsts)[0], "the largest first")
	p.Click(`input[type="search"]`)
	p.Keys("incast")
	assert.Equal(t, []string{"incast-8-1"}, Eval[[]string](p, firsts))

	links := Eval[[]string](b.Open(server.URL+"/", 1280, 900), `[...document.querySelectorAll("tbody tr td:first-child a")].map((a) => a.href)`)
	require.Len(t, links, 8)
	for _, link := range links {
		run := b.Open(link, 1280, 900)
		run.Settle()
		assert.Contains(t, []string{"incast-8-1", "single-flow"}, run.Text(`document.querySelector("h1").textContent`), link)
		assert.Empty(t, run.Faults(), link)
	}
}
