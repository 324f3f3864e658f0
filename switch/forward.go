package switching

import (
	"rocesim/fabric/packet"
	"rocesim/sim"
)

// Receive takes p from the wire into the buffer and, if its egress port is
// idle, out again.
func (s *Switch) Receive(now sim.Time, in int, p *packet.Packet) {
	code := p.DSCP
	if s.byPCP {
		code = p.PCP
	}
	c := s.classes[code&63]
	p.Group, p.Queue = c.group, c.queue
	out, ok := s.route(p)
	src := &s.ports[in]
	if !ok {
		s.drop(now, src, p, DropNoRoute)
		return
	}
	dst := &s.ports[out]
	if s.cutThrough && s.mustStore(now, src, dst, p) {
		return
	}
	if p.TTL--; p.TTL == 0 {
		s.drop(now, src, p, DropTTL)
		return
	}
	if s.bump != nil {
		s.turn(in, out, p)
	}
	s.take(now, in, out, p)
}

// take admits p, which came in at port in, to the buffer and to its queue at port
// out. It finds group and queue by number: nothing of the port where it came in is
// read unless something happens.
func (s *Switch) take(now sim.Time, in, out int, p *packet.Packet) {
	src, dst := &s.ports[in], &s.ports[out]
	g, q := s.groupAt(in, int(p.Group)), s.queueAt(out, int(p.Queue))
	g.packets++
	g.bytes += uint64(p.Frame)
	if s.watchdog != nil && s.discards(now, src, dst, p) {
		return
	}
	if q.guarded {
		if cause, refused := s.refuses(dst, q, p); refused {
			s.queueRule(dst, int(p.Queue)).dropped++
			s.drop(now, src, p, cause)
			return
		}
	}
	p.In = uint16(in)
	p.Charge = s.charge(p.Frame)
	mem := s.mem(in)
	if !g.admit(mem, int64(p.Charge)) {
		if cause, ok := g.admitHeadroom(s.groupRule(src, p.Group), mem, int64(p.Charge)); !ok {
			s.pauseRefused(now, src, g, p.Group)
			s.drop(now, src, p, cause)
			return
		}
	}
	if g.lossless && !g.paused && !g.noPFC && g.crossedXoff(mem) {
		s.sendXoff(now, src, g, p.Group)
	}
	if q.lossy {
		s.mem(out).lossyFree -= int64(p.Charge)
	}
	if !q.perIngress || s.queueRule(dst, int(p.Queue)).opens(p, len(s.ports)) {
		q.list.Push(p)
	}
	dst.count(q, p)
	s.kick(now, dst)
}

// mustStore holds a frame at a cut-through switch until its last bit is in, if
// its egress link is faster than its ingress link: it would run dry.
func (s *Switch) mustStore(now sim.Time, src, dst *port, p *packet.Packet) bool {
	if p.Flags&packet.Held != 0 {
		p.Flags &^= packet.Held
		return false
	}
	if dst.Rate() <= src.Rate() {
		return false
	}
	p.Flags |= packet.Held
	s.incoming[src.index].Hold(p, now+src.Rate().TxTimeCeil(int64(p.Frame)+int64(s.framing.Preamble)))
	return true
}

// charge returns the bytes that a frame occupies in whole cells.
func (s *Switch) charge(frame uint16) uint16 {
	if s.cell == 1 {
		return frame
	}
	cells := uint32((uint64(frame) + uint64(s.cell) - 1) * s.cellInv >> 32)
	return uint16(cells * s.cell)
}

// drop counts p, which came in at src, and recycles it.
func (s *Switch) drop(now sim.Time, src *port, p *packet.Packet, cause DropCause) {
	s.drops[cause]++
	s.groupRule(src, p.Group).drops[cause]++
	if s.observer.Dropped != nil {
		s.observer.Dropped(now, s, int(src.index), p, cause)
	}
	s.pkts.Put(p)
}

// kick makes a port transmit if it is idle, or sees to it that it will. A port
// that only waits for a pause to run out counts as idle: what came may be of
// another priority, or the pause may have been lifted.
func (s *Switch) kick(now sim.Time, pt *port) {
	switch {
	case pt.armed && !pt.held:
	case pt.Busy() > now:
		s.arm(pt, pt.Busy())
	default:
		held := pt.held
		pt.armed, pt.held = false, false
		s.serve(now, pt)
		if held && !pt.armed {
			s.disarm(pt)
		}
	}
}

// serve transmits the next packet of a port whose event is due or that is
// idle, and arms the port for the one after it. It leaves the port unarmed if
// there is nothing to wait for.
func (s *Switch) serve(now sim.Time, pt *port) {
	if pt.Busy() > now { // a pause frame took the wire meanwhile
		s.arm(pt, pt.Busy())
		return
	}
	blocked := pt.Blocked(now)
	avail := pt.nonEmpty
	if blocked != 0 {
		avail &^= s.stopped[blocked]
	}
	if avail == 0 {
		if t := pt.Expiry(blocked); pt.nonEmpty != 0 && t < sim.Never {
			s.arm(pt, t)
			pt.held = true
		}
		return
	}
	n := s.pick(pt, avail)
	p := s.leave(pt, n)
	pt.Transmit(now, p)
	if pt.nonEmpty != 0 {
		s.arm(pt, pt.Busy())
	}
	s.release(now, pt, p, n)
}

func (s *Switch) arm(pt *port, t sim.Time) {
	pt.armed, pt.held = true, false
	s.engine.Arm(s.portID+sim.ID(pt.index), t)
}

func (s *Switch) disarm(pt *port) { s.engine.Disarm(s.portID + sim.ID(pt.index)) }

// release gives back the buffer of a packet that has begun to leave, and
// resumes the peer it came from if its group has drained.
func (s *Switch) release(now sim.Time, pt *port, p *packet.Packet, n int) {
	in := int(p.In)
	g, mem := s.groupAt(in, int(p.Group)), s.mem(in)
	g.release(mem, int64(p.Charge))
	if s.queue(pt, n).lossy {
		s.mem(int(pt.index)).lossyFree += int64(p.Charge)
	}
	if !g.paused {
		return
	}
	if src := &s.ports[in]; g.fellBelowXon(s.groupRule(src, p.Group), mem) {
		s.sendXon(now, src, g, p.Group)
	}
}

// hops are the equal-cost next hops to some endpoints, of which there are none or
// several: next[first:first+n].
type hops struct{ first, n uint32 }

// several marks an exit that is the number of hops; others are ports.
const several = 1 << 15

// initRoutes lays out the next hops. Most endpoints are reached by one port, which
// then stands in exits itself; those of one set of several share its hops.
func (s *Switch) initRoutes(setOf []uint16, sets [][]uint16) {
	s.hops, s.next = s.hops[:0], s.next[:0]
	exit := make([]uint16, len(sets))
	for i, set := range sets {
		if len(set) == 1 {
			exit[i] = set[0]
			continue
		}
		exit[i] = several + uint16(len(s.hops))
		s.hops = append(s.hops, hops{first: uint32(len(s.next)), n: uint32(len(set))})
		s.next = append(s.next, set...)
	}
	s.exits = make([]uint16, len(setOf))
	for e, set := range setOf {
		s.exits[e] = exit[set]
	}
}

// route returns the egress port for p.
func (s *Switch) route(p *packet.Packet) (int, bool) {
	exit := s.exits[p.Dst]
	if exit < several {
		return int(exit), true
	}
	h := s.hops[exit-several]
	if h.n == 0 {
		return 0, false
	}
	return int(s.next[h.first+s.choose(p, h.n)]), true
}

// choose picks one of n next hops.
func (s *Switch) choose(p *packet.Packet, n uint32) uint32 {
	var h uint32
	switch s.routing {
	case ECMP:
		h = spread(p.Entropy ^ s.hashSeed)
	case SprayRandom:
		h = s.random.Uint32()
	case Murmur3:
		return s.tuple(p).Murmur3(s.hashSeed) % n
	default:
		s.sprayed++
		return s.sprayed % n
	}
	return uint32(uint64(h) * uint64(n) >> 32)
}

// spread is the finaliser of MurmurHash3 (Appleby, public domain): each bit of
// the 5-tuple's hash and of the switch's seed reaches every bit of the result.
func spread(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}
