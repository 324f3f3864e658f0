package dependency

import (
	"encoding/binary"
	"slices"

	"rocesim/fabric/topo"
	switching "rocesim/switch"
)

// Network is what is checked: a fabric, and who sends to whom by Add.
type Network struct {
	Graph  *topo.Graph
	Routes *topo.Routes
	// Switches are in the order of Graph.Switches.
	Switches []switching.Config

	classes []Class
	seen    [][]uint64 // sets of destinations by class and entrance
	origins []origin
}

// Flow is traffic from one endpoint to another in one class.
type Flow struct {
	Src, Dst int
	Class
}

// Class is how a flow's packets are marked: the code point, and the 802.1Q
// priority that the sender gives them.
type Class struct{ DSCP, PCP uint8 }

// origin is traffic that enters the fabric at one switch. Of the hosts of a
// switch, one link stands for all that the switch treats alike.
type origin struct {
	class Class
	dst   int32
	sw    int32
	turns bool              // the switch may bump what comes from there
	first topo.DirectedLink // left out where origins are compared
}

// Add notes a flow.
func (n *Network) Add(f Flow) {
	ports := n.Graph.Ports(f.Src)
	if len(ports) == 0 || !n.Graph.IsSwitch(ports[0].Peer.Node) {
		return // two hosts on one cable
	}
	sw := ports[0].Peer.Node - len(n.Graph.Endpoints)
	bump := n.Switches[sw].Bump
	o := origin{class: f.Class, dst: int32(f.Dst), sw: int32(sw), turns: bump != nil && bump.From[ports[0].Peer.Port]}
	if n.again(o) {
		return
	}
	o.first = topo.DirectedLink{Link: ports[0].Link, Forward: ports[0].Forward}
	n.origins = append(n.origins, o)
}

// again notes an origin and reports whether it was known. A fabric may have
// millions of flows, of few classes: so there is a bit for each, and no hash.
func (n *Network) again(o origin) bool {
	class := slices.Index(n.classes, o.class)
	if class < 0 {
		class = len(n.classes)
		n.classes = append(n.classes, o.class)
		n.seen = append(n.seen, make([][]uint64, 2*len(n.Graph.Switches))...)
	}
	at := 2 * (class*len(n.Graph.Switches) + int(o.sw))
	if o.turns {
		at++
	}
	if n.seen[at] == nil {
		n.seen[at] = make([]uint64, (len(n.Graph.Endpoints)+63)/64)
	}
	word, bit := &n.seen[at][o.dst/64], uint64(1)<<(o.dst%64)
	known := *word&bit != 0
	*word |= bit
	return known
}

// Report is what a check found.
type Report struct {
	// Cycles has one circle of waits for each set of buffers that can wait for
	// each other.
	Cycles []Cycle
	// Loops are routes that never arrive, one for each set of destinations that
	// are routed alike.
	Loops []Loop
}

// Cycle is a circle of waits: the buffer behind each step waits for that of the
// next, the last for the first.
type Cycle []Step

// Step is a buffer: the priority group behind a link that pauses the link's
// sender with a priority.
type Step struct {
	Link     topo.DirectedLink
	Priority int
}

// Loop is a circle in the routes to an endpoint (and those routed like it).
type Loop struct {
	Dst   int
	Links []topo.DirectedLink
}

// Check follows every flow over all of its equal-cost paths.
func Check(n *Network) Report {
	w := &walker{Network: n, waits: map[[2]node]struct{}{}, nodes: map[node]struct{}{}}
	for _, to := range n.targets() {
		w.follow(to)
	}
	return Report{Cycles: w.cycles(), Loops: w.loops}
}

// CheckWithout checks the routes that hold while links (indices) are out of
// service.
func CheckWithout(n *Network, down ...int) Report {
	failed := *n
	failed.Routes = n.Routes.Without(down...)
	return Check(&failed)
}

// target is a set of destinations that all switches treat alike, with a class,
// and the links by which its packets enter the fabric.
type target struct {
	dst   int
	class Class
	first []topo.DirectedLink
}

// targets groups the traffic by where it goes, in the order of what was added.
func (n *Network) targets() []target {
	type group struct {
		routes string
		class  Class
	}
	type entry struct {
		target int
		origin
	}
	alike := make([]string, len(n.Graph.Endpoints))
	index := map[group]int{}
	seen := map[entry]struct{}{}
	var all []target
	for _, o := range n.origins {
		if alike[o.dst] == "" {
			alike[o.dst] = n.signature(int(o.dst))
		}
		g := group{alike[o.dst], o.class}
		i, known := index[g]
		if !known {
			i = len(all)
			index[g] = i
			all = append(all, target{dst: int(o.dst), class: o.class})
		}
		e := entry{i, origin{sw: o.sw, turns: o.turns}}
		if _, again := seen[e]; !again {
			seen[e] = struct{}{}
			all[i].first = append(all[i].first, o.first)
		}
	}
	return all
}

// signature is equal for endpoints of one switch to which all switches have the
// same next hops, except that the last one sends each to its own port.
func (n *Network) signature(dst int) string {
	own := n.Graph.Ports(dst)[0].Peer
	text := binary.LittleEndian.AppendUint32(nil, uint32(own.Node))
	for sw := range n.Graph.Switches {
		next := n.Routes.NextHops(sw, dst)
		if sw == own.Node-len(n.Graph.Endpoints) && len(next) == 1 && int(next[0]) == own.Port {
			next = nil
		}
		for _, port := range next {
			text = binary.LittleEndian.AppendUint16(text, port)
		}
		text = append(text, 0xff, 0xff) // no port has this number
	}
	return string(text)
}
