package why

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"rocesim/results"
	"rocesim/sim"
)

// need is what can still arrive at a port after it has sent XOFF: the worst
// case of IEEE 802.1Qbb with the pipelines of both ends. The pause waits for a
// frame on the wire, both directions of the cable are full, and the peer goes
// on until it has obeyed and the frame it has begun is out. The frame that
// crossed the threshold is charged as a whole and lies in headroom as well.
type need struct {
	rate                      sim.Rate
	cable, response, pipeline sim.Time
	frame, pause              int64 // wire bytes
}

// headroomNeed returns the need of a port; ok is false without a peer.
func (e *explainer) headroomNeed(port int32) (n need, ok bool) {
	other := e.peer(port)
	if other < 0 {
		return need{}, false
	}
	p, peer := &e.Ports[port], &e.Ports[other]
	return need{
		rate:     peer.Rate,
		cable:    p.Delay + peer.Delay,
		response: peer.Response,
		pipeline: peer.EgressLatency + p.IngressLatency,
		frame:    e.Manifest.LargestFrame,
		pause:    e.Manifest.PauseFrame,
	}, true
}

func (n *need) bytes() int64 {
	return bytesIn(n.rate, n.cable) + bytesIn(n.rate, n.response) + bytesIn(n.rate, n.pipeline) + n.pause + 3*n.frame
}

// arithmetic says what the need consists of.
func (n *need) arithmetic() string {
	parts := []string{fmt.Sprintf("cable there and back %s x %v = %s", span(n.cable), n.rate, exactly(bytesIn(n.rate, n.cable)))}
	for _, t := range []struct {
		name string
		time sim.Time
	}{{"response of the peer", n.response}, {"pipelines", n.pipeline}} {
		if t.time > 0 {
			parts = append(parts, fmt.Sprintf("%s %s = %s", t.name, span(t.time), exactly(bytesIn(n.rate, t.time))))
		}
	}
	parts = append(parts, fmt.Sprintf("pause frame %s", exactly(n.pause)), fmt.Sprintf("one frame begun at each end and the one that crosses XOFF 3 x %s", exactly(n.frame)))
	return strings.Join(parts, ", ")
}

// headrooms warns of lossless ports whose headroom does not cover the worst
// case, which did not happen in this run: drops would say so.
func (e *explainer) headrooms() {
	if slices.ContainsFunc(e.Drops, func(d results.DropRow) bool { return d.Cause == causeHeadroom }) {
		return
	}
	type short struct {
		q    *results.QueueRow
		need need
	}
	var all []short
	for i := range e.Queues {
		q := &e.Queues[i]
		if !q.Lossless || !q.PFC || q.RxPackets == 0 || !e.isSwitch(q.Port) {
			continue
		}
		if n, ok := e.headroomNeed(q.Port); ok && q.Headroom < n.bytes() {
			all = append(all, short{q, n})
		}
	}
	if len(all) == 0 {
		return
	}
	worst := slices.MaxFunc(all, func(a, b short) int {
		return cmp.Compare(a.need.bytes()-a.q.Headroom, b.need.bytes()-b.q.Headroom)
	})
	needed := worst.need.bytes()
	e.add(results.Finding{
		Severity: results.SeverityWarning,
		Where:    e.at(worst.q.Port, worst.q.Priority),
		What: fmt.Sprintf("Headroom is smaller than the worst case: %s configured, %s could be needed (%s). This run used %s of it and dropped nothing%s.",
			exactly(worst.q.Headroom), exactly(needed), worst.need.arithmetic(), exactly(worst.q.PeakHeadroom), alsoAt(len(all)-1)),
		Numbers: []results.Number{numberOfBytes("headroom", worst.q.Headroom), numberOfBytes("headroom needed", needed),
			numberOfBytes("headroom peak", worst.q.PeakHeadroom)},
		Remedy: remedyHeadroom(needed),
	})
}

func alsoAt(n int) string {
	if n == 0 {
		return ""
	}
	return "; the same" + strings.TrimPrefix(others(n), " and")
}

func remedyHeadroom(needed int64) string {
	return fmt.Sprintf("give %s or more (switch.headroom.bytes, switch.headroom.standard: true, or a table row for that cable)", exactly(needed))
}
