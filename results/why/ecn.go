package why

import (
	"fmt"

	"rocesim/results"
)

// notification sums up what became of marks.
type notification struct {
	marked           int64 // by switches
	seen             int64 // marked packets that reached a NIC
	sent             int64 // CNPs
	handled, ignored int64
	dropped          int64 // CNPs
	algorithm        string
	// deepest is the deepest queue that has a profile.
	deepest *results.QueueRow
}

func (e *explainer) notification() notification {
	var n notification
	for i := range e.Queues {
		q := &e.Queues[i]
		n.marked += q.ECNMarked
		if !e.isSwitch(q.Port) || q.TxPackets == 0 {
			continue
		}
		if q.Kmax > 0 && (n.deepest == nil || q.PeakQueue > n.deepest.PeakQueue) {
			n.deepest = q
		}
	}
	for i := range e.NICs {
		k := &e.NICs[i]
		n.seen += k.ECNMarked
		n.sent += k.CNPSent
		n.handled += k.CNPHandled
		n.ignored += k.CNPIgnored
		if k.CongestionControl != "" {
			n.algorithm = k.CongestionControl
		}
	}
	for _, d := range e.Drops {
		if d.Kind == "cnp" {
			n.dropped += d.Packets
		}
	}
	return n
}

func (n *notification) numbers() []results.Number {
	return []results.Number{numberOf("packets marked", n.marked), numberOf("np_ecn_marked_roce_packets", n.seen),
		numberOf("np_cnp_sent", n.sent), numberOf("rp_cnp_handled", n.handled), numberOf("rp_cnp_ignored", n.ignored)}
}

// ecn follows the chain from mark to slower sender and names the broken link.
func (e *explainer) ecn() {
	n := e.notification()
	marked := fmt.Sprintf("ECN marked %s", results.Plural(n.marked, "packet"))
	f := results.Finding{Severity: results.SeverityWarning, Numbers: n.numbers()}
	lost := n.sent - n.handled - n.ignored
	switch {
	case n.marked == 0:
		e.neverMarked(&n)
		return
	case n.sent == 0 && n.handled == 0 && n.seen == 0:
		f.What = marked + " but the sender did not slow down because none of them reached a NIC."
		f.Remedy = "look for drops behind the marking queue"
	case n.sent == 0 && n.handled == 0:
		f.What = fmt.Sprintf("%s but the sender did not slow down because no CNP was sent: the %s that arrived belong to unreliable datagrams, or notification is off.",
			marked, results.Plural(n.seen, "marked packet"))
		f.Remedy = "look at nic.cnp and cc.cnp_interval"
	case n.handled == 0 && n.ignored > 0:
		f.What = fmt.Sprintf("%s but the sender did not slow down because no congestion control listens: of %s, %s arrived and were ignored (rp_cnp_ignored).",
			marked, results.Plural(n.sent, "CNP"), count(n.ignored))
		f.Remedy = "switch it on (cc.algorithm: dcqcn), or switch marking off if PFC alone is meant (switch.ecn.enabled: false)"
	case n.handled == 0:
		f.What = fmt.Sprintf("%s but the sender did not slow down because all of %s got lost%s.", marked, results.Plural(n.sent, "CNP"), n.droppedText())
		f.Remedy = "give CNPs a class that is not dropped on any hop (nic.cnp.dscp, switch.dscp_to_tc, switch.strict_queues)"
	case lost > n.sent/20 && lost > 1:
		f.What = fmt.Sprintf("%s but senders slowed down less than they should because %s of %s got lost%s.", marked, count(lost), results.Plural(n.sent, "CNP"), n.droppedText())
		f.Remedy = "give CNPs a class that is not dropped on any hop (nic.cnp.dscp, switch.dscp_to_tc, switch.strict_queues)"
	case n.ignored > 0:
		f.What = fmt.Sprintf("%s; some senders slow down (%s handled), others do not listen (%s ignored).", marked, results.Plural(n.handled, "CNP"), count(n.ignored))
		f.Remedy = "look for workloads or NICs without congestion control"
	default:
		f.Severity = results.SeverityInfo
		f.What = fmt.Sprintf("%s, most deeply at %s (queue up to %s, Kmin %s, Kmax %s); %s sent, %s handled.", marked,
			e.at(n.deepest.Port, n.deepest.Priority), size(n.deepest.PeakQueue), size(n.deepest.Kmin), size(n.deepest.Kmax), results.Plural(n.sent, "CNP"), count(n.handled))
	}
	e.add(f)
}

func (n *notification) droppedText() string {
	if n.dropped == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s were dropped in switches)", count(n.dropped))
}

func (e *explainer) neverMarked(n *notification) {
	f := results.Finding{Severity: results.SeverityInfo}
	switch q := n.deepest; {
	case q == nil && n.algorithm == "":
		f.What = "ECN never marked because no queue that carried anything has a profile; no congestion control waits for marks either."
	case q == nil:
		f.Severity = results.SeverityWarning
		f.What = fmt.Sprintf("ECN never marked because no queue that carried anything has a profile: %s runs on the NICs and never hears of congestion.", n.algorithm)
		f.Remedy = "switch marking on for the queues that carry the data (switch.ecn.enabled, switch.ecn.queues)"
	case q.PeakQueue <= q.Kmin:
		f.Where = e.at(q.Port, q.Priority)
		f.What = fmt.Sprintf("ECN never marked because no queue exceeded Kmin: the deepest held %s of %s (%s) at %s.",
			size(q.PeakQueue), size(q.Kmin), percent(float64(q.PeakQueue)/float64(max(q.Kmin, 1))), f.Where)
		f.Numbers = []results.Number{numberOfBytes("queue peak", q.PeakQueue), numberOfBytes("Kmin", q.Kmin)}
	default:
		f.Where = e.at(q.Port, q.Priority)
		reason := "the probability was small for so short a time, or the packets are not ECN-capable (ACKs, CNPs)"
		if q.RxPaused > 0 {
			reason = fmt.Sprintf("packets are marked as they leave, and the queue was paused %s of the run", percent(e.pausedPart(q)))
		}
		f.What = fmt.Sprintf("ECN never marked although a queue held %s, above Kmin %s, at %s: %s.", size(q.PeakQueue), size(q.Kmin), f.Where, reason)
		f.Numbers = []results.Number{numberOfBytes("queue peak", q.PeakQueue), numberOfBytes("Kmin", q.Kmin)}
	}
	e.add(f)
}
