package sweep

import (
	"context"
	"runtime/debug"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rocesim/scenarios"
)

// BenchmarkSweep measures what a sweep takes beside its runs, and what a second
// worker is worth. Tables and plots, which are written in the end, are no part
// of it.
//
// What a sweep adds is some milliseconds for each setting, to read the scenario
// with its values, and for each run, to make its plan, to compute its metrics
// and to write its two files. So it is a large share of a run of 10 ms, and
// little of one of a second.
func BenchmarkSweep(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // as the command sets it
	for _, c := range []struct {
		name string
		spec Spec
	}{
		{"10ms", Spec{
			Files: []string{"../ecn/incast-32-1.yaml"}, Seeds: "5",
			Sets: []string{"switch.ecn.kmin=20KB,100KB,400KB", "switch.ecn.kmax=400KB,1600KB,3200KB"},
		}},
		{"300ms", Spec{
			Files: []string{"../cluster-200.yaml"}, Seeds: "5",
			Sets: []string{"stop.time=1ms", "switch.lossless.alpha=1/64,1/4"},
		}},
	} {
		b.Run("overhead/"+c.name, func(b *testing.B) { benchmarkOverhead(b, c.spec) })
		b.Run("workers/"+c.name, func(b *testing.B) { benchmarkWorkers(b, c.spec) })
	}
}

// benchmarkOverhead compares the processor time of a sweep with one worker with
// that of its bare runs: plan.Run for one after the other. Both are measured in
// the same sweep, because neighbours of a virtual machine make even processor
// time differ by more than the overhead.
func benchmarkOverhead(b *testing.B, spec Spec) {
	runs := timedRuns{b: b}
	began := cpuTime()
	for range b.N {
		runSweep(b, spec, Options{Executor: &runs, Workers: 1})
	}
	all := cpuTime() - began
	b.ReportMetric(runs.bare.Seconds()*1e3/float64(runs.n), "cpu-ms/run")
	b.ReportMetric((all-runs.bare).Seconds()*1e3/float64(runs.n), "overhead-ms/run")
	b.ReportMetric(100*float64(all-runs.bare)/float64(runs.bare), "overhead-%")
}

// benchmarkWorkers compares the fastest times on the wall of a sweep with one
// worker and with two, which needs two processors with nothing else to do.
// cpu-growth-% is the processor time that runs take more because they share
// memory and caches, which no sweep can help.
func benchmarkWorkers(b *testing.B, spec Spec) {
	var wall, cpu [2]time.Duration
	for round := range b.N {
		for k := range wall {
			began, used := time.Now(), cpuTime()
			runSweep(b, spec, Options{Workers: k + 1})
			took, used := time.Since(began), cpuTime()-used
			if round == 0 || took < wall[k] {
				wall[k] = took
			}
			if round == 0 || used < cpu[k] {
				cpu[k] = used
			}
		}
	}
	b.ReportMetric(float64(wall[0])/float64(wall[1]), "speed-up")
	b.ReportMetric(100*(float64(cpu[1])/float64(cpu[0])-1), "cpu-growth-%")
}

// timedRuns executes jobs one after the other, as Job.Run does, and takes the
// processor time of the bare runs.
type timedRuns struct {
	b    *testing.B
	n    int
	bare time.Duration
}

// Execute implements Executor.
func (r *timedRuns) Execute(ctx context.Context, todo []int, job func(int) (*Job, error), done func(int, *Record, error)) error {
	for _, i := range todo {
		j, err := job(i)
		require.NoError(r.b, err)
		plan, err := j.plan()
		require.NoError(r.b, err)
		began := cpuTime()
		run, err := plan.Run(ctx, scenarios.RunOptions{Tool: "bench"})
		r.bare += cpuTime() - began
		require.NoError(r.b, err)
		rec, err := j.record("bench", plan, run)
		require.NoError(r.b, err)
		done(i, rec, nil)
		r.n++
	}
	return nil
}

// runSweep runs a sweep from its scenario file to its last record.
func runSweep(b *testing.B, spec Spec, opt Options) {
	b.Helper()
	s, err := Load(spec)
	require.NoError(b, err)
	opt.Dir, opt.Tool = b.TempDir(), "bench"
	out, err := s.Run(context.Background(), opt)
	require.NoError(b, err)
	require.Zero(b, out.Failed())
}
