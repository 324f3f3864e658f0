package metrics_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/cc"
	"rocesim/cc/dcqcn"
	"rocesim/results"
	"rocesim/results/metrics"
	"rocesim/scenarios/congestion"
	"rocesim/scenarios/model"
	"rocesim/scenarios/workload"
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

// notified is n senders to one receiver with ECN and DCQCN, for about 1 ms.
func notified(t *testing.T, n int, bytes int64) *model.Spec {
	spec := network(star(t, n+1))
	flows := workload.Flows{Common: workload.Common{Name: "incast", Class: workload.Class{DSCP: 26}}}
	for i := range n {
		flows.Flows = append(flows.Flows, workload.Flow{Pair: workload.Pair{Src: i, Dst: n}, Bytes: bytes})
	}
	fixed := workload.Flows{Common: workload.Common{Name: "fixed", Class: workload.Class{DSCP: 26, Rate: 5 * sim.Gbps}},
		Flows: []workload.Flow{{Pair: workload.Pair{Src: 0, Dst: 1}, Bytes: 500_000}}}
	spec.Entries = []workload.Entry{flows, fixed}
	spec.Switches[0].Queues[3].RED = &switching.REDProfile{Kmin: 50_000, Kmax: 200_000, Pmax: 1 << 32 / 5}
	params := congestion.MustParams("connectx", 100*sim.Gbps)
	spec.Control = func(int) cc.Controller { return dcqcn.New(&params, 100*sim.Gbps) }
	return spec
}

func total(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum
}

// What the series count adds up to the counters: every step is counted once,
// also where pairs of steps were merged.
func TestSeriesAddUpToTheCounters(t *testing.T) {
	for _, c := range []struct{ step, kept, end sim.Time }{
		{us, us, 1024 * us},
		{us / 8, us / 2, 1024 * us}, // 8,192 samples, halved twice
	} {
		spec := notified(t, 8, 4_000_000)
		run, m := simulate(t, spec, metrics.Options{Sample: c.step, Queues: 100, CongestionControl: "dcqcn"}, c.end)
		n := int(c.end / c.kept)

		marks := series(run, results.MarkSeries)
		require.NotEmpty(t, marks)
		for _, s := range marks {
			require.Len(t, s.Values, n)
			assert.Equal(t, c.kept, s.Step)
			assert.Equal(t, float64(rowOf(t, run, s).ECNMarked), total(s.Values))
		}

		sent, handled := series(run, results.CNPSentSeries), series(run, results.CNPHandledSeries)
		require.Len(t, sent, 2, "all, and the receiver")
		require.Len(t, handled, 9, "all, and the senders")
		allSent, allHandled := 0.0, 0.0
		for _, row := range run.NICs {
			allSent, allHandled = allSent+float64(row.CNPSent), allHandled+float64(row.CNPHandled)
			if s, ok := handled[row.Name]; ok {
				assert.Equal(t, float64(row.CNPHandled), total(s.Values), row.Name)
			}
		}
		require.Greater(t, allHandled, 100.0)
		assert.Equal(t, allSent, total(sent[results.AllNICs].Values))
		assert.Equal(t, allHandled, total(handled[results.AllNICs].Values))
		require.Len(t, handled[results.AllNICs].Values, n)

		links := series(run, results.UtilisationSeries)
		require.Len(t, links, 2*9)
		for name, s := range links {
			bytes := 0.0
			for _, v := range s.Values {
				bytes += v * float64(run.Ports[s.Port].Rate) * s.Step.Seconds() / 8
			}
			assert.InEpsilon(t, float64(run.Ports[s.Port].WireBytes), bytes, 1e-6, name)
		}
		require.NoError(t, m.CheckConservation())
	}
}

// The current rate is that of queue pairs with data to send which notifications
// slow down: 100 Gb/s before the first of them, less afterwards, nothing when
// all is sent. A workload of a fixed rate has none.
func TestControlSeries(t *testing.T) {
	run, m := simulate(t, notified(t, 4, 2_000_000), metrics.Options{Sample: us, Queues: 1, CongestionControl: "dcqcn"}, 1024*us)
	rates := series(run, results.ControlSeries)
	require.Len(t, rates, 5, "the workload and its four flows")
	all := rates["incast"]
	require.Len(t, all.Values, 1024)
	assert.Equal(t, []float64{100e9, 100e9, 100e9}, []float64{all.Low[0], all.Values[0], all.High[0]})
	least := 100e9
	for i, v := range all.Values {
		assert.LessOrEqual(t, all.Low[i], v)
		assert.LessOrEqual(t, v, all.High[i])
		sum, n := 0.0, 0
		for conn := range 4 {
			one := rates[fmt.Sprintf("flow %d h%d>h4", conn, conn)]
			if one.Values[i] > 0 {
				sum, n = sum+one.Values[i], n+1
				least = min(least, one.Values[i])
				assert.LessOrEqual(t, all.Low[i], one.Values[i])
				assert.GreaterOrEqual(t, all.High[i], one.Values[i])
			}
		}
		assert.InDelta(t, sum/float64(max(n, 1)), v, 1)
	}
	assert.Less(t, least, 50e9)
	assert.Zero(t, all.Values[1023], "all was sent")
	assert.Zero(t, m.NICs.Unfinished(m.Now()))
}

// Looking at rates changes nothing, however often.
func TestSamplingChangesNothing(t *testing.T) {
	var want *results.Run
	for _, step := range []sim.Time{0, 100 * sim.Nanosecond, 7 * us} {
		run, _ := simulate(t, notified(t, 8, 4_000_000), metrics.Options{Sample: step, Queues: 8, CongestionControl: "dcqcn"}, 1024*us)
		if want == nil {
			want = run
		}
		assert.Equal(t, want.Flows, run.Flows, "%v", step)
		assert.Equal(t, want.NICs, run.NICs, "%v", step)
		assert.Equal(t, want.Manifest.PacketHops, run.Manifest.PacketHops)
	}
}

// Of many queue pairs at most 256 are looked at, spread evenly.
func TestManyQueuePairs(t *testing.T) {
	spec := notified(t, 2, 1000)
	flows := spec.Entries[0].(workload.Flows)
	for range 999 {
		flows.Flows = append(flows.Flows, workload.Flow{Pair: workload.Pair{Src: 1, Dst: 2}, Bytes: 40_000})
	}
	spec.Entries = []workload.Entry{flows}
	run, _ := simulate(t, spec, metrics.Options{Sample: us, Queues: 1, CongestionControl: "dcqcn"}, 512*us)
	rates := series(run, results.ControlSeries)
	require.Len(t, rates, 1)
	assert.Len(t, rates["incast"].Values, 512)
	assert.Positive(t, rates["incast"].Low[300])
}
