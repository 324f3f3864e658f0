package rc

import "rocesim/fabric/packet"

// maxOutstanding is how many packets may be sent and not acknowledged: more
// than half of the 2^24 sequence numbers, and old and new could not be told
// apart (InfiniBand Architecture Volume 1, 9.7).
const maxOutstanding = 1<<23 - 1

// Segment is one packet that the requester asks the NIC to send.
type Segment struct {
	// PSN is its sequence number.
	PSN packet.PSN
	// Payload is in bytes, at most the path MTU; 0 only in an empty message.
	Payload int
	// First and Last mark the ends of its message; both in a message of one
	// packet.
	First, Last bool
	// AckReq asks the responder to acknowledge at once.
	AckReq bool
	// Retransmit tells that it was sent before.
	Retransmit bool
	// Msg is the message it belongs to, as given to Post.
	Msg uint32
}

// message is a posted message. Packets are numbered from 0 over the life of
// the queue pair, so a message may have more packets than there are PSNs.
type message struct {
	start, end int64 // packets [start, end)
	bytes      int64
	id         uint32
}

// Requester is the sending half of a queue pair for RC WRITE and SEND. It cuts
// posted messages into segments, tracks what is acknowledged, and sends again
// what a NAK or a time-out calls for (go-back-N unless Recover chooses another
// way). Messages start, and complete, in the order in which they were posted.
// See Init.
//
// Of the packets numbered from 0, those before una are acknowledged, those
// before next are sent and not to be sent again, those before high were sent
// at least once, those before tail are posted:
//
//	una <= next <= high <= tail, high - una <= limit
//
// Go-back-0 takes acknowledgements within a message back when it starts over, so
// there high - una may be larger, and selective repeat keeps next at high.
type Requester struct {
	una, next, high, tail int64
	// inFlight is the payload of the packets [una, next).
	inFlight int64

	// ring holds messages from the oldest that Completed has not returned;
	// its length is a power of two. Counted from head, the first done are
	// acknowledged, and message number cursor contains next.
	ring                      []message
	head, count, done, cursor int

	first    packet.PSN // of packet 0
	mtu      int32
	ackEvery int32
	unasked  int32 // packets since the last one with AckReq
	limit    int32 // of packets outstanding

	recovery  Recovery
	selective *selective // nil without selective repeat
}

// Init makes r ready for messages cut to at most mtu bytes of payload. Within
// a message every ackEvery-th packet requests an acknowledgement (0: none
// does); the last one always does. first is the PSN of the first packet.
// Preconditions: mtu > 0.
func (r *Requester) Init(mtu, ackEvery int, first packet.PSN) {
	*r = Requester{ring: r.ring, first: first, mtu: int32(mtu), ackEvery: int32(ackEvery), limit: maxOutstanding}
}

// Post queues a message of bytes, known to the caller as msg. A message of 0
// bytes is one packet without payload.
func (r *Requester) Post(bytes int64, msg uint32) {
	if r.count == len(r.ring) {
		r.grow()
	}
	end := r.tail + packet.Packets(bytes, int(r.mtu))
	*r.message(r.count) = message{start: r.tail, end: end, bytes: bytes, id: msg}
	r.count++
	r.tail = end
}

// HasNext reports whether a segment may be sent: posted and within the window,
// or to be sent again.
func (r *Requester) HasNext() bool {
	return r.next < r.tail && r.next-r.una < int64(r.limit) || r.Repeating()
}

// WindowFull reports whether the requester has packets to send and must wait
// for acknowledgements of others first.
func (r *Requester) WindowFull() bool { return r.next < r.tail && !r.HasNext() }

// InFlight is the payload in bytes that was sent and is not acknowledged, with
// selective repeat by all up to it. What the requester went back over is no
// longer in flight.
func (r *Requester) InFlight() int64 { return r.inFlight }

// Outstanding reports whether a packet was sent and not acknowledged, also if
// it is about to be sent again. The retransmission timer runs meanwhile.
func (r *Requester) Outstanding() bool { return r.una < r.high }

// OutstandingPackets is how many packets were sent and are not acknowledged.
func (r *Requester) OutstandingPackets() int { return int(r.high - r.una) }

// Idle reports whether all that was posted has been acknowledged.
func (r *Requester) Idle() bool { return r.una == r.tail }

// Next cuts the next segment. Preconditions: HasNext.
func (r *Requester) Next() Segment {
	if r.Repeating() {
		return r.repeat()
	}
	m := r.message(r.cursor)
	s := Segment{
		PSN:        r.psn(r.next),
		Payload:    int(r.mtu),
		First:      r.next == m.start,
		Last:       r.next+1 == m.end,
		Retransmit: r.next < r.high,
		Msg:        m.id,
	}
	if s.Last {
		s.Payload = int(m.bytes - (r.next-m.start)*int64(r.mtu))
		r.cursor++
	}
	r.next++
	r.high = max(r.high, r.next)
	r.inFlight += int64(s.Payload)
	s.AckReq = r.ask(s.Last)
	return s
}

// ask decides whether the packet just cut requests an acknowledgement. The one
// that fills the window must: nothing else would open it again.
func (r *Requester) ask(last bool) bool {
	r.unasked++
	ask := last || r.unasked == r.ackEvery || r.next-r.una == int64(r.limit)
	if ask {
		r.unasked = 0
	}
	return ask
}

// Ack takes an acknowledgement of every packet up to and including psn
// (acknowledgements coalesce, 9.7.5). It returns the payload bytes newly
// acknowledged, which are 0 for empty messages, or -1 if the acknowledgement
// says nothing new or names a packet that was never sent; it is then ignored.
func (r *Requester) Ack(psn packet.PSN) (advanced int64) {
	upTo := r.number(psn) + 1
	if upTo <= r.una || upTo > r.high {
		return -1
	}
	if upTo > r.next && r.recovery == GoBack0 {
		if upTo = r.whole(upTo); upTo == r.una {
			return -1
		}
	}
	return r.advance(upTo)
}

// Nak takes a NAK for a sequence error: the responder has everything before
// psn and wants psn next (9.7.5). The requester goes back to it. Nak returns the payload bytes newly acknowledged, or -1 if the NAK is older than
// the last acknowledgement or names a packet that was never sent; it is then
// ignored.
func (r *Requester) Nak(psn packet.PSN) (advanced int64) {
	wanted := r.number(psn)
	if wanted < r.floor() || wanted >= r.high {
		return -1
	}
	advanced = r.advance(wanted)
	r.rewind()
	return advanced
}

// Timeout goes back to the oldest packet that is not acknowledged (9.7.6). With
// selective repeat it sends that one again, and those known to be missing.
func (r *Requester) Timeout() {
	switch {
	case r.selective == nil:
		r.rewind()
	case r.Outstanding():
		r.selective.timeout(r.una, r.done)
	}
}

// Completed removes and returns the oldest message if all of it has been
// acknowledged; otherwise ok is false.
func (r *Requester) Completed() (msg uint32, ok bool) {
	if r.done == 0 {
		return 0, false
	}
	msg = r.message(0).id
	r.head = (r.head + 1) & (len(r.ring) - 1)
	r.count--
	r.done--
	r.cursor--
	if r.selective != nil {
		r.selective.popped()
	}
	return msg, true
}

// advance acknowledges the packets before upTo and returns their payload.
// Packets may be acknowledged that the requester had gone back to; they are
// not sent again.
func (r *Requester) advance(upTo int64) int64 {
	var bytes int64
	from := r.una
	for r.una < upTo {
		m := r.message(r.done)
		to := min(upTo, m.end)
		bytes += r.offset(m, to) - r.offset(m, r.una)
		r.una = to
		if to == m.end {
			r.done++
		}
	}
	if r.next < r.una {
		r.rewind()
	} else {
		r.inFlight -= bytes
	}
	if r.selective != nil {
		r.selective.acknowledged(from, r.una, r.done)
	}
	return bytes
}

// rewind makes the floor the next packet.
func (r *Requester) rewind() {
	r.una = r.floor()
	r.next = r.una
	r.cursor = r.done
	r.inFlight = 0
	r.unasked = 0
}

// offset is the payload of m before packet n.
func (r *Requester) offset(m *message, n int64) int64 {
	return min(m.bytes, (n-m.start)*int64(r.mtu))
}

// psn is the sequence number of packet n.
func (r *Requester) psn(n int64) packet.PSN { return r.first.Add(int(n)) }

// number is the packet nearest to una whose sequence number is psn.
func (r *Requester) number(psn packet.PSN) int64 {
	return r.una + int64(psn.Diff(r.psn(r.una)))
}

// message returns the i-th message from the oldest.
func (r *Requester) message(i int) *message {
	return &r.ring[(r.head+i)&(len(r.ring)-1)]
}

// grow doubles the ring. It starts small: most queue pairs of a large run have
// one message at a time.
func (r *Requester) grow() {
	ring := make([]message, max(2, 2*len(r.ring)))
	for i := range r.count {
		ring[i] = *r.message(i)
	}
	r.ring = ring
	r.head = 0
}
