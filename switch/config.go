package switching

import (
	"rocesim/fabric"
	"rocesim/sim"
)

// Priorities is the number of priorities, traffic classes, priority groups and
// queues of a port (IEEE 802.1Q).
const Priorities = fabric.Priorities

// Config is everything that one switch needs to know, resolved: sizes in
// bytes, times in picoseconds, no preset and no name left to look up.
type Config struct {
	Name string
	// Seed feeds the switch's random streams (ECN, spray).
	Seed uint64
	// HashSeed is mixed into the ECMP hash. Switches of two tiers with the same
	// seed polarise.
	HashSeed uint32
	// Routing chooses among equal-cost next hops.
	Routing Routing
	// CutThrough forwards from the header on where the egress link is not
	// faster than the ingress link; otherwise frames are stored whole first.
	CutThrough bool
	// IngressLatency is from the arrival of the frame (its first bit when
	// cutting through, else its last) to buffer admission; EgressLatency from
	// the scheduler to the first bit on the wire. Their sum is the pipeline
	// latency that data sheets give.
	IngressLatency, EgressLatency sim.Time

	Classes ClassMap
	Buffer  Buffer
	Groups  [Priorities]GroupConfig
	Queues  [Priorities]QueueConfig
	PFC     PFCConfig
	Ports   []PortConfig
	// Watchdog watches the lossless queues; nil does not.
	Watchdog *WatchdogConfig
	// Bump changes the class of packets that turn around; nil does not. It
	// needs classification by DSCP.
	Bump *Bump
}

// Routing is a load balancing scheme.
type Routing uint8

// Load balancing schemes.
const (
	ECMP        Routing = iota // hash over the 5-tuple: one path per flow and direction
	SprayRandom                // a random next hop for each packet
	SprayRound                 // the next hops in turn, packet by packet
	// Murmur3 is ECMP as the HPCC ns-3 simulator does it: MurmurHash3 over the
	// 5-tuple, seeded with HashSeed, modulo the next hops.
	Murmur3
)

// ClassMap is how a frame finds its priority group and queue, as SONiC's
// DSCP_TO_TC_MAP (or DOT1P_TO_TC_MAP), TC_TO_PRIORITY_GROUP_MAP,
// TC_TO_QUEUE_MAP and MAP_PFC_PRIORITY_TO_QUEUE.
type ClassMap struct {
	// TrustPCP classifies by the 802.1Q tag's priority instead of the DSCP.
	TrustPCP   bool
	PCPToTC    [Priorities]uint8
	DSCPToTC   [64]uint8
	TCToGroup  [Priorities]uint8
	TCToQueue  [Priorities]uint8
	PFCToQueue [Priorities]uint8
	// GroupToPFC is the priority that a pause frame names for a group.
	GroupToPFC [Priorities]uint8
}

// Threshold is a limit on buffer use: dynamic (alpha times what is free of the
// pool, Choudhury and Hahne 1998) or static.
type Threshold struct {
	// Dynamic selects Alpha; otherwise Static holds.
	Dynamic bool
	// Alpha is in units of 1/65536, so powers of two are exact.
	Alpha int64
	// Static is in bytes.
	Static int64
}

// AlphaOne is alpha = 1 in the unit of Threshold.Alpha.
const AlphaOne = 1 << alphaBits

const alphaBits = 16

// limit returns the threshold when free bytes of the pool are unused.
func (t *Threshold) limit(free int64) int64 {
	if t.Dynamic {
		return t.Alpha * free >> alphaBits
	}
	return t.Static
}

// Buffer is the shared memory of the chip.
type Buffer struct {
	// Cell is the unit of allocation in bytes: a frame occupies whole cells.
	// 1 accounts bytes.
	Cell int
	// Partitions is the number of memories that ports are divided among in
	// blocks (4 on Tomahawk); Shared and HeadroomPool are divided likewise.
	Partitions int
	// Shared is the ingress shared pool, without reserves and headroom.
	Shared int64
	// HeadroomPool bounds the sum of headroom in use; 0 is without bound,
	// each group having its own.
	HeadroomPool int64
	// EgressLossy is the pool that lossy queues' dynamic thresholds refer to;
	// 0 means that Shared serves.
	EgressLossy int64
}

// Memories is how many memories there are.
func (b *Buffer) Memories() int { return max(1, b.Partitions) }

// MemoryOf is which of so many memories a port of so many belongs to: ports are
// divided in blocks.
func MemoryOf(port, ports, memories int) int { return port * memories / ports }

// GroupConfig is one priority group of every port (SONiC BUFFER_PROFILE of a
// BUFFER_PG).
type GroupConfig struct {
	// Lossless groups pause the peer at the threshold and have headroom; lossy
	// ones drop.
	Lossless bool
	// Reserved is the group's guaranteed minimum in bytes.
	Reserved int64
	// Threshold on the group's shared use: XOFF for lossless groups.
	Threshold Threshold
	// Xon and XonOffset: resume when headroom is empty and shared use is at
	// most max(Xon, threshold - XonOffset).
	Xon, XonOffset int64
	// LiveXon compares with the threshold at that moment instead of the one
	// latched when XOFF was sent. Real Tomahawks resume at the latched value.
	LiveXon bool
}

// QueueConfig is one egress queue of every port.
type QueueConfig struct {
	// Strict queues are served before all others, the highest number first.
	Strict bool
	// Weight of a deficit round robin queue; ignored when Strict.
	Weight int
	// PerIngress serves what waits in turn by ingress port, packet by packet,
	// as chips with virtual output queues do; otherwise it is first in, first
	// out, as in chips with shared memory.
	PerIngress bool
	// Lossy queues drop above Limit; lossless ones are never limited here.
	Lossy bool
	Limit Threshold
	// RED marks or drops; nil does neither.
	RED *REDProfile
}

// REDProfile is WRED with ECN (RFC 3168; DCQCN section 3.1): the probability
// rises linearly from 0 at Kmin to Pmax at Kmax and is 1 above.
type REDProfile struct {
	Kmin, Kmax int64 // bytes
	// Pmax in units of 2^-32.
	Pmax uint64
	// CapAtPmax keeps the probability at Pmax above Kmax.
	CapAtPmax bool
	// AtEnqueue tests the queue when a packet joins it instead of when it
	// leaves.
	AtEnqueue bool
	// WithDeparting counts the departing packet too (at dequeue).
	WithDeparting bool
	// Weight w averages avg += (q-avg)/2^w; 0 is the instantaneous queue.
	Weight uint8
	// MarkOnly leaves packets without ECT alone; otherwise they are dropped
	// where ECT ones are marked.
	MarkOnly bool
}

// PFCConfig is how the switch pauses its peers and obeys them.
type PFCConfig struct {
	// Enabled has bit n set if priority n is lossless; a pause for another
	// priority is ignored, and no other is sent.
	Enabled uint8
	// Quanta of an XOFF frame; packet.MaxQuanta by default.
	Quanta uint16
	// Infinite makes a pause last until XON, as other simulators have it.
	Infinite bool
	// Refresh repeats XOFF after this time while still above XON; 0 never.
	Refresh sim.Time
	// Response is how long the port takes to obey a pause it receives (IEEE
	// 802.3 Annex 31B.3.7 bounds it).
	Response sim.Time
}

// PortConfig is what differs from port to port.
type PortConfig struct {
	// Rate and delay of its link.
	Rate sim.Rate
	// Headroom of each lossless group in bytes (depends on speed and cable).
	Headroom int64
	// Threshold overrides the groups' thresholds on this port if not nil.
	Threshold *Threshold
	// RED overrides the lossless queues' profiles on this port (thresholds
	// depend on speed) if not nil.
	RED *REDProfile
	// NoPFC disables PFC on this port.
	NoPFC bool
}
