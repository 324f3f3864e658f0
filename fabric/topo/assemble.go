package topo

import "fmt"

// assembler puts a graph together. Hosts come first, because endpoints have
// the lower node numbers.
type assembler struct {
	g Graph
	// parallel counts the links between two nodes, by ordered pair.
	parallel map[[2]int]int
}

// host adds a host with nics endpoints.
func (a *assembler) host(name string, nics int) {
	h := Host{Name: name, Endpoints: make([]int, nics)}
	for i := range nics {
		h.Endpoints[i] = len(a.g.Endpoints)
		e := Endpoint{Name: name, Host: len(a.g.Hosts), Index: i}
		if nics > 1 {
			e.Name = fmt.Sprintf("%s/nic%d", name, i)
		}
		a.g.Endpoints = append(a.g.Endpoints, e)
	}
	a.g.Hosts = append(a.g.Hosts, h)
}

// hosts adds count hosts h0, h1, ...
func (a *assembler) hosts(count, nics int) {
	for i := range count {
		a.host(fmt.Sprintf("h%d", i), nics)
	}
}

// node adds a switch and returns its node number. Preconditions: all hosts
// were added.
func (a *assembler) node(tier int, format string, args ...any) int {
	a.g.Switches = append(a.g.Switches, SwitchNode{Name: fmt.Sprintf(format, args...), Tier: tier})
	return a.g.NumNodes() - 1
}

// link joins x and y as spec says.
func (a *assembler) link(x, y int, spec LinkSpec) {
	if a.parallel == nil {
		a.parallel = make(map[[2]int]int)
	}
	pair := [2]int{min(x, y), max(x, y)}
	length := spec.Length
	if spec.Delay != 0 {
		length = 0
	}
	for range spec.count() {
		a.parallel[pair]++
		name := a.g.NodeName(x) + ":" + a.g.NodeName(y)
		if k := a.parallel[pair]; k > 1 {
			name = fmt.Sprintf("%s#%d", name, k)
		}
		a.g.Links = append(a.g.Links, Link{
			A: End{Node: x}, B: End{Node: y},
			Rate: spec.Rate, Length: length, Delay: spec.Propagation(), Name: name,
		})
	}
}

// attach links the hosts to the given switches in blocks. The switches form
// groups of as many as a host has NICs; NIC i of a host goes to switch i of the
// host's group. Groups get equal numbers of hosts, or numbers that differ by
// one. Preconditions: len(switches) is a multiple of nics.
func (a *assembler) attach(switches []int, nics int, spec LinkSpec) {
	groups := len(switches) / nics
	for i, h := range a.g.Hosts {
		group := i * groups / len(a.g.Hosts)
		for k, e := range h.Endpoints {
			a.link(e, switches[group*nics+k], spec)
		}
	}
}

// finish returns the graph, unless a switch has too many ports.
func (a *assembler) finish() (*Graph, error) {
	g := a.g
	g.number()
	var p problems
	for i, sw := range g.Switches {
		if n := len(g.ports[len(g.Endpoints)+i]); n > MaxPorts {
			p.add("topology", "switch %q would have %d ports, at most %d are allowed", sw.Name, n, MaxPorts)
		}
	}
	if err := p.err(); err != nil {
		return nil, err
	}
	return &g, nil
}

// hostLink checks the link of an endpoint, which is always a single one.
func hostLink(s LinkSpec, p *problems) {
	s.check("host_link", p)
	if s.Count > 1 {
		p.add("host_link.count", "%d is not allowed, a NIC port has one link; give hosts more NICs instead", s.Count)
	}
}

// size checks how many endpoints and links a builder is about to make, where
// links counts those between switches.
func size(hosts, nics, links int, p *problems) {
	if len(p.list) > 0 {
		return
	}
	if hosts*nics > MaxEndpoints {
		p.add("hosts", "%d hosts with %d NICs are %d endpoints, at most %d are allowed", hosts, nics, hosts*nics, MaxEndpoints)
	}
	if n := links + hosts*nics; n > MaxLinks {
		p.add("topology", "it would have %d links, at most %d are allowed", n, MaxLinks)
	}
}
