package sweep

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
)

// FuzzPage reads directories that anybody may have changed: an error names the
// file, and nothing breaks off.
func FuzzPage(f *testing.F) {
	manifest := `{"format": "rocesim sweep 2", "state": "finished", "scenarios": [{"name": "x", "seeds": [1]}], "axes": [{"path": "a.b", "values": ["1", "2"]}],
		"objective": "minimise fct.p99", "metrics": ["fct.p99"], "pareto": ["fct.p99", "ecn.marks"]}`
	f.Add(manifest, "scenario,a.b,runs,runs_unmet,recommended,pareto,fct.p99_us_mean,fct.p99_us_ci95\nx,1,1,0,1,0,2.5,\nx,2,1,0,0,0,3.5,\n", "stop,error\nfinished,\nfailed,why\n")
	f.Add(strings.Replace(manifest, `"values": ["1", "2"]`, `"values": []`, 1), "scenario\nx\n", "")
	f.Add(strings.Replace(manifest, `"path"`, `"dimension": -1, "path"`, 1), "scenario\nx\n", "")
	f.Add(`{"format": "rocesim sweep 2"}`, "scenario,runs\nx,1\n", "stop,error\n")
	f.Add(manifest, "scenario,a.b\nx,1\nx,2\n", "stop,error\n\"")
	f.Fuzz(func(t *testing.T, manifest, settings, runs string) {
		dir := t.TempDir()
		for name, text := range map[string]string{manifestFile: manifest, "settings.csv": settings, "runs.csv": runs} {
			put(t, dir, name, text)
		}
		if err := WritePage(dir); err != nil {
			assert.True(t, strings.HasPrefix(err.Error(), dir), err.Error())
		}
		_, err := Peek(fstest.MapFS{manifestFile: &fstest.MapFile{Data: []byte(manifest)}}, ".")
		if err != nil {
			assert.True(t, strings.HasPrefix(err.Error(), manifestFile), err.Error())
		}
	})
}
