package rc

import "rocesim/fabric/packet"

// Verdict is what a responder decides about a packet.
type Verdict uint8

// Verdicts (InfiniBand Architecture Volume 1, 9.7.4 and 9.7.5).
const (
	// Deliver: the packet is new; take its payload.
	Deliver Verdict = iota
	// DeliverAck: take its payload and acknowledge AckPSN now.
	DeliverAck
	// Duplicate: it was delivered before; discard it and acknowledge AckPSN
	// again, for the earlier acknowledgement may be lost.
	Duplicate
	// Gap: a packet before it is missing; discard it and send a NAK for
	// Expected.
	Gap
	// GapSilent: discard it; the NAK has been sent.
	GapSilent
	// DeliverNak: a packet before it is missing; take its payload all the same
	// and send a NAK for Expected that names this one, too (selective repeat).
	DeliverNak
)

// String names the verdict in lower case.
func (v Verdict) String() string {
	return [...]string{"deliver", "deliver+ack", "duplicate", "gap", "gap, silent", "deliver+nak"}[v]
}

// Responder is the receiving half of a queue pair: it takes packets in order
// only, and asks once for the first one missing. See Init.
type Responder struct {
	expected packet.PSN
	ackEvery int32
	unacked  int32 // packets delivered since the last acknowledgement
	// nakSent silences further NAKs until the gap is closed or ReNak.
	nakSent bool
}

// Init makes r expect the packet first. Besides when a packet asks for it and
// at the end of a message, r acknowledges every ackEvery packets (0: not).
func (r *Responder) Init(first packet.PSN, ackEvery int) {
	*r = Responder{expected: first, ackEvery: int32(ackEvery)}
}

// Receive judges a packet. last tells that it ends a message, ackReq that it
// asks for an acknowledgement.
func (r *Responder) Receive(psn packet.PSN, last, ackReq bool) Verdict {
	switch d := psn.Diff(r.expected); {
	case d < 0:
		return Duplicate
	case d > 0:
		return gap(&r.nakSent)
	}
	r.expected = r.expected.Add(1)
	r.nakSent = false
	r.unacked++
	if last || ackReq || r.unacked == r.ackEvery {
		r.unacked = 0
		return DeliverAck
	}
	return Deliver
}

// Expected is the sequence number of the next packet in order, which a NAK
// names.
func (r *Responder) Expected() packet.PSN { return r.expected }

// AckPSN is the sequence number of the last packet in order, which an ACK
// names.
func (r *Responder) AckPSN() packet.PSN { return r.expected.Add(-1) }

// ReNak lets the next packet behind the same gap raise a NAK again. A strict
// responder never does, so a lost NAK, or the loss of the packet that was sent
// again, is left to the requester's time-out.
func (r *Responder) ReNak() { r.nakSent = false }

// gap sends a NAK unless one has been sent for the same gap (9.7.5).
func gap(nakSent *bool) Verdict {
	if *nakSent {
		return GapSilent
	}
	*nakSent = true
	return Gap
}
