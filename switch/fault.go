package switching

import (
	"rocesim/sim"
)

// SetRoutes replaces the next hops: the ports to endpoint e are sets[setOf[e]].
// Packets that wait in a queue stay there, as in a real switch.
func (s *Switch) SetRoutes(setOf []uint16, sets [][]uint16) {
	s.initRoutes(setOf, sets)
}

// LinkDown tells the switch that the link at a port has failed. The port goes
// on sending, into nothing, until routing knows of the failure; pauses of the
// peer are gone with it.
func (s *Switch) LinkDown(now sim.Time, port int) {
	pt := &s.ports[port]
	pt.ForgetPauses(now)
	if pt.nonEmpty != 0 {
		s.kick(now, pt)
	}
}

// LinkUp tells the switch that the link at a port is back. The peer knows of no
// pause any more, so groups that are still above XON pause it again.
func (s *Switch) LinkUp(now sim.Time, port int) {
	pt := &s.ports[port]
	for n := range uint8(Priorities) {
		if s.group(pt, n).paused {
			s.pause(now, pt, n, s.quanta)
		}
	}
}

// Reset empties the switch as a restart does: all waiting packets are dropped
// and no peer counts as paused any more. Preconditions: its links are down.
func (s *Switch) Reset(now sim.Time) {
	for i := range s.ports {
		pt := &s.ports[i]
		for n := range uint8(Priorities) {
			if g := s.group(pt, n); g.paused {
				g.paused = false
				if s.observer.PauseSent != nil {
					s.observer.PauseSent(now, s, i, int(s.pfcOf[n]), false)
				}
			}
		}
	}
	for i := range s.ports {
		for n := range Priorities {
			s.empty(now, &s.ports[i], n, DropReboot)
			s.queueRule(&s.ports[i], n).red.average = 0
		}
	}
	s.resetWatchdog(now)
}

// empty drops every packet of queue n of a port.
func (s *Switch) empty(now sim.Time, pt *port, n int, cause DropCause) {
	q, r := s.queue(pt, n), s.queueRule(pt, n)
	for !q.list.Empty() {
		p := q.list.Pop()
		if q.perIngress {
			r.passTurn(q, p.In)
		}
		q.bytes -= int64(p.Frame)
		r.dropped++
		s.release(now, pt, p, n)
		s.drop(now, &s.ports[p.In], p, cause)
	}
	q.deficit, r.full = 0, false
	pt.nonEmpty &^= 1 << n
}
