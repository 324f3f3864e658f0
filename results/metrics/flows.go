package metrics

import (
	"rocesim/results"
	"rocesim/scenarios/workload"
	"rocesim/sim"
)

// flows makes the flow table. Of messages under way, the payload delivered so
// far is what their connection has received beyond its earlier messages.
func (c *Collector) flows(now sim.Time) []results.FlowRow {
	d := c.m.Driver
	rest := make([]int64, c.m.NICs.Connections()) // received and not yet assigned
	for i := range rest {
		rest[i] = c.m.NICs.ReceivedBytes(i)
	}
	ideal := NewIdle(c.m.Spec, c.m.Routes)
	rows := make([]results.FlowRow, 0, d.Len())
	for i := range d.Len() {
		msg := d.Message(uint32(i))
		rows = append(rows, c.flow(uint32(i), msg, rest, ideal, now))
	}
	return rows
}

func (c *Collector) flow(id uint32, msg workload.Message, rest []int64, ideal *Idle, now sim.Time) results.FlowRow {
	g := c.m.Spec.Graph
	f := c.m.Flow(int(msg.Conn))
	got := min(rest[msg.Conn], msg.Bytes)
	rest[msg.Conn] -= got
	row := results.FlowRow{
		ID:         id,
		Bytes:      msg.Bytes,
		Measured:   got,
		Start:      msg.Start,
		Workload:   msg.Entry,
		Src:        int32(g.Endpoints[msg.Src].Host),
		Dst:        int32(g.Endpoints[msg.Dst].Host),
		SourcePort: f.Forward.SrcPort,
		Priority:   c.m.Spec.NICs[msg.Src].DSCPToPriority[f.DSCP&63],
		Ideal:      ideal.Message(int(msg.Src), int(msg.Dst), msg.Bytes, f.Send),
	}
	if msg.Delivered <= now {
		row.Delivered = msg.Delivered
	}
	datagram := c.m.NICs.Unreliable(int(msg.Conn))
	switch {
	case datagram:
		row.Unfinished = results.NotAcknowledged
	case msg.Completed <= now:
		row.Completed = msg.Completed
	case msg.Failed():
		row.Unfinished = results.RetriesSpent
	default:
		row.Unfinished = c.unfinished(int(msg.Conn), now)
	}
	return row
}

// standstill is from when on a connection counts as held up: no round trip of a
// fabric is as long, and far longer than it is no time-out of an adapter.
const standstill = sim.Millisecond

// unfinished returns why a message of connection conn has not ended.
func (c *Collector) unfinished(conn int, now sim.Time) results.UnfinishedReason {
	w := c.m.NICs.Waiting(now, conn)
	switch {
	case now-w.Since < standstill && w.Timeouts == 0:
		return results.RunEnded
	case w.Paused && w.Pending:
		return results.HeldByPause
	case w.Retry < sim.Never:
		return results.AwaitsTimeout
	case w.Window:
		return results.WindowFull
	case w.Unacked > 0:
		return results.AwaitsAck
	default:
		return results.RunEnded
	}
}
