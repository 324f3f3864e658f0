package metrics

import (
	"slices"

	"rocesim/fabric/topo"
	"rocesim/scenarios/headroom"
	"rocesim/scenarios/model"
	"rocesim/sim"
	switching "rocesim/switch"
)

// Headroom says for the ports of a network what they need beyond XOFF.
type Headroom struct {
	spec    *model.Spec
	full    []int64 // sizes of full packets, with and without RETH
	largest int64   // frame that any NIC sends
}

// NewHeadroom returns the arithmetic for the network of a spec.
func NewHeadroom(spec *model.Spec) *Headroom {
	f := &spec.Framing
	h := &Headroom{spec: spec, largest: int64(max(f.Ack, f.CNP))}
	for i := range spec.NICs {
		mtu := spec.NICs[i].MTU
		h.largest = max(h.largest, int64(f.Frame(mtu, true)), int64(f.DatagramFrame(mtu)))
		h.full = append(h.full, int64(f.Frame(mtu, false)), int64(f.Frame(mtu, true)))
	}
	slices.Sort(h.full)
	h.full = slices.Compact(h.full)
	return h
}

// Largest is the largest frame that any NIC sends, in bytes without preamble and
// gap.
func (h *Headroom) Largest() int64 { return h.largest }

// Port describes a port of a switch, both counted from 0.
func (h *Headroom) Port(sw, port int) headroom.Port {
	g, f, c := h.spec.Graph, &h.spec.Framing, &h.spec.Switches[sw]
	ref := g.Ports(len(g.Endpoints) + sw)[port]
	link := &g.Links[ref.Link]
	p := headroom.Port{
		Rate: link.Rate, Delay: link.Delay, Response: h.response(ref.Peer), Ingress: c.IngressLatency,
		Stores: stores(c, link.Rate), Quantum: h.spec.Quantum, Cell: int64(c.Buffer.Cell),
		Full: h.full, Largest: h.largest, Least: int64(min(f.Ack, f.Frame(1, false))), Pause: int64(f.PFC),
		Preamble: int64(f.Preamble), Gap: int64(f.Gap),
	}
	if g.IsSwitch(ref.Peer.Node) {
		p.PeerEgress = h.spec.Switches[ref.Peer.Node-len(g.Endpoints)].EgressLatency
	}
	return p
}

// response is how long the node at an end takes to obey a pause.
func (h *Headroom) response(e topo.End) sim.Time {
	g := h.spec.Graph
	if g.IsSwitch(e.Node) {
		return h.spec.Switches[e.Node-len(g.Endpoints)].PFC.Response
	}
	return h.spec.NICs[e.Node].PauseResponse
}

// stores reports whether a switch may have to take frames from a port of this
// rate whole before it admits them: if it stores and forwards, or if a port is
// faster.
func stores(c *switching.Config, rate sim.Rate) bool {
	return !c.CutThrough || slices.ContainsFunc(c.Ports, func(p switching.PortConfig) bool { return p.Rate > rate })
}
