package lint

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rules are the checks that look at one file at a time.
func rules() map[string]func(*file) []string {
	return map[string]func(*file) []string{
		"changelog":       checkChangelog,
		"documentation":   checkDocs,
		"file length":     checkFileLength,
		"forbidden texts": checkForbidden,
		"format":          checkFormat,
		"functions":       checkFunctions,
		"imports":         checkImports,
		"terminal":        checkCalls,
		"top level":       checkTopLevel,
		"unfinished work": checkMarkers,
		"variables":       checkVars,
	}
}

func TestProject(t *testing.T) {
	files := load(t)
	require.Greater(t, len(files), 20, "the project was not found")
	for name, rule := range rules() {
		t.Run(name, func(t *testing.T) {
			for _, f := range files {
				for _, problem := range rule(f) {
					t.Error(problem)
				}
			}
		})
	}
	t.Run("package comments", func(t *testing.T) {
		assert.Empty(t, checkPackageComments(files))
	})
	t.Run("import policy", func(t *testing.T) {
		assert.Empty(t, checkPolicy(files))
	})
	t.Run("test names", func(t *testing.T) {
		assert.Empty(t, checkTestNames(files))
	})
	t.Run("links", func(t *testing.T) {
		top := root(t)
		assert.Empty(t, checkLinks(files, func(name string) bool {
			_, err := os.Stat(filepath.Join(top, filepath.FromSlash(name)))
			return err == nil
		}))
	})
}

// TestVet runs the checks of go vet that go test leaves out.
func TestVet(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("go", "vet", "./...")
	cmd.Dir = root(t)
	out, err := cmd.CombinedOutput()
	assert.NoError(t, err, string(out))
}
