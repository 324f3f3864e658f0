package scenarios

import (
	"fmt"

	"rocesim/fabric/topo"
	"rocesim/scenarios/dependency"
	"rocesim/scenarios/workload"
	"rocesim/sim"
)

// maxDescribed is how many circles, loops or failures are described; the
// others are counted.
const maxDescribed = 5

// DeadlockRisks says which buffers can wait for each other in a circle, and
// which routes never arrive, with the traffic of the plan. Each is a sentence;
// an empty list means that the fabric cannot deadlock. With failures, the routes
// that follow each failure of a single link between switches are looked at too.
func (p *Plan) DeadlockRisks(failures bool) []string {
	n := &dependency.Network{Graph: p.Graph, Routes: p.Routes, Switches: p.Switches, Traffic: p.traffic()}
	risks := describeRisks(p.Graph, dependency.Check(n), "")
	if !failures {
		return risks
	}
	found := dependency.CheckFailures(n)
	for i := range found {
		if i == maxDescribed {
			return append(risks, fmt.Sprintf("%d more failures of a link have such circles or loops", len(found)-i))
		}
		risks = append(risks, describeRisks(p.Graph, found[i].Report, "without link "+p.Graph.Links[found[i].Link].Name+" ")...)
	}
	return risks
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

// traffic lists who sends to whom in which class, ACKs included.
func (p *Plan) traffic() []dependency.Flow {
	r := &recorder{plan: p, seen: map[dependency.Flow]bool{}}
	// The entries were found valid when the plan was made.
	if _, err := workload.NewDriver(r, p.Seed, p.Hosts, p.Workload); err != nil {
		panic(fmt.Sprintf("scenarios: traffic of %s: %v", p.Name, err))
	}
	for _, e := range p.Workload {
		r.later(e)
	}
	return r.flows
}

// recorder stands in for a network and notes which connections are opened.
type recorder struct {
	plan  *Plan
	seen  map[dependency.Flow]bool
	flows []dependency.Flow
}

// Connect notes both directions of a connection.
func (r *recorder) Connect(src, dst int, c workload.Class) int {
	r.add(src, dst, c.DSCP, src)
	if !c.Unreliable {
		r.add(dst, src, c.DSCP, src)
	}
	return 0
}

// Post does nothing.
func (r *recorder) Post(sim.Time, int, int64, uint32) {}

func (r *recorder) add(src, dst int, dscp uint8, requester int) {
	f := dependency.Flow{Src: src, Dst: dst, DSCP: dscp, PCP: r.plan.NICs[requester].DSCPToPriority[dscp]}
	if !r.seen[f] {
		r.seen[f] = true
		r.flows = append(r.flows, f)
	}
}

// later notes the connections of entries that open them during the run.
func (r *recorder) later(e workload.Entry) {
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
func (r *recorder) pair(src, dst int, c workload.Common) {
	from, to := r.plan.Hosts[src].Endpoints, r.plan.Hosts[dst].Endpoints
	if c.NIC != workload.ByQP {
		r.Connect(from[c.NIC-1], to[c.NIC-1], c.Class)
		return
	}
	for qp := range max(len(from), len(to)) {
		r.Connect(from[qp%len(from)], to[qp%len(to)], c.Class)
	}
}
