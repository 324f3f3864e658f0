package hpcc

import (
	"cmp"
	"slices"

	"rocesim/sim"
)

// Window is the bound on the payload in flight of the flows of some hosts.
type Window struct {
	// Bytes is a whole number of full packets: the original sends one more
	// while less than the bandwidth-delay product is in flight.
	Bytes int64
	// Nodes are the hosts that have it, ascending.
	Nodes []int
}

// Windows returns the windows of the hosts that send, the largest first: with
// GLOBAL_T that of all pairs, else by pairs of source and destination. Where the
// pairs of a host differ it gets the largest, and is among uneven. There are
// none without HAS_WIN, and where the product is 0, which the original takes for
// no bound.
func (t *Topology) Windows(c *Config, set *FlowSet) (windows []Window, uneven []int) {
	if !c.HasWindow {
		return nil, nil
	}
	var global int64
	if c.GlobalWindow {
		global = t.MaxBDP(c.PayloadSize)
	}
	known := make(map[[2]int]int64) // windows by pair of endpoints
	largest := make(map[int]int64)  // and by node
	for i := range set.Flows {
		f := &set.Flows[i]
		pair := [2]int{f.Src, f.Dst}
		if _, ok := known[pair]; ok {
			continue
		}
		bdp := global
		if !c.GlobalWindow {
			bdp = t.BDP(f.Src, f.Dst, c.PayloadSize)
		}
		known[pair] = wholePackets(bdp, int64(c.PayloadSize))
		w, ok := largest[f.SrcNode]
		if ok && w != known[pair] {
			uneven = append(uneven, f.SrcNode)
		}
		largest[f.SrcNode] = max(w, known[pair])
	}
	slices.Sort(uneven)
	return byBytes(largest), slices.Compact(uneven)
}

// wholePackets rounds bytes up.
func wholePackets(bytes, payload int64) int64 { return (bytes + payload - 1) / payload * payload }

// byBytes joins the hosts with the same window.
func byBytes(byNode map[int]int64) []Window {
	nodes := make([]int, 0, len(byNode))
	for n, bytes := range byNode {
		if bytes > 0 {
			nodes = append(nodes, n)
		}
	}
	slices.SortFunc(nodes, func(a, b int) int {
		return cmp.Or(cmp.Compare(byNode[b], byNode[a]), cmp.Compare(a, b))
	})
	var out []Window
	for _, n := range nodes {
		if len(out) == 0 || out[len(out)-1].Bytes != byNode[n] {
			out = append(out, Window{Bytes: byNode[n]})
		}
		last := &out[len(out)-1]
		last.Nodes = append(last.Nodes, n)
	}
	return out
}

// MaxBDP is the largest BDP of all pairs: the window of HAS_WIN with GLOBAL_T.
func (t *Topology) MaxBDP(payload int) int64 {
	var largest int64
	ends := t.distinct()
	for _, src := range ends {
		for _, dst := range ends {
			if src != dst {
				largest = max(largest, t.BDP(src, dst, payload))
			}
		}
	}
	return largest
}

// distinct returns endpoints that stand for all: two of those with equal links
// to one node, for all pairs of such have the same way but for its ends. In a
// large network that saves nearly all of the pairs.
func (t *Topology) distinct() []int {
	type access struct {
		peer  int
		rate  sim.Rate
		delay sim.Time
	}
	seen := make(map[access]int)
	var out []int
	for e := range t.Graph.Endpoints {
		port := t.Graph.Ports(e)[0]
		link := &t.Graph.Links[port.Link]
		key := access{port.Peer.Node, link.Rate, link.Delay}
		if seen[key] < 2 {
			out = append(out, e)
		}
		seen[key]++
	}
	return out
}
