package derive

import (
	"rocesim/fabric/topo"
	"rocesim/results/metrics"
	"rocesim/scenarios"
	"rocesim/scenarios/model"
	switching "rocesim/switch"
)

// network is a plan with what all computations need of it.
type network struct {
	*scenarios.Plan
	room *metrics.Headroom
}

func newNetwork(p *scenarios.Plan) *network {
	return &network{Plan: p, room: metrics.NewHeadroom(specOf(p))}
}

// specOf is what the arithmetic that results rest on takes of a plan.
func specOf(p *scenarios.Plan) *model.Spec {
	return &model.Spec{Graph: p.Graph, Switches: p.Switches, NICs: p.NICs, Framing: p.Framing, Quantum: p.Quantum}
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
