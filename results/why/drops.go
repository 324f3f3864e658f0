package why

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"rocesim/results"
)

// Causes of drops as the model words them.
const (
	causeHeadroom = "headroom overrun"
	causeEgress   = "egress limit"
	causeIngress  = "ingress limit"
	causeWRED     = "WRED"
	causeTTL      = "TTL expired"
	causeNoRoute  = "no route"
	causeWatchdog = "PFC watchdog"
	causeReboot   = "switch reboot"
	causeDown     = "link down"
	causeLoss     = "loss"
	causeBitError = "bit error"
)

// dropGroup is all drops of one cause, of classes of one promise.
type dropGroup struct {
	lossless bool
	cause    string
	cnp      bool
	rows     []results.DropRow
	packets  int64
	bytes    int64
}

// drops explains every drop, one finding for each cause; the arithmetic is that
// of the place that dropped most.
func (e *explainer) drops() {
	var groups []*dropGroup
	for _, d := range e.Drops {
		i := slices.IndexFunc(groups, func(g *dropGroup) bool {
			return g.lossless == d.Lossless && g.cause == d.Cause && g.cnp == (d.Kind == "cnp")
		})
		if i < 0 {
			i = len(groups)
			groups = append(groups, &dropGroup{lossless: d.Lossless, cause: d.Cause, cnp: d.Kind == "cnp"})
		}
		g := groups[i]
		g.rows = append(g.rows, d)
		g.packets += d.Packets
		g.bytes += d.Bytes
	}
	for _, g := range groups {
		e.add(e.dropFinding(g))
	}
}

func (e *explainer) dropFinding(g *dropGroup) results.Finding {
	worst := slices.MaxFunc(g.rows, func(a, b results.DropRow) int { return cmp.Compare(a.Packets, b.Packets) })
	reason, remedy, numbers := e.reason(&worst)
	what, severity := "dropped in a lossy class", results.SeverityInfo
	switch {
	case g.lossless:
		what, severity = "dropped in a lossless class", results.SeverityError
	case g.cnp:
		what, severity = "of congestion notification dropped, so senders go on at their rate", results.SeverityWarning
	}
	places := map[place]bool{}
	for _, d := range g.rows {
		places[place{d.Port, d.Priority}] = true
	}
	return results.Finding{
		Severity: severity,
		Where:    e.at(worst.Port, worst.Priority),
		What: fmt.Sprintf("%s %s because %s. The first at %s; %s of them at %s%s.", results.Plural(g.packets, "packet"), what, reason,
			span(worst.First), count(worst.Packets), e.at(worst.Port, worst.Priority), others(len(places)-1)),
		Numbers: append([]results.Number{numberOf("packets", g.packets), numberOfBytes("bytes", g.bytes)}, numbers...),
		Remedy:  remedy,
	}
}

// reason says why packets were dropped at a place, what to do, and the numbers
// behind it.
func (e *explainer) reason(d *results.DropRow) (reason, remedy string, numbers []results.Number) {
	node := e.Nodes[e.Ports[d.Port].Node]
	if how, ok := strings.CutPrefix(d.Cause, results.LossyMapping+", "); ok {
		reason, remedy = mappingReason(d, node, how)
		return reason, remedy, nil
	}
	switch d.Cause {
	case causeHeadroom:
		return e.headroomReason(d)
	case causeEgress:
		return e.egressReason(d)
	case causeIngress:
		return fmt.Sprintf("the priority group was at its limit in the shared buffer (peak %s)", size(e.queue(d.Port, d.Priority).PeakShared)),
			"a lossy class is meant to drop: raise switch.lossy.alpha or limit, or make the class lossless", nil
	case causeWRED:
		return fmt.Sprintf("WRED drops packets that cannot be marked (%s), between Kmin and Kmax as it marks the others", d.Kind),
			"keep WRED from dropping (switch.ecn.mark_only: true), or give them a queue without a profile", nil
	case causeTTL:
		return "they met more switches than their TTL allows: they went round in a circle", "look for a loop in fabric.routes", nil
	case causeNoRoute:
		return node + " knows no next hop to their destination", "look for a failed link or switch without another path, and at fabric.convergence", nil
	}
	reason, remedy = e.faultReason(d)
	return reason, remedy, nil
}

// mappingReason is for packets that a switch has, or was told to have, in a lossy
// class; how they were dropped there.
func mappingReason(d *results.DropRow, node, how string) (reason, remedy string) {
	if d.DSCP != d.SentDSCP {
		return fmt.Sprintf("their sender takes DSCP %d for lossless, but a switch on the way made it DSCP %d, which %s puts into priority group %d, lossy there (%s)",
				d.SentDSCP, d.DSCP, node, d.Priority, how),
			fmt.Sprintf("remark to a code point of a lossless class (switch.bump), or map DSCP %d to one on every hop behind (switch.dscp_to_tc)", d.DSCP)
	}
	return fmt.Sprintf("their sender takes DSCP %d for lossless, but %s puts it into priority group %d, which is lossy there (%s)", d.DSCP, node, d.Priority, how),
		fmt.Sprintf("map DSCP %d to a lossless class on every hop (switch.dscp_to_tc, switch.pfc.priorities), or use another one (nic.dscp)", d.DSCP)
}

// faultReason is for drops that are not the buffer's doing.
func (e *explainer) faultReason(d *results.DropRow) (reason, remedy string) {
	p := &e.Ports[d.Port]
	link := e.Nodes[p.Node] + " to " + e.Nodes[p.Peer]
	switch d.Cause {
	case causeWatchdog:
		return "the PFC watchdog drops the class at a port that was paused for too long, to free what waited behind it",
			"look for the node that paused it: the watchdog only limits the damage"
	case causeReboot:
		return fmt.Sprintf("the switch at an end of %s was restarting (a fault of the scenario)", link), "a shorter fabric.convergence loses less"
	case causeDown:
		return fmt.Sprintf("the link %s was down (a fault of the scenario) and routing had not turned away yet", link), "a shorter fabric.convergence loses less"
	case causeLoss:
		return fmt.Sprintf("the link %s loses frames (a fault of the scenario)", link), "PFC cannot help; selective repeat (nic.recovery) makes loss cost less"
	case causeBitError:
		return fmt.Sprintf("frames on the link %s had bit errors (a fault of the scenario)", link), "PFC cannot help; clean or replace the optics"
	}
	return fmt.Sprintf("of %q", d.Cause), ""
}

// headroomReason tells apart: nobody paused, the peer did not obey, pauses got
// lost, the pool ran out, the headroom is too small.
func (e *explainer) headroomReason(d *results.DropRow) (reason, remedy string, numbers []results.Number) {
	q := e.queue(d.Port, d.Priority)
	name := e.Nodes[e.Ports[d.Port].Node]
	n, ok := e.headroomNeed(d.Port)
	if !q.PFC {
		return fmt.Sprintf("PFC is off for priority %d at %s although the class is lossless there, so nothing stopped the peer", d.Priority, e.PortName(d.Port)),
			"switch it on (switch.pfc.enabled), or make the class lossy", nil
	}
	if !ok {
		return fmt.Sprintf("headroom overran: %s configured, %s used", exactly(q.Headroom), exactly(q.PeakHeadroom)), "", nil
	}
	peer := e.peer(d.Port)
	obeys, peerName := e.queue(peer, d.Priority), e.Nodes[e.Ports[peer].Node]
	needed := n.bytes
	numbers = []results.Number{numberOfBytes("headroom", q.Headroom), numberOfBytes("headroom needed", needed),
		numberOfBytes("headroom peak", q.PeakHeadroom), numberOf("XOFF frames", q.TxXoff)}
	switch {
	case !obeys.PFC:
		return fmt.Sprintf("%s does not obey pauses of priority %d: %s had sent %s", peerName, d.Priority, name, results.Plural(q.TxXoff, "XOFF frame")),
			fmt.Sprintf("let %s obey that priority (nic.pfc.priorities, switch.pfc)", peerName), numbers
	case q.TxPause-obeys.RxPause > 1:
		return fmt.Sprintf("pause frames got lost: %s sent %s, %s received %s", name, count(q.TxPause), peerName, count(obeys.RxPause)),
			"look for bit errors and faults on that link", numbers
	case q.Headroom < needed:
		return fmt.Sprintf("headroom overran: %s needed, %s configured (%s)", exactly(needed), exactly(q.Headroom), n.arithmetic()),
			remedyHeadroom(needed), numbers
	case q.PeakHeadroom+n.charge < q.Headroom:
		return fmt.Sprintf("the pool that headroom comes from ran out: the port used %s of its %s, all ports together wanted more than there is",
			exactly(q.PeakHeadroom), exactly(q.Headroom)), "enlarge switch.buffer.headroom_pool, or give each port its own with 0B", numbers
	}
	return fmt.Sprintf("headroom overran although full frames fit: %s needed, %s configured (%s); small frames, such as ACKs in the class of the data, take whole cells",
		exactly(needed), exactly(q.Headroom), n.arithmetic()), "give what any mix of frames needs (switch.headroom.standard: true), or look at switch.buffer.cell", numbers
}

func (e *explainer) egressReason(d *results.DropRow) (reason, remedy string, numbers []results.Number) {
	name := e.Nodes[e.Ports[d.Port].Node]
	if d.Lossless {
		return fmt.Sprintf("the egress queue that %s puts priority group %d into is lossy, and was at its limit", name, d.Priority),
			"make group and queue of a class agree (switch.tc_to_group, switch.tc_to_queue, switch.pfc.priorities)", nil
	}
	var deepest *results.QueueRow
	for i := range e.Queues {
		q := &e.Queues[i]
		if e.Ports[q.Port].Node == e.Ports[d.Port].Node && q.EgressDrops > 0 && (deepest == nil || q.EgressDrops > deepest.EgressDrops) {
			deepest = q
		}
	}
	if deepest == nil {
		return "a lossy queue was at its limit", "a lossy class is meant to drop: make it lossless, or slow the senders down", nil
	}
	return fmt.Sprintf("the lossy queue %s was at its limit (%s)", e.at(deepest.Port, deepest.Priority), size(deepest.PeakQueue)),
		"a lossy class is meant to drop: make it lossless, or slow the senders down (switch.ecn, cc)",
		[]results.Number{numberOfBytes("queue peak", deepest.PeakQueue)}
}

// mapping warns of hosts whose lossless data a switch receives in lossy
// classes, if nothing was dropped that would say so.
func (e *explainer) mapping() {
	var first *results.QueueRow
	ports := 0
	for i := range e.Queues {
		q := &e.Queues[i]
		if q.Lossless && q.TxPackets > 0 && !e.isSwitch(q.Port) && e.landsLossy(q.Port) {
			ports++
			if first == nil {
				first = q
			}
		}
	}
	explained := slices.ContainsFunc(e.Drops, func(d results.DropRow) bool { return strings.HasPrefix(d.Cause, results.LossyMapping) })
	if first == nil || explained {
		return
	}
	alike := ""
	if ports > 1 {
		alike = "; so it is with " + results.Plural(ports-1, "other NIC port")
	}
	e.add(results.Finding{
		Severity: results.SeverityWarning, Where: e.PortName(first.Port),
		What: fmt.Sprintf("%s sends %s in priority %d, which it takes for lossless, and %s receives all of it in lossy classes%s: nothing was dropped this time.",
			e.Nodes[e.Ports[first.Port].Node], results.Plural(first.TxPackets, "packet"), first.Priority, e.Nodes[e.Ports[first.Port].Peer], alike),
		Remedy: "map the data's DSCP to a lossless class on every hop (switch.dscp_to_tc, switch.pfc.priorities, nic.dscp)",
	})
}

// landsLossy reports whether the switch at the other end of a host's cable
// received nothing in a lossless class there.
func (e *explainer) landsLossy(port int32) bool {
	peer := e.peer(port)
	if peer < 0 || !e.isSwitch(peer) {
		return false
	}
	return !slices.ContainsFunc(e.Run.Queues, func(q results.QueueRow) bool {
		return q.Port == peer && q.Lossless && q.RxPackets > 0
	})
}
