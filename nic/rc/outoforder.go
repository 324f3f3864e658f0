package rc

import (
	"math/bits"

	"rocesim/fabric/packet"
)

// ReorderWindow is how many packets from the expected one on an
// OutOfOrderResponder takes in any order. Adapters do not publish theirs; 512
// packets are 2 MiB at an MTU of 4096, more than equal-cost paths of one fabric
// differ by.
const ReorderWindow = 512

// OutOfOrderResponder is a responder that places packets wherever they belong
// as they arrive, as adapters do for adaptive routing. It sends no NAK for a
// gap within ReorderWindow: it cannot tell loss from delay, so loss is left to
// the requester's time-out. See Init.
type OutOfOrderResponder struct {
	in Responder // in.expected is the oldest packet missing
	// ackOwed is set if a packet that waits behind a gap asked for an
	// acknowledgement.
	ackOwed bool
	// arrived and ends have a bit for each packet of the window at its PSN
	// modulo ReorderWindow: it is there; it ends a message. 2^24 is a multiple
	// of the window, so the place survives the wrap of the PSN.
	arrived, ends [ReorderWindow / 64]uint64
}

// Init makes r expect the packet first and acknowledge every ackEvery packets,
// as a Responder does.
func (r *OutOfOrderResponder) Init(first packet.PSN, ackEvery int) {
	*r = OutOfOrderResponder{}
	r.in.Init(first, ackEvery)
}

// Receive judges a packet as Responder.Receive does. messages is how many
// messages the packet made complete: those whose every packet, and every packet
// before them, is there.
func (r *OutOfOrderResponder) Receive(psn packet.PSN, last, ackReq bool) (v Verdict, messages int) {
	d := psn.Diff(r.in.expected)
	word, bit := place(psn)
	switch {
	case d >= ReorderWindow:
		return gap(&r.in.nakSent), 0
	case d < 0 || r.arrived[word]&bit != 0:
		return Duplicate, 0
	}
	r.arrived[word] |= bit
	if last {
		r.ends[word] |= bit
	}
	r.ackOwed = r.ackOwed || ackReq
	if d > 0 {
		return Deliver, 0
	}
	messages = r.advance()
	if messages > 0 || r.ackOwed || r.in.ackEvery > 0 && r.in.unacked >= r.in.ackEvery {
		r.in.unacked = 0
		r.ackOwed = false
		return DeliverAck, messages
	}
	return Deliver, 0
}

// advance moves over all that is there and returns how many messages end in
// it.
func (r *OutOfOrderResponder) advance() (messages int) {
	r.in.nakSent = false
	for {
		word, bit := place(r.in.expected)
		if r.arrived[word]&bit == 0 {
			return messages
		}
		messages += bits.OnesCount64(r.ends[word] & bit)
		r.arrived[word] &^= bit
		r.ends[word] &^= bit
		r.in.expected = r.in.expected.Add(1)
		r.in.unacked++
	}
}

// Expected is the sequence number of the oldest packet missing.
func (r *OutOfOrderResponder) Expected() packet.PSN { return r.in.Expected() }

// AckPSN is the sequence number up to which everything is there.
func (r *OutOfOrderResponder) AckPSN() packet.PSN { return r.in.AckPSN() }

// ReNak lets the next packet beyond the window raise a NAK again.
func (r *OutOfOrderResponder) ReNak() { r.in.ReNak() }

// place is the word and the bit of a packet in the window.
func place(psn packet.PSN) (word int, bit uint64) {
	i := psn % ReorderWindow
	return int(i / 64), 1 << (i % 64)
}
