package derive

import (
	"slices"

	"rocesim/fabric/topo"
	"rocesim/scenarios"
	"rocesim/sim"
	switching "rocesim/switch"
)

// network is a plan with what all computations need of it.
type network struct {
	*scenarios.Plan
	// largest is the largest frame that any NIC sends, without preamble and gap.
	largest int64
	// frames are the sizes of full packets: with and without RETH.
	frames []int64
}

func newNetwork(p *scenarios.Plan) *network {
	n := &network{Plan: p, largest: int64(max(p.Framing.Ack, p.Framing.CNP))}
	for i := range p.NICs {
		mtu := p.NICs[i].MTU
		n.largest = max(n.largest, int64(p.Framing.Frame(mtu, true)), int64(p.Framing.DatagramFrame(mtu)))
		n.frames = append(n.frames, int64(p.Framing.Frame(mtu, false)), int64(p.Framing.Frame(mtu, true)))
	}
	slices.Sort(n.frames)
	n.frames = slices.Compact(n.frames)
	return n
}

// ports are those of switch i.
func (n *network) ports(i int) []topo.PortRef { return n.Graph.Ports(len(n.Graph.Endpoints) + i) }

// switchAt returns the configuration of a node, nil if it is an endpoint.
func (n *network) switchAt(node int) *switching.Config {
	if !n.Graph.IsSwitch(node) {
		return nil
	}
	return &n.Switches[node-len(n.Graph.Endpoints)]
}

// lasts returns how long bytes last on the wire, floored as ports floor it: to at
// least one quantum.
func (n *network) lasts(r sim.Rate, bytes int64) sim.Time {
	t := r.TxTimeCeil(bytes)
	if n.Quantum > 1 {
		return max(n.Quantum, t-t%n.Quantum)
	}
	return t
}
