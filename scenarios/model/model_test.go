package model_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/cc"
	"rocesim/cc/dcqcn"
	"rocesim/fabric/packet"
	"rocesim/fabric/topo"
	"rocesim/results"
	"rocesim/scenarios/congestion"
	"rocesim/scenarios/model"
	"rocesim/scenarios/workload"
	"rocesim/sim"
	"rocesim/sim/simtest"
)

// shown prints quantities of explanations as results do.
func shown() model.Format {
	return model.Format{
		Time:  func(t sim.Time) string { return results.Duration.Format(float64(t)) },
		Bytes: func(n int64) string { return results.Size.Format(float64(n)) },
	}
}

// starSpec is n hosts on one switch at 100G with 10 m cables, all latencies 0.
func starSpec(tb testing.TB, n int, entries ...workload.Entry) *model.Spec {
	tb.Helper()
	g, err := topo.Star{Hosts: n, NICsPerHost: 1, HostLink: topo.LinkSpec{Rate: 100 * sim.Gbps, Delay: 50 * sim.Nanosecond}}.Build()
	require.NoError(tb, err)
	spec := &model.Spec{Graph: g, Framing: packet.RoCEv2(), Seed: 1, Entries: entries}
	sw := benchSwitch(g, 0)
	sw.IngressLatency, sw.EgressLatency = 0, 0
	spec.Switches = append(spec.Switches, sw)
	for _, e := range g.Endpoints {
		c := benchNIC(e.Name, 100*sim.Gbps, 1)
		c.TxLatency, c.RxLatency, c.AckLatency, c.ClockPPM, c.Jitter = 0, 0, 0, 0, 0
		spec.NICs = append(spec.NICs, c)
	}
	for _, h := range g.Hosts {
		spec.Hosts = append(spec.Hosts, workload.Host{Name: h.Name, Endpoints: h.Endpoints, Rate: 100 * sim.Gbps})
	}
	return spec
}

// flow is one message from src to dst at start.
func flow(name string, src, dst int, bytes int64, start sim.Time) workload.Flows {
	return workload.Flows{
		Common: workload.Common{Name: name, Class: workload.Class{DSCP: 26}},
		Flows:  []workload.Flow{{Pair: workload.Pair{Src: src, Dst: dst}, Bytes: bytes, Start: start}},
	}
}

func run(t *testing.T, spec *model.Spec, stop model.Stop) *model.Model {
	t.Helper()
	m, err := model.New(spec)
	require.NoError(t, err)
	m.Run(context.Background(), stop, nil)
	require.NoError(t, m.CheckConservation())
	return m
}

// A 4096-byte middle packet crosses a switch of 500 ns between two 50 ns cables
// in 1266.56 ns when stored and 933.28 ns when cut through (V-5; frame
// and preamble are 4166 bytes). The message is a SEND, whose first packet has no
// RETH.
func TestLatencyThroughOneSwitch(t *testing.T) {
	for _, c := range []struct {
		name       string
		cutThrough bool
		want       sim.Time
	}{
		{"store and forward", false, 1266_560},
		{"cut-through", true, 933_280},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec := starSpec(t, 2, flow("a", 0, 1, 4096, sim.Microsecond))
			spec.Framing.First = 0
			spec.Switches[0].IngressLatency = 500 * sim.Nanosecond
			spec.Switches[0].CutThrough = c.cutThrough
			m := run(t, spec, model.Stop{WhenDone: true, Max: sim.Millisecond})
			assert.Equal(t, sim.Microsecond+c.want, m.Driver.Message(0).Delivered)
		})
	}
}

// A cut-through switch stores frames for a faster egress link.
func TestCutThroughStoresTowardsAFasterLink(t *testing.T) {
	spec := starSpec(t, 2, flow("a", 0, 1, 100, 0))
	spec.Graph.Links[1].Rate = 400 * sim.Gbps
	spec.Switches[0].Ports[1].Rate = 400 * sim.Gbps
	spec.NICs[1].Rate = 400 * sim.Gbps
	spec.Switches[0].CutThrough = true
	m := run(t, spec, model.Stop{WhenDone: true, Max: sim.Millisecond})
	const frame = 100 + 62 + 16 + 8 // with preamble
	assert.Equal(t, sim.Time(frame*80+frame*20+100_000), m.Driver.Message(0).Delivered)
}

// Bytes are conserved at every event of an incast with PFC, ECN and DCQCN, and
// nothing is lost (V-23).
func TestConservationUnderIncast(t *testing.T) {
	const senders = 8
	var entries []workload.Entry
	for i := range senders {
		entries = append(entries, flow(fmt.Sprint("f", i), i, senders, 1<<20, 0))
	}
	spec := starSpec(t, senders+1, entries...)
	spec.Switches[0].Buffer.Shared = 2 << 20
	m, err := model.New(spec)
	require.NoError(t, err)
	for !m.Engine.Run(10*sim.Millisecond, 50) {
		require.NoError(t, m.CheckConservation())
	}
	assert.True(t, m.Driver.Done())
	assert.Zero(t, m.Packets.InUse())
	paused := uint64(0)
	for i := range senders {
		paused += m.NICs.NIC(i).Port.Stats().Transitions[3]
	}
	assert.NotZero(t, paused, "the incast must have made PFC fire")
}

// Random small fabrics give the same events and the same flow table whether
// the kernel uses its tournament or a plain heap.
func TestQueueDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		leaves := rapid.IntRange(1, 3).Draw(rt, "leaves")
		spines := rapid.IntRange(1, 3).Draw(rt, "spines")
		hosts := leaves * rapid.IntRange(1, 4).Draw(rt, "hosts per leaf")
		shared := rapid.Int64Range(100_000, 4<<20).Draw(rt, "shared buffer")
		bytes := rapid.Int64Range(1, 300_000).Draw(rt, "bytes")
		if hosts < 2 {
			rt.Skip("one host")
		}
		outcome := func(q sim.Queue) string {
			spec := permutationSpec(t, leaves, spines, hosts, 2, 3)
			perm := spec.Entries[0].(workload.Permutation)
			perm.Bytes = bytes
			spec.Entries = []workload.Entry{perm, incastEntry(hosts, bytes)}
			for i := range spec.Switches {
				spec.Switches[i].Buffer.Shared = shared
			}
			params := congestion.MustParams("paper", 100*sim.Gbps)
			spec.Control = func(int) cc.Controller { return dcqcn.New(&params, 100*sim.Gbps) }
			spec.Queue = q
			m, err := model.New(spec)
			require.NoError(t, err)
			end := m.Run(context.Background(), model.Stop{WhenDone: true, Max: 20 * sim.Millisecond}, nil)
			require.NoError(t, m.CheckConservation())
			return fmt.Sprint(end, m.Engine.Fingerprint(), m.Engine.Events(), m.Driver.Messages())
		}
		require.Equal(rt, outcome(nil), outcome(simtest.NewHeap()))
	})
}

func incastEntry(hosts int, bytes int64) workload.Entry {
	in := workload.Incast{Common: workload.Common{Name: "incast", Class: workload.Class{DSCP: 26}}, Bytes: bytes, Receivers: []int{0}}
	for i := 1; i < hosts; i++ {
		in.Senders = append(in.Senders, i)
	}
	return in
}

// A closed loop that ends after a number of messages ends the run with its last
// completion, as a list of flows does.
func TestRunEndsWithAClosedLoop(t *testing.T) {
	spec := starSpec(t, 2, workload.Saturate{
		Common: workload.Common{Name: "loop", Class: workload.Class{DSCP: 26}},
		Pairs:  []workload.Pair{{Src: 0, Dst: 1}}, Bytes: 4096, Messages: 3,
	})
	m, err := model.New(spec)
	require.NoError(t, err)
	assert.Equal(t, model.Done, m.Run(context.Background(), model.Stop{WhenDone: true, Max: 5 * sim.Millisecond}, nil))
	assert.Equal(t, m.Driver.Message(2).Completed+1, m.Now(), "the loop looks for more a picosecond later")
}

// A pause that nobody lifts stalls the run, and the report names who waits.
func TestStallIsExplained(t *testing.T) {
	spec := starSpec(t, 2, flow("a", 0, 1, 1<<20, 0))
	spec.InfinitePause = true
	for i := range spec.NICs {
		spec.NICs[i].Timeout = 0
	}
	m, err := model.New(spec)
	require.NoError(t, err)
	m.NICs.NIC(0).ReceivePause(0, 0, packet.Pause{Vector: 1 << 3, Quanta: packet.MaxQuanta})
	end := m.Run(context.Background(), model.Stop{WhenDone: true, Max: sim.Second}, nil)
	assert.Equal(t, model.Stalled, end)
	assert.Equal(t, "at 10 ms nothing can move: h0 is paused by sw0:0", m.ExplainStall(shown()))
}

// The last stretch of a run, shorter than a packet, is no stall: datagrams have
// no timer that would speak against one.
func TestShortEndIsNoStall(t *testing.T) {
	spec := starSpec(t, 2, workload.Datagrams{
		Common: workload.Common{Name: "a", Class: workload.Class{DSCP: 26}},
		Pairs:  []workload.Pair{{Src: 0, Dst: 1}}, Rate: 10 * sim.Gbps, Bytes: 1 << 20,
	})
	m, err := model.New(spec)
	require.NoError(t, err)
	end := m.Run(context.Background(), model.Stop{Time: 10*sim.Millisecond + 1}, nil)
	assert.Equal(t, model.TimeUp, end)
}

// Of many waits the first are named and the others counted.
func TestLongStallsAreCutShort(t *testing.T) {
	var entries []workload.Entry
	for i := 1; i <= 20; i++ {
		entries = append(entries, flow(fmt.Sprint("f", i), i, 0, 1<<20, 0))
	}
	spec := starSpec(t, 21, entries...)
	for i := range spec.NICs {
		spec.NICs[i].Timeout = 0
	}
	spec.Faults = []model.Fault{{Kind: model.LinkDown, Target: 0, At: 20 * us}}
	m, err := model.New(spec)
	require.NoError(t, err)
	assert.Equal(t, model.Stalled, m.Run(context.Background(), model.Stop{WhenDone: true, Max: sim.Second}, nil))
	text := m.ExplainStall(shown())
	assert.Contains(t, text, "link h0:sw0 is down; h1 waits")
	assert.Contains(t, text, "; h11 waits")
	assert.NotContains(t, text, "h12 waits")
	assert.Regexp(t, "; and 9 more$", text)
}
