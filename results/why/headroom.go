package why

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"rocesim/results"
	"rocesim/sim"
)

// need is what can still arrive at a port after it has sent XOFF, for full frames,
// as the run's own arithmetic has left it in links.csv.
type need struct {
	rate                      sim.Rate
	cable, response, pipeline sim.Time
	reach                     sim.Time
	charge, bytes             int64 // of one frame, and of all
}

// headroomNeed returns the need of a port; ok is false without a peer, and where
// the run does not say.
func (e *explainer) headroomNeed(port int32) (n need, ok bool) {
	other := e.peer(port)
	p := &e.Ports[port]
	if other < 0 || p.HeadroomFrame == 0 {
		return need{}, false
	}
	peer := &e.Ports[other]
	return need{
		rate:     peer.Rate,
		cable:    p.Delay + peer.Delay,
		response: peer.Response,
		pipeline: peer.EgressLatency + p.IngressLatency,
		reach:    p.HeadroomReach,
		charge:   p.HeadroomFrame,
		bytes:    p.HeadroomNeed,
	}, true
}

// arithmetic says what the need consists of.
func (n *need) arithmetic() string {
	parts := []string{"cable there and back " + span(n.cable)}
	rest := n.reach - n.cable
	for _, t := range []struct {
		name string
		time sim.Time
	}{{"response of the peer", n.response}, {"pipelines", n.pipeline}} {
		if t.time > 0 {
			parts = append(parts, t.name+" "+span(t.time))
			rest -= t.time
		}
	}
	parts = append(parts, "the frames at both ends and the pause "+span(rest))
	frames := n.bytes / n.charge
	return fmt.Sprintf("%s = %s at %s, in which %s begin; with the one that crosses XOFF %s x %s",
		strings.Join(parts, " + "), span(n.reach), n.rate, results.Plural(frames-1, "frame"), count(frames), exactly(n.charge))
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
		if n, ok := e.headroomNeed(q.Port); ok && q.Headroom < n.bytes {
			all = append(all, short{q, n})
		}
	}
	if len(all) == 0 {
		return
	}
	worst := slices.MaxFunc(all, func(a, b short) int {
		return cmp.Compare(a.need.bytes-a.q.Headroom, b.need.bytes-b.q.Headroom)
	})
	needed := worst.need.bytes
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
