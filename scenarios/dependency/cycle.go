package dependency

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/graph/simple"
	graph "gonum.org/v1/gonum/graph/topo"

	"rocesim/fabric/topo"
	switching "rocesim/switch"
)

// cycles returns one circle for each strongly connected part of the graph of
// waits, in the order of their links.
func (w *walker) cycles() []Cycle {
	g := simple.NewDirectedGraph()
	after := map[node][]node{}
	for _, wait := range w.sorted() {
		g.SetEdge(simple.Edge{F: simple.Node(wait[0]), T: simple.Node(wait[1])})
		after[wait[0]] = append(after[wait[0]], wait[1])
	}
	var found []Cycle
	var least []node
	for _, part := range graph.TarjanSCC(g) {
		if len(part) > 1 {
			members := make([]node, len(part))
			for i, m := range part {
				members[i] = node(m.ID())
			}
			slices.Sort(members)
			least = append(least, firstGroup(members))
		}
	}
	slices.Sort(least)
	for _, n := range least {
		found = append(found, w.steps(shortest(n, after)))
	}
	return found
}

func firstGroup(members []node) node {
	return members[slices.IndexFunc(members, node.isGroup)]
}

// sorted returns all waits, those of queues for the groups that stop them
// included, in order.
func (w *walker) sorted() [][2]node {
	var all [][2]node
	for wait := range w.waits {
		all = append(all, wait)
	}
	for n := range w.nodes {
		if n.isGroup() {
			queue := w.stopped(n)
			if _, used := w.nodes[queue]; used && queue >= 0 {
				all = append(all, [2]node{queue, n})
			}
		}
	}
	slices.SortFunc(all, func(a, b [2]node) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	return all
}

// stopped returns the queue that a group's pause stops; -1 if the sender does
// not obey.
func (w *walker) stopped(group node) node {
	from, to := w.Graph.From(group.link()), w.Graph.To(group.link())
	receiver, sender := w.config(to.Node), w.config(from.Node)
	priority := receiver.Classes.GroupToPFC[group.index()]
	if sender.PFC.Enabled>>priority&1 == 0 || sender.Ports[from.Port].NoPFC {
		return -1
	}
	return queueNode(group.link(), sender.Classes.PFCToQueue[priority])
}

func (w *walker) config(n int) *switching.Config { return &w.Switches[n-len(w.Graph.Endpoints)] }

// shortest returns a shortest circle through a node, by breadth-first search.
// Preconditions: there is one.
func shortest(start node, after map[node][]node) []node {
	before := map[node]node{}
	queue := []node{start}
	for {
		n := queue[0]
		queue = queue[1:]
		for _, next := range after[n] {
			if next == start {
				return trace(start, n, before)
			}
			if _, seen := before[next]; !seen {
				before[next] = n
				queue = append(queue, next)
			}
		}
	}
}

// trace returns the nodes from start to last.
func trace(start, last node, before map[node]node) []node {
	circle := []node{last}
	for last != start {
		last = before[last]
		circle = append(circle, last)
	}
	slices.Reverse(circle)
	return circle
}

// steps keeps the groups of a circle.
func (w *walker) steps(circle []node) Cycle {
	var c Cycle
	for _, n := range circle {
		if n.isGroup() {
			to := w.Graph.To(n.link())
			c = append(c, Step{Link: n.link(), Priority: int(w.config(to.Node).Classes.GroupToPFC[n.index()])})
		}
	}
	return c
}

// Describe names the steps of a circle: "leaf0>spine0 priority 3 -> ... -> back
// to leaf0>spine0".
func (c Cycle) Describe(g *topo.Graph) string {
	var b strings.Builder
	for _, s := range c {
		fmt.Fprintf(&b, "%s priority %d -> ", linkName(g, s.Link), s.Priority)
	}
	return b.String() + "back to " + linkName(g, c[0].Link)
}

// Describe names the switches of a loop: "sw0 > sw1 > sw0".
func (l Loop) Describe(g *topo.Graph) string {
	names := make([]string, len(l.Links)+1)
	for i, d := range l.Links {
		names[i] = g.NodeName(g.From(d).Node)
	}
	names[len(l.Links)] = names[0]
	return strings.Join(names, " > ")
}

func linkName(g *topo.Graph, d topo.DirectedLink) string {
	return g.NodeName(g.From(d).Node) + ">" + g.NodeName(g.To(d).Node)
}
