package tune

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPage compares the page with the files beside it.
func TestPage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := runFormula(t, Spec{Budget: 30}, dir, 1, bowl)
	require.NoError(t, out.Write(dir, nil))
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	require.NoError(t, err)
	html := string(page)
	for _, want := range []string{"minimise fct.p99, weight 1", out.verdict()[1:] + ".", "<dt>As it is</dt>", "<dt>Best</dt><dd>kmin=" + out.Trials[out.Best].Values[0], "switch.ecn.kmin=10KB..2MB:log", "Best: switch.ecn.kmin=" + out.Trials[out.Best].Values[0]} {
		assert.Contains(t, html, want)
	}
	rows, err := readPath(filepath.Join(dir, "path.csv"))
	require.NoError(t, err)
	values := map[string]bool{}
	for _, row := range rows[1:] {
		values[row[4]] = true
		assert.Contains(t, html, `["`+strings.Join(row, `","`)+`"]`, "the table has the row")
	}
	chart := regexp.MustCompile(`id="chart-search">(.*?)</script>`).FindStringSubmatch(html)
	require.NotNil(t, chart)
	drawn := 0
	for _, list := range regexp.MustCompile(`"values":\[(.*?)\]`).FindAllStringSubmatch(chart[1], -1) {
		for _, v := range strings.Split(list[1], ",") {
			assert.True(t, values[v], "%s is in path.csv", v)
			drawn++
		}
	}
	assert.GreaterOrEqual(t, drawn, len(rows)-1)

	before := html
	require.NoError(t, os.Remove(filepath.Join(dir, "report.html")))
	require.NoError(t, WritePage(dir))
	page, err = os.ReadFile(filepath.Join(dir, "report.html"))
	require.NoError(t, err)
	assert.Equal(t, before, string(page), "made again, it is the same")
}

func TestPageErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, text, want string }{
		{manifestFile, "{", "tune.json: not written by rocesim tune, or changed: unexpected end of JSON input"},
		{manifestFile, `{"format": "rocesim tune 9"}`, `tune.json: the format is "rocesim tune 9", this version reads "rocesim tune 1"`},
		{"path.csv", "setting,phase\n", "path.csv: there is no setting in it"},
		{"path.csv", "setting,phase\n0,default\n", "path.csv:1: there is no column cost: the file was changed"},
		{"path.csv", "setting,phase,cost,violation,best_so_far\n0,default,1,0,true\n", "path.csv:1: there is no column of the goal: the file was changed"},
	} {
		dir := t.TempDir()
		put := func(name, text string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		}
		put(manifestFile, `{"format": "rocesim tune 1", "state": "finished", "goals": ["minimise fct.p99, weight 1"], "params": ["a=1,2", "b=1,2", "c=1,2"]}`)
		put(c.file, c.text)
		_, err := Page(dir)
		require.Error(t, err, c.want)
		assert.True(t, strings.HasPrefix(err.Error(), dir), err.Error())
		assert.True(t, strings.HasSuffix(err.Error(), c.want), err.Error())
	}
}
