package nic

import (
	"rocesim/cc"
	"rocesim/fabric/packet"
	"rocesim/nic/rc"
	"rocesim/sim"
)

// Receive takes a packet whose last bit has arrived.
func (n *NIC) Receive(now sim.Time, _ int, p *packet.Packet) {
	n.classes[n.config.DSCPToPriority[p.DSCP&63]].rx.count(p.Frame)
	if n.rx != nil && p.Payload > 0 && !n.accept(now, p) {
		n.cluster.pkts.Put(p)
		return
	}
	switch p.Kind {
	case packet.Data:
		n.receiveData(now, p)
	case packet.Ack, packet.Nak:
		n.receiveAck(now, p)
	case packet.CNP:
		n.receiveCNP(now, p)
	case packet.Datagram:
		n.receiveDatagram(now, p)
	}
}

// receiveData runs the responder and the notification point.
func (n *NIC) receiveData(now sim.Time, p *packet.Packet) {
	r := n.cluster.responders.at(p.Conn)
	if p.Flags&packet.CE != 0 {
		n.stats.Marked++
		n.congestion(now, r, p.Conn)
	}
	if r.variant != nil {
		n.receiveVariant(now, r, p)
		return
	}
	switch v := r.rc.Receive(p.PSN, p.Flags&packet.Last != 0, p.Flags&packet.AckReq != 0); v {
	case rc.Deliver:
		n.deliver(now, r, p)
		n.cluster.pkts.Put(p)
	case rc.DeliverAck:
		n.deliver(now, r, p)
		n.answer(now, r, p, packet.Ack, r.rc.AckPSN())
	default:
		n.refuse(now, r, p, v, r.rc.AckPSN(), r.rc.Expected())
	}
}

// refuse answers a packet that was not taken: it was there before, or others
// before it are missing.
func (n *NIC) refuse(now sim.Time, r *responder, p *packet.Packet, v rc.Verdict, last, expected packet.PSN) {
	switch v {
	case rc.Duplicate:
		n.stats.Duplicates++
		n.answer(now, r, p, packet.Ack, last)
	case rc.Gap:
		n.stats.OutOfSequence++
		r.lastNak = now
		n.answer(now, r, p, packet.Nak, expected)
	case rc.GapSilent:
		n.gapAgain(now, r, p, expected)
	}
}

// gapAgain handles a further packet behind a gap that was reported: a strict
// responder stays silent, others repeat the NAK after a while.
func (n *NIC) gapAgain(now sim.Time, r *responder, p *packet.Packet, expected packet.PSN) {
	n.stats.OutOfSequence++
	if n.config.NakInterval == 0 || now-r.lastNak < n.config.NakInterval {
		n.cluster.pkts.Put(p)
		return
	}
	r.lastNak = now
	n.answer(now, r, p, packet.Nak, expected)
}

// deliver counts an accepted packet and tells of the end of a message.
func (n *NIC) deliver(now sim.Time, r *responder, p *packet.Packet) {
	n.count(r, int64(p.Payload))
	if p.Flags&packet.Last != 0 {
		n.delivered(now, p.Msg)
	}
}

func (n *NIC) count(r *responder, payload int64) {
	r.bytes += payload
	n.cluster.delivered++
	n.cluster.tally[r.tally] += payload
	n.payload += uint64(payload)
}

func (n *NIC) delivered(now sim.Time, msg uint32) {
	if f := n.cluster.env.Observer.Delivered; f != nil {
		f(now+n.late+n.config.RxLatency, msg)
	}
}

func (n *NIC) receiveDatagram(now sim.Time, p *packet.Packet) {
	if p.Flags&packet.CE != 0 {
		n.stats.Marked++
	}
	n.deliver(now, n.cluster.responders.at(p.Conn), p)
	n.cluster.pkts.Put(p)
}

// answer turns a received data packet into its ACK or NAK, which waits for the
// NIC's acknowledgement latency. Its code point is that of the responder's own
// connection, whatever a switch made of the data's: a queue pair takes the traffic
// class of all that it sends from its address vector (IBTA Vol. 1, Modify QP; Annex
// A17 for its place in the IP header).
func (n *NIC) answer(now sim.Time, r *responder, p *packet.Packet, kind packet.Kind, psn packet.PSN) {
	p.Kind = kind
	p.PSN = psn
	p.Dst = r.src
	p.Entropy = r.entropy
	p.DSCP, p.PCP = r.dscp, r.priority
	p.Payload = 0
	p.Frame = uint16(n.cluster.framing.Ack)
	p.TTL = n.ttl()
	p.Flags = flag(r.echo, packet.EchoCNP)
	r.echo = false
	p.At = now + n.late + n.config.AckLatency
	if kind == packet.Nak {
		n.stats.NaksSent++
	}
	n.classes[r.priority].acks.Push(p)
	n.ackMask |= 1 << r.priority
	n.wake(now, p.At)
}

// congestion is the notification point (DCQCN section 3.2): a marked packet causes
// a CNP, unless its scope has had one within the interval.
func (n *NIC) congestion(now sim.Time, r *responder, conn uint32) {
	if n.config.EchoCNP {
		r.echo = true
		return
	}
	if !n.notificationPoint(r).Due(now, n.config.CNPInterval) {
		return
	}
	n.stats.CNPSent++
	p := n.cluster.pkts.Get()
	*p = packet.Packet{
		At:      now + n.late + n.config.CNPDelay,
		Conn:    conn,
		Dst:     r.src,
		Entropy: r.entropy,
		Frame:   uint16(n.cluster.framing.CNP),
		Kind:    packet.CNP,
		DSCP:    n.config.CNPDSCP,
		PCP:     n.cnpPriority,
		TTL:     n.ttl(),
	}
	n.cnps.Push(p)
	n.wake(now, p.At)
}

// notificationPoint returns the one that keeps the CNP interval for packets of
// r.
func (n *NIC) notificationPoint(r *responder) *cc.NotificationPoint {
	switch n.config.CNPScope {
	case PerPort:
		return &n.notify
	case PerSource:
		np := n.sources[r.src]
		if np == nil {
			np = &cc.NotificationPoint{}
			n.sources[r.src] = np
		}
		return np
	default:
		return &r.notify
	}
}

// receiveAck advances the requester and its congestion control.
func (n *NIC) receiveAck(now sim.Time, p *packet.Packet) {
	q := n.cluster.requesters.at(p.Conn)
	var advanced int64
	switch {
	case p.Kind == packet.Ack:
		advanced = q.rc.Ack(p.PSN)
	case q.selective:
		n.stats.NaksReceived++
		advanced = q.rc.Sack(p.PSN, packet.PSN(p.Msg))
	default:
		n.stats.NaksReceived++
		advanced = q.rc.Nak(p.PSN)
	}
	if advanced > 0 || advanced == 0 && p.Kind == packet.Ack {
		q.progress = now
		q.retry.Progress()
	}
	echo := p.Flags&packet.EchoCNP != 0
	if q.control != nil {
		if echo {
			n.stats.CNPHandled++
			q.control.OnCNP(now)
		}
		if advanced > 0 {
			q.control.OnAck(now, cc.Ack{RTT: now - p.Sent, Bytes: advanced, Echo: echo})
		}
	}
	n.cluster.pkts.Put(p)
	n.complete(now, q)
	n.activate(now, q)
}

// complete reports the messages that have been acknowledged whole.
func (n *NIC) complete(now sim.Time, q *requester) {
	for {
		msg, ok := q.rc.Completed()
		if !ok {
			return
		}
		if f := n.cluster.env.Observer.Completed; f != nil {
			f(now+n.config.RxLatency, msg)
		}
	}
}

// receiveCNP hands the notification to the reaction point.
func (n *NIC) receiveCNP(now sim.Time, p *packet.Packet) {
	q := n.cluster.requesters.at(p.Conn)
	if q.control != nil {
		n.stats.CNPHandled++
		q.control.OnCNP(now)
	} else {
		n.stats.CNPIgnored++
	}
	n.cluster.pkts.Put(p)
}
