package derive

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/scenarios"
)

// What a run sends is estimated within a factor of 1.5, or from above where the
// workload takes what it gets: data and ACKs, and the same with CNPs. No more CNPs
// are sent than that, where senders are meant to meet.
func TestEstimateIsWhatTheRunSends(t *testing.T) {
	meet := []string{"incast-2-1", "incast-8-1", "incast-32-1", "ecn-sweep-base", "marks-without-dcqcn", "speed-step", "storage-incast"}
	for _, name := range append(meet,
		"bonded-adapter", "line-rate-400g", "permutation", "single-flow", "lossless-among-lossy", "parking-lot", "victim-flow",
		"no-marks", "bit-errors", "one-in-ten-thousand", "long-haul", "slow-receiver",
		"low-alpha-leaf", "same-hash-seed", "translation-misses", "ring-3-one-hop", "link-flap") {
		e, err := scenarios.FindScenario(name)
		require.NoError(t, err)
		p := plan(t, string(e.Text))
		w, run := NewTraffic(p).Estimate(), simulate(t, p)
		sent, cnps := sentPackets(run)
		for what, ratio := range map[string]float64{
			"data and ACKs": float64(w.Packets+w.Acks) / float64(sent),
			"with CNPs":     float64(w.Packets+w.Acks+w.CNPs) / float64(sent+cnps),
		} {
			assert.Greater(t, ratio, 1/1.5, name+" "+what)
			if !w.AtMost {
				assert.Less(t, ratio, 1.5, name+" "+what)
			}
		}
		if slices.Contains(meet, name) {
			assert.NotZero(t, cnps, name)
			assert.GreaterOrEqual(t, w.CNPs, cnps, name)
		}
	}
}

// sentPackets counts the data packets and ACKs, and the CNPs, that adapters sent.
func sentPackets(run *results.Run) (sent, cnps int64) {
	for i := range run.NICs {
		cnps += run.NICs[i].CNPSent
	}
	adapters := len(run.NICs)
	for i := range run.Queues {
		if q := &run.Queues[i]; int(q.Port) < adapters {
			sent += q.TxPackets
		}
	}
	return sent - cnps, cnps
}

// Worked by hand: 32 messages of 256 packets into 100G. All of it lasts 2.739 ms,
// in which a queue pair may have 685 CNPs, but has 256 packets. With an interval of
// 50 us it may have 55.
func TestMostNotifications(t *testing.T) {
	e, err := scenarios.FindScenario("incast-32-1")
	require.NoError(t, err)
	w := NewTraffic(plan(t, string(e.Text))).Estimate()
	assert.Equal(t, int64(32*256), w.CNPs)
	assert.Equal(t, []int64{8192 + 512, 8192}, []int64{w.Packets + w.Acks, w.CNPs})
	assert.InDelta(t, 8192*3.875, w.CNPHops, 1, "as many links as the data")
	assert.InEpsilon(t, 61_000, w.Hops+w.CNPHops, 0.1, "simulated")
	w = NewTraffic(plan(t, string(e.Text), "cc.cnp_interval=50us")).Estimate()
	assert.Equal(t, int64(32*55), w.CNPs)
	w = NewTraffic(plan(t, string(e.Text), "nic.cnp.scope=port")).Estimate()
	assert.Equal(t, int64(685), w.CNPs, "1 + 2.739 ms / 4 us")
	for _, quiet := range []string{"switch.ecn.enabled=false", "nic.cnp.echo=true"} {
		assert.Zero(t, NewTraffic(plan(t, string(e.Text), quiet)).Estimate().CNPs, quiet)
	}
}

// The cluster of the README: 27.3 M packet-hops in 20 ms.
func TestEstimateOfTheCluster(t *testing.T) {
	e, err := scenarios.FindScenario("cluster-200")
	require.NoError(t, err)
	w := NewTraffic(plan(t, string(e.Text))).Estimate()
	assert.InEpsilon(t, 27_322_313, w.Hops, 0.1)
	assert.InEpsilon(t, 7.4, w.Seconds, 0.5, "README: 7.4 s with tables and plots")
	assert.InEpsilon(t, 210e6, w.Memory, 0.1, "README: 210 MB")
	assert.True(t, w.AtMost)
	assert.Equal(t, []int64{8064, 32, 16}, []int64{w.Entries[0].Connections, w.Entries[1].Connections, w.Entries[2].Connections})
}

// A list of flows uses the NIC that its entry names, else the first of each host.
func TestFlowsUseTheNICOfTheirEntry(t *testing.T) {
	const text = `
name: bond
fabric: {topology: star, hosts: 2, nics_per_host: 2, host_link: {rate: 100Gbps, cable: 3m}}
workload: [{name: w, type: flows, flows: [{from: h0, to: h1, bytes: 1MB}]}]
stop: {time: 1ms}
`
	for set, nic := range map[string]int{"seed=1": 0, "workload[w].nic=1": 0, "workload[w].nic=2": 1} {
		p := plan(t, text, set)
		streams := NewTraffic(p).streams
		require.Len(t, streams, 1)
		assert.Equal(t, p.Hosts[0].Endpoints[nic], streams[0].src, set)
		assert.Equal(t, p.Hosts[1].Endpoints[nic], streams[0].dst, set)
	}
}

// The README's table of packet-hops.
func TestNanosPerHop(t *testing.T) {
	for endpoints, ns := range map[int]float64{2: 107, 16: 107, 128: 173, 1024: 277} {
		assert.InDelta(t, ns, nanosPerHop(endpoints), 1e-9)
	}
	assert.InDelta(t, 225, nanosPerHop(362), 1, "half-way between 128 and 1024")
}
