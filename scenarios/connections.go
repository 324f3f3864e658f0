package scenarios

import (
	"fmt"

	"rocesim/scenarios/workload"
	"rocesim/sim"
)

// Connections calls each for every connection that the workload opens or may open
// during the run: from endpoint src to dst, several times if there are several
// queue pairs.
func (p *Plan) Connections(each func(src, dst int, c workload.Class)) {
	r := recorder{plan: p, each: each}
	// The entries were found valid when the plan was made.
	if _, err := workload.NewDriver(r, p.Seed, p.Hosts, p.Workload); err != nil {
		panic(fmt.Sprintf("scenarios: traffic of %s: %v", p.Name, err))
	}
	for i, e := range p.Workload {
		r.later(e, i)
	}
}

// recorder stands in for a network and notes which connections are opened.
type recorder struct {
	plan *Plan
	each func(src, dst int, c workload.Class)
}

// Connect notes a connection.
func (r recorder) Connect(src, dst int, c workload.Class) int {
	r.each(src, dst, c)
	return 0
}

// Post does nothing.
func (r recorder) Post(sim.Time, int, int64, uint32) {}

// later notes the connections of an entry, given with its number, that opens them
// during the run.
func (r recorder) later(e workload.Entry, number int) {
	switch e := e.(type) {
	case workload.Flows:
		e.Class.Entry = number
		for _, f := range e.Flows {
			r.pair(f.Src, f.Dst, e.Common)
		}
	case workload.Poisson:
		e.Class.Entry = number
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
