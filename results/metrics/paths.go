package metrics

import (
	"cmp"
	"slices"

	"rocesim/fabric/packet"
	"rocesim/results"
	"rocesim/sim"
	switching "rocesim/switch"
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

// path returns the ports that a message's data leaves from, and those that the
// answers to it do.
func (c *Collector) path(message uint32) []results.PathHop {
	msg := c.m.Driver.Message(message)
	flow := c.m.Flow(int(msg.Conn))
	src, dst := int(msg.Src), int(msg.Dst)
	sender, receiver := &c.m.Spec.NICs[src], &c.m.Spec.NICs[dst]
	data := packets{message, "data", flow.Forward, flow.DSCP, sender.DSCPToPriority[flow.DSCP&63]}
	hops := c.follow(&data, src, dst)
	if hops == nil {
		return nil
	}
	// An ACK has the code point of the connection, whatever became of that of its data.
	ack := packets{message, "ack", flow.Backward, flow.DSCP, receiver.DSCPToPriority[flow.DSCP&63]}
	hops = append(hops, c.follow(&ack, dst, src)...)
	if c.opt.CongestionControl != "" && !receiver.EchoCNP { // else ACKs bring the news
		cnp := packets{message, "cnp", flow.Backward, receiver.CNPDSCP, receiver.DSCPToPriority[receiver.CNPDSCP&63]}
		hops = append(hops, c.follow(&cnp, dst, src)...)
	}
	return hops
}

// packets are those of one kind of a message, as they leave their NIC.
type packets struct {
	message  uint32
	kind     string
	tuple    packet.Tuple
	dscp     uint8 // changes where they turn around
	priority uint8
}

// follow returns the ports that packets leave from between two endpoints;
// nothing if switches choose packet by packet.
func (c *Collector) follow(p *packets, src, dst int) []results.PathHop {
	g := c.m.Spec.Graph
	fixed := true
	links := c.m.Routes.Path(src, dst, func(sw, n int) int {
		hop, ok := c.m.Switches[sw].Choice(p.tuple, n)
		fixed = fixed && ok
		return hop
	})
	if !fixed {
		return nil
	}
	var hops []results.PathHop
	for i, d := range links {
		from := g.From(d)
		hop := results.PathHop{Flow: p.message, Kind: p.kind, Port: c.ports.nic(from.Node), Priority: p.priority}
		if g.IsSwitch(from.Node) {
			sw := from.Node - len(g.Endpoints)
			hop.Port = c.ports.of(sw, from.Port)
			k := c.m.Switches[sw].Config()
			if b := k.Bump; b != nil && b.From[g.To(links[i-1]).Port] && b.To[from.Port] {
				p.dscp = b.DSCP[p.dscp&63]
			}
			hop.Priority = queueOf(&k.Classes, p.dscp, p.priority)
		}
		hops = append(hops, hop)
	}
	return hops
}

// queueOf is the egress queue that a switch puts packets into.
func queueOf(m *switching.ClassMap, dscp, pcp uint8) uint8 {
	if m.TrustPCP {
		return m.TCToQueue[m.PCPToTC[pcp&7]]
	}
	return m.TCToQueue[m.DSCPToTC[dscp&63]]
}
