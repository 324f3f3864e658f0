package metrics_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/fabric/topo"
	"rocesim/results"
	"rocesim/results/metrics"
	"rocesim/scenarios/workload"
	"rocesim/sim"
	switching "rocesim/switch"
)

// leafSpine is two leaves with two hosts each and four spines.
func leafSpine(t *testing.T) *topo.Graph {
	t.Helper()
	link := topo.LinkSpec{Rate: 100 * sim.Gbps, Delay: 50 * sim.Nanosecond}
	g, err := topo.LeafSpine{Leaves: 2, Spines: 4, Hosts: 4, HostLink: link, Uplink: link}.Build()
	require.NoError(t, err)
	return g
}

// The path of a flow is the one that its packets took, whichever way switches
// hash; sprayed packets have none.
func TestPathsAreThoseTaken(t *testing.T) {
	for _, routing := range []switching.Routing{switching.ECMP, switching.Murmur3} {
		for seed := range uint32(8) {
			spec := network(leafSpine(t), flow("a", 0, 3, 100_000, 0))
			spec.Seed = uint64(seed)
			for i := range spec.Switches {
				spec.Switches[i].Routing, spec.Switches[i].HashSeed = routing, seed*10+uint32(i)
			}
			run, _ := simulate(t, spec, metrics.Options{}, 0)
			require.Len(t, run.Paths, 8)
			there, back := run.Paths[:4], run.Paths[4:]
			assert.Equal(t, "h0:0>leaf0", run.PortName(there[0].Port))
			assert.Equal(t, "h3", run.Nodes[run.Ports[there[3].Port].Peer])
			assert.Equal(t, "h3:0>leaf1", run.PortName(back[0].Port))
			assert.Equal(t, "h0", run.Nodes[run.Ports[back[3].Port].Peer])
			for i, hop := range run.Paths {
				assert.Equal(t, []string{"data", "ack"}[i/4], hop.Kind)
				assert.Equal(t, int64(25), queueOf(run, hop.Port, hop.Priority).TxPackets, run.PortName(hop.Port)) // an ACK for each
			}
		}
	}
	spec := network(leafSpine(t), flow("a", 0, 3, 100_000, 0))
	for i := range spec.Switches {
		spec.Switches[i].Routing = switching.SprayRandom
	}
	run, _ := simulate(t, spec, metrics.Options{}, 0)
	assert.Empty(t, run.Paths)
}

// CNPs go back in their own class, which may change where they turn around, as that
// of data and of ACKs may; ACKs begin in the class that data begins in. A switch may put packets into another queue than
// the sender's priority says.
func TestPathsOfAnswers(t *testing.T) {
	spec := network(leafSpine(t), flow("a", 0, 3, 100_000, 0))
	for i := range spec.Switches {
		spec.Switches[i].Classes.DSCPToTC[26] = 5
		bump := &switching.Bump{From: make([]bool, 8), To: make([]bool, 8)}
		for port := range bump.From {
			bump.From[port], bump.To[port] = i >= 2, i >= 2 // spines
			bump.DSCP[48] = 8
		}
		spec.Switches[i].Bump = bump
	}
	run, _ := simulate(t, spec, metrics.Options{CongestionControl: "dcqcn"}, 0)
	require.Len(t, run.Paths, 12)
	priorities := map[string][]uint8{}
	for _, hop := range run.Paths {
		priorities[hop.Kind] = append(priorities[hop.Kind], hop.Priority)
	}
	assert.Equal(t, map[string][]uint8{"data": {3, 5, 0, 0}, "ack": {3, 5, 0, 0}, "cnp": {6, 6, 1, 1}}, priorities)
	for _, hop := range run.Paths[:8] {
		assert.Equal(t, int64(25), queueOf(run, hop.Port, hop.Priority).TxPackets, "%s %s", run.PortName(hop.Port), hop.Kind)
	}
	for i := range spec.NICs {
		spec.NICs[i].EchoCNP = true
	}
	run, _ = simulate(t, spec, metrics.Options{CongestionControl: "dcqcn"}, 0)
	assert.Len(t, run.Paths, 8, "ACKs bring the news")
}

func queueOf(run *results.Run, port int32, priority uint8) results.QueueRow {
	for _, q := range run.Queues {
		if q.Port == port && q.Priority == priority {
			return q
		}
	}
	return results.QueueRow{}
}

// Of each workload the three slowest flows have a path, the slowest first; one
// that has not ended counts with what it has lasted.
func TestPathsOfTheSlowest(t *testing.T) {
	entry := workload.Flows{Common: workload.Common{Name: "all", Class: workload.Class{DSCP: 26}}}
	for i, bytes := range []int64{1 << 20, 4096, 8192, 1 << 20, 4096} {
		entry.Flows = append(entry.Flows, workload.Flow{Pair: workload.Pair{Src: i % 2, Dst: 2}, Bytes: bytes})
	}
	run, _ := simulate(t, network(star(t, 3), entry), metrics.Options{}, 100*us)
	var ids []uint32
	for _, hop := range run.Paths {
		if len(ids) == 0 || ids[len(ids)-1] != hop.Flow {
			ids = append(ids, hop.Flow)
		}
	}
	slowness := func(id uint32) float64 {
		f := &run.Flows[id]
		if f.Completed == 0 {
			return float64(run.Manifest.SimulatedTime-f.Start) / float64(f.Ideal)
		}
		return f.Slowdown()
	}
	require.Len(t, ids, 3)
	for i := range run.Flows {
		for _, id := range ids {
			if uint32(i) != ids[0] && uint32(i) != ids[1] && uint32(i) != ids[2] {
				assert.LessOrEqual(t, slowness(uint32(i)), slowness(id))
			}
		}
	}
	assert.GreaterOrEqual(t, slowness(ids[0]), slowness(ids[1]))
}

// What a NIC sends as lossless into a class that its switch has as lossy is a
// lossless drop of its own cause, by kind of packet and code point; in a fabric
// without any lossless class it is none.
func TestLossyMapping(t *testing.T) {
	overload := func(change func(c *switching.Config)) []results.DropRow {
		spec := network(star(t, 3), flow("a", 0, 2, 500_000, 0), flow("b", 1, 2, 500_000, 0))
		c := &spec.Switches[0]
		c.Queues[0] = switching.QueueConfig{Weight: 1, Lossy: true, Limit: switching.Threshold{Static: 20_000}}
		c.Classes.DSCPToTC[26] = 0
		change(c)
		for i := range spec.NICs {
			spec.NICs[i].Timeout, spec.NICs[i].RetryCount = 100*us, 1
		}
		run, _ := simulate(t, spec, metrics.Options{}, sim.Millisecond)
		require.NotEmpty(t, run.Drops)
		return run.Drops
	}
	for _, d := range overload(func(*switching.Config) {}) {
		assert.True(t, d.Lossless)
		assert.Equal(t, "lossy mapping, egress limit", d.Cause)
		assert.Equal(t, "data", d.Kind)
		assert.Equal(t, uint8(26), d.DSCP)
	}
	bumped := &switching.Bump{From: []bool{true, true, true}, To: []bool{true, true, true}}
	bumped.DSCP[26] = 34
	for _, d := range overload(func(c *switching.Config) { c.Bump, c.Classes.DSCPToTC[34] = bumped, 0 }) {
		assert.True(t, d.Lossless, "it counts what the sender sent, not what the switch made of it")
		assert.Equal(t, uint8(34), d.DSCP)
		assert.Equal(t, uint8(26), d.SentDSCP)
	}
	for _, d := range overload(func(c *switching.Config) { c.Groups[3].Lossless, c.PFC.Enabled = false, 0 }) {
		assert.False(t, d.Lossless)
		assert.Equal(t, "egress limit", d.Cause)
	}
}

// Ports know what the headroom arithmetic needs.
func TestReactionsOfPorts(t *testing.T) {
	spec := network(star(t, 2), flow("a", 0, 1, 4096, 0))
	spec.NICs[0].PauseResponse = 400 * sim.Nanosecond
	spec.Switches[0].PFC.Response = 500 * sim.Nanosecond
	spec.Switches[0].IngressLatency, spec.Switches[0].EgressLatency = 100*sim.Nanosecond, 200*sim.Nanosecond
	spec.Switches[0].Ports[1].NoPFC = true
	run, _ := simulate(t, spec, metrics.Options{CongestionControl: "dcqcn"}, 0)
	assert.Equal(t, 50*sim.Nanosecond, run.Ports[0].Delay)
	assert.Equal(t, 400*sim.Nanosecond, run.Ports[0].Response)
	assert.Zero(t, run.Ports[0].IngressLatency+run.Ports[0].EgressLatency)
	assert.Equal(t, 500*sim.Nanosecond, run.Ports[2].Response)
	assert.Equal(t, 100*sim.Nanosecond, run.Ports[2].IngressLatency)
	assert.Equal(t, 200*sim.Nanosecond, run.Ports[2].EgressLatency)
	assert.Equal(t, int64(4096+82+16), run.Manifest.LargestFrame, "with RETH")
	assert.Equal(t, int64(84), run.Manifest.PauseFrame)
	assert.Equal(t, "dcqcn", run.NICs[0].CongestionControl)
	assert.True(t, queueOf(run, 2, 3).PFC)
	assert.False(t, queueOf(run, 3, 3).PFC)
}
