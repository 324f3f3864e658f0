package topo

// Star is hosts around one switch, "sw0".
type Star struct {
	Hosts int
	// NICsPerHost is 1 if 0.
	NICsPerHost int
	HostLink    LinkSpec
}

// Build returns the graph. Errors are FieldErrors, joined.
func (s Star) Build() (*Graph, error) {
	var p problems
	nics := max(1, s.NICsPerHost)
	p.within("hosts", s.Hosts, 1, MaxEndpoints)
	p.within("nics_per_host", s.NICsPerHost, 0, maxNICs)
	hostLink(s.HostLink, &p)
	size(s.Hosts, nics, 0, &p)
	if err := p.err(); err != nil {
		return nil, err
	}
	var a assembler
	a.hosts(s.Hosts, nics)
	sw := a.node(0, "sw0")
	for e := range a.g.Endpoints {
		a.link(e, sw, s.HostLink)
	}
	return a.finish()
}

// maxNICs of a host: several times what the largest servers have.
const maxNICs = 64

// Dumbbell is two switches joined in the middle: hosts h0.. on sw0, and the
// right hosts, numbered after them, on sw1.
type Dumbbell struct {
	Left, Right int
	// HostLink is every host's link, Middle the one between the switches.
	HostLink, Middle LinkSpec
}

// Build returns the graph. Errors are FieldErrors, joined.
func (d Dumbbell) Build() (*Graph, error) {
	var p problems
	p.within("left", d.Left, 1, MaxEndpoints)
	p.within("right", d.Right, 1, MaxEndpoints)
	hostLink(d.HostLink, &p)
	d.Middle.check("middle", &p)
	size(d.Left+d.Right, 1, d.Middle.count(), &p)
	if err := p.err(); err != nil {
		return nil, err
	}
	var a assembler
	a.hosts(d.Left+d.Right, 1)
	left, right := a.node(0, "sw0"), a.node(0, "sw1")
	for e := range a.g.Endpoints {
		if e < d.Left {
			a.link(e, left, d.HostLink)
		} else {
			a.link(e, right, d.HostLink)
		}
	}
	a.link(left, right, d.Middle)
	return a.finish()
}

// Ring is switches sw0, sw1, ... joined in a circle, each with the same number
// of hosts; those of sw0 come first. Shortest paths in a ring can form the
// cyclic buffer dependency that deadlocks a lossless network.
type Ring struct {
	Switches, HostsPerSwitch int
	// HostLink is every host's link, RingLink that between neighbours.
	HostLink, RingLink LinkSpec
}

// Build returns the graph. Errors are FieldErrors, joined.
func (r Ring) Build() (*Graph, error) {
	var p problems
	p.within("switches", r.Switches, 3, MaxSwitches)
	p.within("hosts_per_switch", r.HostsPerSwitch, 1, MaxEndpoints)
	hostLink(r.HostLink, &p)
	r.RingLink.check("ring_link", &p)
	size(r.Switches*r.HostsPerSwitch, 1, r.Switches*r.RingLink.count(), &p)
	if err := p.err(); err != nil {
		return nil, err
	}
	var a assembler
	a.hosts(r.Switches*r.HostsPerSwitch, 1)
	switches := make([]int, r.Switches)
	for i := range switches {
		switches[i] = a.node(0, "sw%d", i)
	}
	a.attach(switches, 1, r.HostLink)
	for i, sw := range switches {
		a.link(sw, switches[(i+1)%len(switches)], r.RingLink)
	}
	return a.finish()
}
