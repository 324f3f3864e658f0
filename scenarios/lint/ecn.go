package lint

import (
	"cmp"
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
	for _, t := range c.thresholds() {
		o := &order{context: c, t: &t}
		for _, id := range t.Ports {
			if t.Marks && c.Switches[id.Switch].PFC.Enabled != 0 && overlap(t.Groups, c.reacting(id.Switch)) {
				o.judge(id)
			}
		}
	}
}

func overlap(a, b []int) bool {
	return slices.ContainsFunc(a, func(x int) bool { return slices.Contains(b, x) })
}

// order compares Kmin and Kmax with XOFF at ports that are alike.
type order struct {
	*context
	t *derive.Threshold
	// together and apart name the first two ports of one memory, and of two, so that
	// findings of many switches are one.
	together, apart string
}

// judge compares them at one port.
func (o *order) judge(id derive.PortID) {
	const k = 2 // ingress ports; of a single one the queue grows at a step of speed only
	two, found := o.smallestIncast(id)
	if !found {
		return
	}
	t, sw := o.t, id.Switch
	queue := t.QueueAt(k, two.filling())
	sum, other := o.arithmetic(sw, two)
	where, path := fmt.Sprintf("%s ports at %v", o.Switches[sw].Name, t.Rate), o.SwitchPath(sw, "ecn")
	switch {
	case t.Kmin >= queue:
		o.add("ecn-after-pfc", path, where, fmt.Sprintf("PFC stops %s before the queue reaches Kmin, %s", o.stopped(sw, two, t.Kmin), size(t.Kmin)),
			sum+fmt.Sprintf(" <= Kmin %s%s%s; %s", size(t.Kmin), other, o.spared(), xoffLevels(t)), o.earlier(path, t, queue))
	case o.crowded(id, t):
	case t.Kmax >= queue:
		o.add("kmax-above-xoff", path, where, fmt.Sprintf("PFC stops %s before the queue reaches Kmax, %s", o.stopped(sw, two, t.Kmax), size(t.Kmax)),
			sum+fmt.Sprintf(" <= Kmax %s%s; %s", size(t.Kmax), other, xoffLevels(t)), o.earlier(path, t, queue)+" if PFC shall come last")
	}
}

// stopped says which two senders PFC stops before their queue reaches a level.
func (o *order) stopped(sw int, two couple, level int64) string {
	if o.memories(sw) > 1 && two.together && level < o.t.QueueAt(2, 1) {
		return "two senders whose ports share a memory, such as " + o.together + ","
	}
	return "the smallest incast" // wherever its ports are
}

// arithmetic is how long the queue of two senders is when the first of them pauses,
// and how long that of two is that share no memory, where a switch has several.
func (o *order) arithmetic(sw int, two couple) (sum, other string) {
	names := o.peerName(sw, two.a) + " and " + o.peerName(sw, two.b)
	switch {
	case o.memories(sw) == 1:
		return "2 ingress ports x " + o.pair(2), ""
	case two.together:
		o.together = cmp.Or(o.together, names)
		return "2 ingress ports of one memory, such as those of " + o.together + ": 2 x " + o.pair(2), "; of two memories 2 x " + o.pair(1)
	default:
		o.apart = cmp.Or(o.apart, names)
		return "2 ingress ports, no two share a memory, such as those of " + o.apart + ": 2 x " + o.pair(1), ""
	}
}

// pair is the threshold of one of n groups, and the queue that two of them feed.
func (o *order) pair(n int) string { return o.xoffText(o.t, n) + " = " + size(o.t.QueueAt(2, n)) }

// spared names an incast of the workload that is larger than the smallest and is
// marked before PFC stops it; empty if there is none.
func (o *order) spared() string {
	for _, id := range o.t.Ports {
		for _, crowd := range o.crowdsAt(id, o.t) {
			if o.t.MarksFirst(o.t.Kmin, crowd.feeding, crowd.filling) {
				return fmt.Sprintf("; the incast of this workload into %s, of %d ingress ports, is marked: its queue holds %s at the first pause",
					o.peerName(id.Switch, id.Port), crowd.feeding, size(o.t.QueueAt(crowd.feeding, crowd.filling)))
			}
		}
	}
	return ""
}

// crowded looks for an incast of the workload in which PFC comes first, because
// few ports feed its queue while others fill the pool too.
func (c *context) crowded(id derive.PortID, t *derive.Threshold) bool {
	for _, crowd := range c.crowdsAt(id, t) {
		k, n := crowd.feeding, crowd.filling
		queue := t.QueueAt(k, n)
		if t.Kmin < queue {
			continue
		}
		senders, memory := "the senders", ""
		if c.memories(id.Switch) > 1 {
			senders, memory = "senders", " the fullest of their memories"
		}
		path := c.SwitchPath(id.Switch, "ecn")
		c.add("ecn-after-pfc", path, c.portName(id.Switch, id.Port), fmt.Sprintf("PFC stops %s of this workload before the queue reaches Kmin, %s", senders, size(t.Kmin)),
			fmt.Sprintf("%d ingress port(s) feed the queue while %d groups fill%s: %d x %s = %s <= Kmin %s; %s",
				k, n, memory, k, c.xoffText(t, n), size(queue), size(t.Kmin), xoffLevels(t)), c.earlier(path, t, queue))
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
			w := c.meant(sw, &c.traffic.classes[i])
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
	for _, p := range c.paths() {
		rate := p.Hops[len(p.Hops)-1].Rate
		trips[rate] = max(trips[rate], p.RTT)
	}
	for _, t := range c.thresholds() {
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
