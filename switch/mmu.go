package switching

import "rocesim/sim"

// DropCause says why a switch dropped a packet.
type DropCause uint8

// Causes of drops.
const (
	DropHeadroom DropCause = iota // a lossless group's headroom (or the headroom pool) is full: PFC came too late
	DropIngress                   // a lossy group reached its threshold, or the shared pool is empty
	DropEgress                    // a lossy queue reached its threshold
	DropWRED                      // WRED dropped a packet that cannot be marked
	DropTTL                       // hops exhausted
	DropNoRoute                   // no next hop leads to the destination
	DropCauses                    // their number
)

// String returns the cause in words.
func (c DropCause) String() string {
	return [...]string{"headroom overrun", "ingress limit", "egress limit", "WRED", "TTL expired", "no route"}[c]
}

// pool is one memory of the chip; ports are divided among the memories.
type pool struct {
	free         int64 // of the ingress shared pool
	headroomFree int64
	lossyFree    int64 // of the egress lossy pool
}

// group is one priority group of one port: the ingress side of the buffer.
//
// A packet is charged to the group's reserve, then to the shared pool, else to
// headroom; on departure headroom is released first, then the shared pool, then
// the reserve (FACTS of Broadcom's and SONiC's description; the reference
// simulator's order too).
type group struct {
	used      int64 // reserve and shared pool
	headroom  int64
	reserved  int64
	threshold Threshold
	latched   int64 // threshold when XOFF was sent
	room      int64 // headroom limit
	xon       int64
	xonOffset int64
	lossless  bool
	liveXon   bool
	noPFC     bool
	paused    bool
	listed    bool // in the switch's list of paused groups
	refreshAt sim.Time

	stats GroupStats
}

// GroupStats are the counters of one priority group of one port.
type GroupStats struct {
	Packets, Bytes uint64 // received
	// PeakShared and PeakHeadroom are watermarks in bytes
	// (SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES, ..._XOFF_ROOM_...).
	PeakShared, PeakHeadroom int64
	// LeastThreshold is the lowest XOFF threshold that an admission met.
	LeastThreshold int64
	// Drops by cause (on this group's packets).
	Drops [DropCauses]uint64
}

// shared returns the group's use of the shared pool.
func (g *group) shared() int64 { return max(0, g.used-g.reserved) }

// admit charges a packet. It returns false, with the cause, if there is no room.
func (g *group) admit(m *pool, charge int64) (DropCause, bool) {
	shared := g.used + charge - g.reserved
	if shared <= 0 {
		g.used += charge
		return 0, true
	}
	limit := g.threshold.limit(m.free)
	g.stats.LeastThreshold = min(g.stats.LeastThreshold, limit)
	share := min(charge, shared)
	if shared <= limit && share <= m.free {
		g.used += charge
		m.free -= share
		g.stats.PeakShared = max(g.stats.PeakShared, shared)
		return 0, true
	}
	if !g.lossless {
		return DropIngress, false
	}
	if g.headroom+charge > g.room || charge > m.headroomFree {
		return DropHeadroom, false
	}
	g.headroom += charge
	m.headroomFree -= charge
	g.stats.PeakHeadroom = max(g.stats.PeakHeadroom, g.headroom)
	return 0, true
}

// crossedXoff reports whether a lossless group that is not paused must pause
// its peer after an admission, and latches the threshold.
func (g *group) crossedXoff(m *pool) bool {
	limit := g.threshold.limit(m.free)
	if g.headroom == 0 && g.shared() < limit {
		return false
	}
	g.latched = limit
	return true
}

// release returns a packet's charge.
func (g *group) release(m *pool, charge int64) {
	fromHeadroom := min(g.headroom, charge)
	g.headroom -= fromHeadroom
	m.headroomFree += fromHeadroom
	rest := charge - fromHeadroom
	m.free += max(0, min(rest, g.used-g.reserved))
	g.used -= rest
}

// fellBelowXon reports whether a paused group may resume its peer: headroom is
// empty and shared use at most max(xon, threshold - offset).
func (g *group) fellBelowXon(m *pool) bool {
	if g.headroom > 0 {
		return false
	}
	limit := g.latched
	if g.liveXon {
		limit = g.threshold.limit(m.free)
	}
	return g.shared() <= max(g.xon, limit-g.xonOffset)
}
