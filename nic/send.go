package nic

import (
	"math/bits"

	"rocesim/fabric/packet"
	"rocesim/sim"
)

// defaultTTL is the hop limit of what a NIC sends (Linux RoCE default).
const defaultTTL = 64

// ttl returns the hop limit of what the NIC sends.
func (n *NIC) ttl() uint8 {
	if n.config.TTL > 0 {
		return n.config.TTL
	}
	return defaultTTL
}

// sendControl sends a CNP or an ACK that is due, and reports whether it did.
func (n *NIC) sendControl(now sim.Time, blocked uint8) bool {
	if p := n.cnps.Head(); p != nil && p.At <= now && blocked>>n.cnpPriority&1 == 0 {
		n.transmit(now, n.cnps.Pop())
		return true
	}
	for m := n.answering(blocked); m != 0; m &= m - 1 {
		priority := bits.TrailingZeros8(m)
		l := &n.classes[priority].acks
		if l.Head().At > now {
			continue
		}
		p := l.Pop()
		if l.Empty() {
			n.ackMask &^= 1 << priority
		}
		n.transmit(now, p)
		return true
	}
	return false
}

// answering is the priorities with ACKs that are not paused.
func (n *NIC) answering(blocked uint8) uint8 {
	if n.config.AcksUnpaused {
		return n.ackMask
	}
	return n.ackMask &^ blocked
}

// sendData cuts and sends one segment of q and puts q back into the scheduler.
// Preconditions: q may send.
func (n *NIC) sendData(now sim.Time, q *requester) {
	n.watch(now, q)
	s := q.rc.Next()
	p := n.cluster.pkts.Get()
	kind, flags := packet.Data, packet.ECT
	if q.unreliable {
		kind = packet.Datagram
	}
	flags |= flag(s.First, packet.First) | flag(s.Last, packet.Last) | flag(s.AckReq, packet.AckReq)
	if s.Retransmit {
		flags |= packet.Retransmit
		q.repeats++
		n.stats.Retransmitted++
	}
	*p = packet.Packet{
		Sent:    now,
		Conn:    q.conn,
		Dst:     q.dst,
		Entropy: q.entropy,
		Msg:     s.Msg,
		PSN:     s.PSN,
		Payload: uint16(s.Payload),
		Frame:   n.frame(q, s.Payload, s.First),
		Kind:    kind,
		Flags:   flags,
		DSCP:    q.dscp,
		PCP:     q.priority,
		TTL:     n.ttl(),
	}
	wire := int(p.Frame) + n.Overhead()
	n.transmit(now, p)
	q.next = now
	if q.control != nil {
		q.next += q.control.Sent(now, wire)
	}
	n.pace(now, q, s.Payload, s.First, s.Last)
	if q.unreliable {
		n.completeDatagram(q, s.PSN)
	}
	n.requeue(q, s.Last)
}

// flag returns bit if set.
func flag(set bool, bit uint8) uint8 {
	if set {
		return bit
	}
	return 0
}

// frame returns the frame size of a data packet of q; the full middle packet's
// is kept ready. With out-of-order placement every packet says where it belongs.
func (n *NIC) frame(q *requester, payload int, first bool) uint16 {
	addressed := first && !q.send || q.placed
	switch {
	case q.unreliable:
		return uint16(n.cluster.framing.DatagramFrame(payload))
	case payload == n.config.MTU && !addressed:
		return n.fullFrame
	default:
		return uint16(n.cluster.framing.Frame(payload, addressed))
	}
}

// transmit puts p on the wire with the NIC's jitter.
func (n *NIC) transmit(now sim.Time, p *packet.Packet) {
	n.classes[n.config.DSCPToPriority[p.DSCP&63]].tx.count(p.Frame)
	if n.config.Jitter > 0 {
		n.TransmitLate(now, p, n.random.Time(n.config.Jitter))
		return
	}
	n.Transmit(now, p)
}

// pace applies the NIC's own limits: message and packet rates, PCIe.
func (n *NIC) pace(now sim.Time, q *requester, payload int, first, last bool) {
	c := n.config
	if first {
		q.started = now
		n.msgStart = now
	}
	n.dataFree = now + max(c.PacketInterval, sim.Time(payload)*n.pciePerByte)
	if last {
		q.next = max(q.next, q.started+c.QPMessageInterval)
		n.dataFree = max(n.dataFree, n.msgStart+c.MessageInterval)
	}
}

// requeue puts a requester that has just sent back into the scheduler, behind
// those whose instant comes before the port may send again: they have waited
// longer.
func (n *NIC) requeue(q *requester, last bool) {
	switch {
	case !q.maySend():
		q.state = idle
	case n.config.PerMessage && !last && q.next <= n.Busy():
		q.state = ready
		n.classes[q.priority].ready.pushFront(q)
		n.readyMask |= 1 << q.priority
	default:
		n.promote(max(n.Busy(), n.dataFree))
		n.schedule(q, n.Busy())
	}
}

// completeDatagram acknowledges a datagram by its leaving.
func (n *NIC) completeDatagram(q *requester, psn packet.PSN) {
	q.rc.Ack(psn)
	for {
		msg, ok := q.rc.Completed()
		if !ok {
			return
		}
		if done := n.cluster.env.Observer.Completed; done != nil {
			done(n.Busy(), msg)
		}
	}
}
