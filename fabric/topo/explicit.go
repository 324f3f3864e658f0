package topo

import (
	"fmt"
	"strings"
)

// HostSpec is one host of an Explicit graph.
type HostSpec struct {
	Name string
	// NICs is 1 if 0.
	NICs int
}

// ExplicitLink joins two nodes. A and B are switch names or endpoint names; the
// name of a host with several NICs means its next one without a link.
type ExplicitLink struct {
	A, B string
	LinkSpec
}

// Explicit is any graph, given as lists of nodes and links.
type Explicit struct {
	Hosts    []HostSpec
	Switches []string
	Links    []ExplicitLink
}

// nodeNameChars may stand in a node's name. Others have a meaning in link names
// and patterns.
const nodeNameChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+@=()"

// Build returns the graph; a switch's tier is its distance from the nearest
// host. Ports are numbered in the order of Links. Errors are FieldErrors,
// joined, one for every bad entry.
func (x Explicit) Build() (*Graph, error) {
	b := explicitBuilder{names: make(map[string]int), hosts: make(map[string]int)}
	b.nodes(x)
	if len(b.list) > 0 {
		return nil, b.err()
	}
	b.degree = make([]int, b.a.g.NumNodes())
	for i, l := range x.Links {
		b.link(fmt.Sprintf("links[%d]", i), l)
	}
	b.limits()
	if len(b.list) > 0 {
		return nil, b.err()
	}
	g, err := b.a.finish()
	if err != nil {
		return nil, err
	}
	g.setTiers()
	return g, nil
}

type explicitBuilder struct {
	problems
	a      assembler
	names  map[string]int // of endpoints and switches to node numbers
	hosts  map[string]int // of hosts to indices
	degree []int          // links of each node
}

func (b *explicitBuilder) nodes(x Explicit) {
	b.within("hosts", len(x.Hosts), 1, MaxEndpoints)
	b.within("switches", len(x.Switches), 0, MaxSwitches)
	b.within("links", len(x.Links), 1, MaxLinks)
	if len(b.list) > 0 {
		return
	}
	for i, h := range x.Hosts {
		field := fmt.Sprintf("hosts[%d]", i)
		b.within(field+".nics", h.NICs, 0, maxNICs)
		b.name(field, h.Name)
		b.hosts[h.Name] = i
		b.a.host(h.Name, min(max(1, h.NICs), maxNICs))
	}
	for n, e := range b.a.g.Endpoints {
		b.names[e.Name] = n
	}
	for i, name := range x.Switches {
		b.name(fmt.Sprintf("switches[%d]", i), name)
		b.names[name] = b.a.node(0, "%s", name)
	}
	b.within("hosts", len(b.a.g.Endpoints), 1, MaxEndpoints)
}

// name checks the name of a new node.
func (b *explicitBuilder) name(field, name string) {
	_, isNode := b.names[name]
	_, isHost := b.hosts[name]
	switch {
	case name == "" || strings.Trim(name, nodeNameChars) != "":
		b.add(field, "the name %q is not allowed, must be letters, digits and ._-+@=()", name)
	case isNode || isHost:
		b.add(field, "the name %q is taken, every host and switch needs its own", name)
	}
}

// link adds one entry of the list, unless it is bad.
func (b *explicitBuilder) link(field string, l ExplicitLink) {
	before := len(b.list)
	l.check(field, &b.problems)
	x := b.end(field+".a", l.A, l.count())
	y := b.end(field+".b", l.B, l.count())
	if x >= 0 && x == y {
		b.add(field, "%q is linked to itself, must be two different nodes", l.A)
	}
	if len(b.list) > before {
		return
	}
	b.a.link(x, y, l.LinkSpec)
}

// end finds the node called name and counts the links it gets; -1 if there is
// no such node or it can take none.
func (b *explicitBuilder) end(field, name string, count int) int {
	g := &b.a.g
	n, ok := b.names[name]
	if i, isHost := b.hosts[name]; !ok && isHost {
		n, ok = b.freeNIC(g.Hosts[i]), true
	}
	if !ok {
		b.add(field, "no host or switch is called %q", name)
		return -1
	}
	b.degree[n] += count
	if !g.IsSwitch(n) && b.degree[n] > 1 {
		b.add(field, "the NIC %q has a link already, every NIC port takes one", g.NodeName(n))
		return -1
	}
	return n
}

// freeNIC returns the first endpoint of h without a link, else its last.
func (b *explicitBuilder) freeNIC(h Host) int {
	for _, e := range h.Endpoints {
		if b.degree[e] == 0 {
			return e
		}
	}
	return h.Endpoints[len(h.Endpoints)-1]
}

// limits checks what only the whole shows.
func (b *explicitBuilder) limits() {
	b.within("links", len(b.a.g.Links), 0, MaxLinks)
	for n, d := range b.degree {
		if d == 0 && !b.a.g.IsSwitch(n) {
			b.add("hosts", "the NIC %q has no link, every NIC port needs one", b.a.g.NodeName(n))
		}
	}
}

// setTiers gives every switch its distance from the nearest endpoint.
func (g *Graph) setTiers() {
	dist := make([]int, g.NumNodes())
	var queue []int
	for n := range g.Endpoints {
		queue = append(queue, n)
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, p := range g.ports[n] {
			if g.IsSwitch(p.Peer.Node) && dist[p.Peer.Node] == 0 {
				dist[p.Peer.Node] = dist[n] + 1
				queue = append(queue, p.Peer.Node)
			}
		}
	}
	for i := range g.Switches {
		g.Switches[i].Tier = max(0, dist[len(g.Endpoints)+i]-1)
	}
}
