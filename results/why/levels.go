package why

import (
	"cmp"
	"slices"

	"rocesim/results"
)

// Level compares one port and priority of a switch with its thresholds. Sizes
// are in bytes; a threshold of 0 is none.
type Level struct {
	Port     string `json:"port"`
	Priority uint8  `json:"priority"`
	Lossless bool   `json:"lossless"`
	// PeakQueue is the deepest egress queue, which marks between Kmin and Kmax.
	PeakQueue     int64 `json:"peak_queue_bytes"`
	Kmin          int64 `json:"kmin_bytes"`
	Kmax          int64 `json:"kmax_bytes"`
	MarkedPackets int64 `json:"marked_packets"`
	// PeakShared is the ingress priority group's, which pauses its peer at
	// XoffMin, the lowest threshold met.
	PeakShared int64 `json:"peak_shared_bytes"`
	XoffMin    int64 `json:"xoff_threshold_min_bytes"`
	// PeakHeadroom is what arrived after XOFF; HeadroomNeed is the worst case.
	PeakHeadroom int64 `json:"peak_headroom_bytes"`
	Headroom     int64 `json:"headroom_bytes"`
	HeadroomNeed int64 `json:"headroom_need_bytes"`
	XoffFrames   int64 `json:"xoff_frames"`
	// Paused is the part of the run for which the port was not allowed to send.
	Paused float64 `json:"paused_ratio"`
	Drops  int64   `json:"dropped_packets"`
}

// Levels returns the ports and priorities of switches at which packets waited,
// those nearest to trouble first: drops, then how near they came to XOFF, then
// the egress queue. Where never more than one frame waited there is no level.
func Levels(run *results.Run) []Level {
	e := newExplainer(run)
	var levels []Level
	for i := range e.Queues {
		q := &e.Queues[i]
		waited := max(q.PeakQueue, q.PeakShared) > e.Manifest.LargestFrame || q.TxXoff+q.EgressDrops+q.IngressDrops > 0 || q.RxPaused > 0
		if !e.isSwitch(q.Port) || !waited {
			continue
		}
		l := Level{
			Port: e.PortName(q.Port), Priority: q.Priority, Lossless: q.Lossless,
			PeakQueue: q.PeakQueue, Kmin: q.Kmin, Kmax: q.Kmax, MarkedPackets: q.ECNMarked,
			PeakShared: q.PeakShared, XoffMin: q.XoffMin, PeakHeadroom: q.PeakHeadroom, Headroom: q.Headroom,
			XoffFrames: q.TxXoff, Paused: e.pausedPart(q), Drops: q.EgressDrops + q.IngressDrops,
		}
		if n, ok := e.headroomNeed(q.Port); ok && q.Lossless {
			l.HeadroomNeed = n.bytes
		}
		levels = append(levels, l)
	}
	slices.SortStableFunc(levels, func(a, b Level) int {
		return cmp.Or(cmp.Compare(b.Drops, a.Drops), cmp.Compare(b.approach(), a.approach()), cmp.Compare(b.PeakQueue, a.PeakQueue))
	})
	return levels
}

// approach is how near a group came to XOFF.
func (l *Level) approach() float64 {
	if l.XoffMin <= 0 {
		return 0
	}
	return float64(l.PeakShared) / float64(l.XoffMin)
}
