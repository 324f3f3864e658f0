package why

import (
	"fmt"
	"slices"

	"rocesim/results"
	"rocesim/sim"
)

// pfc explains why PFC fired, or why it did not.
func (e *explainer) pfc() {
	var fired, disabled, nearest *results.QueueRow
	carried := false
	xoffs := int64(0)
	for i := range e.Queues {
		q := &e.Queues[i]
		if !q.Lossless || !e.isSwitch(q.Port) {
			continue
		}
		carried = carried || q.RxPackets > 0
		xoffs += q.TxXoff
		switch {
		case q.TxXoff > 0 && (fired == nil || q.FirstXoff < fired.FirstXoff):
			fired = q
		case !q.PFC && q.RxPackets > 0 && disabled == nil:
			disabled = q
		}
		if q.PFC && (nearest == nil || q.XoffApproach() > nearest.XoffApproach()) {
			nearest = q
		}
	}
	switch {
	case fired != nil:
		e.fired(fired, xoffs)
	case !carried:
		e.noLosslessTraffic()
	case nearest == nil && disabled != nil:
		e.add(results.Finding{Severity: results.SeverityWarning, Where: e.PortName(disabled.Port),
			What:   fmt.Sprintf("PFC never fired because it is off on every port that carried lossless traffic, such as %s.", e.at(disabled.Port, disabled.Priority)),
			Remedy: "switch it on (switch.pfc.enabled)"})
	default:
		e.neverFired(nearest)
	}
}

// noLosslessTraffic says in which class the data was instead.
func (e *explainer) noLosslessTraffic() {
	var most *results.QueueRow
	for i := range e.Queues {
		if q := &e.Queues[i]; e.isSwitch(q.Port) && (most == nil || q.RxBytes > most.RxBytes) {
			most = q
		}
	}
	if most == nil {
		return
	}
	e.add(results.Finding{
		Severity: results.SeverityWarning, Where: e.at(most.Port, most.Priority),
		What: fmt.Sprintf("PFC never fired because no packet came in a class that it protects: most data (%s at %s) is in priority %d, which is lossy there.",
			size(most.RxBytes), e.PortName(most.Port), most.Priority),
		Remedy: "map the data's DSCP to a lossless class (switch.dscp_to_tc, switch.pfc.priorities, nic.dscp)",
	})
}

func (e *explainer) neverFired(q *results.QueueRow) {
	never := "PFC never fired"
	if slices.ContainsFunc(e.Run.Queues, func(q results.QueueRow) bool { return q.TxXoff > 0 }) {
		never = "No switch sent XOFF" // a host did
	}
	f := results.Finding{Severity: results.SeverityInfo, What: never + " because no priority group used any of the shared buffer."}
	if q != nil && q.XoffMin > 0 && q.PeakShared > 0 {
		f.Where = e.at(q.Port, q.Priority)
		f.What = fmt.Sprintf("%s because the deepest priority group reached %s of its lowest XOFF threshold (%s of %s) at %s.",
			never, percent(q.XoffApproach()), size(q.PeakShared), size(q.XoffMin), f.Where)
		f.Numbers = []results.Number{numberOfBytes("shared peak", q.PeakShared), numberOfBytes("lowest XOFF threshold", q.XoffMin)}
	}
	e.add(f)
}

// fired names the first priority group at its threshold, the queue that its
// packets waited for, and what the pauses did.
func (e *explainer) fired(q *results.QueueRow, xoffs int64) {
	where := e.at(q.Port, q.Priority)
	what := fmt.Sprintf("PFC fired (%s, the first at %s) because the priority group %s reached its XOFF threshold (it %s; %s)",
		results.Plural(xoffs, "XOFF frame"), span(q.FirstXoff), where, heldAtXoff(q), headroomUsed(q))
	what += e.waitedFor(e.Ports[q.Port].Node, q.Priority)
	e.add(results.Finding{
		Severity: results.SeverityInfo, Where: where, What: what + ".",
		Numbers: []results.Number{numberOf("XOFF frames", xoffs), numberOfBytes("held at the first XOFF", q.FirstXoffUse),
			numberOfBytes("XOFF threshold then", q.FirstXoffThreshold), results.NewNumber("first XOFF", float64(q.FirstXoff), results.Duration)},
		Remedy: "to fire less: slow the senders down earlier (lower switch.ecn.kmin, DCQCN), or raise the threshold (switch.lossless.alpha)",
	})
	e.pausesBeforeMarks()
}

// heldAtXoff says what a priority group had in the buffer when it first paused:
// the frame that crossed the threshold lies in headroom, so that the shared pool
// alone stays below, or was lost if there was no room.
func heldAtXoff(q *results.QueueRow) string {
	if q.FirstXoffUse < q.FirstXoffThreshold {
		return fmt.Sprintf("held %s then, and the next frame did not fit below the XOFF threshold of %s", size(q.FirstXoffUse), size(q.FirstXoffThreshold))
	}
	return fmt.Sprintf("held %s then, and the XOFF threshold was %s", size(q.FirstXoffUse), size(q.FirstXoffThreshold))
}

func headroomUsed(q *results.QueueRow) string {
	if q.Headroom == 0 {
		return "it has no headroom"
	}
	return fmt.Sprintf("of its headroom at most %s of %s was used", size(q.PeakHeadroom), size(q.Headroom))
}

// waitedFor names the queue that filled a node, and the one that it waits for
// in turn, if it is paused itself.
func (e *explainer) waitedFor(node int32, priority uint8) string {
	q := e.deepest(node, priority)
	if q == nil {
		return ""
	}
	text := fmt.Sprintf(": its packets waited for %s, whose queue grew to %s", e.PortName(q.Port), size(q.PeakQueue))
	if e.pausedPart(q) < notable {
		return text
	}
	text += fmt.Sprintf(" and which was itself paused %s of the time", percent(e.pausedPart(q)))
	if root := e.root(node, priority); root.Port != q.Port {
		text += fmt.Sprintf("; behind that stands %s (%s)", e.PortName(root.Port), e.load(root.Port, priority))
	}
	return text
}

// deepest returns a node's deepest egress queue of a priority, or nil.
func (e *explainer) deepest(node int32, priority uint8) *results.QueueRow {
	var most *results.QueueRow
	for i := range e.Queues {
		q := &e.Queues[i]
		if e.Ports[q.Port].Node == node && q.Priority == priority && q.PeakQueue > 0 && (most == nil || q.PeakQueue > most.PeakQueue) {
			most = q
		}
	}
	return most
}

// notable is the part of the run from which a pause counts as something that a
// queue waits for: shorter ones are the play of thresholds.
const notable = 0.01

// pausedPart is the part of the run for which a queue was not allowed to send.
func (e *explainer) pausedPart(q *results.QueueRow) float64 {
	return part(q.RxPaused, e.Manifest.SimulatedTime)
}

func part(t, all sim.Time) float64 {
	if all <= 0 {
		return 0
	}
	return float64(t) / float64(all)
}

// pausesBeforeMarks warns of a switch whose priority groups pause before its
// queues mark, if there is anybody whom marks would slow down.
func (e *explainer) pausesBeforeMarks() {
	controlled := slices.ContainsFunc(e.NICs, func(n results.NICRow) bool { return n.CongestionControl != "" }) &&
		slices.ContainsFunc(e.Flows, func(f results.FlowRow) bool { return f.Unfinished != results.NotAcknowledged })
	if !controlled {
		return
	}
	for i := range e.Queues {
		q := &e.Queues[i]
		if q.TxXoff == 0 || q.XoffMin == 0 || !e.isSwitch(q.Port) {
			continue
		}
		root := e.deepest(e.Ports[q.Port].Node, q.Priority)
		if root == nil || root.Kmax == 0 || root.Kmin < q.XoffMin {
			continue
		}
		e.add(results.Finding{
			Severity: results.SeverityWarning, Where: e.at(q.Port, q.Priority),
			What: fmt.Sprintf("PFC acts before ECN: a priority group pauses its sender at %s, while %s marks nothing below Kmin %s; with one sender marking never begins.",
				size(q.XoffMin), e.PortName(root.Port), size(root.Kmin)),
			Numbers: []results.Number{numberOfBytes("lowest XOFF threshold", q.XoffMin), numberOfBytes("Kmin", root.Kmin)},
			Remedy:  "lower switch.ecn.kmin below the threshold times the number of senders, or raise switch.lossless.alpha or xoff",
		})
		return
	}
}
