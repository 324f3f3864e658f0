package switching

import (
	"math/bits"

	"rocesim/fabric/packet"
	"rocesim/sim"
)

// StoppedQueues returns the queues of a port that hold packets and that the
// peer has paused, as a bit vector. Nothing changes by asking.
func (s *Switch) StoppedQueues(now sim.Time, port int) uint8 {
	pt := &s.ports[port]
	return s.stopped[pt.PausedAt(now)] & pt.nonEmpty
}

// StoppingPriorities returns the priorities by whose pause the peer of a port
// has stopped queue n, as a bit vector.
func (s *Switch) StoppingPriorities(now sim.Time, port, n int) uint8 {
	var by uint8
	for v := s.ports[port].PausedAt(now); v != 0; v &= v - 1 {
		if priority := bits.TrailingZeros8(v); s.stopped[1<<priority]>>n&1 == 1 {
			by |= 1 << priority
		}
	}
	return by
}

// PausingGroups returns the priority groups of a port for which the switch
// holds its peer paused with a priority, as a bit vector.
func (s *Switch) PausingGroups(port, priority int) uint8 {
	var groups uint8
	for n := range Priorities {
		if s.groupAt(port, n).paused && int(s.pfcOf[n]) == priority {
			groups |= 1 << n
		}
	}
	return groups
}

// Renews reports whether a pause that the switch sends at a port lasts for as
// long as it is meant: it needs no renewal, or is renewed before it runs out.
func (s *Switch) Renews(port int) bool {
	pfc := &s.config.PFC
	return pfc.Infinite || pfc.Refresh > 0 && pfc.Refresh < packet.QuantaTime(pfc.Quanta, s.ports[port].Rate())
}

// EachWaiting calls f for every packet in queue n of a port, with the ingress
// port and priority group that it is charged to, and its charge in bytes.
func (s *Switch) EachWaiting(port, n int, f func(in int, group uint8, charge int64)) {
	s.eachWaiting(port, n, func(p *packet.Packet) { f(int(p.In), p.Group, int64(p.Charge)) })
}

// ResumesWith reports whether priority group n of a port would resume its peer
// once all but left bytes of it have departed. With a live threshold the rest
// of the pool is taken to be free by then, which is the most that can be.
func (s *Switch) ResumesWith(port, n int, left int64) bool {
	g, r := s.groupAt(port, n), &s.groupRules[n*len(s.ports)+port]
	gone := g.used + g.headroom - left
	if g.headroom > gone {
		return false
	}
	return max(0, left-int64(g.reserved)) <= s.resumeLevel(g, r)
}

// Levels returns what priority group n of a port occupies, the threshold at
// which it paused its peer, and the use at which it resumes it, in bytes.
func (s *Switch) Levels(port, n int) (use, xoff, xon int64) {
	g, r := s.groupAt(port, n), &s.groupRules[n*len(s.ports)+port]
	return g.used + g.headroom, r.latched, s.resumeLevel(g, r)
}

// resumeLevel is the highest shared use at which a group can resume.
func (s *Switch) resumeLevel(g *group, r *groupRules) int64 {
	limit := r.latched
	if r.liveXon {
		empty := pool{free: s.config.Buffer.Shared / int64(len(s.pools))}
		limit = g.threshold(&empty)
	}
	return max(r.xon, limit-r.xonOffset)
}
