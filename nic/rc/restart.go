package rc

import "rocesim/fabric/packet"

// RestartResponder is the receiving half of a queue pair with go-back-0: at a
// gap it throws away what it has of the message and wants it from the start.
// See Init.
type RestartResponder struct {
	in    Responder
	start packet.PSN // first packet of the message that in.expected is part of
	count int32      // packets accepted of it
}

// Init makes r expect the packet first and acknowledge every ackEvery packets,
// as a Responder does.
func (r *RestartResponder) Init(first packet.PSN, ackEvery int) {
	*r = RestartResponder{start: first}
	r.in.Init(first, ackEvery)
}

// Receive judges a packet as Responder.Receive does. messages is 1 if it
// completes a message. A delivered packet counts for nothing if the first one of
// its message is delivered again later.
func (r *RestartResponder) Receive(psn packet.PSN, last, ackReq bool) (v Verdict, messages int) {
	switch {
	case psn.Before(r.start):
		return Duplicate, 0
	case psn == r.start: // new, or started over after a time-out
		r.restart()
	case psn != r.in.expected:
		r.restart()
		return gap(&r.in.nakSent), 0
	}
	v = r.in.Receive(psn, last, ackReq)
	r.count++
	if last || r.count == restartSpan {
		r.start, r.count = r.in.expected, 0
	}
	if last {
		messages = 1
	}
	return v, messages
}

func (r *RestartResponder) restart() {
	r.in.expected = r.start
	r.count = 0
}

// Expected is the sequence number of the next packet in order, after a gap that
// of the first packet of the message.
func (r *RestartResponder) Expected() packet.PSN { return r.in.Expected() }

// AckPSN is the sequence number of the last packet in order.
func (r *RestartResponder) AckPSN() packet.PSN { return r.in.AckPSN() }

// ReNak lets the next packet behind the same gap raise a NAK again.
func (r *RestartResponder) ReNak() { r.in.ReNak() }
