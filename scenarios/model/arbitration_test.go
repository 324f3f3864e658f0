package model_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios/model"
	"rocesim/scenarios/workload"
	"rocesim/sim"
)

// ringXoffs are the thresholds in bytes that rings are tried with.
var ringXoffs = []int64{20_000, 50_000, 100_000, 200_000, 300_000}

// inTurn makes every queue of every switch serve ingress ports in turn.
func inTurn(spec *model.Spec) *model.Spec {
	for i := range spec.Switches {
		for n := range spec.Switches[i].Queues {
			spec.Switches[i].Queues[n].PerIngress = true
		}
	}
	return spec
}

// counted gives each flow of a ring an entry of its own, so that its deliveries
// are counted, and starts it later than the one before.
func counted(spec *model.Spec, later sim.Time) *model.Spec {
	all := spec.Entries[0].(workload.Datagrams)
	spec.Entries = nil
	for i, p := range all.Pairs {
		one := all
		one.Name, one.Start = fmt.Sprint("flow", i), sim.Time(i)*later
		one.Pairs = []workload.Pair{p}
		spec.Entries = append(spec.Entries, one)
	}
	return spec
}

// flowRates runs until stop and returns the wire rate of each entry from start
// on, in Gb/s.
func flowRates(t *testing.T, spec *model.Spec, start, stop sim.Time) []float64 {
	t.Helper()
	m, err := model.New(spec)
	require.NoError(t, err)
	before := make([]int64, len(spec.Entries))
	require.NoError(t, m.Sample(start, func(now sim.Time) {
		for i := range before {
			if now == start {
				before[i] = m.NICs.Tally(i)
			}
		}
	}))
	require.Equal(t, model.TimeUp, m.Run(t.Context(), model.Stop{Time: stop}, nil))
	require.Empty(t, m.Deadlocks())
	require.NoError(t, m.CheckConservation())
	var rates []float64
	for i, b := range before {
		packets := float64(m.NICs.Tally(i)-b) / ringPayload
		rates = append(rates, packets*ringPacket*8/(stop-start).Seconds()/1e9)
	}
	return rates
}

// V-18, V-19: in rings of three, four and five switches, flows of two hops get
// half of the rate each, 20 Gb/s ±1 %, whatever the threshold and whenever they
// start, if ingress ports are served in turn; first in, first out they deadlock.
func TestV18RingsInTurn(t *testing.T) {
	for _, n := range []int{3, 4, 5} {
		for _, xoff := range ringXoffs {
			t.Run(fmt.Sprint(n, "/", xoff), func(t *testing.T) {
				t.Parallel()
				_, end := outcome(t, ring(t, n, 2, xoff), 20*sim.Millisecond)
				assert.Equal(t, model.Deadlocked, end, "first in, first out")
				for _, later := range []sim.Time{0, 7 * sim.Microsecond} {
					spec := inTurn(counted(ring(t, n, 2, xoff), later))
					for i, rate := range flowRates(t, spec, sim.Millisecond, 3*sim.Millisecond) {
						assert.InEpsilon(t, 20, rate, 0.01, "flow %d, each %v later", i, later)
					}
				}
			})
		}
	}
}

// V-19: rings of four, five and six switches deadlock with flows of three, four
// and three hops though ingress ports are served in turn.
func TestV19RingsInTurn(t *testing.T) {
	for _, c := range []struct{ switches, hops int }{{4, 3}, {5, 4}, {6, 3}} {
		for _, xoff := range ringXoffs {
			t.Run(fmt.Sprintf("%d-%d/%d", c.switches, c.hops, xoff), func(t *testing.T) {
				m, end := outcome(t, inTurn(ring(t, c.switches, c.hops, xoff)), 20*sim.Millisecond)
				require.Equal(t, model.Deadlocked, end)
				assert.Len(t, m.Deadlocks()[0].Cycle, c.switches)
			})
		}
	}
}

// V-18: flows of one hop wait for nobody: 40 Gb/s each, as first in, first out.
func TestV18OneHopInTurn(t *testing.T) {
	for i, rate := range flowRates(t, inTurn(counted(ring(t, 3, 1, 100_000), 0)), sim.Millisecond, 3*sim.Millisecond) {
		assert.InEpsilon(t, 40, rate, 0.01, "flow %d", i)
	}
}
