package scenarios

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestModelVersion(t *testing.T) {
	assert.Regexp(t, `^[0-9a-f]{8}$`, ModelVersion())
	onDisk, err := modelVersion(os.DirFS("."))
	require.NoError(t, err)
	assert.Equal(t, onDisk, ModelVersion(), "what is built in is what is committed")
}

// Another result is another version; what says nothing of results is not.
func TestModelVersionChangesWithResults(t *testing.T) {
	const baseline = `{"format": "rocesim baseline 1", "scenario": "a", "tool_version": "0.1.0", "seed": 1, "configuration": "c0",
  "fingerprint": "f0", "tolerance": {"default": "2%"}, "metrics": {"fct.max": 100, "jain": 1}}`
	of := func(first string) string {
		version, err := modelVersion(fstest.MapFS{
			"a.baseline.json":     {Data: []byte(first)},
			"pfc/b.baseline.json": {Data: []byte(strings.Replace(baseline, `"a"`, `"b"`, 1))},
			"a.yaml":              {Data: []byte("name: a")},
		})
		require.NoError(t, err)
		return version
	}
	was := of(baseline)
	for _, change := range []struct {
		old, new string
		changes  bool
	}{
		{`"f0"`, `"f1"`, true},
		{`"fct.max": 100`, `"fct.max": 101`, true},
		{`"jain": 1`, `"goodput": 1`, true},
		{`"seed": 1`, `"seed": 2`, true},
		{`"0.1.0"`, `"0.2.0"`, false},
		{`"2%"`, `"5%"`, false},
		{`"c0"`, `"c1"`, false}, // a new field of scenarios with its default
		{`"fct.max": 100, "jain": 1`, "\"jain\": 1,\r\n \"fct.max\": 100", false},
	} {
		text := strings.Replace(baseline, change.old, change.new, 1)
		require.NotEqual(t, baseline, text)
		assert.Equal(t, change.changes, was != of(text), "%s -> %s", change.old, change.new)
	}
	_, err := modelVersion(fstest.MapFS{"pfc/b.baseline.json": {Data: []byte("<<<<<<< HEAD")}})
	assert.EqualError(t, err, "pfc/b.baseline.json: invalid character '<' looking for beginning of value")
}
