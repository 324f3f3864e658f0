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
		if f := flows[id]; f != nil && !explained[f.Workload] && path[0].Kind == "data" {
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

// slowHop returns the hop that most likely made a flow slow. It is on the way
// back if the last ACK waited there for half of the time that was too much; else
// one behind a pause of the data, or without pauses the one with the longest
// queue, unless that explains little and packets were lost.
func (e *explainer) slowHop(f *results.FlowRow, path []results.PathHop, end sim.Time) (port int32, cause string) {
	tooMany := end - f.Start - f.Ideal
	lostAt, loss := e.lossCause(f, path, end)
	back, late, waited := e.wayBack(f, ofKind(path, "ack"), end)
	if waited*2 >= tooMany {
		return back, besides(late, loss)
	}
	there := way{hops: ofKind(path, "data"), from: f.Start, to: end, goal: f.Dst, role: "the receiver"}
	if port, cause = e.held(&there); cause != "" {
		cause = besides(cause, loss)
	} else {
		port, cause = e.narrowest(f, &there, lostAt, loss)
	}
	if waited*4 >= tooMany {
		cause = besides(cause, late)
	}
	return port, cause
}

// ofKind returns the hops of one kind of a flow's packets.
func ofKind(path []results.PathHop, kind string) []results.PathHop {
	var hops []results.PathHop
	for _, h := range path {
		if h.Kind == kind {
			hops = append(hops, h)
		}
	}
	return hops
}

// way is the hops of packets to a host, and from when to when they were on it.
type way struct {
	hops     []results.PathHop
	from, to sim.Time
	goal     int32
	role     string // of the host
}

// held says which pauses stopped packets on their way. A paused hop is a victim:
// the one to blame is the first behind the last paused one. Empty if none was
// paused for a twentieth of the time.
func (e *explainer) held(w *way) (port int32, cause string) {
	last, paused := -1, 0.0
	for i, h := range w.hops {
		if t := e.pausedWithin(h.Port, h.Priority, w.from, w.to); t*20 > w.to-w.from {
			last, paused = i, part(t, w.to-w.from)
		}
	}
	if last < 0 {
		return -1, ""
	}
	victim := w.hops[last]
	if last+1 < len(w.hops) {
		return e.behind(victim, w.hops[last+1], w.goal, paused)
	}
	return victim.Port, fmt.Sprintf("%s was paused %s of that time by %s, %s", e.PortName(victim.Port), percent(paused),
		e.Nodes[e.Ports[victim.Port].Peer], w.role)
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
func (e *explainer) narrowest(f *results.FlowRow, w *way, lostAt int32, loss string) (port int32, cause string) {
	worst := e.deepestHop(w.hops)
	hop := fmt.Sprintf("the narrowest hop is %s (%s)", e.PortName(worst.Port), e.load(worst.Port, worst.Priority))
	switch much := e.delay(worst.Port, worst.Priority)*2 >= w.to-f.Start-f.Ideal; {
	case much:
		return worst.Port, besides(hop, loss)
	case loss != "":
		return lostAt, loss
	}
	first := w.hops[0].Port
	cause = e.ownHost(f, first, w.to)
	if !e.brief {
		cause += "; on its way " + hop
	}
	return first, cause
}

// deepestHop returns the hop with the longest queue, the first if none had one.
func (e *explainer) deepestHop(hops []results.PathHop) results.PathHop {
	return slices.MaxFunc(hops, func(a, b results.PathHop) int {
		return cmp.Compare(e.delay(a.Port, a.Priority), e.delay(b.Port, b.Priority))
	})
}

// lossCause blames loss, if data was dropped on a flow's way, or answers on
// theirs, before it ended and its sender repeated some or waits to.
func (e *explainer) lossCause(f *results.FlowRow, path []results.PathHop, end sim.Time) (port int32, cause string) {
	first := e.firstDrop(path, end, "data", "ack", "nak")
	reply := e.recoveryText(f)
	if first == nil || reply == "" {
		return -1, ""
	}
	return first.Port, fmt.Sprintf("packets were lost on its way, first at %s (%s); %s", e.PortName(first.Port), first.Cause, reply)
}

// firstDrop returns the first drop of packets of some kinds at ports of a path,
// before a time; nil if there was none.
func (e *explainer) firstDrop(path []results.PathHop, before sim.Time, kinds ...string) *results.DropRow {
	var first *results.DropRow
	for i := range e.Drops {
		d := &e.Drops[i]
		onPath := slices.ContainsFunc(path, func(h results.PathHop) bool { return h.Port == d.Port || e.peer(h.Port) == d.Port })
		if onPath && slices.Contains(kinds, d.Kind) && d.First < before && (first == nil || d.First < first.First) {
			first = d
		}
	}
	return first
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
		return fmt.Sprintf("%s sent %s again in all and ran into %s", host, results.Plural(repeated, "packet"), results.Plural(timeouts, "time-out"))
	case repeated > 0:
		return fmt.Sprintf("%s sent %s again in all", host, results.Plural(repeated, "packet"))
	case timeouts > 0:
		return fmt.Sprintf("%s ran into %s", host, results.Plural(timeouts, "time-out"))
	}
	return ""
}

// behind says what packets waited for whose hop was paused while the next one
// was not: its own next queue, or the one that filled the next switch, which a
// victim does not even use.
func (e *explainer) behind(victim, next results.PathHop, goal int32, paused float64) (port int32, cause string) {
	head := fmt.Sprintf("%s was paused %s of that time", e.PortName(victim.Port), percent(paused))
	root := e.root(e.Ports[next.Port].Node, next.Priority)
	if root == nil || root.Port == next.Port || e.queue(next.Port, next.Priority).PeakQueue*2 > root.PeakQueue {
		return next.Port, fmt.Sprintf("%s; what it waited for is %s (%s)", head, e.PortName(next.Port), e.load(next.Port, next.Priority))
	}
	return root.Port, fmt.Sprintf("%s because of %s (%s), which is not even on its way to %s: it is a victim of head-of-line blocking",
		head, e.PortName(root.Port), e.load(root.Port, root.Priority), e.Nodes[goal])
}

// root returns the queue that congestion at a node comes from: its deepest one,
// or, where that is paused by another switch, what it waits for there. Nil if
// nothing waits.
func (e *explainer) root(node int32, priority uint8) *results.QueueRow {
	q := e.deepest(node, priority)
	for range e.Nodes { // a circle of pauses has no root
		if q == nil || e.pausedPart(q) < notable || e.hosts[e.Ports[q.Port].Peer] {
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
	if paused := e.pausedPart(e.queue(port, priority)); paused >= notable {
		text += fmt.Sprintf(", paused %s of the run by %s", percent(paused), e.Nodes[e.Ports[port].Peer])
	}
	return text
}
