package switching

import (
	"math/bits"

	"rocesim/fabric"
	"rocesim/fabric/packet"
	"rocesim/sim"
)

// redMode says when a queue's RED profile is tested.
type redMode uint8

const (
	redOff redMode = iota
	redDequeue
	redDequeueWith // counting the departing packet
	redEnqueue
)

// queue is one egress queue of one port: first in, first out per (port,
// class), as in shared-memory chips.
type queue struct {
	list     packet.Queue
	bytes    int64 // frames waiting
	mode     redMode
	markOnly bool
	lossy    bool
	deficit  int32
	quantum  int32 // of deficit round robin, in bytes
	red      red
	limit    Threshold

	stats QueueStats
}

// QueueStats are the counters of one egress queue.
type QueueStats struct {
	Packets, Bytes uint64 // transmitted (SAI_QUEUE_STAT_PACKETS, ..._BYTES)
	// Marked are packets marked CE (SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS).
	Marked uint64
	// Dropped at this queue (SAI_QUEUE_STAT_DROPPED_PACKETS).
	Dropped uint64
	// Peak is the watermark in bytes; PeakNow the one since it was last reset by
	// a sampler.
	Peak, PeakNow int64
}

// port is one port of a switch: the sending half with its queues, and the
// priority groups of what the port receives.
type port struct {
	fabric.Port
	sw       *Switch
	mem      *pool
	incoming *fabric.Link
	id       sim.ID
	index    uint16
	nonEmpty uint8 // queues
	strict   uint8 // queues
	turn     uint8 // queue whose turn it is in deficit round robin
	armed    bool
	queues   [Priorities]queue
	groups   [Priorities]group
}

// quantumPerWeight is what weight 1 adds per round in bytes. It only sets the
// granularity at which queues alternate.
const quantumPerWeight = 512

// pick returns the queue to serve among avail (a non-empty bit vector): strict
// queues first, the highest number first, then deficit round robin by bytes
// (Shreedhar and Varghese 1995).
func (pt *port) pick(avail uint8) int {
	if avail&(avail-1) == 0 {
		return bits.TrailingZeros8(avail)
	}
	if s := avail & pt.strict; s != 0 {
		return bits.Len8(s) - 1
	}
	for {
		n := int(pt.turn)
		q := &pt.queues[n]
		if avail&(1<<n) != 0 && int32(q.list.Head().Frame) <= q.deficit {
			q.deficit -= int32(q.list.Head().Frame)
			return n
		}
		pt.nextTurn(avail)
	}
}

// nextTurn passes the turn to the next available queue and grants its quantum.
func (pt *port) nextTurn(avail uint8) {
	above := avail &^ pt.strict & (0xFF << (pt.turn + 1))
	if above == 0 {
		above = avail &^ pt.strict
	}
	pt.turn = uint8(bits.TrailingZeros8(above))
	q := &pt.queues[pt.turn]
	q.deficit += q.quantum
}

// join appends p to queue n. Buffer admission has happened.
func (pt *port) join(p *packet.Packet, n int) {
	q := &pt.queues[n]
	q.list.Push(p)
	q.bytes += int64(p.Frame)
	pt.nonEmpty |= 1 << n
	q.stats.Peak = max(q.stats.Peak, q.bytes)
	q.stats.PeakNow = max(q.stats.PeakNow, q.bytes)
}

// leave removes the head of queue n and marks it if due.
func (pt *port) leave(n int) *packet.Packet {
	q := &pt.queues[n]
	p := q.list.Pop()
	before := q.bytes
	q.bytes -= int64(p.Frame)
	if q.list.Empty() {
		pt.nonEmpty &^= 1 << n
		q.deficit = 0
	}
	q.stats.Packets++
	q.stats.Bytes += uint64(p.Frame)
	switch q.mode {
	case redDequeue:
		q.mark(p, q.bytes, pt.sw.random)
	case redDequeueWith:
		q.mark(p, before, pt.sw.random)
	}
	return p
}

func (q *queue) mark(p *packet.Packet, length int64, random *sim.Stream) {
	if p.Flags&packet.ECT != 0 && q.red.hits(length, random) {
		p.Flags |= packet.CE
		q.stats.Marked++
	}
}

// refuses reports whether the queue drops p on arrival: lossy queues above
// their threshold, or by WRED if p cannot be marked. Marking at enqueue happens
// here too.
func (q *queue) refuses(p *packet.Packet, m *pool, random *sim.Stream) (DropCause, bool) {
	if q.lossy && q.bytes+int64(p.Frame) > q.limit.limit(m.lossyFree) {
		return DropEgress, true
	}
	if q.mode == redOff {
		return 0, false
	}
	if p.Flags&packet.ECT == 0 {
		return DropWRED, !q.markOnly && q.red.hits(q.bytes, random)
	}
	if q.mode == redEnqueue {
		q.mark(p, q.bytes, random)
	}
	return 0, false
}
