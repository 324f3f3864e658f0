package workload

import (
	"cmp"
	"slices"

	"rocesim/sim"
)

// Flow is one message on a connection of its own, on the hosts' first NICs
// unless it names others.
type Flow struct {
	Pair
	Bytes int64
	Start sim.Time
	// SrcPort and DstPort are UDP ports; 0 takes those of the entry's class.
	SrcPort, DstPort uint16
}

// Flows is an explicit list of flows, in any order of starts.
type Flows struct {
	Common
	Flows []Flow
}

// Validate checks every flow.
func (f Flows) Validate(h Hosts) error {
	k := newChecker(h, f.Common)
	if len(f.Flows) == 0 {
		k.add("flows", "the list is empty; at least one flow is needed")
	}
	for _, flow := range f.Flows {
		k.pair("flows", flow.Pair)
		k.bytes("bytes", flow.Bytes)
		k.span("start", flow.Start)
	}
	return k.err()
}

// Bounded returns true: a list ends.
func (f Flows) Bounded() bool { return true }

func (f Flows) start(s *source) generator {
	g := &flowList{source: s, flows: slices.Clone(f.Flows)}
	slices.SortStableFunc(g.flows, func(a, b Flow) int { return cmp.Compare(a.Start, b.Start) })
	g.wait()
	return g
}

// flowList opens each connection when its flow starts, so that a long list
// does not need all its queue pairs at once.
type flowList struct {
	*source
	flows []Flow // those to come
}

// wait asks for a wake-up at the next start.
func (g *flowList) wait() {
	if len(g.flows) > 0 {
		g.agenda.push(g.flows[0].Start, 0)
	}
}

func (g *flowList) wake(now sim.Time, _ int32) {
	for len(g.flows) > 0 && g.flows[0].Start == now {
		f := g.flows[0]
		g.flows = g.flows[1:]
		c := g.class
		if f.SrcPort != 0 {
			c.SrcPort = f.SrcPort
		}
		if f.DstPort != 0 {
			c.DstPort = f.DstPort
		}
		g.post(now, g.connect(f.Pair, 0, c), f.Bytes, 0, -1)
	}
	g.wait()
}
