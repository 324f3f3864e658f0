package lint

import (
	"fmt"
	"slices"
	"strings"

	"rocesim/fabric/topo"
	"rocesim/results"
	"rocesim/scenarios/derive"
	"rocesim/sim"
)

// ecnBeforePFC compares the marking thresholds with the queue at which PFC stops
// the smallest incast: two ingress ports that feed it, and no other congestion.
func (c *context) ecnBeforePFC() {
	for _, t := range derive.Thresholds(c.Plan) {
		for _, id := range t.Ports {
			if t.Marks && c.Switches[id.Switch].PFC.Enabled != 0 && overlap(t.Groups, c.reacting(id.Switch)) {
				c.thresholdOrder(id.Switch, &t)
			}
		}
	}
}

func overlap(a, b []int) bool {
	return slices.ContainsFunc(a, func(x int) bool { return slices.Contains(b, x) })
}

// thresholdOrder compares Kmin and Kmax with XOFF on ports of one rate.
func (c *context) thresholdOrder(sw int, t *derive.Threshold) {
	const k = 2 // ingress ports; of a single one the queue grows at a step of speed only
	if len(c.Switches[sw].Ports) <= k {
		return
	}
	queue := t.QueueAt(k, k)
	where := fmt.Sprintf("%s ports at %v", c.Switches[sw].Name, t.Rate)
	sum := fmt.Sprintf("%d ingress ports x %s = %s", k, c.xoffText(t, k), size(queue))
	switch {
	case t.Kmin >= queue:
		c.add("ecn-after-pfc", c.SwitchPath(sw, "ecn"), where, fmt.Sprintf("PFC stops senders before the queue reaches Kmin, %s", size(t.Kmin)),
			sum+fmt.Sprintf(" <= Kmin %s; %s", size(t.Kmin), xoffLevels(t)),
			fmt.Sprintf("set switch.ecn.kmin below %s, or raise switch.lossless", size(queue)))
	case t.Kmax >= queue:
		c.add("kmax-above-xoff", c.SwitchPath(sw, "ecn"), where, fmt.Sprintf("PFC stops the smallest incast before the queue reaches Kmax, %s", size(t.Kmax)),
			sum+fmt.Sprintf(" <= Kmax %s; %s", size(t.Kmax), xoffLevels(t)),
			fmt.Sprintf("set switch.ecn.kmax below %s if PFC shall come last", size(queue)))
	}
}

// xoffText is the threshold of one of n congested groups with its arithmetic.
func (c *context) xoffText(t *derive.Threshold, n int) string {
	reserve := ""
	if t.Reserved > 0 {
		reserve = size(t.Reserved) + " + "
	}
	if !t.Dynamic {
		return fmt.Sprintf("(%s%s)", reserve, size(t.Xoff(n)))
	}
	alpha := results.Count.Format(t.Alpha)
	return fmt.Sprintf("(%s%s x %s / (1 + %d x %s))", reserve, alpha, size(t.Pool), n, alpha)
}

// xoffLevels is how the threshold of one group falls while others fill.
func xoffLevels(t *derive.Threshold) string {
	if !t.Dynamic {
		return "XOFF is static"
	}
	var list []string
	for _, n := range []int{1, 4, 16, 32} {
		list = append(list, fmt.Sprintf("%s (%.2g of the pool)", size(t.Xoff(n)), float64(t.Xoff(n))/float64(t.Pool)))
	}
	return "XOFF of 1, 4, 16, 32 groups: " + strings.Join(list, ", ")
}

// wredDrops looks for lossless queues whose profile drops.
func (c *context) wredDrops() {
	for sw := range c.Switches {
		for i := range c.traffic.classes {
			w := c.of(sw, &c.traffic.classes[i])
			if red := c.Switches[sw].Queues[w.queue].RED; w.lossless && red != nil && !red.MarkOnly {
				c.add("wred-drops-lossless", c.SwitchPath(sw, "ecn"), c.Switches[sw].Name, fmt.Sprintf("WRED drops packets without ECN support in lossless queue %d", w.queue),
					fmt.Sprintf("ACKs of %d B are dropped above Kmin %s, all above Kmax %s", c.Framing.Ack, size(red.Kmin), size(red.Kmax)), "set switch.ecn.mark_only: true")
			}
		}
	}
}

// ecnBySpeed looks for thresholds that fall with the rate of the port.
func (c *context) ecnBySpeed() {
	for sw := range c.Switches {
		bySpeed := map[sim.Rate]int{} // a port of each rate
		var rates []sim.Rate
		for port, p := range c.Switches[sw].Ports {
			if _, known := bySpeed[p.Rate]; !known && p.RED != nil {
				bySpeed[p.Rate] = port
				rates = append(rates, p.Rate)
			}
		}
		slices.Sort(rates)
		for i := 1; i < len(rates); i++ {
			slow, fast := c.Switches[sw].Ports[bySpeed[rates[i-1]]].RED, c.Switches[sw].Ports[bySpeed[rates[i]]].RED
			if fast.Kmin >= slow.Kmin && fast.Kmax >= slow.Kmax {
				continue
			}
			c.add("ecn-not-monotone", c.SwitchPath(sw, "ecn"), c.Switches[sw].Name, fmt.Sprintf("ports at %v mark earlier than ports at %v", rates[i], rates[i-1]),
				fmt.Sprintf("Kmin/Kmax %s/%s at %v (%s of queue), %s/%s at %v (%s)", size(slow.Kmin), size(slow.Kmax), rates[i-1], lasts(rates[i-1].TxTimeCeil(slow.Kmin)),
					size(fast.Kmin), size(fast.Kmax), rates[i], lasts(rates[i].TxTimeCeil(fast.Kmin))),
				fmt.Sprintf("set switch.ecn.table: {rate: %v} to %s and %s or more", rates[i], size(slow.Kmin), size(slow.Kmax)))
		}
	}
}

// speedSteps looks for senders that overrun a slower receiver within the time
// that a notification takes.
func (c *context) speedSteps() {
	if !c.CC.DCQCN {
		return
	}
	for _, s := range c.traffic.steps {
		sw := leafOf(c.Plan, s.dst)
		if sw < 0 || len(c.reacting(sw)) == 0 {
			continue
		}
		port := c.Graph.Ports(s.dst)[0].Peer.Port
		for _, t := range derive.Thresholds(c.Plan) {
			if t.Marks && slices.Contains(t.Ports, derive.PortID{Switch: sw, Port: port}) && overlap(t.Groups, c.reacting(sw)) {
				c.overshoot(s, sw, port, &t)
			}
		}
	}
}

// overshoot is the arithmetic of one step.
func (c *context) overshoot(s ends, sw, port int, t *derive.Threshold) {
	from, to := &c.NICs[s.src], &c.NICs[s.dst]
	loop := to.CNPDelay + c.roundTrip(s.src, s.dst)
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
		"shorten nic.cnp.delay, lower switch.ecn.kmin, or raise switch.lossless")
}

// roundTrip is the propagation and pipeline time between two endpoints there and
// back, on the first of equal-cost paths.
func (c *context) roundTrip(src, dst int) sim.Time {
	there := c.oneWay(c.Routes.Path(src, dst, first))
	return there + c.oneWay(c.Routes.Path(dst, src, first))
}

// first takes the first of several next hops.
func first(_, _ int) int { return 0 }

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
