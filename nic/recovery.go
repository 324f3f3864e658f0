package nic

import (
	"rocesim/fabric/packet"
	"rocesim/nic/rc"
	"rocesim/sim"
)

// recover chooses the recovery of a connection between NICs of two
// configurations, and returns it.
func (q *requester) recover(src, dst *Config) rc.Recovery {
	if q.unreliable {
		return rc.GoBackN
	}
	how := rc.Common(src.Recovery, dst.Recovery)
	window := int(src.Window) / src.MTU
	if src.Window > 0 {
		window = max(1, window)
	}
	q.rc.Recover(how, window)
	q.selective = how == rc.SelectiveRepeat
	q.placed = src.Places(dst)
	return how
}

// Places reports whether every packet to a NIC with configuration dst says where
// in memory its payload belongs (RETH), not only the first of a message: packets
// may come in any order.
func (c *Config) Places(dst *Config) bool {
	return c.OutOfOrder || rc.Common(c.Recovery, dst.Recovery) == rc.SelectiveRepeat
}

// variant is a responder other than that of go-back-N in order.
type variant struct {
	rc interface {
		Receive(psn packet.PSN, last, ackReq bool) (v rc.Verdict, messages int)
		Expected() packet.PSN
		AckPSN() packet.PSN
	}
	posted []uint32 // messages not yet delivered, in order
	// whole tells that payload counts when its message is complete: before
	// that it may be thrown away (go-back-0). partial is what has come of the
	// message.
	whole   bool
	partial int64
}

// newVariant returns the responder for a recovery, nil for go-back-N in order.
// The requester asks for ACKs, so responders need not count packets.
func newVariant(how rc.Recovery, outOfOrder bool, first packet.PSN) *variant {
	switch {
	case how == rc.SelectiveRepeat:
		r := &rc.SelectiveResponder{}
		r.Init(first, 0)
		return &variant{rc: r}
	case how == rc.GoBack0:
		r := &rc.RestartResponder{}
		r.Init(first, 0)
		return &variant{rc: r, whole: true}
	case outOfOrder:
		r := &rc.OutOfOrderResponder{}
		r.Init(first, 0)
		return &variant{rc: r}
	default:
		return nil
	}
}

// payload returns what counts with a packet that was taken; complete tells that
// its message is.
func (o *variant) payload(p *packet.Packet, complete bool) int64 {
	if !o.whole {
		return int64(p.Payload)
	}
	if p.Flags&packet.First != 0 {
		o.partial = 0
	}
	o.partial += int64(p.Payload)
	if !complete {
		return 0
	}
	return o.partial
}

// receiveVariant is receiveData for a responder other than that of go-back-N in
// order. A message is delivered when all of it and all before it are there.
func (n *NIC) receiveVariant(now sim.Time, r *responder, p *packet.Packet) {
	o := r.variant
	v, messages := o.rc.Receive(p.PSN, p.Flags&packet.Last != 0, p.Flags&packet.AckReq != 0)
	switch v {
	case rc.Deliver:
		n.accepted(now, r, p, messages)
		n.cluster.pkts.Put(p)
	case rc.DeliverAck:
		n.accepted(now, r, p, messages)
		n.answer(now, r, p, packet.Ack, o.rc.AckPSN())
	case rc.DeliverNak:
		n.accepted(now, r, p, messages)
		n.stats.OutOfSequence++
		p.Msg = uint32(p.PSN)
		n.answer(now, r, p, packet.Nak, o.rc.Expected())
	default:
		n.refuse(now, r, p, v, o.rc.AckPSN(), o.rc.Expected())
	}
}

// accepted counts a packet that a variant has taken, and tells of the messages
// that are complete with it.
func (n *NIC) accepted(now sim.Time, r *responder, p *packet.Packet, messages int) {
	o := r.variant
	n.count(r, o.payload(p, messages > 0))
	for range messages {
		n.delivered(now, o.posted[0])
		o.posted = o.posted[1:]
	}
}
