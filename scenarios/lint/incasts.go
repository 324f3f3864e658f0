package lint

import (
	"slices"

	"rocesim/scenarios/derive"
	switching "rocesim/switch"
)

// memories is how many a switch divides its ports among.
func (c *context) memories(sw int) int { return c.Switches[sw].Buffer.Memories() }

// memoryOf is the memory of a port.
func (c *context) memoryOf(sw, port int) int {
	return switching.MemoryOf(port, len(c.Switches[sw].Ports), c.memories(sw))
}

// crowdsAt lists the incasts of the workload that leave by a port, in groups of a
// threshold.
func (c *context) crowdsAt(id derive.PortID, t *derive.Threshold) (list []crowd) {
	if c.traffic.crowds == nil {
		c.crowds()
	}
	for _, in := range c.traffic.crowds[id.Switch] {
		if in.port == id.Port && slices.Contains(t.Groups, in.group) {
			list = append(list, in)
		}
	}
	return list
}

// couple is two ingress ports that feed one queue: the smallest incast. Together
// says that they fill one memory.
type couple struct {
	a, b     int
	together bool
}

// filling is how many of the two groups fill each memory.
func (p *couple) filling() int {
	if p.together {
		return 2
	}
	return 1
}

// smallestIncast returns two ports whose traffic can meet in a queue of a port: of
// one memory if there are such, since two groups there have the lowest thresholds.
// It is false if fewer than two can send there.
func (c *context) smallestIncast(id derive.PortID) (couple, bool) {
	var feeders []int
	of := map[int]int{} // the first feeder of each memory
	for in := range c.ports(id.Switch) {
		if in == id.Port || !c.feeds(id.Switch, in, id.Port) {
			continue
		}
		memory := c.memoryOf(id.Switch, in)
		if other, again := of[memory]; again {
			return couple{other, in, true}, true
		}
		of[memory] = in
		feeders = append(feeders, in)
	}
	if len(feeders) < 2 {
		return couple{}, false
	}
	return couple{feeders[0], feeders[1], false}, true
}

// feeds reports whether packets that a switch receives by port in can leave it by
// port out: whether the peer sends this way what the switch sends that way.
func (c *context) feeds(sw, in, out int) bool {
	peer := c.ports(sw)[in].Peer
	from := c.switchAt(peer.Node)
	group, sets := c.Routes.Groups(sw)
	for e := range c.Graph.Endpoints {
		if slices.Contains(sets[group[e]], uint16(out)) && e != peer.Node &&
			(from < 0 || slices.Contains(c.Routes.NextHops(from, e), uint16(peer.Port))) {
			return true
		}
	}
	return false
}

// peerName is the NIC or switch at the other end of a port.
func (c *context) peerName(sw, port int) string {
	node := c.ports(sw)[port].Peer.Node
	if other := c.switchAt(node); other >= 0 {
		return c.Switches[other].Name
	}
	return c.Graph.Endpoints[node].Name
}

// crowd is what feeds one congested queue of a leaf: the port that it leaves by,
// its ingress group, the number of ingress ports, and how many groups fill the
// fullest of their memories.
type crowd struct{ port, group, feeding, filling int }

// queue is an egress queue of a leaf by the ingress group of its packets.
type queue struct{ sw, port, group int }

// feeder is an ingress port of a leaf that brings data of a group into congested
// queues; links to other switches count as port -1.
type feeder struct{ sw, port, group int }

// census counts who fills the queues towards overloaded endpoints.
type census struct {
	*context
	order []queue
	// local and remote are the pairs of endpoints that meet in each queue, from the
	// same leaf and from others.
	local, remote map[queue]int
	// fed are, as bits, the memories of the local ports of each queue.
	fed map[queue]uint64
	at  map[feeder]int // pairs
}

// crowds finds which queues towards overloaded endpoints the workload fills, from
// how many ports, and how many groups of each leaf fill at once.
func (c *context) crowds() {
	n := census{context: c, local: map[queue]int{}, remote: map[queue]int{}, fed: map[queue]uint64{}, at: map[feeder]int{}}
	for _, p := range c.traffic.between {
		if sw := leafOf(c.Plan, int(p.dst)); sw >= 0 && c.traffic.overloaded(c.Plan, int(p.dst)) {
			n.count(p, sw)
		}
	}
	filling := n.filling()
	c.traffic.crowds = make([][]crowd, len(c.Switches))
	for _, q := range n.order {
		if most := n.fullest(q, filling[q.sw]); most > 0 {
			feeding := n.local[q] + min(n.remote[q], len(c.uplinks(q.sw)))
			c.traffic.crowds[q.sw] = append(c.traffic.crowds[q.sw], crowd{q.port, q.group, feeding, most})
		}
	}
}

// count adds a pair whose receiver is at a leaf.
func (n *census) count(p ends, sw int) {
	w := n.meant(sw, &n.traffic.classes[p.class])
	q := queue{sw, n.Graph.Ports(int(p.dst))[0].Peer.Port, int(w.group)}
	if n.local[q]+n.remote[q] == 0 {
		n.order = append(n.order, q)
	}
	if leafOf(n.Plan, int(p.src)) != sw {
		n.remote[q]++
		n.at[feeder{sw, -1, q.group}]++
		return
	}
	in := n.Graph.Ports(int(p.src))[0].Peer.Port
	n.local[q]++
	n.fed[q] |= 1 << n.memoryOf(sw, in)
	n.at[feeder{sw, in, q.group}]++
}

// filling is how many groups fill each memory of each switch. It is nil for
// switches with several whose uplinks not all carry such traffic: which ones do is
// chance.
func (n *census) filling() [][]int {
	all := make([][]int, len(n.Switches))
	for sw := range all {
		all[sw] = make([]int, n.memories(sw))
	}
	unknown := map[int]bool{}
	for f, pairs := range n.at { // sums, whose order does not matter
		uplinks := n.uplinks(f.sw)
		switch {
		case f.port >= 0:
			all[f.sw][n.memoryOf(f.sw, f.port)]++
		case len(all[f.sw]) == 1:
			all[f.sw][0] += min(pairs, len(uplinks))
		case pairs < len(uplinks):
			unknown[f.sw] = true
		default:
			for _, port := range uplinks {
				all[f.sw][n.memoryOf(f.sw, port)]++
			}
		}
	}
	for sw := range unknown {
		all[sw] = nil
	}
	return all
}

// fullest is how many groups fill the fullest memory of those that feed a queue; 0
// if that is not known.
func (n *census) fullest(q queue, filling []int) int {
	bits := n.fed[q]
	if n.remote[q] > 0 {
		for _, port := range n.uplinks(q.sw) {
			bits |= 1 << n.memoryOf(q.sw, port)
		}
	}
	most := 0
	for memory, groups := range filling {
		if bits>>memory&1 == 1 {
			most = max(most, groups)
		}
	}
	return most
}

// uplinks are the ports of a switch to other switches.
func (c *context) uplinks(sw int) []int {
	var list []int
	for port, ref := range c.ports(sw) {
		if c.Graph.IsSwitch(ref.Peer.Node) {
			list = append(list, port)
		}
	}
	return list
}
