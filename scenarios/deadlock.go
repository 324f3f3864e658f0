package scenarios

import (
	"fmt"

	"rocesim/fabric/topo"
	"rocesim/scenarios/dependency"
	"rocesim/scenarios/model"
	"rocesim/scenarios/workload"
	"rocesim/sim"
)

// maxDescribed is how many circles, loops or failures are described; the
// others are counted.
const maxDescribed = 5

// DeadlockRisks says which buffers can wait for each other in a circle, and
// which routes never arrive, with the traffic of the plan, before and after each
// of its faults. Each is a sentence; an empty list means that the fabric cannot
// deadlock. With failures, the routes that follow each failure of a single link
// between switches are looked at instead of those after the plan's faults.
func (p *Plan) DeadlockRisks(failures bool) []string {
	n := p.dependencies()
	risks := describeRisks(p.Graph, dependency.Check(n), "")
	down := p.faultyLinks()
	if failures {
		down = p.fabricLinks()
	}
	described := 0
	for i, l := range down {
		report := dependency.CheckWithout(n, l...)
		if len(report.Cycles)+len(report.Loops) == 0 {
			continue
		}
		if described++; described > maxDescribed {
			return append(risks, fmt.Sprintf("%d more failures are not looked at", len(down)-i))
		}
		risks = append(risks, describeRisks(p.Graph, report, "without link "+p.Graph.Links[l[0]].Name+more(len(l)-1)+" ")...)
	}
	return risks
}

func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

// fabricLinks lists the links between switches, each alone.
func (p *Plan) fabricLinks() [][]int {
	var down [][]int
	for l := range p.Graph.Links {
		if p.Graph.IsSwitch(p.Graph.Links[l].A.Node) && p.Graph.IsSwitch(p.Graph.Links[l].B.Node) {
			down = append(down, []int{l})
		}
	}
	return down
}

// faultyLinks lists what each fault of the plan takes out of service, once.
func (p *Plan) faultyLinks() [][]int {
	var down [][]int
	seen := map[model.Fault]bool{}
	for _, f := range p.Faults {
		if f = (model.Fault{Kind: f.Kind, Target: f.Target}); seen[f] {
			continue
		}
		seen[f] = true
		switch f.Kind {
		case model.LinkDown:
			down = append(down, []int{f.Target})
		case model.Reboot:
			var links []int
			for _, port := range p.Graph.Ports(len(p.Graph.Endpoints) + f.Target) {
				links = append(links, port.Link)
			}
			down = append(down, links)
		}
	}
	return down
}

// describeRisks makes sentences of a report; when says under which condition
// they hold.
func describeRisks(g *topo.Graph, r dependency.Report, when string) []string {
	var text []string
	for i, c := range r.Cycles {
		if i == maxDescribed {
			text = append(text, fmt.Sprintf("%s%d more sets of buffers can wait for each other in a circle", when, len(r.Cycles)-i))
			break
		}
		text = append(text, when+"buffers can wait for each other in a circle (cyclic buffer dependency), so a deadlock is possible: "+c.Describe(g))
	}
	for i, l := range r.Loops {
		if i == maxDescribed {
			text = append(text, fmt.Sprintf("%spackets to %d more NICs go in circles", when, len(r.Loops)-i))
			break
		}
		text = append(text, fmt.Sprintf("%spackets to %s can go in circles until their hop limit is reached: %s", when, g.NodeName(l.Dst), l.Describe(g)))
	}
	return text
}

// dependencies returns the fabric with all traffic, ACKs included.
func (p *Plan) dependencies() *dependency.Network {
	n := &dependency.Network{Graph: p.Graph, Routes: p.Routes, Switches: p.Switches}
	r := recorder{plan: p, network: n}
	// The entries were found valid when the plan was made.
	if _, err := workload.NewDriver(r, p.Seed, p.Hosts, p.Workload); err != nil {
		panic(fmt.Sprintf("scenarios: traffic of %s: %v", p.Name, err))
	}
	for _, e := range p.Workload {
		r.later(e)
	}
	return n
}

// recorder stands in for a network and notes which connections are opened.
type recorder struct {
	plan    *Plan
	network *dependency.Network
}

// Connect notes both directions of a connection.
func (r recorder) Connect(src, dst int, c workload.Class) int {
	class := dependency.Class{DSCP: c.DSCP, PCP: r.plan.NICs[src].DSCPToPriority[c.DSCP]}
	r.network.Add(dependency.Flow{Src: src, Dst: dst, Class: class})
	if !c.Unreliable {
		r.network.Add(dependency.Flow{Src: dst, Dst: src, Class: class})
	}
	return 0
}

// Post does nothing.
func (r recorder) Post(sim.Time, int, int64, uint32) {}

// later notes the connections of entries that open them during the run.
func (r recorder) later(e workload.Entry) {
	switch e := e.(type) {
	case workload.Flows:
		for _, f := range e.Flows {
			r.pair(f.Src, f.Dst, e.Common)
		}
	case workload.Poisson:
		for _, src := range e.Sources {
			for _, dst := range e.Destinations {
				if src != dst {
					r.pair(src, dst, e.Common)
				}
			}
		}
	}
}

// pair notes the connections that queue pairs of two hosts may use: their NICs
// in turn, or one.
func (r recorder) pair(src, dst int, c workload.Common) {
	from, to := r.plan.Hosts[src].Endpoints, r.plan.Hosts[dst].Endpoints
	if c.NIC != workload.ByQP {
		r.Connect(from[c.NIC-1], to[c.NIC-1], c.Class)
		return
	}
	for qp := range max(len(from), len(to)) {
		r.Connect(from[qp%len(from)], to[qp%len(to)], c.Class)
	}
}
