package scenarios

import (
	"strconv"

	"rocesim/scenarios/importer/hpcc"
	switching "rocesim/switch"
)

// nodeNumber is the number of a node in the sense of the HPCC ns-3 simulator,
// whose hash depends on it: the name where that is a number, as in imported
// topologies, else the position of the node, hosts before switches.
func nodeNumber(name string, position int) int {
	if n, err := strconv.Atoi(name); err == nil && n >= 0 {
		return n
	}
	return position
}

// addresses gives endpoints the addresses that the hash of the HPCC ns-3
// simulator sees, if a switch uses that hash. NICs of a host share one, as
// there.
func (p *planner) addresses() {
	murmur := false
	for i := range p.plan.Switches {
		murmur = murmur || p.plan.Switches[i].Routing == switching.Murmur3
	}
	if !murmur {
		return
	}
	g := p.plan.Graph
	for _, e := range g.Endpoints {
		p.plan.Addresses = append(p.plan.Addresses, hpcc.IP(nodeNumber(g.Hosts[e.Host].Name, e.Host)))
	}
}
