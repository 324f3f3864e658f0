package switching

import (
	"math/bits"

	"rocesim/fabric"
	"rocesim/fabric/packet"
)

// redMode says when a queue's RED profile is tested.
type redMode uint8

const (
	redOff redMode = iota
	redDequeue
	redDequeueWith // counting the departing packet
	redEnqueue
)

// queue is one egress queue of one port. What every packet needs fills one cache
// line; the rest stands in queueRules.
type queue struct {
	// list is what waits, first in, first out; if perIngress, only the oldest
	// packet of each ingress port, in turn.
	list    packet.Queue
	bytes   int64 // frames waiting
	peak    int64
	packets uint64 // transmitted
	sent    uint64 // bytes transmitted
	floor   int64  // RED marks nothing up to this length
	deficit int32
	mode    redMode
	lossy   bool
	guarded bool // lossy or with RED: arrivals must be tested
	// perIngress serves ingress ports in turn; see lane.
	perIngress bool
}

// queueRules is what a queue needs when it marks, drops or shares its port.
type queueRules struct {
	red      red
	limit    Threshold
	quantum  int32 // of deficit round robin, in bytes
	markOnly bool
	full     bool // at its limit; see overflows
	marked   uint64
	dropped  uint64
	lanes    []lane // by ingress port, from the first packet on; nil if first in, first out
}

// QueueStats are the counters of one egress queue.
type QueueStats struct {
	Packets, Bytes uint64 // transmitted (SAI_QUEUE_STAT_PACKETS, ..._BYTES)
	// Marked are packets marked CE (SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS).
	Marked uint64
	// Dropped at this queue (SAI_QUEUE_STAT_DROPPED_PACKETS).
	Dropped uint64
	// Peak is the watermark in bytes.
	Peak int64
}

// port is one port of a switch; it fills one cache line. Its queues and priority
// groups stand in the switch's slabs, by priority: the few that are in use lie
// together.
type port struct {
	fabric.Port
	sw       *Switch
	index    uint16
	nonEmpty uint8 // queues
	turn     uint8 // queue whose turn it is in deficit round robin
	stormed  uint8 // queues that the watchdog drops from
	armed    bool
	held     bool // armed for the end of a pause only
}

// quantumPerWeight is what weight 1 adds per round in bytes. It only sets the
// granularity at which queues alternate.
const quantumPerWeight = 512

// pick returns the queue to serve among avail (a non-empty bit vector): strict
// queues first, the highest number first, then deficit round robin by bytes
// (Shreedhar and Varghese 1995).
func (s *Switch) pick(pt *port, avail uint8) int {
	if avail&(avail-1) == 0 {
		return bits.TrailingZeros8(avail)
	}
	if strict := avail & s.strict; strict != 0 {
		return bits.Len8(strict) - 1
	}
	for {
		n := int(pt.turn)
		q := s.queue(pt, n)
		if avail&(1<<n) != 0 && int32(q.list.Head().Frame) <= q.deficit {
			q.deficit -= int32(q.list.Head().Frame)
			return n
		}
		s.nextTurn(pt, avail)
	}
}

// nextTurn passes the turn to the next available queue and grants its quantum.
func (s *Switch) nextTurn(pt *port, avail uint8) {
	above := avail &^ s.strict & (0xFF << (pt.turn + 1))
	if above == 0 {
		above = avail &^ s.strict
	}
	pt.turn = uint8(bits.TrailingZeros8(above))
	s.queue(pt, int(pt.turn)).deficit += s.queueRule(pt, int(pt.turn)).quantum
}

// count adds p to what waits in queue q of a port.
func (pt *port) count(q *queue, p *packet.Packet) {
	q.bytes += int64(p.Frame)
	q.peak = max(q.peak, q.bytes)
	pt.nonEmpty |= 1 << p.Queue
}

// leave removes the head of queue n of a port and marks it if due.
func (s *Switch) leave(pt *port, n int) *packet.Packet {
	q := s.queue(pt, n)
	p := q.list.Pop()
	if q.perIngress {
		s.queueRule(pt, n).passTurn(q, p.In)
	}
	length := q.bytes
	q.bytes -= int64(p.Frame)
	if q.list.Empty() {
		pt.nonEmpty &^= 1 << n
		q.deficit = 0
	}
	q.packets++
	q.sent += uint64(p.Frame)
	if q.mode == redDequeue {
		length = q.bytes
	}
	if length > q.floor && (q.mode == redDequeue || q.mode == redDequeueWith) {
		s.mark(s.queueRule(pt, n), p, length)
	}
	return p
}

func (s *Switch) mark(r *queueRules, p *packet.Packet, length int64) {
	if p.Flags&packet.ECT != 0 && r.red.hits(length, s.random) {
		p.Flags |= packet.CE
		r.marked++
	}
}

// refuses reports whether the queue drops p on arrival: lossy queues above
// their threshold, or by WRED if p cannot be marked. Marking at enqueue happens
// here too.
func (s *Switch) refuses(pt *port, q *queue, p *packet.Packet) (DropCause, bool) {
	r := s.queueRule(pt, int(p.Queue))
	if q.lossy && r.overflows(q.bytes, int64(p.Frame), r.limit.limit(s.mem(int(pt.index)).lossyFree)) {
		return DropEgress, true
	}
	switch {
	case q.mode == redOff:
		return 0, false
	case p.Flags&packet.ECT == 0:
		return DropWRED, !r.markOnly && r.red.hits(q.bytes, s.random)
	case q.mode == redEnqueue:
		s.mark(r, p, q.bytes)
	}
	return 0, false
}

// overflows reports whether a lossy queue of some length has no room for a
// frame. A queue that was full takes frames again when it has room for two.
//
// Between two departures, a full queue of one frame's room would take whichever
// sender's frame comes first: of two that send at the same rate always the same
// one's, to the last frame of a run. A chip that decides on a frame's first cell
// and books the others as they come takes or drops both of two frames that
// overlap on their way in, and so does this queue.
func (r *queueRules) overflows(length, frame, limit int64) bool {
	tight := length > 0 && length+2*frame > limit
	if tight && r.full || length+frame > limit {
		r.full = true
		return true
	}
	r.full = tight
	return false
}
