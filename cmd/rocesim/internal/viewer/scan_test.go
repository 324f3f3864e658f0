package viewer

import (
	"fmt"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestHugeDirectory lists as much as is useful of a directory that nobody
// meant to look into.
func TestHugeDirectory(t *testing.T) {
	fsys := fstest.MapFS{}
	for i := range maxVisits + 10 {
		fsys[fmt.Sprintf("photos/%06d.jpg", i)] = &fstest.MapFile{}
	}
	fsys["a/sweep.json"] = &fstest.MapFile{Data: []byte(`{"format": "rocesim sweep 2", "state": "running", "scenarios": [{"name": "x", "seeds": [1]}]}`)}
	entries, cut, err := scan(fsys, ".")
	require.NoError(t, err)
	assert.Equal(t, "There is more below this directory than is listed: the list ends at 5000 entries, or 50000 files and directories.", cut)
	require.NotEmpty(t, entries)
	assert.Equal(t, "a", entries[0].Path)
}

func TestDeepDirectory(t *testing.T) {
	deep := strings.Repeat("d/", maxDepth+3)
	fsys := fstest.MapFS{path.Join(deep, "manifest.json"): &fstest.MapFile{}}
	entries, cut, err := scan(fsys, ".")
	require.NoError(t, err)
	assert.Empty(t, cut)
	require.Len(t, entries, 1)
	assert.Equal(t, "is more than 8 directories deep and was not looked into", entries[0].Verdict)
}

// TestDamagedMarkers gives every kind of result broken files: each is listed,
// with its place and reason.
func TestDamagedMarkers(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"manifest.json", "", "run: x/manifest.json:1: not written by rocesim, or changed: unexpected end of JSON input"},
		{"manifest.json", `{"format": "something"}`, `run: x/manifest.json: format is "something", so rocesim did not write it`},
		{"sweep.json", "[]", "sweep: x/sweep.json: not written by rocesim sweep, or changed: "},
		{"sweep.json", `{"format": "rocesim sweep 7"}`, "another version of rocesim wrote it"},
		{"tune.json", `{"format": "7"}`, `search: x/tune.json: the format is "7", this version reads "rocesim tune 1"`},
		{"comparison.json", "{}", "comparison: x/comparison.json: neither metrics nor settings are in it, so rocesim compare did not write it"},
		{"comparison.json", `{"a": {"seeds": [1]}, "b": {"seeds": [1]}, "metrics": [{"metric": "fct.p100"}]}`, `comparison: x/comparison.json: metric "fct.p100"`},
		{"comparison.json", `{"a": {"seeds": [1]}, "b": {"seeds": [1]}, "metrics": [{"metric": "fct.p99", "verdict": "nice"}]}`, `the verdict of fct.p99 is "nice", which rocesim compare does not write`},
		{"comparison.json", `{"metrics": []}`, "a side has no seeds, so the file was changed"},
		{"comparison.json", `{"settings": [{"setting": "a=1"}]}`, "a setting has no metrics, so the file was changed"},
	} {
		entries, _, err := scan(fstest.MapFS{"x/" + c.file: &fstest.MapFile{Data: []byte(c.text)}}, ".")
		require.NoError(t, err)
		require.Len(t, entries, 1)
		assert.Equal(t, "damaged", entries[0].Kind)
		assert.Contains(t, entries[0].Verdict, c.want)
	}
}

func TestShortVerdict(t *testing.T) {
	for text, want := range map[string]string{
		"LOSSLESS: no packet of a lossless class was dropped":                                      "LOSSLESS",
		"LOSSLESS: no packet of a lossless class was dropped (run deadlocked at 90 us)":            "LOSSLESS",
		"NO LOSSLESS CLASS: PFC protects no priority that carried traffic":                         "NO LOSSLESS CLASS: PFC protects no priority that carried traffic",
		"NOT LOSSLESS: 1 packet dropped in lossless classes: link down at a:0>b (1, first at 2 s)": "NOT LOSSLESS: link down at a:0>b",
	} {
		assert.Equal(t, want, shortVerdict(text))
	}
}
