package metrics_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/fabric/packet"
	"rocesim/results"
	"rocesim/results/metrics"
	"rocesim/scenarios/model"
	"rocesim/scenarios/workload"
	"rocesim/sim"
	switching "rocesim/switch"
)

// queue returns the row of a node's port towards peer.
func queue(t *testing.T, run *results.Run, node, peer string, priority uint8) results.QueueRow {
	t.Helper()
	for _, q := range run.Queues {
		if p := run.Ports[q.Port]; run.Nodes[p.Node] == node && run.Nodes[p.Peer] == peer && q.Priority == priority {
			return q
		}
	}
	t.Fatalf("no row %s>%s %d", node, peer, priority)
	return results.QueueRow{}
}

func wireBytes(t *testing.T, run *results.Run, node, peer string) int64 {
	t.Helper()
	for _, p := range run.Ports {
		if run.Nodes[p.Node] == node && run.Nodes[p.Peer] == peer {
			return p.WireBytes
		}
	}
	t.Fatalf("no port %s>%s", node, peer)
	return 0
}

// Frames and bytes of a lone message of ten full packets and a rest, counted
// by hand: 11 data packets of 62 bytes and a RETH, 11 ACKs of 66.
func TestCountersOfOneMessage(t *testing.T) {
	const bytes = 10*4096 + 100
	run, m := simulate(t, network(star(t, 2), flow("a", 0, 1, bytes, 0)), metrics.Options{}, 0)
	const data, acks = bytes + 11*62 + 16, 11 * 66
	for _, hop := range [][2]string{{"h0", "sw0"}, {"sw0", "h1"}} {
		q := queue(t, run, hop[0], hop[1], 3)
		assert.Equal(t, [2]int64{11, data}, [2]int64{q.TxPackets, q.TxBytes}, "%v", hop)
		assert.Equal(t, int64(data+11*20), wireBytes(t, run, hop[0], hop[1]))
		q = queue(t, run, hop[1], hop[0], 3)
		assert.Equal(t, [2]int64{11, acks}, [2]int64{q.TxPackets, q.TxBytes}, "%v", hop)
		assert.Equal(t, [2]int64{11, data}, [2]int64{q.RxPackets, q.RxBytes}, "%v", hop)
		assert.True(t, q.Lossless)
	}
	assert.Equal(t, uint64(44), run.Manifest.PacketHops)
	assert.Equal(t, m.Engine.Events(), run.Manifest.Events)
	assert.Equal(t, m.Engine.Fingerprint(), run.Manifest.Fingerprint)
	assert.Len(t, run.Queues, 4, "rows that say nothing are left out")
	assert.Equal(t, []string{"h0", "h1", "sw0"}, run.Nodes)
	assert.Equal(t, "host>sw", run.Ports[0].Tier)
}

// incast is n senders to one host with a small buffer, so that PFC acts. Its
// observer counts beside the collector.
func incast(t *testing.T, n int, change func(*switching.Config)) (*results.Run, *model.Model) {
	t.Helper()
	spec := network(star(t, n+1))
	c := &spec.Switches[0]
	c.Groups[3].Threshold = switching.Threshold{Static: 60_000}
	c.Queues[3].RED = &switching.REDProfile{Kmin: 20_000, Kmax: 80_000, Pmax: 1 << 30, MarkOnly: true}
	if change != nil {
		change(c)
	}
	for i := range n {
		spec.Entries = append(spec.Entries, flow(string(rune('a'+i)), i, n, 500_000, 0))
	}
	return simulate(t, spec, metrics.Options{Sample: us, Queues: 4}, 0)
}

// Counters of both ends of each cable agree under PFC and ECN, and pause times
// agree with the timeline.
func TestCountersUnderIncast(t *testing.T) {
	const senders = 4
	run, m := incast(t, senders, nil)
	var timeline [2]sim.Time // by kind of port: hosts, switches
	for _, p := range run.Pauses {
		assert.Less(t, p.From, p.To)
		assert.Equal(t, uint8(3), p.Priority)
		timeline[min(1, int(run.Ports[p.Port].Node)/(senders+1))] += p.To - p.From
	}
	var marked, paused, pauses int64
	for i := range senders {
		name := run.Nodes[i]
		up, down := queue(t, run, name, "sw0", 3), queue(t, run, "sw0", name, 3)
		assert.Equal(t, up.TxPackets, down.RxPackets)
		assert.Equal(t, up.TxBytes, down.RxBytes)
		assert.Equal(t, down.TxPause, up.RxPause, "every pause frame arrived")
		assert.Equal(t, down.TxXoff, up.RxXoff)
		assert.Equal(t, 2*down.TxXoff, down.TxPause, "each XOFF has its XON")
		assert.Equal(t, up.RxXoff, up.RxTransitions)
		assert.Greater(t, down.TxXoff, int64(0))
		assert.Equal(t, up.TxBytes+20*up.TxPackets, wireBytes(t, run, name, "sw0"))
		cnps := queue(t, run, "sw0", name, 6)
		assert.Equal(t, down.TxBytes+20*down.TxPackets+84*down.TxPause+98*cnps.TxPackets, wireBytes(t, run, "sw0", name))
		// XOFF and XON frames travel alike, but each may wait for a frame on
		// the wire: an ACK of 86 bytes.
		assert.InDelta(t, float64(down.TxPaused), float64(up.RxPaused), float64(down.TxXoff)*86*80)
		assert.Equal(t, int64(60_000), down.XoffMin)
		assert.Equal(t, int64(60_000), down.FirstXoffThreshold)
		assert.GreaterOrEqual(t, down.FirstXoffUse, down.FirstXoffThreshold, "reaching the threshold is what made it pause")
		assert.Less(t, down.FirstXoffUse, down.FirstXoffThreshold+4400, "by no more than a frame in whole cells")
		paused += int64(up.RxPaused)
		pauses += up.RxTransitions
	}
	assert.Len(t, run.Pauses, int(pauses))
	assert.Equal(t, sim.Time(paused), timeline[0])
	assert.Zero(t, timeline[1], "nobody paused the switch")
	out := queue(t, run, "sw0", "h4", 3)
	receiver := run.NICs[senders]
	marked = out.ECNMarked
	assert.Greater(t, marked, int64(0))
	assert.Equal(t, marked, receiver.ECNMarked, "what the switch marks, the receiver counts")
	assert.Equal(t, queue(t, run, "h4", "sw0", 6).TxPackets, receiver.CNPSent)
	var ignored int64
	for _, n := range run.NICs {
		ignored += n.CNPIgnored
		assert.Zero(t, n.CNPHandled+n.OutOfSequence+n.PacketSeqErr+n.DuplicateRequest+n.AckTimeouts+n.Retransmitted)
	}
	assert.Equal(t, receiver.CNPSent, ignored, "nobody has a reaction point")
	assert.Equal(t, int64(20_000), out.Kmin)
	assert.Equal(t, int64(80_000), out.Kmax)
	assert.Empty(t, run.Drops)
	assert.Equal(t, int64(senders*500_000), m.NICs.Tally(0)+m.NICs.Tally(1)+m.NICs.Tally(2)+m.NICs.Tally(3))
}

// Drops are counted with their cause, at the port where the packet came in:
// without PFC what does not arrive was dropped.
func TestDropsUnderIncast(t *testing.T) {
	const senders = 4
	spec := network(star(t, senders+1))
	c := &spec.Switches[0]
	c.Groups[3].Threshold = switching.Threshold{Static: 60_000}
	for i := range c.Ports {
		c.Ports[i].NoPFC, c.Ports[i].Headroom = true, 0
	}
	for i := range senders {
		e := flow(string(rune('a'+i)), i, senders, 500_000, 0)
		e.Class.Unreliable = true
		spec.Entries = append(spec.Entries, e)
	}
	run, m := simulate(t, spec, metrics.Options{}, sim.Millisecond)
	var dropped, bytes, ingress int64
	for _, d := range run.Drops {
		assert.Equal(t, "headroom overrun", d.Cause)
		assert.True(t, d.Lossless)
		assert.Equal(t, uint8(3), d.Priority)
		assert.Greater(t, d.First, sim.Time(0))
		dropped += d.Packets
		bytes += d.Bytes
	}
	for _, q := range run.Queues {
		ingress += q.IngressDrops
	}
	sent := packet.Packets(500_000, 4096) * senders
	assert.Greater(t, dropped, int64(0))
	assert.Equal(t, sent-int64(m.NICs.DeliveredPackets()), dropped)
	assert.Equal(t, dropped, ingress)
	var received int64
	for i := range senders {
		received += m.NICs.Tally(i)
		f := run.Flows[i]
		assert.Equal(t, results.NotAcknowledged, f.Unfinished)
		assert.Equal(t, m.NICs.ReceivedBytes(i), f.Measured)
	}
	assert.LessOrEqual(t, received, int64(senders*500_000)-bytes+dropped*78)
}

// A run that ends early says of each flow how far it has come and why it is
// not done.
func TestUnfinishedFlows(t *testing.T) {
	spec := network(star(t, 3), flow("a", 0, 1, 1<<20, 0), flow("b", 0, 2, 1<<20, 0), flow("c", 1, 2, 100, 0))
	run, m := simulate(t, spec, metrics.Options{}, 20*us)
	assert.Equal(t, 20*us, run.Manifest.SimulatedTime)
	for i, want := range []results.UnfinishedReason{results.RunEnded, results.RunEnded, results.NotUnfinished} {
		f := run.Flows[i]
		assert.Equal(t, want, f.Unfinished)
		assert.Equal(t, m.NICs.ReceivedBytes(i), f.Measured)
		assert.Equal(t, want == results.NotUnfinished, f.Completed > 0)
		assert.Equal(t, uint8(3), f.Priority)
		assert.Equal(t, m.Flow(i).Forward.SrcPort, f.SourcePort)
	}
	assert.Greater(t, run.Flows[0].Measured, int64(0))
	assert.Less(t, run.Flows[0].Measured, int64(1<<20))
}

// Messages of one connection share what it has received, oldest first.
func TestMessagesOfOneConnection(t *testing.T) {
	spec := network(star(t, 2))
	spec.Entries = []workload.Entry{workload.Incast{
		Common:  workload.Common{Name: "rounds", Class: workload.Class{DSCP: 26}},
		Senders: []int{0}, Receivers: []int{1}, Bytes: 50_000, Every: us, Rounds: 10,
	}}
	run, m := simulate(t, spec, metrics.Options{}, 20*us)
	require.Len(t, run.Flows, 10)
	var sum int64
	for i, f := range run.Flows {
		sum += f.Measured
		if i > 0 {
			assert.LessOrEqual(t, f.Measured, run.Flows[i-1].Measured)
		}
		assert.Equal(t, f.Delivered > 0, f.Measured == 50_000)
	}
	assert.Equal(t, m.NICs.ReceivedBytes(0), sum)
}
