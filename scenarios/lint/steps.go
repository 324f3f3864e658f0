package lint

import (
	"fmt"
	"slices"

	"rocesim/fabric/topo"
	"rocesim/scenarios/derive"
	"rocesim/sim"
)

// speedSteps looks for senders that overrun a slower receiver within the time
// that a notification takes.
func (c *context) speedSteps() {
	if !c.CC.DCQCN {
		return
	}
	for _, s := range c.traffic.steps {
		sw := leafOf(c.Plan, int(s.dst))
		if sw < 0 || len(c.reacting(sw)) == 0 {
			continue
		}
		port := c.Graph.Ports(int(s.dst))[0].Peer.Port
		for _, t := range c.thresholds() {
			if t.Marks && slices.Contains(t.Ports, derive.PortID{Switch: sw, Port: port}) && overlap(t.Groups, c.reacting(sw)) {
				c.overshoot(s, sw, port, &t)
			}
		}
	}
}

// overshoot is the arithmetic of one step.
func (c *context) overshoot(s ends, sw, port int, t *derive.Threshold) {
	from, to := &c.NICs[s.src], &c.NICs[s.dst]
	loop := to.CNPDelay + c.roundTrip(int(s.src), int(s.dst))
	over := float64(from.Rate-to.Rate) / 8 * loop.Seconds()
	queue := float64(t.Kmin) + over
	xoff := t.QueueAt(1, 1)
	if queue <= float64(min(t.Kmax, xoff)) {
		return
	}
	beyond := fmt.Sprintf("beyond XOFF of one group, %s", size(xoff))
	if queue <= float64(xoff) {
		beyond = fmt.Sprintf("beyond Kmax, %s", size(t.Kmax))
	}
	c.addAs("speed-step-overshoot", warningIf(queue > float64(xoff)), c.SwitchPath(sw, "ecn"), c.portName(sw, port),
		fmt.Sprintf("a sender at %v takes the queue to a receiver at %v %s", from.Rate, to.Rate, beyond),
		fmt.Sprintf("(%v - %v) x (%s of nic.cnp.delay + %s of round trip) = %s; Kmin %s + %s = %s; Kmax %s, XOFF %s", from.Rate, to.Rate, lasts(to.CNPDelay), lasts(loop-to.CNPDelay),
			size(over), size(t.Kmin), size(over), size(queue), size(t.Kmax), size(xoff)),
		slower(from.Rate-to.Rate, loop-to.CNPDelay, xoff-t.Kmin)+fmt.Sprintf("raise switch.lossless until XOFF is above %s", size(queue)))
}

// slower is the delay of notifications within which a sender that is too fast by
// excess brings no more than room bytes; empty if there is none.
func slower(excess sim.Rate, trip sim.Time, room int64) string {
	delay := sim.Time(float64(max(0, room))*8/float64(excess)*float64(sim.Second)) - trip
	if delay < sim.Microsecond {
		return ""
	}
	return fmt.Sprintf("set nic.cnp.delay: %v or less, or ", delay/sim.Microsecond*sim.Microsecond)
}

// roundTrip is the propagation and pipeline time between two endpoints there and
// back, on the first of equal-cost paths.
func (c *context) roundTrip(src, dst int) sim.Time {
	return c.oneWay(c.Routes.FirstPath(src, dst)) + c.oneWay(c.Routes.FirstPath(dst, src))
}

func (c *context) oneWay(path []topo.DirectedLink) sim.Time {
	t := sim.Time(0)
	for _, d := range path {
		t += c.Graph.Links[d.Link].Delay
		if sw := c.switchAt(c.Graph.To(d).Node); sw >= 0 {
			t += c.Switches[sw].IngressLatency + c.Switches[sw].EgressLatency
		}
	}
	return t
}
