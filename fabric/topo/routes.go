package topo

import (
	"encoding/binary"
	"slices"
)

// unreachable is a distance that no path has.
const unreachable = -1

// Routes holds, for every switch, the equal-cost (minimum hop) next hops to
// every endpoint. Traffic never passes through an endpoint.
type Routes struct {
	g     *Graph
	down  []bool // links out of service
	leaf  []int  // per endpoint: 0-based switch it is attached to, or unreachable
	table []switchRoutes
	// static override what the search finds.
	static []StaticRoute
	// dist[root[leaf]][sw] is the number of links between two switches.
	dist [][]int16
	root []int // per switch: index into dist, or unreachable if it has no endpoint
}

// switchRoutes is one switch's table: endpoints with equal next hops share a
// set.
type switchRoutes struct {
	group []uint16
	sets  [][]uint16
	index map[string]uint16 // the sets by their ports, while building
}

// NewRoutes computes the routes of g without the given links (indices), which
// are out of service.
func NewRoutes(g *Graph, down ...int) *Routes {
	r := &Routes{
		g:     g,
		down:  make([]bool, len(g.Links)),
		leaf:  make([]int, len(g.Endpoints)),
		root:  make([]int, len(g.Switches)),
		table: make([]switchRoutes, len(g.Switches)),
	}
	for _, i := range down {
		r.down[i] = true
	}
	members := r.attach()
	for sw := range r.table {
		r.table[sw].group = make([]uint16, len(g.Endpoints))
		r.table[sw].index = make(map[string]uint16)
		r.table[sw].set(nil) // set 0: nowhere
	}
	for leaf, endpoints := range members {
		if len(endpoints) > 0 {
			r.towards(leaf, endpoints)
		}
	}
	for sw := range r.table {
		r.table[sw].index = nil
	}
	return r
}

// attach finds the switch of every endpoint and returns the endpoints of every
// switch.
func (r *Routes) attach() [][]int {
	members := make([][]int, len(r.g.Switches))
	for e := range r.g.Endpoints {
		r.leaf[e] = unreachable
		for _, p := range r.g.ports[e] {
			if r.g.IsSwitch(p.Peer.Node) && !r.down[p.Link] {
				r.leaf[e] = p.Peer.Node - len(r.g.Endpoints)
				members[r.leaf[e]] = append(members[r.leaf[e]], e)
			}
		}
	}
	return members
}

// towards fills in the routes of all switches to the endpoints of one leaf.
// One search serves them all.
func (r *Routes) towards(leaf int, endpoints []int) {
	dist := r.distances(leaf)
	r.root[leaf] = len(r.dist)
	r.dist = append(r.dist, dist)
	var hops []uint16
	for sw := range r.table {
		if dist[sw] <= 0 {
			continue
		}
		hops = hops[:0]
		for i, p := range r.switchPorts(sw) {
			peer := p.Peer.Node - len(r.g.Endpoints)
			if peer >= 0 && !r.down[p.Link] && dist[peer] == dist[sw]-1 {
				hops = append(hops, uint16(i))
			}
		}
		set := r.table[sw].set(hops)
		for _, e := range endpoints {
			r.table[sw].group[e] = set
		}
	}
	for _, e := range endpoints {
		r.table[leaf].group[e] = r.table[leaf].set([]uint16{uint16(r.g.ports[e][0].Peer.Port)})
	}
}

// distances returns the number of links from every switch to one, by
// breadth-first search over switches.
func (r *Routes) distances(to int) []int16 {
	dist := make([]int16, len(r.g.Switches))
	for i := range dist {
		dist[i] = unreachable
	}
	dist[to] = 0
	queue := make([]int, 1, len(dist))
	queue[0] = to
	for next := 0; next < len(queue); next++ {
		sw := queue[next]
		for _, p := range r.switchPorts(sw) {
			peer := p.Peer.Node - len(r.g.Endpoints)
			if peer >= 0 && dist[peer] == unreachable && !r.down[p.Link] {
				dist[peer] = dist[sw] + 1
				queue = append(queue, peer)
			}
		}
	}
	return dist
}

func (r *Routes) switchPorts(sw int) []PortRef { return r.g.ports[len(r.g.Endpoints)+sw] }

// set returns the index of the set of these ports, adding it if it is new.
func (t *switchRoutes) set(ports []uint16) uint16 {
	key := make([]byte, 0, 64)
	for _, p := range ports {
		key = binary.LittleEndian.AppendUint16(key, p)
	}
	if i, ok := t.index[string(key)]; ok {
		return i
	}
	i := uint16(len(t.sets))
	t.sets = append(t.sets, slices.Clone(ports))
	t.index[string(key)] = i
	return i
}

// NextHops returns the ports, ascending, by which switch sw (counted from 0)
// may forward to an endpoint; none if there is no path. Slices are shared: the
// caller must not modify them.
func (r *Routes) NextHops(sw, endpoint int) []uint16 {
	t := &r.table[sw]
	return t.sets[t.group[endpoint]]
}

// Groups returns the table of switch sw: the next hops to endpoint e are
// sets[group[e]]. The caller must not modify it.
func (r *Routes) Groups(sw int) (group []uint16, sets [][]uint16) {
	return r.table[sw].group, r.table[sw].sets
}

// Hops returns how many links a packet traverses from endpoint src to dst if no
// static route takes it elsewhere; 0 if there is no path, or if they are the
// same.
func (r *Routes) Hops(src, dst int) int {
	switch {
	case src == dst:
		return 0
	case r.adjacent(src, dst):
		return 1
	case r.leaf[src] == unreachable || r.leaf[dst] == unreachable:
		return 0
	}
	d := r.dist[r.root[r.leaf[dst]]][r.leaf[src]]
	if d == unreachable {
		return 0
	}
	return int(d) + 2
}

// adjacent reports whether two endpoints share a cable, without a switch.
func (r *Routes) adjacent(src, dst int) bool {
	p := r.g.ports[src]
	return len(p) > 0 && p[0].Peer.Node == dst && !r.down[p[0].Link]
}

// FirstPath is Path by the first of the next hops at every switch: the path that
// arithmetic about an idle network takes for all of equal cost.
func (r *Routes) FirstPath(src, dst int) []DirectedLink {
	return r.Path(src, dst, func(int, int) int { return 0 })
}

// Path returns the links from endpoint src to dst in order; nil if there is no
// path, or if static routes lead it in circles. At switch sw (counted from 0) with n
// next hops, pick chooses one of 0..n-1.
func (r *Routes) Path(src, dst int, pick func(sw, n int) int) []DirectedLink {
	hops := r.Hops(src, dst)
	if hops == 0 {
		return nil
	}
	path := make([]DirectedLink, 0, hops)
	at := r.g.ports[src][0]
	for len(path) <= len(r.g.Switches)+1 {
		path = append(path, DirectedLink{Link: at.Link, Forward: at.Forward})
		if at.Peer.Node == dst {
			return path
		}
		sw := at.Peer.Node - len(r.g.Endpoints)
		next := r.NextHops(sw, dst)
		at = r.switchPorts(sw)[next[pick(sw, len(next))]]
	}
	return nil
}
