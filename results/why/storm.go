package why

import (
	"fmt"

	"rocesim/results"
)

// storms names NICs that pause their switch, slow receivers and pause storms
// alike, how far their pauses spread, and whom they hit.
func (e *explainer) storms() {
	said := map[int32]int{} // finding of a root port
	for _, tree := range results.PauseTrees(e.Run) {
		host, ok := tree.RootHost(e.Run)
		if !ok {
			continue
		}
		root := tree.Ports[0].Port
		if i, again := said[root]; again {
			e.findings[i].What += fmt.Sprintf(" It does so in priority %d too.", tree.Priority)
			continue
		}
		said[root] = len(e.findings)
		e.add(e.stormFinding(&tree, host))
	}
	for i := range e.NICs {
		n := &e.NICs[i]
		if n.OutOfBuffer == 0 {
			continue
		}
		e.add(results.Finding{
			Severity: results.SeverityError, Where: n.Name,
			What: fmt.Sprintf("%s dropped %s because its receive buffer was full (out_of_buffer): the host takes data more slowly than it arrives, and pauses came too late or not at all.",
				n.Name, results.Plural(n.OutOfBuffer, "packet")),
			Numbers: []results.Number{numberOf("out_of_buffer", n.OutOfBuffer)},
			Remedy:  "pause earlier (nic.receive.xoff), enlarge the buffer (nic.receive.buffer), or look for what slows the host",
		})
	}
}

func (e *explainer) stormFinding(tree *results.PauseTree, host int32) results.Finding {
	root := &tree.Ports[0]
	depth := 0
	for i := range tree.Ports {
		depth = max(depth, tree.Ports[i].Depth)
	}
	paused := part(root.Time, e.Manifest.SimulatedTime)
	what := fmt.Sprintf("%s pauses the fabric: %s was not allowed to send %s of the run", e.Nodes[host], e.at(root.Port, tree.Priority), percent(paused))
	if n := len(tree.Ports) - 1; n > 0 {
		what += fmt.Sprintf(", and its pauses spread to %s, up to %s away", results.Plural(n, "other port"), results.Plural(depth, "hop"))
	}
	var hit []string
	for i := range tree.Victims {
		if v := &tree.Victims[i]; v.Others > 0 {
			hit = append(hit, fmt.Sprintf("%s (%s to other hosts)", e.Workloads[v.Workload].Name, results.Plural(v.Others, "flow")))
		}
	}
	what += ". The congestion begins in that host, not in a switch"
	if hit != nil {
		what += "; innocent victims are " + listed(hit)
	}
	return results.Finding{
		Severity: results.SeverityWarning, Where: e.at(root.Port, tree.Priority), What: what + ".",
		Numbers: []results.Number{results.NewNumber("paused part", paused, results.Ratio), numberOf("ports paused", int64(len(tree.Ports)))},
		Remedy:  "look at the host (PCIe, memory, a hung NIC); a watchdog (switch.watchdog, nic.watchdog) keeps it from stopping others",
	}
}

// watchdogs says what PFC watchdogs did.
func (e *explainer) watchdogs() {
	if len(e.Storms) == 0 {
		return
	}
	first := &e.Storms[0]
	open, dropped := 0, int64(0)
	for i := range e.Storms {
		if e.Storms[i].Detected < first.Detected {
			first = &e.Storms[i]
		}
		dropped += e.Storms[i].TxDropped + e.Storms[i].RxDropped
		if e.Storms[i].Restored == 0 {
			open++
		}
	}
	e.add(results.Finding{
		Severity: results.SeverityWarning, Where: e.at(first.Port, first.Priority),
		What: fmt.Sprintf("PFC watchdogs acted on %s, first at %s at %s (action %s), and dropped %s; %d of them had not ended when the run did.",
			results.Plural(len(e.Storms), "storm"), span(first.Detected), e.at(first.Port, first.Priority), first.Action, results.Plural(dropped, "packet"), open),
		Numbers: []results.Number{numberOf("storms", int64(len(e.Storms))), numberOf("packets dropped", dropped)},
		Remedy:  "find the node that pauses; storms.csv lists them all",
	})
}
