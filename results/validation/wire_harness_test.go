package validation_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/fabric/packet"
	"rocesim/results"
	"rocesim/scenarios"
	"rocesim/scenarios/model"
	"rocesim/sim"
	switching "rocesim/switch"
)

// parse reads testdata/<file>.yaml as a user's scenario, changed as by --set.
func parse(tb testing.TB, file string, sets ...string) *scenarios.Scenario {
	tb.Helper()
	path := filepath.Join("testdata", file+".yaml")
	text, err := os.ReadFile(path)
	require.NoError(tb, err)
	sc, err := scenarios.Parse(path, text, sets)
	require.NoError(tb, err)
	return sc
}

// simulate runs testdata/<file>.yaml as the command line does.
func simulate(tb testing.TB, file string, sets ...string) *results.Run {
	tb.Helper()
	run, err := scenarios.Run(context.Background(), parse(tb, file, sets...), scenarios.RunOptions{})
	require.NoError(tb, err)
	return run
}

// metric evaluates what an expect clause would name.
func metric(tb testing.TB, run *results.Run, name string, labels ...results.Label) float64 {
	tb.Helper()
	v, err := results.NewMetrics(run).Value(name, labels...)
	require.NoError(tb, err)
	return v
}

// noLoss requires that nothing was dropped, marked or sent twice.
func noLoss(tb testing.TB, run *results.Run) {
	tb.Helper()
	for _, name := range []string{"drops.total", "retransmits", "out_of_sequence", "ack_timeouts", "ecn.marks", "cnp.sent"} {
		require.Zero(tb, metric(tb, run, name), name)
	}
}

// gbit is the payload rate in Gb/s of the flows that keep selects (nil: all),
// counted from the first delivery after warmUp to the last one, so that neither
// the beginning nor the end of the run dilutes it. It is exact for one queue
// pair; messages of several overlap: see sampled.
func gbit(run *results.Run, warmUp sim.Time, keep func(*results.FlowRow) bool) float64 {
	first, last := sim.Never, sim.Time(0)
	var bytes int64
	visit := func(f func(*results.FlowRow)) {
		for i := range run.Flows {
			if r := &run.Flows[i]; r.Delivered > warmUp && (keep == nil || keep(r)) {
				f(r)
			}
		}
	}
	visit(func(f *results.FlowRow) { first, last = min(first, f.Delivered), max(last, f.Delivered) })
	visit(func(f *results.FlowRow) {
		if f.Delivered > first {
			bytes += f.Bytes
		}
	})
	return float64(bytes) * 8 / float64(last-first) * 1000
}

// sampled is the payload rate in Gb/s of a workload entry after warmUp, from
// samples of what has been delivered.
func sampled(tb testing.TB, run *results.Run, workload string, warmUp sim.Time) float64 {
	tb.Helper()
	sum, n := 0.0, 0
	for _, s := range run.Series {
		if s.Kind != results.RateSeries || s.Name != workload {
			continue
		}
		for i, v := range s.Values {
			if s.At(i) > warmUp {
				sum += v
				n++
			}
		}
	}
	require.NotZero(tb, n, "no samples of %s", workload)
	return sum / float64(n) / 1e9
}

// to selects the flows that end at a host.
func to(run *results.Run, host string) func(*results.FlowRow) bool {
	return func(f *results.FlowRow) bool { return run.Nodes[f.Dst] == host }
}

// from selects the flows that begin at a host.
func from(run *results.Run, host string) func(*results.FlowRow) bool {
	return func(f *results.FlowRow) bool { return run.Nodes[f.Src] == host }
}

// queueRow returns the counters of one port and priority: the port of node
// towards peer. It is a row of zeros if there are none.
func queueRow(run *results.Run, node, peer string, priority uint8) results.QueueRow {
	for _, q := range run.Queues {
		p := run.Ports[q.Port]
		if run.Nodes[p.Node] == node && run.Nodes[p.Peer] == peer && q.Priority == priority {
			return q
		}
	}
	return results.QueueRow{}
}

// rig is a network that a test may interfere with while it runs.
type rig struct {
	*model.Model
	// xoff and xon are the instants at which switches sent them.
	xoff, xon []sim.Time
	// onPause and onDrop, if not nil, are called for each event.
	onPause func(now sim.Time, sw *switching.Switch, port, priority int, paused bool)
	onDrop  func(now sim.Time, port int, cause switching.DropCause)
}

// assemble builds the network of testdata/<file>.yaml. change, if not nil, may
// alter the resolved plan where the grammar has no word for it.
func assemble(tb testing.TB, file string, change func(*scenarios.Plan), sets ...string) *rig {
	tb.Helper()
	plan, err := parse(tb, file, sets...).Plan()
	require.NoError(tb, err)
	if change != nil {
		change(plan)
	}
	r := &rig{}
	r.Model, err = scenarios.Build(plan, switching.Observer{
		PauseSent: func(now sim.Time, sw *switching.Switch, port, priority int, paused bool) {
			if paused {
				r.xoff = append(r.xoff, now)
			} else {
				r.xon = append(r.xon, now)
			}
			if r.onPause != nil {
				r.onPause(now, sw, port, priority, paused)
			}
		},
		Dropped: func(now sim.Time, _ *switching.Switch, port int, _ *packet.Packet, cause switching.DropCause) {
			if r.onDrop != nil {
				r.onDrop(now, port, cause)
			}
		},
	})
	require.NoError(tb, err)
	return r
}

// until runs the network up to an instant and checks its books.
func (r *rig) until(tb testing.TB, t sim.Time) {
	tb.Helper()
	r.Engine.Run(t, 1<<62)
	require.NoError(tb, r.CheckConservation())
}

// stop makes what is behind a switch's port accept no more of a priority.
func (r *rig) stop(sw, port int, priority uint8) { r.pause(sw, port, priority, packet.MaxQuanta) }

// resume lets it go on.
func (r *rig) resume(sw, port int, priority uint8) { r.pause(sw, port, priority, 0) }

func (r *rig) pause(sw, port int, priority uint8, quanta uint16) {
	r.Switches[sw].ReceivePause(r.Engine.Now(), port, packet.Pause{Vector: 1 << priority, Quanta: quanta})
}
