package metrics_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/results/metrics"
	"rocesim/scenarios/model"
	"rocesim/sim"
	switching "rocesim/switch"
)

// overload is two senders and a receiver for some 10 ms, under PFC.
func overload(t *testing.T) *model.Spec {
	spec := network(star(t, 3), flow("a", 0, 2, 40_000_000, 0), flow("b", 1, 2, 40_000_000, 2*sim.Millisecond))
	spec.Switches[0].Groups[3].Threshold = switching.Threshold{Static: 200_000}
	return spec
}

// series returns the series of one kind by name.
func series(run *results.Run, kind results.SeriesKind) map[string]results.Series {
	out := map[string]results.Series{}
	for _, s := range run.Series {
		if s.Kind == kind {
			out[s.Name] = s
		}
	}
	return out
}

// Of a series with more than 4096 samples pairs are merged, twice here: rates
// become means, queues keep their peaks. The rates are then those of samples at
// the longer step, and all bytes are still there.
func TestSeriesAreHalved(t *testing.T) {
	const end = 9 * sim.Millisecond
	fine, m := simulate(t, overload(t), metrics.Options{Sample: us, Queues: 8}, end)
	coarse, _ := simulate(t, overload(t), metrics.Options{Sample: 4 * us, Queues: 8}, end)
	assert.Equal(t, coarse.Manifest.PacketHops, fine.Manifest.PacketHops, "sampling changes nothing")
	rates, want := series(fine, results.RateSeries), series(coarse, results.RateSeries)
	require.Len(t, rates, 4, "two workloads, two flows")
	for i, name := range []string{"a", "b"} {
		s := rates[name]
		assert.Equal(t, 4*us, s.Step)
		assert.Equal(t, 4*us, s.Start)
		assert.Equal(t, int32(-1), s.Port)
		require.Len(t, s.Values, int(end/(4*us)))
		assert.InDeltaSlice(t, want[name].Values, s.Values, 1, "bits a second")
		var bytes float64
		for _, v := range s.Values {
			bytes += v * s.Step.Seconds() / 8
		}
		assert.InDelta(t, float64(m.NICs.Tally(i)), bytes, 1)
	}
	deep := series(fine, results.QueueSeries)
	shallow := series(coarse, results.QueueSeries)
	require.NotEmpty(t, deep)
	for name, s := range deep {
		require.Len(t, s.Values, int(end/(4*us)), name)
		row := rowOf(t, fine, s)
		for i, v := range s.Values {
			assert.LessOrEqual(t, v, float64(row.PeakQueue))
			if c, ok := shallow[name]; ok {
				assert.GreaterOrEqual(t, v, c.Values[i], "the peak of four samples, one of which is that")
			}
		}
	}
}

func rowOf(t *testing.T, run *results.Run, s results.Series) results.QueueRow {
	t.Helper()
	for _, q := range run.Queues {
		if q.Port == s.Port && q.Priority == s.Priority {
			return q
		}
	}
	t.Fatalf("no row of %s", s.Name)
	return results.QueueRow{}
}

// The mean depth is that over time: a queue that holds 100 KB to 300 KB all the
// time has a mean between them, and one sampled finely agrees with one sampled
// coarsely.
func TestMeanQueue(t *testing.T) {
	depth := func(step sim.Time) float64 {
		run, _ := simulate(t, overload(t), metrics.Options{Sample: step, Queues: 1}, 8*sim.Millisecond)
		s := series(run, results.QueueSeries)
		require.Len(t, s, 1, "the deepest queue only")
		for _, q := range s {
			return rowOf(t, run, q).MeanQueue
		}
		return 0
	}
	fine, coarse := depth(us), depth(10*us)
	assert.Greater(t, fine, 100_000.0)
	assert.InEpsilon(t, fine, coarse, 0.02)
}

// Without a sampling period there are no series.
func TestNoSampling(t *testing.T) {
	run, _ := simulate(t, overload(t), metrics.Options{}, sim.Millisecond)
	assert.Empty(t, run.Series)
}

// Up to 16 connections have a rate series of their own, more have none.
func TestConnectionSeries(t *testing.T) {
	for _, n := range []int{2, 16, 17} {
		spec := network(star(t, n+1))
		for i := range n {
			spec.Entries = append(spec.Entries, flow("flow "+string(rune('a'+i)), i, n, 10_000, 0))
		}
		run, _ := simulate(t, spec, metrics.Options{Sample: us}, 50*us)
		want := n // workloads
		if n <= 16 {
			want += n
		}
		assert.Len(t, series(run, results.RateSeries), want, "%d connections", n)
	}
}
