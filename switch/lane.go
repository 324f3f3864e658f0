package switching

import "rocesim/fabric/packet"

// lane is what came in at one port and waits in one egress queue, where that
// serves ingress ports in turn, packet by packet (Nagle, RFC 970, with ports for
// sources). The oldest packet stands in the queue's own list, which has one of
// each port that has any, in the order of their turns; a lane holds the others.
// A port that had none waiting takes its turn behind all that have.
type lane struct {
	behind packet.Queue
	open   bool // its oldest packet is in the queue's list
}

// opens reports whether p, which came in at one of some ports, is the oldest of
// its lane and belongs in the queue's list. If not, it has joined the lane.
func (r *queueRules) opens(p *packet.Packet, ports int) bool {
	if r.lanes == nil {
		r.lanes = make([]lane, ports)
	}
	l := &r.lanes[p.In]
	if l.open {
		l.behind.Push(p)
		return false
	}
	l.open = true
	return true
}

// passTurn puts the next packet of an ingress port, whose oldest one has just
// left the queue's list, at the end of the turns.
func (r *queueRules) passTurn(q *queue, in uint16) {
	l := &r.lanes[in]
	if l.open = !l.behind.Empty(); l.open {
		q.list.Push(l.behind.Pop())
	}
}

// eachWaiting calls f for every packet in queue n of a port: in the order of
// service if it is first in, first out, else by lane behind the first of each.
func (s *Switch) eachWaiting(port, n int, f func(p *packet.Packet)) {
	for p := s.queueAt(port, n).list.Head(); p != nil; p = p.Next {
		f(p)
	}
	lanes := s.queueRules[n*len(s.ports)+port].lanes
	for i := range lanes {
		for p := lanes[i].behind.Head(); p != nil; p = p.Next {
			f(p)
		}
	}
}
