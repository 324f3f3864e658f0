package switching

import (
	"rocesim/fabric/packet"
	"rocesim/sim"
)

// pausedGroup is a group whose peer is paused.
type pausedGroup struct {
	port  *port
	index uint8
}

// ReceivePause obeys a pause frame whose response time has passed.
func (s *Switch) ReceivePause(now sim.Time, in int, f packet.Pause) {
	pt := &s.ports[in]
	if pt.ApplyPause(now, f) && pt.nonEmpty != 0 {
		s.kick(now, pt)
	}
}

func (s *Switch) sendXoff(now sim.Time, pt *port, g *group, index uint8) {
	g.paused = true
	r := s.groupRule(pt, index)
	r.latched = g.threshold(s.mem(int(pt.index)))
	s.pause(now, pt, index, s.quanta)
	if s.refresh == 0 {
		return
	}
	r.refreshAt = now + s.refresh
	if !r.listed {
		r.listed = true
		s.pausing = append(s.pausing, pausedGroup{port: pt, index: index})
	}
	if s.engine.Armed(s.refreshID) > r.refreshAt {
		s.engine.Arm(s.refreshID, r.refreshAt)
	}
}

// pauseRefused pauses the peer of a lossless group that had no room for a packet
// and has not paused yet, as a group without headroom never comes to be over its
// threshold. An empty group does not: nothing would leave it and resume the peer.
func (s *Switch) pauseRefused(now sim.Time, pt *port, g *group, index uint8) {
	if g.lossless && !g.paused && !g.noPFC && g.used+g.headroom > 0 {
		s.sendXoff(now, pt, g, index)
	}
}

func (s *Switch) sendXon(now sim.Time, pt *port, g *group, index uint8) {
	g.paused = false
	s.pause(now, pt, index, 0)
}

func (s *Switch) pause(now sim.Time, pt *port, index uint8, quanta uint16) {
	priority := s.pfcOf[index]
	pt.SendPause(now, packet.Pause{Vector: 1 << priority, Quanta: quanta})
	if s.observer.PauseSent != nil {
		s.observer.PauseSent(now, s, int(pt.index), int(priority), quanta > 0)
	}
}

// refreshPauses repeats XOFF for the groups that are due and forgets those
// that have resumed.
func (s *Switch) refreshPauses(now sim.Time) {
	next := sim.Never
	kept := s.pausing[:0]
	for _, e := range s.pausing {
		r := s.groupRule(e.port, e.index)
		if !s.group(e.port, e.index).paused {
			r.listed = false
			continue
		}
		if r.refreshAt <= now {
			r.refreshAt = now + s.refresh
			s.pause(now, e.port, e.index, s.quanta)
		}
		next = min(next, r.refreshAt)
		kept = append(kept, e)
	}
	s.pausing = kept
	if next < sim.Never {
		s.engine.Arm(s.refreshID, next)
	} else {
		s.engine.Disarm(s.refreshID)
	}
}

// Refreshers act for the kernel's refresh class: source i repeats the pauses of
// switch i.
type Refreshers []*Switch

// Handle repeats what is due at switch i.
func (r Refreshers) Handle(now sim.Time, i int) { r[i].refreshPauses(now) }
