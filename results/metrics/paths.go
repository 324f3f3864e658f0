package metrics

import (
	"cmp"
	"slices"

	"rocesim/results"
	"rocesim/sim"
)

// slowestFlows is how many flows of each workload have their path recorded.
const slowestFlows = 3

// paths follows the slowest flows of each workload through the fabric, as its
// switches hash them. Flows that are sprayed have no one path.
func (c *Collector) paths(run *results.Run) []results.PathHop {
	var out []results.PathHop
	for w := range run.Workloads {
		for _, i := range slowestOf(run, int32(w)) {
			out = append(out, c.path(run.Flows[i].ID)...)
		}
	}
	return out
}

// slowestOf returns the indexes of a workload's flows that took, or have taken
// so far, longest compared with the idle fabric. Datagrams have no completion
// and so are never slow.
func slowestOf(run *results.Run, workload int32) []int {
	type slow struct {
		index int
		times float64
	}
	var worst []slow // ordered, the slowest first
	for i := range run.Flows {
		f := &run.Flows[i]
		if f.Workload != workload || f.Ideal <= 0 || f.Unfinished == results.NotAcknowledged {
			continue
		}
		s := slow{i, float64(elapsed(f, run.Manifest.SimulatedTime)) / float64(f.Ideal)}
		if len(worst) == slowestFlows && s.times <= worst[slowestFlows-1].times {
			continue
		}
		at, _ := slices.BinarySearchFunc(worst, s, func(a, b slow) int {
			return cmp.Or(cmp.Compare(b.times, a.times), cmp.Compare(a.index, b.index))
		})
		worst = slices.Insert(worst, at, s)[:min(len(worst)+1, slowestFlows)]
	}
	indexes := make([]int, len(worst))
	for i, s := range worst {
		indexes[i] = s.index
	}
	return indexes
}

// elapsed is a flow's completion time, or how long it has lasted.
func elapsed(f *results.FlowRow, now sim.Time) sim.Time {
	if f.Completed != 0 {
		return f.FCT()
	}
	return now - f.Start
}

// path returns the ports that a message's data leaves from.
func (c *Collector) path(message uint32) []results.PathHop {
	msg := c.m.Driver.Message(message)
	flow := c.m.Flow(int(msg.Conn)).Forward
	g := c.m.Spec.Graph
	fixed := true
	links := c.m.Routes.Path(int(msg.Src), int(msg.Dst), func(sw, n int) int {
		hop, ok := c.m.Switches[sw].Choice(flow, n)
		fixed = fixed && ok
		return hop
	})
	if !fixed {
		return nil
	}
	var hops []results.PathHop
	for _, d := range links {
		from := g.From(d)
		port := c.ports.nic(from.Node)
		if g.IsSwitch(from.Node) {
			port = c.ports.of(from.Node-len(g.Endpoints), from.Port)
		}
		hops = append(hops, results.PathHop{Flow: message, Port: port})
	}
	return hops
}
