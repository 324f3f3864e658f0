package rc

import "rocesim/fabric/packet"

// selective is what a requester keeps for selective repeat.
//
// A packet counts as lost if one sent after it was received, or if it is the
// oldest outstanding at a time-out (IRN, section 3.1). Lost packets go before
// new ones, each once: what is lost again is left to the time-out. So there is
// no recovery mode to enter and to leave; a requester recovers as long as scan
// is below lost.
//
//	una <= scan <= lost <= high, top <= high
type selective struct {
	received bitRing // beyond una, by packet number
	// scan is the next lost packet to send again; if there is none, it equals
	// lost, the end of those that may be lost.
	scan, lost int64
	// top is one more than the highest packet received.
	top int64
	// cursor is the message of scan or an earlier one, counted as
	// Requester.cursor.
	cursor int
}

// Repeating reports whether the next segment is sent again selectively. No window
// holds it up: it replaces one that has left the network.
func (r *Requester) Repeating() bool {
	return r.selective != nil && r.selective.scan < r.selective.lost
}

// Sack takes a NAK of selective repeat: the responder has everything before psn
// and has received the packet received behind the gap. It returns the payload
// bytes newly acknowledged by psn, 0 if those are none, or -1 if it also tells
// of no packet that is outstanding.
func (r *Requester) Sack(psn, received packet.PSN) (advanced int64) {
	advanced = -1
	if upTo := r.number(psn); upTo >= r.una && upTo < r.high {
		advanced = r.advance(upTo)
	}
	n := r.number(received)
	if n < r.una || n >= r.high {
		return advanced
	}
	s := r.selective
	s.received.set(r.una, n)
	s.top = max(s.top, n+1)
	s.lost = max(s.lost, s.top)
	s.seek(r.una)
	return max(advanced, 0)
}

// repeat cuts the next lost packet. It requests an acknowledgement: it may be
// the only one on its way. Preconditions: scan is below lost.
func (r *Requester) repeat() Segment {
	s := r.selective
	for r.message(s.cursor).end <= s.scan {
		s.cursor++
	}
	m := r.message(s.cursor)
	g := Segment{
		PSN:        r.psn(s.scan),
		Payload:    int(r.offset(m, s.scan+1) - r.offset(m, s.scan)),
		First:      s.scan == m.start,
		Last:       s.scan+1 == m.end,
		AckReq:     true,
		Retransmit: true,
		Msg:        m.id,
	}
	s.scan++
	s.seek(r.una)
	return g
}

// acknowledged moves on after packets before una were acknowledged; the oldest
// of them was from.
func (s *selective) acknowledged(from, una int64, done int) {
	for n := from; n < min(una, s.top); n++ {
		s.received.clear(n)
	}
	s.top = max(s.top, una)
	s.lost = max(s.lost, una)
	if s.scan < una {
		s.scan, s.cursor = una, done
	}
	s.seek(una)
}

// timeout counts the oldest outstanding packet as lost, and all those again
// that were sent again and are still missing.
func (s *selective) timeout(una int64, done int) {
	s.received.clear(una) // it was received, and its acknowledgement lost
	s.scan, s.cursor = una, done
	s.lost = max(s.top, una+1)
}

// seek moves scan over what was received.
func (s *selective) seek(una int64) {
	for s.scan < s.lost && s.received.has(una, s.scan) {
		s.scan++
	}
}

// popped tells that the oldest message was removed.
func (s *selective) popped() { s.cursor = max(0, s.cursor-1) }

// SelectiveResponder is the receiving half of a queue pair with selective
// repeat: it takes packets in any order and reports each that comes behind a
// gap. See Init.
type SelectiveResponder struct {
	expected packet.PSN
	ackEvery int32
	unacked  int32
	next     int64 // expected, counted from 0
	waiting  int   // packets that are there behind a gap
	// arrived and ends have a bit for each packet from next on: it is there;
	// it ends a message.
	arrived, ends bitRing
}

// Init makes r expect the packet first. Besides when a packet asks for it, at
// the end of a message and after the oldest gap is closed, r acknowledges every
// ackEvery packets (0: not).
func (r *SelectiveResponder) Init(first packet.PSN, ackEvery int) {
	*r = SelectiveResponder{expected: first, ackEvery: int32(ackEvery)}
}

// Receive judges a packet as Responder.Receive does. messages is how many
// messages the packet made complete: those whose every packet, and every packet
// before them, is there.
func (r *SelectiveResponder) Receive(psn packet.PSN, last, ackReq bool) (v Verdict, messages int) {
	d := int64(psn.Diff(r.expected))
	switch {
	case d < 0 || r.arrived.has(r.next, r.next+d):
		return Duplicate, 0
	case d >= MaxSelective: // no requester sends it
		return GapSilent, 0
	case d > 0:
		r.arrived.set(r.next, r.next+d)
		if last {
			r.ends.set(r.next, r.next+d)
		}
		r.waiting++
		return DeliverNak, 0
	}
	closed := r.waiting > 0
	messages = r.advance(last)
	if closed || messages > 0 || ackReq || r.ackEvery > 0 && r.unacked >= r.ackEvery {
		r.unacked = 0
		return DeliverAck, messages
	}
	return Deliver, messages
}

// advance moves over the expected packet, which has come, and all that is there
// behind it. It returns how many messages end in these.
func (r *SelectiveResponder) advance(last bool) (messages int) {
	for {
		if last {
			messages++
		}
		r.expected = r.expected.Add(1)
		r.next++
		r.unacked++
		if r.waiting == 0 || !r.arrived.has(r.next, r.next) {
			return messages
		}
		last = r.ends.has(r.next, r.next)
		r.arrived.clear(r.next)
		r.ends.clear(r.next)
		r.waiting--
	}
}

// Expected is the sequence number of the oldest packet missing.
func (r *SelectiveResponder) Expected() packet.PSN { return r.expected }

// AckPSN is the sequence number up to which everything is there.
func (r *SelectiveResponder) AckPSN() packet.PSN { return r.expected.Add(-1) }
