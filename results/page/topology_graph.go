package page

import (
	"slices"

	"rocesim/results"
)

// network is the graph of a run: nodes and the cables between them.
type network struct {
	run *results.Run
	// host says which nodes are hosts; level is 0 for those, 1 for switches with
	// hosts, and one more for each step away from them.
	host   []bool
	level  []int
	cables []cable
}

// cable joins two ports; a is at the node with the lower level, or the first.
type cable struct{ a, b int32 }

// newNetwork finds the cables of a run and the levels of its nodes.
func newNetwork(run *results.Run) *network {
	n := &network{run: run, host: make([]bool, len(run.Nodes)), level: make([]int, len(run.Nodes))}
	for i := range run.NICs {
		n.host[run.NICs[i].Node] = true
	}
	n.join()
	n.setLevels()
	for i := range n.cables {
		c := &n.cables[i]
		if n.level[run.Ports[c.b].Node] < n.level[run.Ports[c.a].Node] {
			c.a, c.b = c.b, c.a
		}
	}
	return n
}

// join pairs the ports that are at two ends of one cable.
func (n *network) join() {
	type end struct{ node, number int32 }
	at := make(map[end]int32, len(n.run.Ports))
	for i := range n.run.Ports {
		p := &n.run.Ports[i]
		at[end{p.Node, p.Number}] = int32(i)
	}
	for i := range n.run.Ports {
		p := &n.run.Ports[i]
		if peer, ok := at[end{p.Peer, p.PeerNumber}]; ok && int32(i) < peer {
			n.cables = append(n.cables, cable{int32(i), peer})
		}
	}
}

// peers returns the nodes that a cable joins.
func (n *network) peers(c cable) (a, b int32) { return n.run.Ports[c.a].Node, n.run.Ports[c.b].Node }

// setLevels counts the steps of every switch from the nearest host. Switches
// that no host reaches stand with those that have hosts.
func (n *network) setLevels() {
	neighbours := make([][]int32, len(n.host))
	for _, c := range n.cables {
		a, b := n.peers(c)
		neighbours[a], neighbours[b] = append(neighbours[a], b), append(neighbours[b], a)
	}
	var queue []int32
	for i, host := range n.host {
		n.level[i] = -1
		if host {
			n.level[i] = 0
			queue = append(queue, int32(i))
		}
	}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, next := range neighbours[at] {
			if n.level[next] < 0 {
				n.level[next] = n.level[at] + 1
				queue = append(queue, next)
			}
		}
	}
	for i, l := range n.level {
		if l < 0 {
			n.level[i] = 1
		}
	}
}

// group is what is drawn as one: a switch, a host, or hosts that are attached to the
// same switches.
type group struct {
	name    string
	members []int32 // nodes
	hosts   bool
	level   int
	// under are the groups of switches that hosts are attached to.
	under []int
}

// maxSingleHosts is up to how many hosts each is drawn by itself.
const maxSingleHosts = 32

// groups returns what is drawn, switches first, and the group of every node.
func (n *network) groups() (all []group, of []int) {
	of = make([]int, len(n.host))
	hosts := 0
	for i, host := range n.host {
		if host {
			hosts++
			continue
		}
		of[i] = len(all)
		all = append(all, group{name: n.run.Nodes[i], members: []int32{int32(i)}, level: n.level[i]})
	}
	attached := n.attached(of)
	for i, host := range n.host {
		if !host {
			continue
		}
		k := -1
		if hosts > maxSingleHosts {
			k = slices.IndexFunc(all, func(g group) bool { return g.hosts && slices.Equal(g.under, attached[i]) })
		}
		if k < 0 {
			k = len(all)
			all = append(all, group{hosts: true, under: attached[i]})
		}
		of[i] = k
		all[k].members = append(all[k].members, int32(i))
	}
	for i := range all {
		if all[i].hosts {
			all[i].name = n.membersName(all[i].members)
		}
	}
	return all, of
}

// attached returns the groups of switches that each host has a cable to,
// without repetition and in order.
func (n *network) attached(of []int) [][]int {
	under := make([][]int, len(n.host))
	for _, c := range n.cables {
		a, b := n.peers(c)
		if n.host[a] && !n.host[b] {
			under[a] = append(under[a], of[b])
		}
	}
	for i := range under {
		slices.Sort(under[i])
		under[i] = slices.Compact(under[i])
	}
	return under
}

// membersName names hosts: as a range if they follow each other, else by the
// first two and the last.
func (n *network) membersName(members []int32) string {
	count := len(members)
	first, last := n.run.Nodes[members[0]], n.run.Nodes[members[count-1]]
	switch {
	case count == 1:
		return first
	case int(members[count-1]-members[0]) == count-1:
		return first + "\u2013" + last
	case count == 2:
		return first + ", " + last
	}
	return first + ", " + n.run.Nodes[members[1]] + " \u2026 " + last
}
