package sweep

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// directory makes one of two settings: the first with two runs, the second with
// one that failed and one whose scenario was invalid.
func directory(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	runs := newStore(dir)
	for i := range 2 {
		seed := uint64(i + 1)
		value := 10.5 + float64(i)
		require.NoError(t, runs.put(runName("aa", seed), &Record{Format: recordFormat, Scenario: "x", Seed: seed, Fingerprint: "00ff", Metrics: map[string]*float64{"fct.p99": &value, "makespan": nil}},
			func() (string, error) { return "name: x\n", nil }))
	}
	put(t, dir, manifestFile, `{"format": "rocesim sweep 2", "state": "finished",
		"scenarios": [{"name": "x", "seeds": [1, 2]}], "axes": [{"path": "nic.mtu", "values": ["1024", "4096"]}]}`)
	put(t, dir, "runs.csv", "scenario,nic.mtu,seed,run\nx,1024,1,aa/seed-1\nx,1024,2,aa/seed-2\nx,4096,1,cc/seed-1\nx,4096,2,\n")
	return dir
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
}

func TestRead(t *testing.T) {
	dir := directory(t)
	assert.True(t, IsDir(dir))
	f, err := Read(dir)
	require.NoError(t, err)
	assert.Equal(t, []string{"x"}, f.Scenarios)
	assert.Equal(t, []string{"nic.mtu"}, f.Axes)
	require.Len(t, f.Settings, 1, "the other has no run")
	s := f.Settings[0]
	assert.Equal(t, []string{"1024"}, s.Values)
	assert.Contains(t, s.Text, "name: x\n")
	require.Len(t, s.Records, 2)
	assert.Equal(t, 11.5, *s.Records[1].Metrics["fct.p99"])
	assert.Nil(t, s.Records[1].Metrics["makespan"])
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{manifestFile, "{}", `sweep.json: the format is "", this version reads "rocesim sweep 2": rocesim did not write it`},
		{manifestFile, `{"format": "rocesim sweep 1"}`, `the format is "rocesim sweep 1", this version reads "rocesim sweep 2": another version of rocesim wrote it`},
		{manifestFile, "{", "sweep.json: not written by rocesim sweep, or changed: unexpected end of JSON input"},
		{manifestFile, `{"format": "rocesim sweep 2", "state": "interrupted", "scenarios": [{"name": "x", "seeds": [1]}]}`, "the sweep is not finished (interrupted); the same rocesim sweep command goes on with it"},
		{"runs.csv", "", "runs.csv: the file is empty"},
		{"runs.csv", "scenario,seed,run\nx,1,aa/seed-1\n", "runs.csv:1: there is no column nic.mtu"},
		{"runs.csv", "scenario,nic.mtu,run\nx,1024\n", "runs.csv: record on line 2: wrong number of fields"},
		{"runs.csv", "scenario,nic.mtu,run\nx,1024,cc/seed-1\n", "no run of the sweep succeeded"},
		{"runs/aa/seed-1.json", `{"sha256":"00","record":{}}`, "seed-1.json: its checksum does not fit, so it was changed or only half written"},
	} {
		dir := directory(t)
		put(t, dir, c.file, c.text)
		_, err := Read(dir)
		require.Error(t, err)
		assert.True(t, strings.HasPrefix(err.Error(), dir), err.Error())
		assert.True(t, strings.HasSuffix(err.Error(), c.want), err.Error())
	}
	empty := t.TempDir()
	assert.False(t, IsDir(empty))
	_, err := Read(empty)
	assert.EqualError(t, err, empty+": not the directory of a sweep, it has no sweep.json")
}
