package derive

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"rocesim/fabric/topo"
	"rocesim/nic/rc"
	"rocesim/results/metrics"
	"rocesim/scenarios"
	"rocesim/scenarios/headroom"
	"rocesim/sim"
)

// Hop is one link of a path.
type Hop struct {
	Rate sim.Rate
	// Delay is the propagation time, Cable the length in metres; 0 if the delay
	// was given directly.
	Delay sim.Time
	Cable float64
}

// Path is a class of paths between endpoints of different hosts that look alike
// on an idle fabric.
type Path struct {
	// Src and Dst are endpoints that stand for the class, Pairs is the number of
	// ordered pairs in it.
	Src, Dst int
	Pairs    int64
	// Hops are the links in order; of equal-cost paths, those of the first.
	Hops []Hop
	// MTU is the sender's, in bytes of payload.
	MTU int
	// OneWay is from posting a WRITE of one full packet to its last byte in the
	// receiver's memory. RTT is from posting it to its completion: full packet
	// out, ACK back. The simulator measures both on an idle fabric.
	OneWay, RTT sim.Time
	// Parts are what OneWay consists of, and Answer what RTT has beyond them but
	// for the receiver's latency into memory.
	Parts, Answer []headroom.Term
	// Bottleneck is the slowest link, BDP what it carries in an RTT, in bytes on
	// the wire: a queue pair needs as much outstanding to fill the path.
	Bottleneck sim.Rate
	BDP        int64
	// Oversubscription is the worst of the switches on the way: what the hosts
	// and switches below can send, over what leads on from there. 0 if the path
	// has one switch or none.
	Oversubscription float64
}

// Paths returns the classes of paths between all endpoints of different hosts,
// the shortest first. Endpoints that the fabric treats alike are looked at once,
// so thousands of them take milliseconds. Pairs without a path are left out.
func Paths(p *scenarios.Plan) []Path {
	n := newNetwork(p)
	kinds := n.endpointKinds()
	same := n.sameHost(kinds)
	w := pathWalker{network: n, idle: idleOf(p), known: map[string]int{}}
	for i, from := range kinds {
		for j, to := range kinds {
			pairs := int64(len(from))*int64(len(to)) - same[[2]int{i, j}]
			if src, dst, ok := n.twoHosts(from, to); ok && pairs > 0 {
				w.add(src, dst, pairs)
			}
		}
	}
	slices.SortStableFunc(w.paths, func(a, b Path) int {
		return cmp.Or(cmp.Compare(len(a.Hops), len(b.Hops)), cmp.Compare(a.RTT, b.RTT))
	})
	return w.paths
}

// idleOf is the arithmetic of idle paths that results rest on too.
func idleOf(p *scenarios.Plan) *metrics.Idle {
	return metrics.NewIdle(specOf(p), p.Routes)
}

// endpointKinds groups the endpoints that all others reach, and that reach all
// others, in the same way.
func (n *network) endpointKinds() [][]int {
	type adapter struct {
		mtu         int
		tx, rx, ack sim.Time
		places      bool
		recovery    rc.Recovery
		rate        sim.Rate
		delay       sim.Time
		length      float64
		peer        int
		routesToIt  string
	}
	known := map[adapter]int{}
	var kinds [][]int
	for e := range n.Graph.Endpoints {
		c, ref := &n.NICs[e], n.Graph.Ports(e)[0]
		l := &n.Graph.Links[ref.Link]
		a := adapter{
			mtu: c.MTU, tx: c.TxLatency, rx: c.RxLatency, ack: c.AckLatency,
			places: c.OutOfOrder, recovery: c.Recovery, rate: l.Rate, delay: l.Delay, length: l.Length,
			peer: ref.Peer.Node, routesToIt: n.routesTo(e, ref.Peer.Node),
		}
		at, again := known[a]
		if !again {
			at = len(kinds)
			known[a] = at
			kinds = append(kinds, nil)
		}
		kinds[at] = append(kinds[at], e)
	}
	return kinds
}

// routesTo is equal for endpoints of one leaf to which all switches have the same
// next hops: static routes may single one out.
func (n *network) routesTo(e, leaf int) string {
	key := make([]byte, 0, 2*len(n.Switches))
	for sw := range n.Switches {
		group, sets := n.Routes.Groups(sw)
		if sw+len(n.Graph.Endpoints) == leaf && len(sets[group[e]]) == 1 && n.Graph.Ports(leaf)[sets[group[e]][0]].Peer.Node == e {
			continue
		}
		key = binary.LittleEndian.AppendUint16(key, group[e])
	}
	return string(key)
}

// sameHost counts, by kind, the ordered pairs of endpoints of one host, an
// endpoint with itself included.
func (n *network) sameHost(kinds [][]int) map[[2]int]int64 {
	kindOf := make([]int, len(n.Graph.Endpoints))
	for k, endpoints := range kinds {
		for _, e := range endpoints {
			kindOf[e] = k
		}
	}
	count := map[[2]int]int64{}
	for _, h := range n.Graph.Hosts {
		for _, a := range h.Endpoints {
			for _, b := range h.Endpoints {
				count[[2]int{kindOf[a], kindOf[b]}]++
			}
		}
	}
	return count
}

// twoHosts picks an endpoint of each kind, of different hosts.
func (n *network) twoHosts(from, to []int) (src, dst int, ok bool) {
	for _, a := range from[:min(2, len(from))] {
		for _, b := range to {
			if n.Graph.Endpoints[a].Host != n.Graph.Endpoints[b].Host {
				return a, b, true
			}
		}
	}
	return 0, 0, false
}

// pathWalker collects classes of paths.
type pathWalker struct {
	*network
	idle  *metrics.Idle
	known map[string]int // classes by what they look like
	paths []Path
}

func (w *pathWalker) add(src, dst int, pairs int64) {
	links := w.Routes.FirstPath(src, dst)
	if len(links) == 0 {
		return
	}
	p := Path{Src: src, Dst: dst, Pairs: pairs, MTU: w.NICs[src].MTU}
	p.OneWay = w.idle.Delivery(src, dst, int64(p.MTU), false)
	p.RTT = w.idle.Message(src, dst, int64(p.MTU), false)
	p.Bottleneck = w.Graph.Links[links[0].Link].Rate
	for _, d := range links {
		l := &w.Graph.Links[d.Link]
		p.Hops = append(p.Hops, Hop{l.Rate, l.Delay, l.Length})
		p.Bottleneck = min(p.Bottleneck, l.Rate)
	}
	p.Oversubscription = w.oversubscription(links)
	key := fmt.Sprint(p.Hops, p.MTU, p.OneWay, p.RTT, p.Oversubscription)
	if at, again := w.known[key]; again {
		w.paths[at].Pairs += pairs
		return
	}
	w.known[key] = len(w.paths)
	p.BDP = headroom.BytesIn(p.Bottleneck, p.RTT)
	w.parts(&p, links)
	w.paths = append(w.paths, p)
}

// parts splits the times of a path. What the frames take on the wires is the
// rest.
func (w *pathWalker) parts(p *Path, links []topo.DirectedLink) {
	from, to := &w.NICs[p.Src], &w.NICs[p.Dst]
	var cables, pipelines sim.Time
	for _, d := range links {
		cables += w.Graph.Links[d.Link].Delay
		if c := w.switchAt(w.Graph.To(d).Node); c != nil {
			pipelines += c.IngressLatency + c.EgressLatency
		}
	}
	frames := p.OneWay - from.TxLatency - to.RxLatency - cables - pipelines
	add := func(terms *[]headroom.Term, name string, t sim.Time) {
		*terms = append(*terms, headroom.Term{Name: name, Time: t, Bytes: headroom.BytesIn(p.Bottleneck, t)})
	}
	add(&p.Parts, "sender", from.TxLatency)
	add(&p.Parts, "frame on the wires", frames)
	add(&p.Parts, "cables", cables)
	add(&p.Parts, "switches", pipelines)
	add(&p.Parts, "receiver", to.RxLatency)
	back := p.RTT - (p.OneWay - to.RxLatency) - to.AckLatency - from.RxLatency
	add(&p.Answer, "receiver answers", to.AckLatency)
	add(&p.Answer, "ACK back", back)
	add(&p.Answer, "completion", from.RxLatency)
}

// oversubscription is the worst of the switches that a path leaves or enters by a
// link to another switch of the same tier or above.
func (w *pathWalker) oversubscription(links []topo.DirectedLink) float64 {
	worst := 0.0
	for _, d := range links {
		a, b := w.Graph.From(d).Node, w.Graph.To(d).Node
		if w.Graph.IsSwitch(a) && w.Graph.IsSwitch(b) {
			for _, end := range [2][2]int{{a, b}, {b, a}} {
				if w.tier(end[0]) <= w.tier(end[1]) {
					below, beyond := w.capacity(end[0] - len(w.Graph.Endpoints))
					worst = max(worst, float64(below)/float64(beyond))
				}
			}
		}
	}
	return worst
}

func (n *network) tier(node int) int { return n.Graph.Switches[node-len(n.Graph.Endpoints)].Tier }

// capacity adds up the rates of a switch's links to endpoints and lower tiers, and
// of the others.
func (n *network) capacity(sw int) (below, beyond sim.Rate) {
	own := n.Graph.Switches[sw].Tier
	for _, ref := range n.ports(sw) {
		rate := n.Graph.Links[ref.Link].Rate
		if !n.Graph.IsSwitch(ref.Peer.Node) || n.tier(ref.Peer.Node) < own {
			below += rate
		} else {
			beyond += rate
		}
	}
	return below, beyond
}
