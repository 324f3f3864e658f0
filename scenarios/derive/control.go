package derive

import (
	"cmp"
	"math"
	"slices"

	"rocesim/cc/dcqcn/fluid"
	"rocesim/scenarios"
	"rocesim/sim"
	switching "rocesim/switch"
)

// Control is where DCQCN settles when flows of one NIC rate share a port of that
// rate, by the fluid model.
type Control struct {
	// Port stands for those with this profile, towards endpoints.
	Port PortID
	Loop fluid.Loop
	// Problem says why there is no fixed point; Point and Stability are empty
	// then.
	Problem   string
	Point     fluid.Point
	Stability fluid.Stability
}

// Controls returns the loops of every rate and marking profile of ports towards
// endpoints, for each number of flows, in the order of rates; nil without DCQCN or
// without marking. The delay is that of the longest path class to such a port.
func Controls(p *scenarios.Plan, flows ...int) []Control {
	if !p.CC.DCQCN {
		return nil
	}
	n := newNetwork(p)
	paths := Paths(p)
	type kind struct {
		rate sim.Rate
		red  fluid.RED
	}
	known := map[kind]bool{}
	var all []Control
	for e := range p.Graph.Endpoints {
		ref := p.Graph.Ports(e)[0]
		c := n.switchAt(ref.Peer.Node)
		if c == nil {
			continue
		}
		id := PortID{ref.Peer.Node - len(p.Graph.Endpoints), ref.Peer.Port}
		red, marks := n.profile(id)
		k := kind{p.NICs[e].Rate, red}
		if !marks || known[k] {
			continue
		}
		known[k] = true
		for _, count := range flows {
			all = append(all, n.control(id, e, red, count, paths))
		}
	}
	slices.SortStableFunc(all, func(a, b Control) int { return cmp.Compare(a.Loop.Rate, b.Loop.Rate) })
	return all
}

// profile is how a port marks: the queue of the first lossless group that does, or
// else the first queue.
func (n *network) profile(id PortID) (fluid.RED, bool) {
	c := &n.Switches[id.Switch]
	for _, groups := range alikeGroups(c) {
		red := queueOf(c, groups[0]).RED
		if own := c.Ports[id.Port].RED; red != nil && own != nil {
			red = own
		}
		if red != nil {
			return asFluid(red), true
		}
	}
	for q := range c.Queues {
		if red := c.Queues[q].RED; red != nil {
			return asFluid(red), true
		}
	}
	return fluid.RED{}, false
}

func asFluid(red *switching.REDProfile) fluid.RED {
	f := fluid.RED{Kmin: red.Kmin, Kmax: red.Kmax, Pmax: float64(red.Pmax) / math.Exp2(32)}
	if red.CapAtPmax {
		f.Beyond = fluid.Cap
	}
	return f
}

func (n *network) control(id PortID, e int, red fluid.RED, flows int, paths []Path) Control {
	a := &n.NICs[e]
	c := Control{Port: id, Loop: fluid.Loop{
		Params: *n.CC.Params[e], CNPInterval: a.CNPInterval, RED: red, Rate: a.Rate, Flows: flows,
		Delay: n.loopDelay(a.Rate, paths), Packet: n.Framing.Wire(n.Framing.Frame(a.MTU, false)),
	}}
	point, err := c.Loop.FixedPoint()
	if err != nil {
		c.Problem = err.Error()
		return c
	}
	c.Point = point
	if c.Stability, err = c.Loop.Stability(); err != nil {
		c.Problem = err.Error()
	}
	return c
}

// loopDelay is from a mark to the first packet of the changed rate: the round trip
// of the longest path to a port of the rate, without what hosts need to post and
// to complete, with the delay of a CNP in place of that of an ACK.
func (n *network) loopDelay(rate sim.Rate, paths []Path) sim.Time {
	var longest sim.Time
	for i := range paths {
		p := &paths[i]
		from, to := &n.NICs[p.Src], &n.NICs[p.Dst]
		if p.Hops[len(p.Hops)-1].Rate == rate {
			longest = max(longest, p.RTT-from.TxLatency-from.RxLatency-to.AckLatency+to.CNPDelay)
		}
	}
	return longest
}
