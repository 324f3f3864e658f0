package lint

import (
	"slices"

	"rocesim/scenarios"
	"rocesim/scenarios/workload"
	"rocesim/sim"
	switching "rocesim/switch"
)

// class is how reliable traffic is marked.
type class struct {
	dscp, priority uint8
	// reacts is set if connections of the class are under congestion control,
	// ignores if some are not though others may be.
	reacts, ignores bool
	// senders are, by number, the endpoints that send data of the class.
	senders []bool
}

// traffic is what the workload means for the rules.
type traffic struct {
	// classes of reliable connections, in the order of the workload.
	classes []class
	// markings are those of all traffic, datagrams included.
	markings []marking
	// senders is, for each endpoint, how many endpoints send to it at once, as far
	// as entries other than Poisson and probes say; flows counts queue pairs, and
	// offered is the sum of the senders' rates.
	senders, flows []int
	offered        []sim.Rate
	// between are the pairs of endpoints that senders counts, once for each class.
	between []ends
	// leaving counts the queue pairs that leave a switch for another one, without
	// those of Poisson entries and probes.
	leaving []int
	// pairs counts queue pairs by entry and hosts, where both have several NICs.
	pairs map[hostPair]int
	order []hostPair
	// crowds are the congested queues of each switch towards endpoints.
	crowds [][]crowd
	// steps are the first pairs of endpoints of each combination of line rates.
	steps []ends
}

// marking is what a packet says of its class.
type marking struct{ dscp, priority uint8 }

// hostPair is who sends to whom in one entry.
type hostPair struct{ entry, src, dst int32 }

// pairs notes pairs of n endpoints in several sets, with a bit for each.
type pairs struct {
	n    int
	sets [][]uint64
}

// first notes a pair in a set, and reports whether it was not there.
func (p *pairs) first(set, src, dst int) bool {
	for len(p.sets) <= set {
		p.sets = append(p.sets, make([]uint64, (p.n*p.n+63)/64))
	}
	bit := src*p.n + dst
	known := p.sets[set][bit/64]>>(bit%64)&1 == 1
	p.sets[set][bit/64] |= 1 << (bit % 64)
	return !known
}

// ends are a sending and a receiving endpoint, and a class of their data.
type ends struct{ src, dst, class int32 }

// trafficOf goes through all connections once. Fabrics have millions of pairs, so
// a bit notes each.
func trafficOf(p *scenarios.Plan) traffic {
	n := len(p.Graph.Endpoints)
	t := traffic{
		senders: make([]int, n), flows: make([]int, n), offered: make([]sim.Rate, n),
		leaving: make([]int, len(p.Switches)), pairs: map[hostPair]int{},
	}
	seen := pairs{n: n}
	rates := map[[2]sim.Rate]bool{}
	p.Connections(func(src, dst int, c workload.Class) {
		if m := (marking{c.DSCP, p.NICs[src].DSCPToPriority[c.DSCP]}); !slices.Contains(t.markings, m) {
			t.markings = append(t.markings, m)
		}
		if c.Unreliable {
			return
		}
		pair := ends{int32(src), int32(dst), t.note(p, src, c)}
		if from, to := p.NICs[src].Rate, p.NICs[dst].Rate; from > to && !c.NoCC && !rates[[2]sim.Rate{from, to}] {
			rates[[2]sim.Rate{from, to}] = true
			t.steps = append(t.steps, pair)
		}
		switch p.Workload[c.Entry].(type) {
		case workload.Poisson, workload.Latency:
			return
		}
		if seen.first(0, src, dst) {
			t.senders[dst]++
			t.offered[dst] += p.NICs[src].Rate
		}
		if seen.first(1+int(pair.class), src, dst) {
			t.between = append(t.between, pair)
		}
		t.flows[dst]++
		if from, to := leafOf(p, src), leafOf(p, dst); from != to && from >= 0 {
			t.leaving[from]++
		}
		t.notePair(p, hostPair{int32(c.Entry), int32(p.Graph.Endpoints[src].Host), int32(p.Graph.Endpoints[dst].Host)})
	})
	return t
}

// note counts a connection to its class and returns the class.
func (t *traffic) note(p *scenarios.Plan, src int, c workload.Class) int32 {
	priority := p.NICs[src].DSCPToPriority[c.DSCP]
	i := slices.IndexFunc(t.classes, func(k class) bool { return k.dscp == c.DSCP && k.priority == priority })
	if i < 0 {
		i = len(t.classes)
		t.classes = append(t.classes, class{dscp: c.DSCP, priority: priority, senders: make([]bool, len(p.NICs))})
	}
	k := &t.classes[i]
	k.senders[src] = true
	k.reacts = k.reacts || p.CC.DCQCN && !c.NoCC
	k.ignores = k.ignores || c.NoCC
	return int32(i)
}

// notePair counts a queue pair between two hosts with several NICs.
func (t *traffic) notePair(p *scenarios.Plan, at hostPair) {
	if len(p.Hosts[at.src].Endpoints) < 2 || len(p.Hosts[at.dst].Endpoints) < 2 {
		return
	}
	if t.pairs[at] == 0 {
		t.order = append(t.order, at)
	}
	t.pairs[at]++
}

// overloaded reports whether the senders of an endpoint are together faster than
// its link.
func (t *traffic) overloaded(p *scenarios.Plan, endpoint int) bool {
	return t.offered[endpoint] > p.NICs[endpoint].Rate
}

// leafOf is the switch of an endpoint, -1 if its peer is none.
func leafOf(p *scenarios.Plan, endpoint int) int {
	return max(-1, p.Graph.Ports(endpoint)[0].Peer.Node-len(p.Graph.Endpoints))
}

// incast is the largest number of senders to one endpoint, and the endpoint; the
// first of several.
func (t *traffic) incast() (senders, endpoint int) {
	for e, n := range t.senders {
		if n > senders {
			senders, endpoint = n, e
		}
	}
	return senders, endpoint
}

// slowed reports whether an endpoint sends data under congestion control.
func (t *traffic) slowed(endpoint int) bool {
	return slices.ContainsFunc(t.classes, func(k class) bool { return k.reacts && k.senders[endpoint] })
}

// segment is what flows share: the NIC that sends them (to is -1), or the way
// from one leaf to another.
type segment struct{ from, to int32 }

// segments are those of a pair of endpoints; the second is the first again where
// both are at one leaf.
func (c *context) segments(p ends) [2]segment {
	own := segment{p.src, -1}
	if from, to := leafOf(c.Plan, int(p.src)), leafOf(c.Plan, int(p.dst)); from != to {
		return [2]segment{own, {int32(from), int32(to)}}
	}
	return [2]segment{own, own}
}

// victim returns a pair whose packets wait for an incast that they are no part of,
// because they share a segment with it.
func (c *context) victim() (victim ends, found bool) {
	type jam struct{ receiver, other int32 } // two receivers of incasts tell enough
	jams := map[segment]jam{}
	for _, p := range c.traffic.between {
		if c.traffic.senders[p.dst] < 2 {
			continue
		}
		for _, s := range c.segments(p) {
			switch at, known := jams[s]; {
			case !known:
				jams[s] = jam{p.dst, p.dst}
			case at.receiver != p.dst:
				jams[s] = jam{at.receiver, p.dst}
			}
		}
	}
	for _, p := range c.traffic.between {
		for _, s := range c.segments(p) {
			if at, known := jams[s]; known && (at.receiver != p.dst || at.other != p.dst) {
				return p, true
			}
		}
	}
	return ends{}, false
}

// way is what a switch does with a class.
type way struct {
	tc, group, queue, priority uint8
	// lossless groups have headroom; pauses says that the switch sends pauses.
	lossless, pauses bool
}

// wayOf follows a class through the maps of a switch.
func wayOf(sw *switching.Config, dscp, priority uint8) way {
	tc := sw.Classes.DSCPToTC[dscp]
	if sw.Classes.TrustPCP {
		tc = sw.Classes.PCPToTC[priority]
	}
	return wayThrough(sw, tc, sw.Classes.TCToGroup[tc])
}

// wayThrough is the way of a traffic class and an ingress group.
func wayThrough(sw *switching.Config, tc, group uint8) way {
	m := &sw.Classes
	w := way{tc: tc, group: group, queue: m.TCToQueue[tc]}
	w.priority = m.GroupToPFC[w.group]
	w.lossless = sw.Groups[w.group].Lossless
	w.pauses = w.lossless && sw.PFC.Enabled>>w.priority&1 == 1
	return w
}

// of is wayOf for a class.
func (c *context) of(sw int, k *class) way { return wayOf(&c.Switches[sw], k.dscp, k.priority) }

// lossless are the groups of a switch whose classes of the traffic are lossless, or
// meant to be.
func (c *context) lossless(sw int) (groups []int) {
	for i := range c.traffic.classes {
		if w := c.meant(sw, &c.traffic.classes[i]); w.lossless && !slices.Contains(groups, int(w.group)) {
			groups = append(groups, int(w.group))
		}
	}
	return groups
}

// reacting are the groups of lossless classes under congestion control.
func (c *context) reacting(sw int) (groups []int) {
	for i := range c.traffic.classes {
		k := &c.traffic.classes[i]
		if w := c.meant(sw, k); w.lossless && k.reacts {
			groups = append(groups, int(w.group))
		}
	}
	return groups
}
