package scenarios

import (
	"rocesim/scenarios/strict"
	"rocesim/sim"
)

// Shape describes a scenario: every key, what it takes, and the default if no
// preset gives it.
func Shape() strict.Shape { return strict.ShapeOf(defaults()) }

// newTopology returns the topology of a name with its defaults, or nil.
func newTopology(kind string) Topology {
	common := newFabricCommon()
	switch kind {
	case "dumbbell":
		return &Dumbbell{FabricCommon: common}
	case "leaf-spine":
		return &LeafSpine{FabricCommon: common, NICsPerHost: 1}
	case "fat-tree":
		return &FatTree{FabricCommon: common, NICsPerHost: 1}
	case "ring":
		return &Ring{FabricCommon: common}
	case "explicit":
		return &Explicit{FabricCommon: common}
	case "star":
		return &Star{FabricCommon: common, NICsPerHost: 1}
	default:
		return nil
	}
}

func newFabricCommon() FabricCommon {
	return FabricCommon{Quantum: sim.Picosecond, Medium: Medium{Preset: "plain"}, Convergence: defaultConvergence}
}

// Shape describes the topologies.
func (f *Fabric) Shape() strict.Shape {
	return strict.SelectShape("topology", newFabricCommon(), func(kind string) any { return newTopology(kind) })
}

// newTraffic returns the entry of a type, or nil.
func newTraffic(kind string) Traffic {
	switch kind {
	case "flows":
		return &Flows{}
	case "incast":
		return &Incast{}
	case "permutation":
		return &Permutation{}
	case "all-to-all":
		return &AllToAll{}
	case "poisson":
		return &Poisson{}
	case "saturate":
		return &Saturate{}
	case "latency":
		return &Latency{}
	case "datagrams":
		return &Datagrams{}
	default:
		return nil
	}
}

// Shape describes the types of traffic.
func (w *Workload) Shape() strict.Shape {
	return strict.SelectShape("type", TrafficCommon{}, func(kind string) any { return newTraffic(kind) })
}

// Shape describes a fault.
func (f *Fault) Shape() strict.Shape { return strict.ShapeOf(Fault{}) }

// Shape describes a name or {name, nics}.
func (h *ExplicitHost) Shape() strict.Shape {
	return strict.ChoiceShape("a name or a group", strict.TextShape("a name"), strict.ShapeOf(ExplicitHost{NICs: 1}))
}

// Shape describes a number, a pattern or a list of patterns.
func (s *HostSet) Shape() strict.Shape {
	pattern := strict.TextShape("a pattern")
	return strict.ChoiceShape("hosts", strict.IntegerShape(1, maxDrawn), pattern, strict.ListShape(pattern, 1, 0))
}

// Shape describes a number or a list of [from, to].
func (s *PairSet) Shape() strict.Shape {
	pair := strict.ListShape(strict.TextShape("a host"), 2, 2)
	return strict.ChoiceShape("pairs", strict.IntegerShape(1, maxDrawn), strict.ListShape(pair, 0, 0))
}

// The overrides of a section are groups of its keys, kept as they are until it
// is known what they change.
type (
	linkPatch   struct{ strict.Raw }
	switchPatch struct{ strict.Raw }
	nicPatch    struct{ strict.Raw }
)

// Shape describes the keys of a link, except their number.
func (o *linkPatch) Shape() strict.Shape { return strict.PatchShape(Link{}, "count") }

// Shape describes the keys of a switch.
func (o *switchPatch) Shape() strict.Shape { return strict.PatchShape(Switch{}, "overrides") }

// Shape describes the keys of a NIC.
func (o *nicPatch) Shape() strict.Shape { return strict.PatchShape(NIC{}, "overrides") }
