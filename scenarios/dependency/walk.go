package dependency

import (
	"rocesim/fabric/topo"
	switching "rocesim/switch"
)

// node is an egress queue at the beginning of a directed link, or a priority
// group at its end: 16 numbers for each directed link, of which 8 are groups.
type node int64

const (
	perLink = 2 * switching.Priorities
	queues  = switching.Priorities // offset of the queues
)

// number of a directed link.
func number(d topo.DirectedLink) int {
	if d.Forward {
		return 2 * d.Link
	}
	return 2*d.Link + 1
}

func directed(number int) topo.DirectedLink {
	return topo.DirectedLink{Link: number / 2, Forward: number%2 == 0}
}

func groupNode(d topo.DirectedLink, group uint8) node { return node(number(d)*perLink + int(group)) }

func queueNode(d topo.DirectedLink, queue uint8) node {
	return node(number(d)*perLink + queues + int(queue))
}

func (n node) link() topo.DirectedLink { return directed(int(n) / perLink) }
func (n node) isGroup() bool           { return n%perLink < queues }
func (n node) index() int              { return int(n) % queues }

// walker follows packets and notes which group waits for which queue.
type walker struct {
	*Network
	waits map[[2]node]struct{}
	nodes map[node]struct{}
	loops []Loop
}

// state is a packet on a link, on its way to one destination.
type state struct {
	link topo.DirectedLink
	dscp uint8
}

// path is a walk under way to one target.
type path struct {
	w  *walker
	to target
	// open are the states of the path walked now, done those left behind.
	open, done map[state]bool
	links      []topo.DirectedLink
	looped     bool
}

// follow walks all paths to one target.
func (w *walker) follow(to target) {
	p := &path{w: w, to: to, open: map[state]bool{}, done: map[state]bool{}}
	for _, l := range to.first {
		p.walk(state{link: l, dscp: to.class.DSCP})
	}
}

func (p *path) walk(s state) {
	end := p.w.Graph.To(s.link)
	switch {
	case p.open[s]:
		p.loop(s.link)
		return
	case p.done[s] || !p.w.Graph.IsSwitch(end.Node):
		return
	}
	p.open[s] = true
	p.links = append(p.links, s.link)
	sw := end.Node - len(p.w.Graph.Endpoints)
	for _, port := range p.w.Routes.NextHops(sw, p.to.dst) {
		p.walk(p.hop(s, sw, end.Port, int(port)))
	}
	p.links = p.links[:len(p.links)-1]
	delete(p.open, s)
	p.done[s] = true
}

// hop notes what a packet makes wait at a switch, and returns it on its next
// link.
func (p *path) hop(s state, sw, in, out int) state {
	c := &p.w.Switches[sw]
	ref := p.w.Graph.Ports(len(p.w.Graph.Endpoints) + sw)[out]
	next := state{link: topo.DirectedLink{Link: ref.Link, Forward: ref.Forward}, dscp: s.dscp}
	group := c.Classes.TCToGroup[p.class(c, s.dscp)]
	if b := c.Bump; b != nil && b.From[in] && b.To[out] {
		next.dscp = b.DSCP[s.dscp]
	}
	queue := c.Classes.TCToQueue[p.class(c, next.dscp)]
	from := p.w.Graph.From(s.link)
	if p.w.Graph.IsSwitch(from.Node) && pauses(c, in, group) {
		p.w.add(groupNode(s.link, group), queueNode(next.link, queue))
	}
	return next
}

func (p *path) class(c *switching.Config, dscp uint8) uint8 {
	if c.Classes.TrustPCP {
		return c.Classes.PCPToTC[p.to.class.PCP]
	}
	return c.Classes.DSCPToTC[dscp]
}

// pauses reports whether a switch pauses its neighbour at a port when a group
// is full.
func pauses(c *switching.Config, port int, group uint8) bool {
	priority := c.Classes.GroupToPFC[group]
	return c.Groups[group].Lossless && c.PFC.Enabled>>priority&1 == 1 && !c.Ports[port].NoPFC
}

func (w *walker) add(group, queue node) {
	wait := [2]node{group, queue}
	if _, known := w.waits[wait]; known {
		return
	}
	w.waits[wait] = struct{}{}
	w.nodes[group], w.nodes[queue] = struct{}{}, struct{}{}
}

// loop notes the circle that the path has just closed, unless it knows one.
func (p *path) loop(again topo.DirectedLink) {
	if p.looped {
		return
	}
	p.looped = true
	first := len(p.links) - 1
	for p.links[first] != again {
		first--
	}
	p.w.loops = append(p.w.loops, Loop{Dst: p.to.dst, Links: append([]topo.DirectedLink{}, p.links[first:]...)})
}
