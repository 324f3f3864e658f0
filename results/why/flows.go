package why

import (
	"cmp"
	"fmt"
	"slices"

	"rocesim/results"
	"rocesim/sim"
)

// slowFrom is the slowdown from which a flow needs an explanation: sharing a
// link with one other flow alone gives 2.
const slowFrom = 2

// slowFlows explains the slowest flow of each workload by its path.
func (e *explainer) slowFlows() {
	flows := map[uint32]*results.FlowRow{}
	for i := range e.Flows {
		flows[e.Flows[i].ID] = &e.Flows[i]
	}
	explained := map[int32]bool{}
	for i := 0; i < len(e.Paths); {
		id := e.Paths[i].Flow
		n := i
		for n < len(e.Paths) && e.Paths[n].Flow == id {
			n++
		}
		path := e.Paths[i:n]
		i = n
		if f := flows[id]; f != nil && !explained[f.Workload] {
			explained[f.Workload] = true
			e.slowFlow(f, path)
		}
	}
}

func (e *explainer) slowFlow(f *results.FlowRow, path []results.PathHop) {
	end, took := f.Completed, f.FCT()
	verb := "took"
	if f.Completed == 0 {
		end = e.Manifest.SimulatedTime
		took, verb = end-f.Start, "has taken"
	}
	if f.Ideal <= 0 || float64(took) < slowFrom*float64(f.Ideal) {
		return
	}
	hop, cause := e.slowHop(f, path, end)
	where := e.PortName(hop)
	e.slow = append(e.slow, f)
	e.add(results.Finding{
		Severity: results.SeverityInfo, Where: where,
		What: fmt.Sprintf("The slowest message of %s (flow %d, %s to %s, %s) %s %s instead of %s alone, %s times as long: %s.",
			e.Workloads[f.Workload].Name, f.ID, e.Nodes[f.Src], e.Nodes[f.Dst], size(f.Bytes), verb, span(took), span(f.Ideal),
			results.Ratio.Format(float64(int64(float64(took)/float64(f.Ideal)*10+0.5))/10), cause),
		Numbers: []results.Number{results.NewNumber("time", float64(took), results.Duration), results.NewNumber("ideal", float64(f.Ideal), results.Duration)},
	})
}

// slowHop returns the hop that most likely made a flow slow. A paused hop is a
// victim: the one to blame is the first behind the last paused one. Without
// pauses it is the hop with the longest queue, unless that explains little and
// packets were lost.
func (e *explainer) slowHop(f *results.FlowRow, path []results.PathHop, end sim.Time) (port int32, cause string) {
	last, paused := -1, sim.Time(0)
	for i, h := range path {
		if t := e.pausedWithin(h.Port, f.Priority, f.Start, end); t*20 > end-f.Start {
			last, paused = i, t
		}
	}
	lostAt, loss := e.lossCause(f, path, end)
	if last < 0 {
		return e.narrowest(f, path, end, lostAt, loss)
	}
	if port = path[last].Port; last+1 < len(path) {
		port, cause = e.behind(port, path[last+1].Port, f, part(paused, end-f.Start))
	} else {
		cause = fmt.Sprintf("%s was paused %s of that time by %s, the receiver", e.PortName(port), percent(part(paused, end-f.Start)),
			e.Nodes[e.Ports[port].Peer])
	}
	return port, besides(cause, loss)
}

// besides joins a cause and a second one, if there is one.
func besides(cause, other string) string {
	if other == "" {
		return cause
	}
	return cause + "; besides, " + other
}

// narrowest blames the hop with the longest queue for a flow that no pause
// stopped, or what accounts for more.
func (e *explainer) narrowest(f *results.FlowRow, path []results.PathHop, end sim.Time, lostAt int32, loss string) (port int32, cause string) {
	worst := slices.MaxFunc(path, func(a, b results.PathHop) int {
		return cmp.Compare(e.delay(a.Port, f.Priority), e.delay(b.Port, f.Priority))
	}).Port
	if e.delay(worst, f.Priority) == 0 {
		worst = path[0].Port
	}
	hop := fmt.Sprintf("the narrowest hop is %s (%s)", e.PortName(worst), e.load(worst, f.Priority))
	switch much := e.delay(worst, f.Priority)*2 >= end-f.Start-f.Ideal; {
	case much:
		return worst, besides(hop, loss)
	case loss != "":
		return lostAt, loss
	}
	cause = e.ownHost(f, path[0].Port, end)
	if !e.brief {
		cause += "; on its way " + hop
	}
	return path[0].Port, cause
}

// lossCause blames loss, if packets were dropped on a flow's way before it
// ended and its sender repeated some or waits to.
func (e *explainer) lossCause(f *results.FlowRow, path []results.PathHop, end sim.Time) (port int32, cause string) {
	var first *results.DropRow
	for i := range e.Drops {
		d := &e.Drops[i]
		onPath := slices.ContainsFunc(path, func(h results.PathHop) bool { return h.Port == d.Port || e.peer(h.Port) == d.Port })
		if onPath && d.Kind != "cnp" && d.First < end && (first == nil || d.First < first.First) {
			first = d
		}
	}
	reply := e.recoveryText(f)
	if first == nil || reply == "" {
		return -1, ""
	}
	return first.Port, fmt.Sprintf("packets were lost on its way, first at %s (%s); %s", e.PortName(first.Port), first.Cause, reply)
}

// recoveryText says what a flow's sender did about loss; empty if nothing.
func (e *explainer) recoveryText(f *results.FlowRow) string {
	var repeated, timeouts int64
	for i := range e.NICs {
		if n := &e.NICs[i]; n.Node == f.Src {
			repeated += n.Retransmitted
			timeouts += n.AckTimeouts
		}
	}
	host := e.Nodes[f.Src]
	switch {
	case f.Unfinished == results.AwaitsTimeout:
		return host + " was waiting for a retransmission time-out when the run ended"
	case repeated > 0 && timeouts > 0:
		return fmt.Sprintf("%s sent %s again in all and ran into %s", host, plural(repeated, "packet"), plural(timeouts, "time-out"))
	case repeated > 0:
		return fmt.Sprintf("%s sent %s again in all", host, plural(repeated, "packet"))
	case timeouts > 0:
		return fmt.Sprintf("%s ran into %s", host, plural(timeouts, "time-out"))
	}
	return ""
}

// behind says what a flow waited for whose hop was paused while the next one
// was not: its own next queue, or the one that filled the next switch, which a
// victim does not even use.
func (e *explainer) behind(victim, next int32, f *results.FlowRow, paused float64) (port int32, cause string) {
	head := fmt.Sprintf("%s was paused %s of that time", e.PortName(victim), percent(paused))
	root := e.root(e.Ports[next].Node, f.Priority)
	if root == nil || root.Port == next || e.queue(next, f.Priority).PeakQueue*2 > root.PeakQueue {
		return next, fmt.Sprintf("%s; what it waited for is %s (%s)", head, e.PortName(next), e.load(next, f.Priority))
	}
	return root.Port, fmt.Sprintf("%s because of %s (%s), which is not even on its way to %s: it is a victim of head-of-line blocking",
		head, e.PortName(root.Port), e.load(root.Port, f.Priority), e.Nodes[f.Dst])
}

// root returns the queue that congestion at a node comes from: its deepest one,
// or, where that is paused by another switch, what it waits for there. Nil if
// nothing waits.
func (e *explainer) root(node int32, priority uint8) *results.QueueRow {
	q := e.deepest(node, priority)
	for range e.Nodes { // a circle of pauses has no root
		if q == nil || e.pausedPart(q) < 0.01 || e.hosts[e.Ports[q.Port].Peer] {
			break
		}
		next := e.deepest(e.Ports[q.Port].Peer, priority)
		if next == nil {
			break
		}
		q = next
	}
	return q
}

// pausedWithin is for how long of an interval a port was not allowed to send a
// priority.
func (e *explainer) pausedWithin(port int32, priority uint8, from, to sim.Time) sim.Time {
	var t sim.Time
	for i := range e.Pauses {
		p := &e.Pauses[i]
		if p.From >= to {
			break
		}
		if p.Port == port && p.Priority == priority {
			t += max(0, min(p.To, to)-max(p.From, from))
		}
	}
	return t
}

// delay is how long the deepest queue of a port takes to drain.
func (e *explainer) delay(port int32, priority uint8) sim.Time {
	return e.Ports[port].Rate.TxTimeCeil(e.queue(port, priority).PeakQueue)
}

func (e *explainer) load(port int32, priority uint8) string {
	text := fmt.Sprintf("%s used", percent(e.Ports[port].Utilisation(e.Manifest.SimulatedTime)))
	if q := e.queue(port, priority); q.PeakQueue > 0 {
		text = fmt.Sprintf("queue up to %s, %s of waiting; link ", size(q.PeakQueue), span(e.delay(port, priority))) + text
	} else {
		text = "link " + text
	}
	if paused := e.pausedPart(e.queue(port, priority)); paused >= 0.01 {
		text += fmt.Sprintf(", paused %s of the run by %s", percent(paused), e.Nodes[e.Ports[port].Peer])
	}
	return text
}
