package dependency

import (
	"cmp"
	"slices"

	"rocesim/fabric/topo"
	switching "rocesim/switch"
)

// Network is what is checked: a fabric and who sends to whom.
type Network struct {
	Graph  *topo.Graph
	Routes *topo.Routes
	// Switches are in the order of Graph.Switches.
	Switches []switching.Config
	Traffic  []Flow
}

// Flow is traffic from one endpoint to another in one class.
type Flow struct {
	Src, Dst int
	DSCP     uint8
	// PCP is the 802.1Q priority that the sender gives it.
	PCP uint8
}

// Report is what a check found.
type Report struct {
	// Cycles has one circle of waits for each set of buffers that can wait for
	// each other.
	Cycles []Cycle
	// Loops are routes that never arrive, one for each destination.
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

// Loop is a circle in the routes to an endpoint.
type Loop struct {
	Dst   int
	Links []topo.DirectedLink
}

// Check follows every flow over all of its equal-cost paths.
func Check(n *Network) Report {
	w := &walker{Network: n, waits: map[[2]node]struct{}{}, nodes: map[node]struct{}{}}
	for _, to := range destinations(n) {
		w.follow(to.flow, to.first)
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

// target is a destination with a class, and the links by which its packets
// enter the fabric.
type target struct {
	flow  Flow // without Src
	first []topo.DirectedLink
}

// destinations groups the flows. Of the hosts of a switch, one stands for all
// that the switch treats alike.
func destinations(n *Network) []target {
	type entry struct {
		flow  Flow
		sw    int
		turns bool
	}
	seen := map[entry]struct{}{}
	index := map[Flow]int{}
	var all []target
	for _, f := range n.Traffic {
		ports := n.Graph.Ports(f.Src)
		if len(ports) == 0 || !n.Graph.IsSwitch(ports[0].Peer.Node) {
			continue
		}
		sw := ports[0].Peer.Node - len(n.Graph.Endpoints)
		bump := n.Switches[sw].Bump
		e := entry{flow: f, sw: sw, turns: bump != nil && bump.From[ports[0].Peer.Port]}
		e.flow.Src = 0
		if _, again := seen[e]; again {
			continue
		}
		seen[e] = struct{}{}
		i, known := index[e.flow]
		if !known {
			i = len(all)
			index[e.flow] = i
			all = append(all, target{flow: e.flow})
		}
		all[i].first = append(all[i].first, topo.DirectedLink{Link: ports[0].Link, Forward: ports[0].Forward})
	}
	slices.SortFunc(all, func(a, b target) int {
		return cmp.Or(cmp.Compare(a.flow.Dst, b.flow.Dst), cmp.Compare(a.flow.DSCP, b.flow.DSCP), cmp.Compare(a.flow.PCP, b.flow.PCP))
	})
	return all
}
