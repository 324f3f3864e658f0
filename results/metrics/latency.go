package metrics

import (
	"fmt"

	"rocesim/fabric/topo"
	"rocesim/results"
	"rocesim/sim"
)

// latency breaks the one-way latency of the first probe of each latency entry
// into its parts on an idle fabric: which nanoseconds are NIC, wire and switch.
func (c *Collector) latency() []results.LatencyPart {
	var parts []results.LatencyPart
	done := map[int32]bool{}
	d := c.m.Driver
	for i := range d.Len() {
		msg := d.Message(uint32(i))
		if !c.isProbe(int(msg.Entry)) || done[msg.Entry] {
			continue
		}
		done[msg.Entry] = true
		parts = append(parts, c.breakdown(int(msg.Src), int(msg.Dst), msg.Bytes)...)
	}
	return parts
}

// breakdown follows the first packet of a message of n bytes.
func (c *Collector) breakdown(src, dst int, n int64) []results.LatencyPart {
	g := c.m.Spec.Graph
	spec := c.m.Spec
	path := fmt.Sprintf("%s to %s, %d B write", g.NodeName(src), g.NodeName(dst), n)
	var parts []results.LatencyPart
	add := func(kind, component string, t sim.Time) {
		parts = append(parts, results.LatencyPart{Path: path, Component: component, Kind: kind, Time: t})
	}
	add("nic", g.NodeName(src)+" send", spec.NICs[src].TxLatency)
	frame := spec.Framing.Frame(int(min(n, int64(spec.NICs[src].MTU))), true)
	onWire := int64(frame + spec.Framing.Preamble)
	links := c.m.Routes.FirstPath(src, dst)
	for i, d := range links {
		link := g.Links[d.Link]
		if !c.cutsThrough(links, i) {
			add("wire", link.Name+" serialisation", link.Rate.TxTimeCeil(onWire))
		}
		add("wire", link.Name+" propagation", link.Delay)
		if to := g.To(d); g.IsSwitch(to.Node) {
			k := &spec.Switches[to.Node-len(g.Endpoints)]
			add("switch", k.Name+" pipeline", k.IngressLatency+k.EgressLatency)
		}
	}
	add("nic", g.NodeName(dst)+" receive", spec.NICs[dst].RxLatency)
	return parts
}

// cutsThrough reports whether the node behind link i forwards before the last
// bit is in, so that this link's serialisation overlaps the next one's.
func (c *Collector) cutsThrough(links []topo.DirectedLink, i int) bool {
	g := c.m.Spec.Graph
	to := g.To(links[i])
	if !g.IsSwitch(to.Node) || i+1 == len(links) {
		return false
	}
	k := &c.m.Spec.Switches[to.Node-len(g.Endpoints)]
	return k.CutThrough && g.Links[links[i+1].Link].Rate <= g.Links[links[i].Link].Rate
}
