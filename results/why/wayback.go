package why

import (
	"fmt"

	"rocesim/results"
	"rocesim/sim"
)

// wayBack says what the last ACK of a flow waited for on its way back, and for
// how long: beyond what cables and switches take, which leaves a microsecond or
// so for the NICs at both ends. A flow of which no last byte has arrived, or whose
// answers are sprayed, is taken not to have waited.
func (e *explainer) wayBack(f *results.FlowRow, back []results.PathHop, end sim.Time) (port int32, cause string, waited sim.Time) {
	if f.Delivered == 0 || len(back) == 0 {
		return -1, "", 0
	}
	took := end - f.Delivered
	waited = took
	for _, h := range back {
		p := &e.Ports[h.Port]
		waited -= p.Delay + p.IngressLatency + p.EgressLatency
	}
	head := fmt.Sprintf("its last byte had arrived after %s, and the ACK needed %s for the way back", span(f.Delivered-f.Start), span(took))
	if f.Completed == 0 {
		head = fmt.Sprintf("its last byte had arrived after %s, and the ACK has been on the way back for %s", span(f.Delivered-f.Start), span(took))
	}
	port, cause = e.held(&way{hops: back, from: f.Delivered, to: end, goal: f.Src, role: "which waits for it"})
	switch {
	case cause != "":
	case e.firstDrop(back, end, "ack", "nak") != nil:
		return -1, "", 0 // lost, it did not wait: the sender's recovery explains the time
	default:
		worst := e.deepestHop(back)
		port, cause = worst.Port, fmt.Sprintf("the narrowest hop on it is %s (%s)", e.PortName(worst.Port), e.load(worst.Port, worst.Priority))
	}
	return port, head + ": " + cause, waited
}

// feedback is how old a notification may be. The DCQCN paper (Zhu et al., SIGCOMM
// 2015, section 5) has one each 50 us and reacts to it within 55 us: an older one
// tells of a queue that is another by now.
const feedback = 50 * sim.Microsecond

// lateNotices warns of the way of CNPs on which they waited longest, if that is
// too long for a sender that listens to them.
func (e *explainer) lateNotices() {
	hosts := map[uint32]int32{}
	for i := range e.Flows {
		hosts[e.Flows[i].ID] = e.Flows[i].Src
	}
	var longest, worst sim.Time
	var at results.PathHop
	for i := 0; i < len(e.Paths); {
		h := e.Paths[i]
		var way, most sim.Time // in all, and at one hop
		here := h
		for ; i < len(e.Paths) && e.Paths[i].Flow == h.Flow && e.Paths[i].Kind == h.Kind; i++ {
			t := e.meanWait(e.Paths[i])
			if way += t; t > most {
				most, here = t, e.Paths[i]
			}
		}
		if handled, _ := e.cnpsHandled(hosts[h.Flow]); h.Kind == "cnp" && handled > 0 && way > longest {
			longest, worst, at = way, most, here
		}
	}
	if longest < feedback {
		return
	}
	where, mostly := e.at(at.Port, at.Priority), ""
	if worst < longest {
		mostly = fmt.Sprintf(", %s of it", span(worst))
	}
	e.add(results.Finding{
		Severity: results.SeverityWarning, Where: where,
		What: fmt.Sprintf("Bad news comes late: on their way back to %s, CNPs wait %s on average%s at %s (%s), while DCQCN is made for %s.",
			e.Nodes[hosts[at.Flow]], span(longest), mostly, where, e.load(at.Port, at.Priority), span(feedback)),
		Numbers: []results.Number{results.NewNumber("mean wait of a CNP", float64(longest), results.Duration)},
		Remedy:  "give CNPs a class of their own that is served first (nic.cnp.dscp, switch.dscp_to_tc, switch.strict_queues)",
	})
}

// meanWait is how long a packet that comes at any time waits at a hop on
// average: for the queue, and for a pause to end, of which it meets a long one
// more often and then waits for half of it.
func (e *explainer) meanWait(h results.PathHop) sim.Time {
	queued := e.Ports[h.Port].Rate.TxTimeCeil(int64(e.queue(h.Port, h.Priority).MeanQueue))
	var held float64
	for i := range e.Pauses {
		if p := &e.Pauses[i]; p.Port == h.Port && p.Priority == h.Priority {
			held += part(p.To-p.From, e.Manifest.SimulatedTime) * float64(p.To-p.From) / 2
		}
	}
	return queued + sim.Time(held)
}
