// Package why explains a run from its results: why packets of a lossless class
// were dropped, why PFC fired or did not, why marking did or did not slow
// senders down, and which hop made a flow slow. It computes from the tables of
// a run directory alone, so it can be asked long after the simulation.
package why

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"rocesim/results"
	"rocesim/sim"
)

// Explain returns the findings about a run, the most severe first; of equal
// severity in the order: end of the run, applications that wait, drops, storms, PFC, ECN, flows.
func Explain(run *results.Run) []results.Finding {
	e := newExplainer(run)
	for _, ask := range []func(){e.ending, e.application, e.drops, e.mapping, e.headrooms, e.storms, e.watchdogs, e.pfc, e.ecn, e.lateNotices, e.unfinished, e.slowFlows} {
		ask()
	}
	slices.SortStableFunc(e.findings, func(a, b results.Finding) int { return cmp.Compare(rank(a.Severity), rank(b.Severity)) })
	return e.findings
}

func newExplainer(run *results.Run) *explainer {
	e := &explainer{Run: run, queues: map[place]*results.QueueRow{}, ports: map[nodePort]int32{}, hosts: map[int32]bool{}}
	for i := range run.Queues {
		q := &run.Queues[i]
		e.queues[place{q.Port, q.Priority}] = q
	}
	for i := range run.Ports {
		e.ports[nodePort{run.Ports[i].Node, run.Ports[i].Number}] = int32(i)
	}
	for i := range run.NICs {
		e.hosts[run.NICs[i].Node] = true
	}
	return e
}

// topFindings is how many findings a summary shows.
const topFindings = 3

// Top returns the findings for a summary: errors and warnings, or else the
// first explanation, so that a quiet run says why it was quiet. What is not the
// fabric's doing is said in any case, if there is room.
func Top(findings []results.Finding) []results.Finding {
	n := slices.IndexFunc(findings, func(f results.Finding) bool { return f.Severity == results.SeverityInfo })
	if n < 0 {
		n = len(findings)
	}
	if n < len(findings) && strings.HasPrefix(findings[n].What, notTheFabric) {
		n++
	}
	return findings[:min(max(n, 1), topFindings, len(findings))]
}

func rank(s results.Severity) int {
	return slices.Index([]results.Severity{results.SeverityError, results.SeverityWarning, results.SeverityInfo}, s)
}

// explainer gathers findings about one run.
type explainer struct {
	*results.Run
	queues   map[place]*results.QueueRow
	ports    map[nodePort]int32
	hosts    map[int32]bool
	findings []results.Finding
	// brief leaves out of findings what is not the cause.
	brief bool
	// slow are the flows that slowFlows has explained, in the order of its
	// findings.
	slow []*results.FlowRow
}

// place is a port and priority, nodePort a node and the number of its port.
type place struct {
	port     int32
	priority uint8
}

type nodePort struct{ node, number int32 }

func (e *explainer) add(f results.Finding) { e.findings = append(e.findings, f) }

// queue returns the counters of a port and priority; zero ones if it has none.
func (e *explainer) queue(port int32, priority uint8) *results.QueueRow {
	if q := e.queues[place{port, priority}]; q != nil {
		return q
	}
	return &results.QueueRow{Port: port, Priority: priority}
}

// peer returns the port at the other end of the cable; -1 if results have none.
func (e *explainer) peer(port int32) int32 {
	p := &e.Ports[port]
	if other, ok := e.ports[nodePort{p.Peer, p.PeerNumber}]; ok {
		return other
	}
	return -1
}

// isSwitch reports whether a port belongs to a switch: a node without a NIC.
func (e *explainer) isSwitch(port int32) bool { return !e.hosts[e.Ports[port].Node] }

// at names a port and priority in sentences.
func (e *explainer) at(port int32, priority uint8) string {
	return fmt.Sprintf("%s priority %d", e.PortName(port), priority)
}

// ending explains a run that did not come to the end asked for.
func (e *explainer) ending() {
	m := &e.Manifest
	for _, d := range m.Deadlocks {
		e.add(results.Finding{
			Severity: results.SeverityError,
			What:     "Buffers wait for each other in a circle: " + d + ".",
			Remedy: "break the circle: route up and down only (fabric.routes), raise the priority where traffic turns up again (switch.bump), " +
				"or let a watchdog drop (switch.watchdog)",
		})
	}
	if m.Stall != "" {
		e.add(results.Finding{
			Severity: results.SeverityError,
			What:     "The run stalled: " + m.Stall,
			Remedy:   "follow the chain to the node that pauses and is not paused itself; a retransmission time-out (nic.timeout) or a watchdog (switch.watchdog) ends the wait",
		})
	}
}

// The following put quantities into sentences.

func size(bytes int64) string { return results.Size.Format(float64(bytes)) }

// exactly prints bytes in full where the last one matters.
func exactly(bytes int64) string { return count(bytes) + " B" }

func count(n int64) string { return results.Count.Format(float64(n)) }

func span(t sim.Time) string { return results.Duration.Format(float64(t)) }

func percent(part float64) string {
	if part > 0 && part < 0.0005 {
		return "less than 0.1 %"
	}
	return results.Ratio.Format(float64(int64(part*1000+0.5))/10) + " %"
}

// others says how many more places there are.
func others(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " and at 1 other place"
	default:
		return fmt.Sprintf(" and at %d other places", n)
	}
}

// listed joins words: "a", "a and b", "a, b and c".
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

func numberOfBytes(name string, bytes int64) results.Number {
	return results.NewNumber(name, float64(bytes), results.Size)
}

func numberOf(name string, n int64) results.Number {
	return results.NewNumber(name, float64(n), results.Count)
}
