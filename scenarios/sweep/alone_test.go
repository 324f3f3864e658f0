package sweep

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A job that came from elsewhere cannot have a file read: it fails although the
// file is there.
func TestJobReadsNoFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sizes.txt")
	require.NoError(t, os.WriteFile(file, []byte("1000 0\n2000 100\n"), 0o644))
	job := Job{Seed: 1, Scenario: strings.ReplaceAll(`name: x
fabric: {topology: star, hosts: 3, host_link: {rate: 100Gbps, cable: 3m}}
workload:
  - {name: w, type: poisson, load: 10%, cdf_file: "FILE"}
stop: {time: 10us}
`, "FILE", file)}
	_, err := job.Run(context.Background(), "test")
	require.EqualError(t, err, "job:4:51: workload[0].cdf_file: names a file, and none is read here; sizes: can hold what is in it")
}

// Nothing else that a run is made of can open anything: of the packages that
// scenarios is made of, these files alone can reach the system, for the reason
// given. A new one has to be looked at: could a job from elsewhere make it read
// or write?
func TestWhatReachesTheSystem(t *testing.T) {
	reasons := map[string]string{
		"scenarios/cdf.go":             "readDistributions, which ParseAlone does not call",
		"scenarios/load.go":            "Load, of files named on the command line",
		"scenarios/import_hpcc_fct.go": "WriteFCT, of what was imported on the command line",
		"results/write.go":             "run directories, which no job writes",
		"results/report_file.go":       "run directories, which no job writes",
		"results/files.go":             "run directories, which no job writes",
		"results/read.go":              "run directories, which no job reads",
	}
	sources := map[string][]string{} // by package
	gather(t, "scenarios", sources)
	require.Greater(t, len(sources), 20, "packages that a run is made of")
	var found []string
	for _, files := range sources {
		found = append(found, files...)
	}
	assert.ElementsMatch(t, slices.Collect(maps.Keys(reasons)), found)
}

// gather lists, for a package of ours and all that it imports, the source files
// that import what can open files, connections or processes, or that write with
// results.WriteFile.
func gather(t *testing.T, dir string, found map[string][]string) {
	if _, done := found[dir]; done {
		return
	}
	found[dir] = nil
	const root, module = "../..", "rocesim/"
	paths, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	require.NoError(t, err)
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		require.NoError(t, err)
		if importsSystem(file) || writesFiles(file) {
			found[dir] = append(found[dir], dir+"/"+filepath.Base(path))
		}
		for _, one := range file.Imports {
			if ours, ok := strings.CutPrefix(strings.Trim(one.Path.Value, `"`), module); ok {
				gather(t, ours, found)
			}
		}
	}
}

func importsSystem(file *ast.File) bool {
	return slices.ContainsFunc(file.Imports, func(one *ast.ImportSpec) bool {
		imported, err := strconv.Unquote(one.Path.Value)
		return err != nil || slices.Contains([]string{"os", "os/exec", "net", "net/http", "syscall", "plugin", "io/ioutil", "unsafe"}, imported)
	})
}

// writesFiles reports whether a file names results.WriteFile, as it is called in
// results and elsewhere.
func writesFiles(file *ast.File) bool {
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			of, ok := n.X.(*ast.Ident)
			found = found || ok && of.Name == "results" && n.Sel.Name == "WriteFile"
			return !ok
		case *ast.Ident:
			found = found || file.Name.Name == "results" && n.Name == "WriteFile"
		}
		return true
	})
	return found
}

// The test sees a writer that imports nothing of the system, and only that.
func TestWritesFiles(t *testing.T) {
	for text, want := range map[string]bool{
		"package results\nfunc f() error { return WriteFile(p, w) }":                  true,
		"package model\nfunc f() error { return results.WriteFile(p, w) }":            true,
		"package model\nfunc f(x func() error) error { return g(results.WriteFile) }": true,
		"package model\nfunc f() error { return WriteFile(p, w) }":                    false,
		"package results\nfunc f() error { return sweep.WriteFile(p, w) }":            false,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", text, 0)
		require.NoError(t, err)
		assert.Equal(t, want, writesFiles(file), text)
	}
}
