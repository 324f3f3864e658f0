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

// noticeWait is for how long CNPs of one flow wait on their way back.
type noticeWait struct {
	flow uint32
	// all is the mean wait in all, most that at the hop called at.
	all, most sim.Time
	at        results.PathHop
}

// longestNotice returns the way of CNPs, to senders that listen to them, on which
// they wait longest.
func (e *explainer) longestNotice(hosts map[uint32]int32) noticeWait {
	var longest, one noticeWait
	for _, h := range e.Paths {
		if h.Kind != "cnp" {
			continue
		}
		if handled, _ := e.cnpsHandled(hosts[h.Flow]); handled == 0 {
			continue
		}
		if one.at.Kind == "" || one.flow != h.Flow {
			one = noticeWait{flow: h.Flow, at: h}
		}
		t := e.meanWait(h)
		if one.all += t; t > one.most {
			one.most, one.at = t, h
		}
		if one.all > longest.all {
			longest = one
		}
	}
	return longest
}

// lateNotices warns of CNPs that wait for too long.
func (e *explainer) lateNotices() {
	hosts := map[uint32]int32{}
	for i := range e.Flows {
		hosts[e.Flows[i].ID] = e.Flows[i].Src
	}
	w := e.longestNotice(hosts)
	if w.all < feedback {
		return
	}
	where, mostly := e.at(w.at.Port, w.at.Priority), ""
	if w.most < w.all {
		mostly = fmt.Sprintf(", %s of it", span(w.most))
	}
	e.add(results.Finding{
		Severity: results.SeverityWarning, Where: where,
		What: fmt.Sprintf("Bad news comes late: on their way back to %s, CNPs wait %s on average%s at %s (%s), while DCQCN is made for %s.",
			e.Nodes[hosts[w.flow]], span(w.all), mostly, where, e.load(w.at.Port, w.at.Priority), span(feedback)),
		Numbers: []results.Number{results.NewNumber("mean wait of a CNP", float64(w.all), results.Duration)},
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
