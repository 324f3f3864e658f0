//go:build peers

package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFaultsAreNoticed opens a page that does all that pages must not do.
func TestFaultsAreNoticed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bad.html")
	require.NoError(t, os.WriteFile(file, []byte(`<!DOCTYPE html><html><head><title>bad</title>
		<meta http-equiv="Content-Security-Policy" content="script-src 'unsafe-inline'; connect-src 'none'"></head>
		<body><p style="color: #999; background: #aaa">hardly legible</p><img src="other.png"><button></button><table><tr><td>1</td></tr></table>
		<script>alert("hello"); console.error("oh"); fetch("https://example.com/").catch(() => {}); setTimeout(() => { throw new Error("late"); });</script></body></html>`), 0o644))
	p := Start(t).Open(file, 800, 600)
	p.Settle()
	faults := strings.Join(p.Faults(), "\n")
	for _, want := range []string{"alert: hello", "console: \"oh\"", "policy: connect-src https://example.com/", "other.png", "exception: Uncaught Error: late"} {
		assert.Contains(t, faults, want)
	}
	found := strings.Join(p.Axe(), "\n")
	for _, want := range []string{"color-contrast", "image-alt", "button-name", "html-has-lang"} {
		assert.Contains(t, found, want)
	}
	assert.Len(t, Eval[[]string](p, unnamed), 1)
}
