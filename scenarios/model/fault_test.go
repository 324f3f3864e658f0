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
	"rocesim/fabric"
	"rocesim/fabric/packet"
	"rocesim/nic/rc"
	"rocesim/scenarios/congestion"
	"rocesim/scenarios/model"
	"rocesim/scenarios/workload"
	"rocesim/sim"
	switching "rocesim/switch"
)

const (
	us = sim.Microsecond
	ms = sim.Millisecond
)

// leafSpineSpec is two leaves and two spines with two hosts on each leaf, all
// at 100 Gb/s, without congestion control, with a retransmission time-out of
// 1 ms.
func leafSpineSpec(tb testing.TB, entries ...workload.Entry) *model.Spec {
	spec := permutationSpec(tb, 2, 2, 4, 1, 1)
	spec.Entries = entries
	spec.Control = nil
	for i := range spec.NICs {
		spec.NICs[i].Timeout, spec.NICs[i].RetryCount = ms, 100
	}
	return spec
}

// linkOf returns the number of the link called name.
func linkOf(tb testing.TB, spec *model.Spec, name string) int {
	for i := range spec.Graph.Links {
		if spec.Graph.Links[i].Name == name {
			return i
		}
	}
	require.Fail(tb, "no link "+name)
	return 0
}

func losses(m *model.Model, c fabric.LossCause, k packet.Kind) (n uint64) {
	for i := range m.Links {
		n += m.Losses(i).Packets[c][k]
	}
	return n
}

func fct(m *model.Model, msg uint32) sim.Time {
	x := m.Driver.Message(msg)
	return x.Completed - x.Start
}

// Packet loss on a link must not hang a run, as it does in an ns-3 front end
// (astra-sim/astra-network-ns3 issue 12): it ends, the flow takes longer, and
// every lost data packet has been sent again.
func TestRandomLossInflatesFCT(t *testing.T) {
	const bytes = 40 << 20 // 10,240 packets
	at := func(p float64) *model.Model {
		spec := starSpec(t, 2, flow("a", 0, 1, bytes, 0))
		spec.Faults = []model.Fault{{Kind: model.LinkLoss, Target: 0, Directions: model.Forward,
			Loss: fabric.Loss{Frames: fabric.AllFrames, Probability: p}}}
		m := run(t, spec, model.Stop{WhenDone: true, Max: sim.Second})
		require.True(t, m.Driver.Done())
		require.NotEqual(t, sim.Never, m.Driver.Message(0).Delivered)
		require.EqualValues(t, bytes, m.NICs.ReceivedBytes(0))
		return m
	}
	clean, lossy := at(0), at(1e-3)
	lost := losses(lossy, fabric.LossInjected, packet.Data)
	assert.InDelta(t, 10, float64(lost), 10, "10,240 packets at 1e-3")
	assert.NotZero(t, lost)
	assert.Zero(t, losses(clean, fabric.LossInjected, packet.Data))
	assert.Greater(t, fct(lossy, 0), fct(clean, 0))
	assert.GreaterOrEqual(t, lossy.NICs.NIC(0).Stats().Retransmitted, lost)
}

// Every 256th data packet lost costs go-back-N one window a loss and no more:
// the goodput of a V-43 setting, (1-p)/(1+pW) with W the packets under
// way when the NAK arrives, here between two hosts of one switch.
func TestEveryNthLossGoesOn(t *testing.T) {
	const bytes = 40 << 20
	spec := starSpec(t, 2, flow("a", 0, 1, bytes, 0))
	spec.Faults = []model.Fault{{Kind: model.LinkLoss, Target: 0, Directions: model.Forward,
		Loss: fabric.Loss{Frames: fabric.DataFrames, Every: 256}}}
	m := run(t, spec, model.Stop{WhenDone: true, Max: sim.Second})
	st := m.NICs.NIC(0).Stats()
	sent := st.Tx[3].Packets
	assert.EqualValues(t, sent/256, losses(m, fabric.LossInjected, packet.Data))
	assert.EqualValues(t, 10_240, sent-st.Retransmitted)
	// One round trip is 1.6 us: some five packets of 334 ns.
	w := float64(st.Retransmitted) / float64(sent/256)
	assert.InDelta(t, 6, w, 2)
	want := float64(m.NICs.NIC(0).Rate()) * 4096 / 4178 * (1 - 1.0/256) / (1 + w/256)
	assert.InEpsilon(t, want, float64(bytes*8)/fct(m, 0).Seconds(), 0.01)
}

// Lost CNPs slow senders less (the DCQCN paper: the control loop needs them).
func TestLostCNPs(t *testing.T) {
	sent := func(p float64) uint64 {
		var entries []workload.Entry
		for i := range 2 {
			entries = append(entries, flow(fmt.Sprint("f", i), i, 2, 1<<30, 0))
		}
		spec := starSpec(t, 3, entries...)
		params := congestion.MustParams("connectx", 100*sim.Gbps)
		spec.Control = func(int) cc.Controller { return dcqcn.New(&params, 100*sim.Gbps) }
		spec.Faults = []model.Fault{{Kind: model.LinkLoss, Target: 2, Directions: model.Forward,
			Loss: fabric.Loss{Frames: fabric.CNPFrames, Probability: p}}}
		m := run(t, spec, model.Stop{Time: 3 * ms})
		st := m.NICs.NIC(2).Stats()
		handled := m.NICs.NIC(0).Stats().CNPHandled + m.NICs.NIC(1).Stats().CNPHandled
		if p == 1 {
			assert.Zero(t, handled)
			assert.InDelta(t, float64(st.CNPSent), float64(losses(m, fabric.LossInjected, packet.CNP)), 2)
			assert.Equal(t, 100*sim.Gbps, m.NICs.Rate(3*ms, 0), "nothing tells it to slow down")
		} else {
			assert.Less(t, m.NICs.Rate(3*ms, 0), 90*sim.Gbps)
		}
		return m.NICs.NIC(0).Port.Stats().ReceivedXoff[3]
	}
	assert.Greater(t, sent(1), sent(0), "without CNPs only PFC is left")
}

// A degraded lane carries what its rate allows, the nominal rate again after
// it.
func TestDegradedLane(t *testing.T) {
	spec := starSpec(t, 2, flow("a", 0, 1, 1<<30, 0))
	spec.Faults = []model.Fault{{Kind: model.LinkRate, Target: 1, At: ms, For: 2 * ms, Rate: 25 * sim.Gbps}}
	m, err := model.New(spec)
	require.NoError(t, err)
	goodput := func(from, to sim.Time) float64 {
		m.Engine.Run(from, 1<<40)
		before := m.NICs.ReceivedBytes(0)
		m.Engine.Run(to, 1<<40)
		return float64(m.NICs.ReceivedBytes(0)-before) * 8 / (to - from).Seconds() / 1e9
	}
	const efficiency = 4096.0 / 4178
	assert.InEpsilon(t, 100*efficiency, goodput(ms/2, ms), 0.005)
	assert.InEpsilon(t, 25*efficiency, goodput(ms+ms/2, 3*ms), 0.005)
	assert.InEpsilon(t, 100*efficiency, goodput(3*ms+ms/2, 4*ms), 0.005)
	assert.Zero(t, m.Switches[0].Drops(switching.DropHeadroom))
	assert.NotZero(t, m.Switches[0].Port(0).Stats().Xoff[3], "PFC holds the sender back")
}

// One fault may follow another without a gap: the end of the first does not undo
// the second, whichever the scenario lists first.
func TestFaultsFollowEachOther(t *testing.T) {
	slow := model.Fault{Kind: model.LinkRate, Target: 1, At: ms, For: ms, Rate: 50 * sim.Gbps}
	slower := model.Fault{Kind: model.LinkRate, Target: 1, At: 2 * ms, For: ms, Rate: 10 * sim.Gbps}
	for _, faults := range [][]model.Fault{{slow, slower}, {slower, slow}} {
		spec := starSpec(t, 2, flow("a", 0, 1, 1<<30, 0))
		spec.Faults = faults
		m, err := model.New(spec)
		require.NoError(t, err)
		m.Engine.Run(2*ms+ms/2, 1<<40)
		before := m.NICs.ReceivedBytes(0)
		m.Engine.Run(3*ms, 1<<40)
		got := float64(m.NICs.ReceivedBytes(0)-before) * 8 / (ms / 2).Seconds() / 1e9
		assert.InEpsilon(t, 10*4096.0/4178, got, 0.02)
	}
}

// A link that fails loses what is sent into it until routing has learnt of it;
// then nothing more is lost, and after it is back both ways are used again.
func TestLinkDownUntilRoutingLearns(t *testing.T) {
	const convergence = 200 * us
	var entries []workload.Entry
	for i := range 32 {
		entries = append(entries, flow(fmt.Sprint("f", i), i%2, 2+i/2%2, 1<<30, 0))
	}
	spec := leafSpineSpec(t, entries...)
	l := linkOf(t, spec, "leaf0:spine1")
	spec.Convergence = convergence
	spec.Faults = []model.Fault{{Kind: model.LinkDown, Target: l, At: ms, For: ms}}
	m, err := model.New(spec)
	require.NoError(t, err)
	var first, last sim.Time
	m.ObserveLosses(func(now sim.Time, link int, p *packet.Packet, c fabric.LossCause) {
		assert.Equal(t, l, link/2)
		assert.Equal(t, fabric.LossDown, c)
		if first == 0 {
			first = now
		}
		last = now
	})
	carried := func(until sim.Time) uint64 {
		before := m.Switches[0].Queue(m.Spec.Graph.Links[l].A.Port, 3).Packets
		m.Engine.Run(until, 1<<40)
		require.NoError(t, m.CheckConservation())
		return m.Switches[0].Queue(m.Spec.Graph.Links[l].A.Port, 3).Packets - before
	}
	assert.NotZero(t, carried(ms))
	assert.NotZero(t, carried(ms+convergence), "sent into nothing")
	carried(ms + convergence + 100*us) // what waited at the port
	assert.Zero(t, carried(2*ms+convergence), "routes avoid the link, also a while after it is back")
	assert.NotZero(t, carried(4*ms))
	assert.Equal(t, ms, first, "what was on the wire")
	assert.Greater(t, last, ms+convergence/2)
	assert.Less(t, last, ms+convergence+100*us)
	assert.NotZero(t, losses(m, fabric.LossDown, packet.Data))
}

// A flap shorter than the convergence time changes no route.
func TestShortFlapChangesNoRoute(t *testing.T) {
	spec := leafSpineSpec(t, flow("a", 0, 2, 1<<30, 0))
	spec.Convergence = ms
	// Both ways between the leaves fail for 100 us. If routing took notice a
	// millisecond later, packets would find no route.
	for _, name := range []string{"leaf0:spine0", "leaf0:spine1"} {
		spec.Faults = append(spec.Faults, model.Fault{Kind: model.LinkDown, Target: linkOf(t, spec, name), At: ms, For: 100 * us})
	}
	m := run(t, spec, model.Stop{Time: 4 * ms})
	assert.NotZero(t, losses(m, fabric.LossDown, packet.Data))
	assert.Zero(t, m.Switches[0].Drops(switching.DropNoRoute))
	assert.NotZero(t, m.NICs.NIC(0).Stats().Retransmitted)
}

// A host whose link is down for good cannot be reached: its peers' queue pairs
// fail after their retries, and the run ends.
func TestDeadHostFailsItsPeers(t *testing.T) {
	spec := starSpec(t, 3, flow("a", 0, 2, 1<<20, 0), flow("b", 1, 0, 1<<20, 0))
	for i := range spec.NICs {
		spec.NICs[i].Timeout, spec.NICs[i].RetryCount = ms, 2
	}
	spec.Convergence = 10 * us
	spec.Faults = []model.Fault{{Kind: model.LinkDown, Target: 2, At: 20 * us}}
	m, err := model.New(spec)
	require.NoError(t, err)
	assert.Equal(t, model.Done, m.Run(context.Background(), model.Stop{WhenDone: true, Max: sim.Second}, nil))
	assert.True(t, m.Driver.Message(0).Failed())
	assert.False(t, m.Driver.Message(1).Failed())
	assert.NotZero(t, m.Switches[0].Drops(switching.DropNoRoute))
	require.NoError(t, m.CheckConservation())
}

// Without a retransmission timer a message waits for ever: that is a stall, but
// not before the last fault has had its say.
func TestStallWaitsForFaults(t *testing.T) {
	spec := starSpec(t, 2, flow("a", 0, 1, 1<<20, 0))
	for i := range spec.NICs {
		spec.NICs[i].Timeout = 0
	}
	spec.Faults = []model.Fault{{Kind: model.LinkDown, Target: 1, At: 20 * us, For: 55 * ms}}
	m, err := model.New(spec)
	require.NoError(t, err)
	assert.Equal(t, model.Stalled, m.Run(context.Background(), model.Stop{WhenDone: true, Max: sim.Second}, nil))
	assert.GreaterOrEqual(t, m.Now(), 55*ms)
	assert.Contains(t, m.ExplainStall(shown()), "h0 waits for acknowledgement")

	spec.Faults[0].For = 0
	m, err = model.New(spec)
	require.NoError(t, err)
	assert.Equal(t, model.Stalled, m.Run(context.Background(), model.Stop{WhenDone: true, Max: sim.Second}, nil))
	assert.Contains(t, m.ExplainStall(shown()), "nothing can move: link h1:sw0 is down; h0 waits for acknowledgement")
}

// pauseLoss runs four senders into one receiver over links that lose pause
// frames.
func pauseLoss(t *testing.T, infinite bool, loss fabric.Loss) (*model.Model, model.End) {
	var entries []workload.Entry
	for i := range 4 {
		entries = append(entries, flow(fmt.Sprint("f", i), i, 4, 8<<20, 0))
	}
	spec := starSpec(t, 5, entries...)
	spec.Switches[0].Buffer.Shared = 4 << 20
	spec.Switches[0].Queues[3].RED = nil
	spec.InfinitePause = infinite
	if infinite {
		spec.Switches[0].PFC.Infinite, spec.Switches[0].PFC.Refresh = true, 0
	}
	for i := range spec.NICs {
		spec.NICs[i].Timeout, spec.NICs[i].RetryCount = 4*ms, 100
	}
	loss.Frames = fabric.PauseFrames
	for l := range 4 {
		spec.Faults = append(spec.Faults, model.Fault{Kind: model.LinkLoss, Target: l, Directions: model.Backward, Loss: loss})
	}
	m, err := model.New(spec)
	require.NoError(t, err)
	end := m.Run(context.Background(), model.Stop{WhenDone: true, Max: 100 * ms}, nil)
	require.NoError(t, m.CheckConservation())
	pauses := uint64(0)
	for i := range m.Links {
		pauses += m.Losses(i).Pauses[fabric.LossInjected]
	}
	assert.Equal(t, loss.Every > 0 || loss.Probability > 0, pauses > 0)
	return m, end
}

// A lost XON costs a finite pause its time: the sender goes on when the pause
// runs out (IEEE 802.1Qbb has 65,535 quanta, 335 us at 100 Gb/s, at most). A
// pause that lasts until XON, as other simulators have it, never ends. Of two
// pause frames of a switch that does not repeat XOFF the second is XON.
func TestLostXon(t *testing.T) {
	clean, end := pauseLoss(t, false, fabric.Loss{})
	assert.Equal(t, model.Done, end)
	m, end := pauseLoss(t, false, fabric.Loss{Every: 2})
	assert.Equal(t, model.Done, end)
	assert.Greater(t, m.Now(), clean.Now()+100*us)
	assert.Zero(t, m.Switches[0].Drops(switching.DropHeadroom))
	m, end = pauseLoss(t, true, fabric.Loss{Every: 2})
	assert.NotEqual(t, model.Done, end)
	assert.Equal(t, uint8(1<<3), m.NICs.NIC(0).Blocked(m.Now()))
}

// A lost XOFF lets the sender go on into headroom that is not meant for that:
// packets are dropped in a lossless class until the next XOFF comes (a switch
// repeats it) and are sent again.
func TestLostXoff(t *testing.T) {
	clean, _ := pauseLoss(t, false, fabric.Loss{})
	assert.Zero(t, clean.Switches[0].Drops(switching.DropHeadroom))
	m, end := pauseLoss(t, false, fabric.Loss{Probability: 0.5})
	assert.Equal(t, model.Done, end)
	assert.NotZero(t, m.Switches[0].Drops(switching.DropHeadroom))
	for i := range 4 {
		assert.EqualValues(t, 8<<20, m.NICs.ReceivedBytes(i))
	}
}

// A switch that restarts loses what it holds and what is sent to it; traffic
// goes on by the other spine when routing has learnt, and by both afterwards.
func TestReboot(t *testing.T) {
	var entries []workload.Entry
	for i := range 16 {
		entries = append(entries, flow(fmt.Sprint("f", i), i%2, 2+i/2%2, 4<<20, 0))
	}
	spec := leafSpineSpec(t, entries...)
	spec.Convergence = 200 * us
	spec.Faults = []model.Fault{{Kind: model.Reboot, Target: 2, At: 500 * us, For: ms}} // spine0
	m, err := model.New(spec)
	require.NoError(t, err)
	spine := m.Switches[2]
	m.Engine.Run(500*us, 1<<40)
	require.NoError(t, m.CheckConservation())
	for p := range spine.NumPorts() {
		assert.Zero(t, spine.QueueBytes(p, 3))
		assert.False(t, spine.Pausing(p, 3))
	}
	received := spine.Group(0, 3).Packets + spine.Group(1, 3).Packets
	m.Engine.Run(ms+500*us, 1<<40)
	assert.Equal(t, received, spine.Group(0, 3).Packets+spine.Group(1, 3).Packets, "nothing arrives while it restarts")
	end := m.Run(context.Background(), model.Stop{WhenDone: true, Max: 100 * ms}, nil)
	assert.Equal(t, model.Done, end)
	require.NoError(t, m.CheckConservation())
	assert.Greater(t, spine.Group(0, 3).Packets+spine.Group(1, 3).Packets, received, "it is used again")
	assert.NotZero(t, losses(m, fabric.LossReboot, packet.Data))
	assert.Zero(t, losses(m, fabric.LossDown, packet.Data))
	assert.Equal(t, int64(16*4<<20), m.NICs.Tally(0)+tallies(m, 1, 16))
}

func tallies(m *model.Model, from, to int) (sum int64) {
	for i := from; i < to; i++ {
		sum += m.NICs.Tally(i)
	}
	return sum
}

// A model without faults has no event source for them: its events are those of
// a model that cannot have any.
func TestNoFaultNoSource(t *testing.T) {
	spec := starSpec(t, 2, flow("a", 0, 1, 1<<20, 0))
	m := run(t, spec, model.Stop{WhenDone: true, Max: ms})
	assert.False(t, m.Engine.ClassArmed("fault"))
	assert.NotContains(t, m.Engine.Name(0), "fault")
	assert.Equal(t, fabric.LossStats{}, m.Losses(0))
}

// One fault does not change what another one loses: each draws from a stream of
// its own.
func TestFaultsDoNotDisturbEachOther(t *testing.T) {
	lost := func(others ...model.Fault) (at []sim.Time) {
		spec := starSpec(t, 3, flow("a", 0, 1, 4<<20, 0))
		spec.Faults = append(others, model.Fault{Kind: model.LinkLoss, Target: 0, Directions: model.Forward,
			Loss: fabric.Loss{Frames: fabric.DataFrames, Probability: 0.01}})
		m, err := model.New(spec)
		require.NoError(t, err)
		m.ObserveLosses(func(now sim.Time, _ int, _ *packet.Packet, _ fabric.LossCause) { at = append(at, now) })
		m.Run(context.Background(), model.Stop{WhenDone: true, Max: sim.Second}, nil)
		return at
	}
	alone := lost()
	assert.NotEmpty(t, alone)
	assert.Equal(t, alone, lost(
		model.Fault{Kind: model.LinkDown, Target: 2, At: us},
		model.Fault{Kind: model.LinkLoss, Target: 2, Directions: model.Forward | model.Backward, Loss: fabric.Loss{Frames: fabric.AllFrames, Probability: 0.5}},
	))
}

// Random faults in random small fabrics: packets are conserved, the run ends,
// every message has ended, none is delivered twice (the driver would panic) or
// with missing bytes, and two runs are equal.
func TestRandomFaults(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		leaves := rapid.IntRange(1, 3).Draw(rt, "leaves")
		spines := rapid.IntRange(1, 3).Draw(rt, "spines")
		hosts := leaves * rapid.IntRange(2, 3).Draw(rt, "hosts per leaf")
		bytes := rapid.Int64Range(1, 300_000).Draw(rt, "bytes")
		convergence := sim.Time(rapid.IntRange(0, 200).Draw(rt, "convergence")) * us
		spec := permutationSpec(t, leaves, spines, hosts, 1, 3)
		faults := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) model.Fault { return drawFault(rt, spec) }), 1, 5).Draw(rt, "faults")
		// Go-back-0 need not end: see the livelock in the library.
		recovery := rapid.SampledFrom([]rc.Recovery{rc.GoBackN, rc.SelectiveRepeat})
		recoveries := rapid.SliceOfN(recovery, hosts, hosts).Draw(rt, "recoveries")
		window := rapid.SampledFrom([]int64{0, 0, 64_000}).Draw(rt, "window")
		outcome := func() string {
			spec := permutationSpec(t, leaves, spines, hosts, 1, 3)
			perm := spec.Entries[0].(workload.Permutation)
			perm.Bytes = bytes
			spec.Entries = []workload.Entry{perm, incastEntry(hosts, bytes)}
			for i := range spec.NICs {
				spec.NICs[i].Timeout, spec.NICs[i].RetryCount = 500*us, 3
				spec.NICs[i].RTOLow, spec.NICs[i].RTOHigh = 100*us, 320*us
				spec.NICs[i].Recovery, spec.NICs[i].Window = recoveries[i], window
			}
			spec.Faults, spec.Convergence = faults, convergence
			m, err := model.New(spec)
			require.NoError(t, err)
			end := m.Run(context.Background(), model.Stop{WhenDone: true, Max: sim.Second}, nil)
			require.Equal(rt, model.Done, end, m.ExplainStall(shown()))
			require.NoError(rt, m.CheckConservation())
			for i := range m.Driver.Len() {
				msg := m.Driver.Message(uint32(i))
				require.True(rt, msg.Failed() || msg.Completed != sim.Never)
				if msg.Completed != sim.Never {
					require.GreaterOrEqual(rt, m.NICs.ReceivedBytes(int(msg.Conn)), msg.Bytes)
				}
			}
			return fmt.Sprint(m.Engine.Fingerprint(), m.Engine.Events(), m.Driver.Messages())
		}
		require.Equal(rt, outcome(), outcome())
	})
}

func drawFault(rt *rapid.T, spec *model.Spec) model.Fault {
	f := model.Fault{
		At:         sim.Time(rapid.IntRange(0, 100).Draw(rt, "at")) * us,
		For:        sim.Time(rapid.IntRange(0, 500).Draw(rt, "for")) * us,
		Target:     rapid.IntRange(0, len(spec.Graph.Links)-1).Draw(rt, "link"),
		Directions: model.Direction(rapid.IntRange(1, 3).Draw(rt, "directions")),
	}
	switch rapid.IntRange(0, 6).Draw(rt, "kind") {
	case 6:
		f.Kind, f.Target = model.PauseStorm, rapid.IntRange(0, len(spec.NICs)-1).Draw(rt, "NIC")
	case 0:
		f.Kind = model.LinkDown
	case 1:
		f.Kind, f.Rate = model.LinkRate, sim.Rate(rapid.IntRange(1, 99).Draw(rt, "gbps"))*sim.Gbps
	case 2:
		f.Kind, f.Target = model.Reboot, rapid.IntRange(0, len(spec.Graph.Switches)-1).Draw(rt, "switch")
	case 3:
		f.Kind, f.Loss = model.LinkLoss, fabric.Loss{Frames: fabric.AllFrames, BitErrors: 1e-6}
	case 4:
		f.Kind = model.LinkLoss
		f.Loss = fabric.Loss{Frames: fabric.Frames(rapid.IntRange(1, 15).Draw(rt, "frames")), Probability: rapid.Float64Range(0, 0.3).Draw(rt, "p")}
	default:
		f.Kind = model.LinkLoss
		f.Loss = fabric.Loss{Frames: fabric.Frames(rapid.IntRange(1, 15).Draw(rt, "frames")), Every: rapid.IntRange(1, 50).Draw(rt, "every")}
	}
	return f
}
