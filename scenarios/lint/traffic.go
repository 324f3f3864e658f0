package lint

import (
	"slices"

	"rocesim/scenarios"
	"rocesim/scenarios/workload"
	switching "rocesim/switch"
)

// class is how reliable traffic is marked.
type class struct {
	dscp, priority uint8
	// reacts is set if connections of the class are under congestion control,
	// ignores if some are not though others may be.
	reacts, ignores bool
	// senders are endpoints that send data of the class.
	senders map[int]bool
}

// traffic is what the workload means for the rules.
type traffic struct {
	// classes of reliable connections, in the order of the workload.
	classes []class
	// senders is, for each endpoint, how many endpoints send to it at once, as far
	// as entries other than Poisson and probes say; flows counts queue pairs.
	senders, flows map[int]int
	// between are the pairs of endpoints that senders counts, each once.
	between []ends
	// leaving counts the queue pairs that leave a switch for another one, without
	// those of Poisson entries and probes.
	leaving map[int]int
	// pairs counts queue pairs by entry and hosts.
	pairs map[hostPair]int
	order []hostPair
	// steps are the first pairs of endpoints of each combination of line rates.
	steps []ends
}

// hostPair is who sends to whom in one entry.
type hostPair struct{ entry, src, dst int }

// ends are a sending and a receiving endpoint.
type ends struct{ src, dst int }

// trafficOf goes through all connections once.
func trafficOf(p *scenarios.Plan) traffic {
	t := traffic{senders: map[int]int{}, flows: map[int]int{}, leaving: map[int]int{}, pairs: map[hostPair]int{}}
	seen, rates := map[[2]int]bool{}, map[[2]int64]bool{}
	p.Connections(func(src, dst int, c workload.Class) {
		if c.Unreliable {
			return
		}
		t.note(p, src, c)
		if r := [2]int64{int64(p.NICs[src].Rate), int64(p.NICs[dst].Rate)}; !rates[r] && !c.NoCC {
			rates[r] = true
			if r[0] > r[1] {
				t.steps = append(t.steps, ends{src, dst})
			}
		}
		switch p.Workload[c.Entry].(type) {
		case workload.Poisson, workload.Latency:
			return
		}
		if pair := [2]int{src, dst}; !seen[pair] {
			seen[pair] = true
			t.senders[dst]++
			t.between = append(t.between, ends{src, dst})
		}
		t.flows[dst]++
		if from, to := leafOf(p, src), leafOf(p, dst); from != to && from >= 0 {
			t.leaving[from]++
		}
		at := hostPair{c.Entry, p.Graph.Endpoints[src].Host, p.Graph.Endpoints[dst].Host}
		if t.pairs[at] == 0 {
			t.order = append(t.order, at)
		}
		t.pairs[at]++
	})
	return t
}

// note counts a connection to its class.
func (t *traffic) note(p *scenarios.Plan, src int, c workload.Class) {
	priority := p.NICs[src].DSCPToPriority[c.DSCP]
	i := slices.IndexFunc(t.classes, func(k class) bool { return k.dscp == c.DSCP && k.priority == priority })
	if i < 0 {
		i = len(t.classes)
		t.classes = append(t.classes, class{dscp: c.DSCP, priority: priority, senders: map[int]bool{}})
	}
	k := &t.classes[i]
	k.senders[src] = true
	k.reacts = k.reacts || p.CC.DCQCN && !c.NoCC
	k.ignores = k.ignores || c.NoCC
}

// leafOf is the switch of an endpoint, -1 if its peer is none.
func leafOf(p *scenarios.Plan, endpoint int) int {
	return max(-1, p.Graph.Ports(endpoint)[0].Peer.Node-len(p.Graph.Endpoints))
}

// incast is the largest number of senders to one endpoint, and the endpoint; the
// first of several.
func (t *traffic) incast() (senders, endpoint int) {
	for e, n := range t.senders {
		if n > senders || n == senders && e < endpoint {
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
type segment struct{ from, to int }

// segments are those of a pair of endpoints.
func (c *context) segments(p ends) []segment {
	list := []segment{{p.src, -1}}
	if from, to := leafOf(c.Plan, p.src), leafOf(c.Plan, p.dst); from != to {
		list = append(list, segment{from, to})
	}
	return list
}

// victim returns a pair whose packets wait for an incast that they are no part of,
// because they share a segment with it.
func (c *context) victim() (victim ends, found bool) {
	jams := map[segment][]int{} // the receivers of incasts; two tell enough
	for _, p := range c.traffic.between {
		if c.traffic.senders[p.dst] < 2 {
			continue
		}
		for _, s := range c.segments(p) {
			if at := jams[s]; len(at) < 2 && !slices.Contains(at, p.dst) {
				jams[s] = append(at, p.dst)
			}
		}
	}
	for _, p := range c.traffic.between {
		for _, s := range c.segments(p) {
			if slices.ContainsFunc(jams[s], func(e int) bool { return e != p.dst }) {
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
	m := &sw.Classes
	w := way{tc: m.DSCPToTC[dscp]}
	if m.TrustPCP {
		w.tc = m.PCPToTC[priority]
	}
	w.group, w.queue = m.TCToGroup[w.tc], m.TCToQueue[w.tc]
	w.priority = m.GroupToPFC[w.group]
	w.lossless = sw.Groups[w.group].Lossless
	w.pauses = w.lossless && sw.PFC.Enabled>>w.priority&1 == 1
	return w
}

// of is wayOf for a class.
func (c *context) of(sw int, k *class) way { return wayOf(&c.Switches[sw], k.dscp, k.priority) }

// lossless reports whether a switch treats any class of the traffic as lossless,
// and which groups those are.
func (c *context) lossless(sw int) (groups []int) {
	for i := range c.traffic.classes {
		if w := c.of(sw, &c.traffic.classes[i]); w.lossless && !slices.Contains(groups, int(w.group)) {
			groups = append(groups, int(w.group))
		}
	}
	return groups
}

// reacting are the groups of lossless classes under congestion control.
func (c *context) reacting(sw int) (groups []int) {
	for i := range c.traffic.classes {
		k := &c.traffic.classes[i]
		if w := c.of(sw, k); w.lossless && k.reacts {
			groups = append(groups, int(w.group))
		}
	}
	return groups
}
