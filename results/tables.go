package results

import "rocesim/sim"

// PortRow is one port and the link that it sends on.
type PortRow struct {
	// Node owns the port, Number is its number there.
	Node, Number int32
	// Peer and PeerNumber are the other end of the cable.
	Peer, PeerNumber int32
	Rate             sim.Rate
	// Tier groups links of one direction and layer: "host>leaf", "leaf>spine".
	Tier string
	// WireBytes counts what was sent including preamble and inter-frame gap.
	WireBytes int64
	// Delay is the propagation along the cable, one way.
	Delay sim.Time
	// Response is how long the port takes to obey a pause.
	Response sim.Time
	// IngressLatency and EgressLatency are the parts of the node's pipeline
	// before buffer admission and behind the scheduler; 0 at NICs.
	IngressLatency, EgressLatency sim.Time
	// HeadroomNeed is what a lossless group of a switch's port needs beyond XOFF
	// for full frames, in bytes of buffer: as many frames of HeadroomFrame as begin
	// within HeadroomReach, and the one that crosses XOFF. All are 0 at NICs.
	HeadroomNeed, HeadroomFrame int64
	HeadroomReach               sim.Time
}

// Utilisation is the part of time, from 0 to simulated, that the port spent
// sending.
func (p *PortRow) Utilisation(simulated sim.Time) float64 {
	if simulated <= 0 || p.Rate <= 0 {
		return 0
	}
	return float64(p.WireBytes) * 8 / (float64(p.Rate) * simulated.Seconds())
}

// QueueRow holds the counters of one priority of one port: the egress queue,
// the ingress priority group and PFC, whose names in SONiC (SAI) and ethtool
// are those of the columns of counters.csv.
type QueueRow struct {
	Port     int32
	Priority uint8
	// Lossless says that the class is lossless here, PFC that the port sends
	// and obeys pauses of it. Lossless without PFC is a class that nothing
	// protects.
	Lossless, PFC bool

	// Frames and frame bytes (with FCS, without preamble and gap).
	TxPackets, TxBytes, RxPackets, RxBytes int64

	// TxPause and RxPause count PFC frames that name the priority, XOFF and
	// XON; TxXoff and RxXoff those of them that pause.
	TxPause, RxPause, TxXoff, RxXoff int64
	// RxPaused is how long the port was not allowed to send, TxPaused how long
	// it kept its peer from sending.
	RxPaused, TxPaused sim.Time
	// RxTransitions counts changes from sending to paused.
	RxTransitions int64
	// FirstXoff is when the first XOFF was sent; meaningful if TxXoff > 0.
	FirstXoff sim.Time
	// FirstXoffUse is what the priority group held of shared pool and headroom
	// when a switch sent the first XOFF, FirstXoffThreshold the threshold that
	// it compared the shared part with, in bytes. Both are 0 at hosts.
	FirstXoffUse, FirstXoffThreshold int64

	// PeakQueue and MeanQueue (over time) are the egress queue in bytes.
	PeakQueue int64
	MeanQueue float64
	// PeakShared is the ingress priority group's peak use of the shared pool,
	// PeakHeadroom of its headroom, in bytes.
	PeakShared, PeakHeadroom int64
	// XoffMin is the lowest XOFF threshold seen while the group held anything,
	// in bytes; 0 if there is none. A dynamic threshold falls as the pool
	// fills.
	XoffMin int64
	// Headroom is the configured headroom in bytes; 0 if there is none.
	Headroom int64
	// Kmin and Kmax are the configured ECN thresholds in bytes; Kmax is 0 if
	// the queue does not mark.
	Kmin, Kmax int64
	// ECNMarked counts packets that the queue marked.
	ECNMarked int64
	// EgressDrops and IngressDrops count packets dropped by the queue and by
	// the priority group.
	EgressDrops, IngressDrops int64
}

// XoffApproach is how near the priority group came to sending XOFF: peak use
// over the lowest threshold, so an upper bound. 0 if there is no threshold.
func (q *QueueRow) XoffApproach() float64 {
	if q.XoffMin <= 0 {
		return 0
	}
	return float64(q.PeakShared) / float64(q.XoffMin)
}

// Marks are the levels to compare the queue with.
func (q *QueueRow) Marks() []Mark {
	var marks []Mark
	for _, m := range []Mark{{"Kmin", float64(q.Kmin)}, {"Kmax", float64(q.Kmax)}} {
		if m.Value > 0 {
			marks = append(marks, m)
		}
	}
	return marks
}

// NICRow holds the counters of one NIC. They are what Linux shows under
// /sys/class/infiniband/*/ports/1/hw_counters, except where said.
type NICRow struct {
	// Node is the host, Name the NIC.
	Node int32
	Name string
	// CongestionControl names the algorithm that the NIC's notifications act
	// on; empty if none does.
	CongestionControl string
	// CNPSent and ECNMarked count at the notification point, CNPHandled and
	// CNPIgnored at the reaction point.
	CNPSent, ECNMarked, CNPHandled, CNPIgnored int64
	// OutOfSequence counts packets received with a PSN beyond the expected
	// one, PacketSeqErr NAKs received for that, DuplicateRequest packets
	// received again.
	OutOfSequence, PacketSeqErr, DuplicateRequest int64
	// AckTimeouts and RetriesExceeded count retransmission timers that ran out
	// and queue pairs that gave up.
	AckTimeouts, RetriesExceeded int64
	// OutOfBuffer counts packets dropped for want of a receive buffer, and
	// ReceivePeak is the most that it held, in bytes.
	OutOfBuffer, ReceivePeak int64
	// StormErrors counts how often the NIC's watchdog stopped its pauses.
	StormErrors int64
	// Retransmitted counts data packets sent again (no counter of real NICs).
	Retransmitted int64
}

// DropRow counts drops of one cause and kind of packet at one port and
// priority.
type DropRow struct {
	Port     int32
	Priority uint8
	// Lossless says that PFC should have prevented the drop: the class is
	// lossless at that port, or the sender's NIC takes it for lossless.
	Lossless bool
	// Cause in words: "headroom overrun", "egress limit", "WRED", "no route".
	// Where the sender takes the class for lossless and the port does not, it
	// begins with LossyMapping.
	Cause string
	// Kind is "data", "ack", "nak", "cnp" or "datagram".
	Kind string
	// DSCP is the code point of the packets, SentDSCP the one that their sender
	// gave them.
	DSCP, SentDSCP uint8
	Packets, Bytes int64
	// First is when the first of them was dropped.
	First sim.Time
}

// LossyMapping begins the cause of a drop in a class that the sender takes for
// lossless and the switch for lossy.
const LossyMapping = "lossy mapping"

// PathHop is one port that packets of a flow are sent from. The hops of one flow
// and kind of packets follow each other, the port of their sender first.
type PathHop struct {
	// Flow is FlowRow.ID.
	Flow uint32
	Port int32
	// Kind is "data" on the way there, and "ack" or "cnp" on the way back.
	Kind string
	// Priority is that of these packets at the port.
	Priority uint8
}

// SeriesKind says what a series samples.
type SeriesKind uint8

// Kinds of series.
const (
	QueueSeries       SeriesKind = iota // an egress queue's depth in bytes
	RateSeries                          // payload delivered, in bit/s
	UtilisationSeries                   // part of the link rate in use
	MarkSeries                          // packets that a queue marked, each step
	CNPSentSeries                       // np_cnp_sent of a NIC or of all, each step
	CNPHandledSeries                    // rp_cnp_handled of a NIC or of all, each step
	ControlSeries                       // DCQCN's current rate of queue pairs, in bit/s
)

// AllNICs is the name of the series of CNPs of all NICs together.
const AllNICs = "all NICs"

// Series is a quantity sampled at equal steps.
type Series struct {
	Kind SeriesKind
	// Name labels it in full: the port for queues and links, the workload or
	// flow for rates, the NIC or AllNICs for CNPs.
	Name string
	// Port and Priority are those of queues and links; Port is -1 for others.
	Port     int32
	Priority uint8
	// Values[i] belongs to the instant Start + i*Step. Depths and DCQCN's rates
	// are of that instant; all others are means or counts of the step that ends
	// there.
	Start, Step sim.Time
	Values      []float64
	// Low and High are the least and greatest rate of a ControlSeries, whose
	// Values are the means. All three are 0 where no queue pair had data to send.
	Low, High []float64
	// Marks are levels to compare the values with.
	Marks []Mark
}

// At returns the instant of value i.
func (s *Series) At(i int) sim.Time { return s.Start + sim.Time(i)*s.Step }

// Mark is a level that a series is compared with, such as Kmin.
type Mark struct {
	Label string
	Value float64
}
