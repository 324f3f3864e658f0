package derive

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/scenarios"
)

// What a run sends is estimated within a factor of 1.5, or from above where the
// workload takes what it gets. CNPs are left out on both sides.
func TestEstimateIsWhatTheRunSends(t *testing.T) {
	for _, name := range []string{
		"bonded-adapter", "line-rate-400g", "permutation", "single-flow", "incast-2-1", "incast-8-1",
		"lossless-among-lossy", "parking-lot", "victim-flow", "incast-32-1", "ecn-sweep-base", "marks-without-dcqcn",
		"no-marks", "speed-step", "storage-incast", "bit-errors", "one-in-ten-thousand", "long-haul", "slow-receiver",
		"low-alpha-leaf", "same-hash-seed", "translation-misses", "ring-3-one-hop", "link-flap",
	} {
		e, err := scenarios.FindScenario(name)
		require.NoError(t, err)
		p := plan(t, string(e.Text))
		w := Estimate(p)
		ratio := float64(w.Packets+w.Acks) / float64(sentPackets(p, simulate(t, p)))
		assert.Greater(t, ratio, 1/1.5, name)
		if !w.AtMost {
			assert.Less(t, ratio, 1.5, name)
		}
	}
}

// sentPackets counts the data packets and ACKs that adapters sent.
func sentPackets(p *scenarios.Plan, run *results.Run) (n int64) {
	for i := range run.Queues {
		q := &run.Queues[i]
		adapter := int(run.Ports[q.Port].Node) < len(p.Graph.Hosts)
		if adapter && int(q.Priority) != int(p.NICs[0].DSCPToPriority[p.NICs[0].CNPDSCP]) {
			n += q.TxPackets
		}
	}
	return n
}

// The cluster of the README: 27.3 M packet-hops in 20 ms.
func TestEstimateOfTheCluster(t *testing.T) {
	e, err := scenarios.FindScenario("cluster-200")
	require.NoError(t, err)
	w := Estimate(plan(t, string(e.Text)))
	assert.InEpsilon(t, 27_322_313, w.Hops, 0.1)
	assert.InEpsilon(t, 7.4, w.Seconds, 0.5, "README: 7.4 s with tables and plots")
	assert.InEpsilon(t, 178e6, w.Memory, 0.25)
	assert.True(t, w.AtMost)
	assert.Equal(t, []int64{8064, 32, 16}, []int64{w.Entries[0].Connections, w.Entries[1].Connections, w.Entries[2].Connections})
}

// The README's table of packet-hops.
func TestNanosPerHop(t *testing.T) {
	for endpoints, ns := range map[int]float64{2: 107, 16: 107, 128: 173, 1024: 277} {
		assert.InDelta(t, ns, NanosPerHop(endpoints), 1e-9)
	}
	assert.InDelta(t, 225, NanosPerHop(362), 1, "half-way between 128 and 1024")
}
