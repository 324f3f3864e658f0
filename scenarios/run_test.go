package scenarios

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/sim"
)

// A run for metrics only has the events and the metrics of a whole one, the mean
// queue from samples among them.
func TestMetricsOnly(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"pfc/incast-8-1.yaml", "pfc/victim-flow.yaml", "deadlock/deadlock-ring-3.yaml", "ecn/incast-32-1.yaml"} {
		sc, err := Load(file, nil)
		require.NoError(t, err, file)
		plan, err := sc.Plan()
		require.NoError(t, err, file)
		whole, err := plan.Run(context.Background(), RunOptions{})
		require.NoError(t, err, file)
		short, err := plan.Run(context.Background(), RunOptions{MetricsOnly: true})
		require.NoError(t, err, file)

		require.NotEmpty(t, whole.Series, file)
		require.Empty(t, short.Series, file)
		require.Equal(t, whole.Manifest.Fingerprint, short.Manifest.Fingerprint, file)
		require.Equal(t, whole.Manifest.Events, short.Manifest.Events, file)
		all, some := results.NewMetrics(whole), results.NewMetrics(short)
		for _, s := range results.AllSubjects(plan.Names) {
			want, wrong := s.Of(all)
			got, err := s.Of(some)
			require.Equal(t, want, got, "%s: %s", file, s)
			require.Equal(t, wrong, err, "%s: %s", file, s)
		}
		mean, err := some.Value("queue.mean")
		require.NoError(t, err)
		require.Positive(t, mean, file)
	}
}

// Runs in the memory of earlier ones, larger and smaller, are those in their
// own. The storm of watchdog-64-hosts begins at 100 ms.
func TestMemoryIsNoMatter(t *testing.T) {
	t.Parallel()
	var memory Memory
	for _, file := range []string{"basics/single-flow.yaml", "storm/watchdog-64-hosts.yaml", "pfc/incast-8-1.yaml", "basics/single-flow.yaml"} {
		sc, err := Load(file, nil)
		require.NoError(t, err, file)
		plan, err := sc.Plan()
		require.NoError(t, err, file)
		plan.StopTime = min(plan.StopTime, 150*sim.Millisecond)
		own, err := plan.Run(context.Background(), RunOptions{})
		require.NoError(t, err, file)
		shared, err := plan.Run(context.Background(), RunOptions{Memory: &memory})
		require.NoError(t, err, file)
		require.Equal(t, own, shared, file)
	}
}
