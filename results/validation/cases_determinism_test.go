package validation_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/results/report"
)

// The same seed gives the same bytes in every file, with one processor and with
// two; another seed gives another fingerprint (V-54, exact).
func TestV54SameSeedSameBytes(t *testing.T) {
	one, fingerprint := filesOfRun(t, 1)
	require.Contains(t, one, "manifest.json")
	require.Contains(t, one, filepath.Join("plots", "rates.png"))
	two, same := filesOfRun(t, 2)
	assert.Equal(t, one, two)
	assert.Equal(t, fingerprint, same)
	assert.NotEqual(t, fingerprint, simulate(t, "cases-mixed", "seed=2").Manifest.Fingerprint)
}

// filesOfRun runs cases-mixed on a number of processors, writes its directory as
// the command line does, and returns the hash of each file and the fingerprint
// of the run.
func filesOfRun(t *testing.T, processors int) (hashes map[string]string, fingerprint uint64) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	run := simulate(t, "cases-mixed")
	require.NotZero(t, metric(t, run, "ecn.marks"), "the run must use its random streams")
	require.NotZero(t, metric(t, run, "pfc.pauses"))
	summary := results.Summarise(run)
	plots := report.Options{Plots: report.Names(), Formats: []string{"png", "svg"}}
	dir := filepath.Join(t.TempDir(), "run")
	require.NoError(t, results.Write(dir, run, &summary, func(dir string) error { return report.Write(dir, run, plots) }))
	hashes = map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		hashes[name] = fmt.Sprintf("%x", sha256.Sum256(text))
		return err
	}))
	return hashes, run.Manifest.Fingerprint
}
