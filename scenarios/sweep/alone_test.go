package sweep

import (
	"context"
	"go/parser"
	"go/token"
	"io/fs"
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

// Nothing else that a run is made of can open anything: of the packages of the
// model and of scenarios, these files alone can reach the system, for the reason
// given. A new one has to be looked at: could a job from elsewhere make it read
// or write?
func TestWhatReachesTheSystem(t *testing.T) {
	reasons := map[string]string{
		"scenarios/cdf.go":       "readDistributions, which ParseAlone does not call",
		"scenarios/load.go":      "Load, of files named on the command line",
		"results/write.go":       "run directories, which no job writes",
		"results/report_file.go": "run directories, which no job writes",
		"results/files.go":       "run directories, which no job writes",
		"results/read.go":        "run directories, which no job reads",
	}
	var found []string
	for _, dir := range []string{"sim", "fabric", "switch", "nic", "cc", "results/metrics", "scenarios/model", "scenarios/workload",
		"scenarios/strict", "scenarios/derive", "scenarios/headroom", "scenarios/presets", "-scenarios", "-results"} {
		found = append(found, reaching(t, dir)...)
	}
	slices.Sort(found)
	var allowed []string
	for file := range reasons {
		allowed = append(allowed, file)
	}
	slices.Sort(allowed)
	assert.Equal(t, allowed, found)
}

// reaching lists the source files that import what can open files, connections
// or processes, below a directory, or with a dash before it in it alone.
func reaching(t *testing.T, dir string) (found []string) {
	const root = "../.."
	name, flat := strings.CutPrefix(dir, "-")
	top := filepath.Join(root, name)
	require.NoError(t, filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && flat && path != top:
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, one := range file.Imports {
			imported, err := strconv.Unquote(one.Path.Value)
			if err != nil {
				return err
			}
			if slices.Contains([]string{"os", "os/exec", "net", "net/http", "syscall", "plugin", "io/ioutil", "unsafe"}, imported) {
				rel, err := filepath.Rel(root, path)
				found = append(found, filepath.ToSlash(rel))
				return err
			}
		}
		return nil
	}))
	return found
}
