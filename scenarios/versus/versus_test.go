package versus

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/results/compare"
	"rocesim/scenarios"
)

// write puts noisy into a file.
func write(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "noisy.yaml")
	require.NoError(t, os.WriteFile(path, []byte(noisy), 0o644))
	return path
}

// One worker and many give the same comparison.
func TestWorkersChangeNothing(t *testing.T) {
	path := write(t)
	var all []*Result
	for _, workers := range []int{1, 7} {
		done := 0
		r, err := Run(t.Context(), path, path, Options{
			SetsB: []string{"fabric.host_link.cable=72m"}, Seeds: 4, Workers: workers, Metrics: []string{AllMetrics},
			Progress: func(n, total int) {
				done++
				assert.Equal(t, done, n)
				assert.Equal(t, 8, total)
			},
		})
		require.NoError(t, err)
		assert.Equal(t, 8, done)
		all = append(all, r)
	}
	assert.Equal(t, all[0].Comparison, all[1].Comparison)
	assert.Equal(t, all[0].Overlay.A.Manifest, all[1].Overlay.A.Manifest)
	assert.Equal(t, uint64(1), all[0].Overlay.B.Manifest.Seed, "the first seed is drawn")
	assert.Equal(t, []string{"fabric.host_link.cable"}, []string{all[0].Changes[0].Field})
	assert.Len(t, all[0].Changes, 1)
}

// A comparison that is interrupted is none.
func TestInterrupted(t *testing.T) {
	path := write(t)
	ctx, cancel := context.WithCancel(t.Context())
	progress := func(int, int) { cancel() }
	_, err := Run(ctx, path, path, Options{SetsB: []string{"nic.mtu=1024"}, Seeds: 50, Progress: progress})
	assert.ErrorIs(t, err, context.Canceled)
}

// Only the first run of each side has series, which are for drawing; what is
// compared is the same as that of runs with all.
func TestSeriesOfTheFirstRun(t *testing.T) {
	path := write(t)
	sampled := "output.sample=10us"
	r, err := Run(t.Context(), path, path, Options{Sets: []string{sampled}, SetsB: []string{"nic.mtu=1024"}, Seeds: 3, Metrics: []string{AllMetrics}})
	require.NoError(t, err)
	require.NotEmpty(t, r.Overlay.A.Series)
	require.NotEmpty(t, r.Overlay.B.Series)

	side := &compare.Side{Name: "whole"}
	subjects := results.AllSubjects([]string{"load"})
	for seed := range 3 {
		sc, err := scenarios.Load(path, []string{sampled, fmt.Sprintf("seed=%d", seed+1)})
		require.NoError(t, err)
		run, err := scenarios.Run(t.Context(), sc, scenarios.RunOptions{})
		require.NoError(t, err)
		require.NotEmpty(t, run.Series)
		side.Samples = append(side.Samples, compare.Measure(run, subjects))
	}
	whole, err := compare.Compare(side, side, subjects, compare.Options{})
	require.NoError(t, err)
	require.Equal(t, whole.A.Fingerprints, r.Comparison.A.Fingerprints)
	require.Len(t, r.Rows, len(whole.Rows))
	for i := range whole.Rows {
		require.Equal(t, whole.Rows[i].A, r.Rows[i].A, whole.Rows[i].Metric)
	}
}
