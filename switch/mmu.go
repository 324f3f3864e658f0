package switching

import (
	"fmt"

	"rocesim/sim"
	"rocesim/sim/invariant"
)

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
	DropWatchdog                  // the PFC watchdog drops the class at a port in a storm
	DropReboot                    // the switch restarted
	DropCauses                    // their number
)

// String returns the cause in words.
func (c DropCause) String() string {
	return [...]string{"headroom overrun", "ingress limit", "egress limit", "WRED", "TTL expired", "no route", "PFC watchdog", "switch reboot"}[c]
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
// the reserve. What every packet needs fills one cache line; what matters near
// XOFF stands in groupRules.
type group struct {
	used     int64 // reserve and shared pool
	headroom int64
	limit    int64 // threshold: alpha or bytes
	least    int64 // lowest threshold met
	peak     int64 // of shared use
	packets  uint64
	bytes    uint64
	reserved int32
	dynamic  bool
	lossless bool
	noPFC    bool
	paused   bool
}

// groupRules is what a group needs when it pauses, resumes or drops.
type groupRules struct {
	latched      int64 // threshold when XOFF was sent
	room         int64 // headroom limit
	xon          int64
	xonOffset    int64
	peakHeadroom int64
	refreshAt    sim.Time
	liveXon      bool
	listed       bool // in the switch's list of paused groups
	drops        [DropCauses]uint64
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
func (g *group) shared() int64 { return max(0, g.used-int64(g.reserved)) }

// threshold returns the limit on shared use at this moment.
func (g *group) threshold(m *pool) int64 {
	if g.dynamic {
		return g.limit * m.free >> alphaBits
	}
	return g.limit
}

// admit charges a packet to reserve and shared pool. It returns false if it
// does not fit there.
func (g *group) admit(m *pool, charge int64) bool {
	shared := g.used + charge - int64(g.reserved)
	if shared <= 0 {
		g.used += charge
		return true
	}
	limit := g.threshold(m)
	g.least = min(g.least, limit)
	share := min(charge, shared)
	if shared > limit || share > m.free {
		return false
	}
	g.used += charge
	m.free -= share
	g.peak = max(g.peak, shared)
	return true
}

// admitHeadroom charges a packet that found the group at its threshold. It
// returns false, with the cause, if there is no room.
func (g *group) admitHeadroom(r *groupRules, m *pool, charge int64) (DropCause, bool) {
	if !g.lossless {
		return DropIngress, false
	}
	if g.headroom+charge > r.room || charge > m.headroomFree {
		return DropHeadroom, false
	}
	g.headroom += charge
	m.headroomFree -= charge
	r.peakHeadroom = max(r.peakHeadroom, g.headroom)
	return 0, true
}

// crossedXoff reports whether a lossless group that is not paused must pause
// its peer after an admission.
func (g *group) crossedXoff(m *pool) bool {
	return g.headroom > 0 || g.shared() >= g.threshold(m)
}

// release returns a packet's charge.
func (g *group) release(m *pool, charge int64) {
	fromHeadroom := min(g.headroom, charge)
	g.headroom -= fromHeadroom
	m.headroomFree += fromHeadroom
	rest := charge - fromHeadroom
	m.free += max(0, min(rest, g.used-int64(g.reserved)))
	g.used -= rest
	if invariant.Enabled && (g.used < 0 || m.free < 0 || m.headroomFree < 0) {
		panic(fmt.Sprintf("switch: after release of %d bytes: group uses %d, pool free %d, headroom free %d",
			charge, g.used, m.free, m.headroomFree))
	}
}

// fellBelowXon reports whether a paused group may resume its peer: headroom is
// empty and shared use at most max(xon, threshold - offset).
func (g *group) fellBelowXon(r *groupRules, m *pool) bool {
	if g.headroom > 0 {
		return false
	}
	limit := r.latched
	if r.liveXon {
		limit = g.threshold(m)
	}
	return g.shared() <= max(r.xon, limit-r.xonOffset)
}
