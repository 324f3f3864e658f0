package topo

import (
	"cmp"
	"slices"

	"rocesim/sim"
)

// Endpoint is one NIC port, where traffic starts and ends. It has exactly one
// link.
type Endpoint struct {
	// Name is that of the host ("h3") if it has one NIC, else "h3/nic1".
	Name string
	// Host is an index into Graph.Hosts.
	Host int
	// Index is the number of the NIC in its host.
	Index int
}

// Host is a server with its NICs.
type Host struct {
	Name string
	// Endpoints are node numbers, in the order of the host's NICs.
	Endpoints []int
}

// SwitchNode is a switch.
type SwitchNode struct {
	Name string
	// Tier is 0 for a leaf (top of rack, edge), 1 for a spine (aggregation), 2
	// for a core.
	Tier int
}

// End is one side of a link. Ports of a node are numbered from 0 in the order
// of Graph.Links.
type End struct{ Node, Port int }

// Link is a full-duplex cable between two ports.
type Link struct {
	A, B End
	// Rate of either direction.
	Rate sim.Rate
	// Length in metres; 0 if Delay was given directly.
	Length float64
	// Delay is the one-way propagation time.
	Delay sim.Time
	// Name is "leaf0:spine1", and "leaf0:spine1#2" for the second of parallel
	// links.
	Name string
}

// Graph is a network. Nodes are numbered: endpoints 0..E-1, then switches
// E..E+S-1. Builders make graphs; their nodes and ends do not change
// afterwards, rates and delays may.
type Graph struct {
	Hosts     []Host
	Endpoints []Endpoint
	Switches  []SwitchNode
	Links     []Link

	ports [][]PortRef
}

// PortRef is one port as its node sees it.
type PortRef struct {
	// Link is an index into Graph.Links.
	Link int
	// Forward is set if the node is the link's A side, so that what it sends
	// travels from A to B.
	Forward bool
	// Peer is the other end.
	Peer End
}

// DirectedLink is one direction of a link: from A to B if Forward.
type DirectedLink struct {
	Link    int
	Forward bool
}

// NumNodes returns the number of endpoints and switches.
func (g *Graph) NumNodes() int { return len(g.Endpoints) + len(g.Switches) }

// IsSwitch reports whether node n is a switch.
func (g *Graph) IsSwitch(n int) bool { return n >= len(g.Endpoints) }

// BetweenSwitches reports whether both ends of a link are switches.
func (g *Graph) BetweenSwitches(link int) bool {
	return g.IsSwitch(g.Links[link].A.Node) && g.IsSwitch(g.Links[link].B.Node)
}

// NodeName returns the name of node n.
func (g *Graph) NodeName(n int) string {
	if g.IsSwitch(n) {
		return g.Switches[n-len(g.Endpoints)].Name
	}
	return g.Endpoints[n].Name
}

// Ports returns the ports of node n in the order of their numbers. The caller
// must not modify the slice.
func (g *Graph) Ports(n int) []PortRef { return g.ports[n] }

// Node returns the number of the endpoint or switch called name.
func (g *Graph) Node(name string) (int, bool) {
	for n := range g.NumNodes() {
		if g.NodeName(n) == name {
			return n, true
		}
	}
	return 0, false
}

// From returns the node that d leaves, and To the end that it reaches.
func (g *Graph) From(d DirectedLink) End {
	if d.Forward {
		return g.Links[d.Link].A
	}
	return g.Links[d.Link].B
}

// To returns the end that d reaches.
func (g *Graph) To(d DirectedLink) End {
	return g.From(DirectedLink{Link: d.Link, Forward: !d.Forward})
}

// Rates returns the different rates of the links, ascending: RED profiles and
// headroom depend on them.
func (g *Graph) Rates() []sim.Rate {
	rates := make([]sim.Rate, len(g.Links))
	for i := range g.Links {
		rates[i] = g.Links[i].Rate
	}
	slices.SortFunc(rates, cmp.Compare)
	return slices.Compact(rates)
}

// number gives every link end its port number and fills the ports of all
// nodes.
func (g *Graph) number() {
	g.ports = make([][]PortRef, g.NumNodes())
	for i := range g.Links {
		l := &g.Links[i]
		l.A.Port = len(g.ports[l.A.Node])
		g.ports[l.A.Node] = append(g.ports[l.A.Node], PortRef{Link: i, Forward: true})
		l.B.Port = len(g.ports[l.B.Node])
		g.ports[l.B.Node] = append(g.ports[l.B.Node], PortRef{Link: i})
		g.ports[l.A.Node][l.A.Port].Peer = l.B
		g.ports[l.B.Node][l.B.Port].Peer = l.A
	}
}
