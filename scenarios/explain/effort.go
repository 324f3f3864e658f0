package explain

import (
	"fmt"

	"rocesim/results"
	"rocesim/scenarios"
	"rocesim/scenarios/derive"
)

// deadlocks says whether buffers can wait for each other in a circle.
func deadlocks(p *scenarios.Plan) Section {
	s := aboutDeadlocks()
	if risks := p.DeadlockRisks(false); len(risks) > 0 {
		s.Bad, s.Arithmetic = true, risks
		s.Verdict = "a deadlock, or a packet that goes in circles, is possible: " + many(len(risks), "finding")
	}
	return s
}

// effort says how much a run would simulate.
func effort(p *scenarios.Plan, w derive.Work) Section {
	s := aboutEffort()
	for i := range w.Entries {
		e := &w.Entries[i]
		pairs := cell{e.Connections, count(e.Connections)}
		if e.Connections == 0 {
			pairs = cell{nil, "drawn"}
		}
		upTo := func(n int64) string { return bound(e.AtMost && n > 0) + count(n) }
		s.table.add(
			cell{e.Name, e.Name}, cell{e.Type, e.Type}, cell{e.AtMost, ""}, pairs, cell{e.Messages, upTo(e.Messages)},
			cell{e.Payload, bound(e.AtMost) + tight(size(float64(e.Payload)))}, cell{e.Packets, upTo(e.Packets)}, cell{e.Acks, upTo(e.Acks)},
			notifications(e), cell{e.MeanHops, ""}, cell{e.Hops, upTo(e.Hops)}, cell{e.CNPHops, ""},
		)
	}
	s.Arithmetic = []string{fmt.Sprintf("%s%s packet-hops x %s = %s of one processor (Xeon, 2.1 GHz), and some 0.5 s for tables and plots",
		bound(w.AtMost), count(w.Hops), number(w.NanosPerHop)+" ns", results.Duration.Format(w.Seconds*1e12))}
	more := ""
	if w.CNPs > 0 {
		more = fmt.Sprintf(" (and up to %s CNPs)", count(w.CNPs))
		s.Arithmetic = append(s.Arithmetic, fmt.Sprintf("CNPs add up to %s packet-hops, or %s", count(w.CNPHops), results.Duration.Format(float64(w.CNPHops)*w.NanosPerHop*1e3)))
	}
	s.Verdict = fmt.Sprintf("%s of simulated time: %s%s packets and ACKs%s, some %s of one processor and %s of memory",
		span(p.StopTime), bound(w.AtMost), count(w.Packets+w.Acks), more, results.Duration.Format(w.Seconds*1e12), size(float64(w.Memory)))
	if p.StopWhenDone {
		s.Verdict = "until the flows are done, at most " + s.Verdict
	}
	return s
}

// notifications are the CNPs of an entry, if its senders are meant to meet.
func notifications(e *derive.EntryWork) cell {
	if e.CNPs == 0 {
		return cell{nil, "-"}
	}
	return cell{e.CNPs, bound(true) + count(e.CNPs)}
}

// bound marks a number that is not exceeded.
func bound(atMost bool) string {
	if atMost {
		return "<="
	}
	return ""
}
