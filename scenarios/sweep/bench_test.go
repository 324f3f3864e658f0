package sweep

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/scenarios"
)

// BenchmarkSweep measures what a sweep takes beside its runs, and what a second
// worker is worth. Plots, which are drawn in the end, are no part of it.
//
// What a sweep adds is the time to read the files, for each setting to read the
// scenario with its values, to make the plan and to write the scenario in full, and
// for each run to write its record. On a disk the files are the most of it, above all
// where others were removed a moment ago (ext4 does not take their places at once),
// so give TMPDIR a file system in memory too.
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
// that of bare runs, one after the other:
//
//   - result-%: what the sweep takes more than to simulate what metrics need and
//     to compute the metrics. This is the overhead of the sweep.
//   - simulate-%: the same, with the metrics on the side of the sweep.
//   - run-%: what the sweep takes more than rocesim run, which plans, simulates
//     with time series and sums up; without reading the scenario, and without
//     its files and plots. Below 0 a sweep spares more than it adds.
//   - tables-ms/run: what the tables and the page take in the end, which is no part
//     of the others.
//
// All are measured in the same sweep, because neighbours of a virtual machine
// make even processor time differ by more than the overhead.
func benchmarkOverhead(b *testing.B, spec Spec) {
	runs := timedRuns{b: b}
	var all, tables time.Duration
	for range b.N {
		began := cpuTime()
		out := runSweep(b, spec, Options{Executor: &runs, Workers: 1})
		ended := cpuTime()
		require.NoError(b, out.Write(b.TempDir(), nil))
		all += ended - began
		tables += cpuTime() - ended
	}
	all -= runs.alone
	perRun := func(d time.Duration) float64 { return d.Seconds() * 1e3 / float64(runs.n) }
	over := func(bare time.Duration) float64 { return 100 * float64(all-bare) / float64(bare) }
	result := runs.simulated + runs.measured
	b.ReportMetric(perRun(all), "sweep-ms/run")
	b.ReportMetric(perRun(result), "result-ms/run")
	b.ReportMetric(over(result), "result-%")
	b.ReportMetric(over(runs.simulated), "simulate-%")
	b.ReportMetric(over(runs.alone), "run-%")
	b.ReportMetric(perRun(tables), "tables-ms/run")
}

// benchmarkWorkers compares sweeps with one worker and with two:
//
//   - speed-up: the fastest times on the wall, which need two processors with
//     nothing else to do.
//   - cpu-growth-%: the processor time that two take more because they share
//     memory and caches.
//   - idle-%: the time for which two processors had no goroutine to run, the
//     worst of all rounds: waiting for locks and files, and what runs on one
//     processor only. Other processes make no difference to it.
//   - expected-speed-up: what follows from the last two for a machine of its own.
func benchmarkWorkers(b *testing.B, spec Spec) {
	var wall, cpu [2]time.Duration
	idle := 0.0
	for round := range b.N {
		for k := range wall {
			began, used, rest := time.Now(), cpuTime(), idleTime()
			runSweep(b, spec, Options{Workers: k + 1})
			took, used := time.Since(began), cpuTime()-used
			if round == 0 || took < wall[k] {
				wall[k] = took
			}
			if round == 0 || used < cpu[k] {
				cpu[k] = used
			}
			if k == 1 {
				idle = max(idle, (idleTime()-rest)/took.Seconds()/float64(runtime.GOMAXPROCS(0)))
			}
		}
	}
	growth := float64(cpu[1]) / float64(cpu[0])
	b.ReportMetric(float64(wall[0])/float64(wall[1]), "speed-up")
	b.ReportMetric(100*(growth-1), "cpu-growth-%")
	b.ReportMetric(100*idle, "idle-%")
	b.ReportMetric(2*(1-idle)/growth, "expected-speed-up")
}

// idleTime is for how many seconds processors had no goroutine to run.
func idleTime() float64 {
	runtime.GC() // which updates it
	sample := []metrics.Sample{{Name: "/cpu/classes/idle:cpu-seconds"}}
	metrics.Read(sample)
	return sample[0].Value.Float64()
}

// timedRuns executes jobs one after the other, as Job.Run does, and takes the
// processor time of its parts, and of the same run by itself.
type timedRuns struct {
	b                          *testing.B
	n                          int
	simulated, measured, alone time.Duration
}

// Execute implements Executor.
func (r *timedRuns) Execute(ctx context.Context, todo []int, job func(int) (*Job, error), done func(int, *Record, error)) error {
	var memory scenarios.Memory
	var plans planner
	for _, i := range todo {
		j, err := job(i)
		require.NoError(r.b, err)
		plan, err := plans.plan(j)
		require.NoError(r.b, err)
		began := cpuTime()
		run, err := plan.Run(ctx, scenarios.RunOptions{Tool: "bench", MetricsOnly: true, Memory: &memory})
		require.NoError(r.b, err)
		simulated := cpuTime()
		rec, err := j.record("bench", plan, run)
		require.NoError(r.b, err)
		measured := cpuTime()
		r.simulated += simulated - began
		r.measured += measured - simulated
		done(i, rec, nil)
		began = cpuTime()
		r.runAlone(ctx, j)
		r.alone += cpuTime() - began
		r.n++
	}
	return nil
}

// runAlone does what rocesim run does before it writes files.
func (r *timedRuns) runAlone(ctx context.Context, j *Job) {
	plan, err := j.plan()
	require.NoError(r.b, err)
	run, err := plan.Run(ctx, scenarios.RunOptions{Tool: "bench"})
	require.NoError(r.b, err)
	summary := results.Summarise(run)
	summary.Expect(plan.Expect, results.NewMetrics(run))
}

// runSweep runs a sweep from its scenario file to its last record.
func runSweep(b *testing.B, spec Spec, opt Options) *Outcome {
	b.Helper()
	s, err := Load(spec)
	require.NoError(b, err)
	opt.Dir, opt.Tool = b.TempDir(), "bench"
	out, err := s.Run(context.Background(), opt)
	require.NoError(b, err)
	require.Zero(b, out.Failed())
	return out
}
