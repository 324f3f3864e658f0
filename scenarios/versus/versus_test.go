package versus

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
