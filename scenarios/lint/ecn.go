package lint

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rocesim/results"
	"rocesim/scenarios/derive"
	"rocesim/sim"
)

// ecnBeforePFC compares the marking thresholds with the queue at which PFC stops
// its senders: of the smallest incast, two ingress ports that feed it and no other
// congestion, and of the incasts of the workload.
func (c *context) ecnBeforePFC() {
	c.crowds()
	for _, t := range derive.Thresholds(c.Plan) {
		for _, id := range t.Ports {
			if t.Marks && c.Switches[id.Switch].PFC.Enabled != 0 && overlap(t.Groups, c.reacting(id.Switch)) {
				c.thresholdOrder(id, &t)
			}
		}
	}
}

func overlap(a, b []int) bool {
	return slices.ContainsFunc(a, func(x int) bool { return slices.Contains(b, x) })
}

// thresholdOrder compares Kmin and Kmax with XOFF at one port.
func (c *context) thresholdOrder(id derive.PortID, t *derive.Threshold) {
	const k = 2 // ingress ports; of a single one the queue grows at a step of speed only
	sw := id.Switch
	if len(c.Switches[sw].Ports) <= k {
		return
	}
	queue := t.QueueAt(k, k)
	where, path := fmt.Sprintf("%s ports at %v", c.Switches[sw].Name, t.Rate), c.SwitchPath(sw, "ecn")
	sum := fmt.Sprintf("%d ingress ports x %s = %s", k, c.xoffText(t, k), size(queue))
	switch {
	case t.Kmin >= queue:
		c.add("ecn-after-pfc", path, where, fmt.Sprintf("PFC stops the smallest incast before the queue reaches Kmin, %s", size(t.Kmin)),
			sum+fmt.Sprintf(" <= Kmin %s; %s", size(t.Kmin), xoffLevels(t)), c.earlier(path, t, queue))
	case c.crowded(id, t):
	case t.Kmax >= queue:
		c.add("kmax-above-xoff", path, where, fmt.Sprintf("PFC stops the smallest incast before the queue reaches Kmax, %s", size(t.Kmax)),
			sum+fmt.Sprintf(" <= Kmax %s; %s", size(t.Kmax), xoffLevels(t)), c.earlier(path, t, queue)+" if PFC shall come last")
	}
}

// crowded looks for an incast of the workload in which PFC comes first, because
// few ports feed its queue while others fill the pool too.
func (c *context) crowded(id derive.PortID, t *derive.Threshold) bool {
	for _, crowd := range c.traffic.crowds[id.Switch] {
		if crowd.port != id.Port || !slices.Contains(t.Groups, crowd.group) {
			continue
		}
		k, n := crowd.feeding, c.traffic.filling[id.Switch]
		queue := t.QueueAt(k, n)
		if t.Kmin < queue {
			continue
		}
		path := c.SwitchPath(id.Switch, "ecn")
		c.add("ecn-after-pfc", path, c.portName(id.Switch, id.Port), fmt.Sprintf("PFC stops the senders of this workload before the queue reaches Kmin, %s", size(t.Kmin)),
			fmt.Sprintf("%d ingress port(s) feed the queue while %d groups fill: %d x %s = %s <= Kmin %s; %s",
				k, n, k, c.xoffText(t, n), size(queue), size(t.Kmin), xoffLevels(t)), c.earlier(path, t, queue))
		return true
	}
	return false
}

// earlier is a profile that ends below a queue, with the ratio of Kmin to Kmax of
// Alibaba's if Kmin has to fall.
func (c *context) earlier(path string, t *derive.Threshold, queue int64) string {
	kmax := max(1, min(t.Kmax, queue/5*4))
	kmin := t.Kmin
	if kmin >= kmax {
		kmin = kmax / 4
	}
	return fmt.Sprintf("set %s: {kmin: %dB, kmax: %dB, pmax: %s}, or raise switch.lossless", path, kmin, kmax, percent(t.Pmax))
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
					fmt.Sprintf("ACKs of %d B are dropped above Kmin %s, all above Kmax %s", c.Framing.Ack, size(red.Kmin), size(red.Kmax)),
					fmt.Sprintf("set %s: true", c.SwitchPath(sw, "ecn.mark_only")))
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
				fmt.Sprintf("set %s: {kmin: %dB, kmax: %dB, pmax: %s} for all rates, or rising rows", c.SwitchPath(sw, "ecn"), slow.Kmin, slow.Kmax,
					percent(float64(slow.Pmax)/math.Exp2(32))))
		}
	}
}

// kmaxAgainstBDP compares Kmax at ports to receivers with what their link carries
// in the round trip of the longest path.
func (c *context) kmaxAgainstBDP() {
	const most = 3 // bandwidth-delay products
	if !c.CC.DCQCN {
		return
	}
	trips := map[sim.Rate]sim.Time{}
	for _, p := range derive.Paths(c.Plan) {
		rate := p.Hops[len(p.Hops)-1].Rate
		trips[rate] = max(trips[rate], p.RTT)
	}
	for _, t := range derive.Thresholds(c.Plan) {
		bdp := int64(float64(t.Rate) / 8 * trips[t.Rate].Seconds())
		if !t.Marks || bdp == 0 || t.Kmax <= most*bdp {
			continue
		}
		for _, id := range t.Ports {
			if c.Graph.IsSwitch(c.ports(id.Switch)[id.Port].Peer.Node) || !overlap(t.Groups, c.reacting(id.Switch)) {
				continue
			}
			c.add("kmax-above-bdp", c.SwitchPath(id.Switch, "ecn"), c.Switches[id.Switch].Name,
				fmt.Sprintf("Kmax of %v ports is %.3g times what they carry in a round trip", t.Rate, float64(t.Kmax)/float64(bdp)),
				fmt.Sprintf("%v x %s of idle round trip = %s; Kmax %s > %d x that; a queue at Kmax lasts %s", t.Rate, lasts(trips[t.Rate]), size(bdp), size(t.Kmax), most,
					lasts(t.Rate.TxTimeCeil(t.Kmax))),
				kmaxOf(c.SwitchPath(id.Switch, "ecn"), &t, most*bdp))
		}
	}
}

// kmaxOf is a profile that ends at kmax, with Kmin in proportion.
func kmaxOf(path string, t *derive.Threshold, kmax int64) string {
	kmin := int64(float64(t.Kmin) * float64(kmax) / float64(t.Kmax))
	return fmt.Sprintf("set %s: {kmin: %dB, kmax: %dB, pmax: %s} if latency counts more than a burst's throughput", path, kmin, kmax, percent(t.Pmax))
}
