package lint

import (
	"fmt"
	"math"
	"slices"

	"rocesim/results"
	"rocesim/scenarios/workload"
	"rocesim/sim"
)

// marksAndReaction looks for one half of DCQCN without the other.
func (c *context) marksAndReaction() {
	unheard, harm := false, ""
	if !c.CC.DCQCN {
		unheard, harm = c.marksMatter()
	}
	for i := range c.traffic.classes {
		k := &c.traffic.classes[i]
		kmin := c.firstMark(k)
		for sw := range c.Switches {
			w := c.meant(sw, k)
			marks := c.Switches[sw].Queues[w.queue].RED != nil
			switch {
			case !w.lossless && int(k.dscp) == c.Scenario().NIC.DSCP && c.Switches[sw].PFC.Enabled != 0: // data-in-lossy-class says it
			case k.reacts && !marks && c.placedAt("pause-stops-other-queue", c.Switches[sw].Name): // the profile is on the queue where the data should be
			case k.reacts && !marks:
				c.addAs("reaction-without-marks", warningIf(w.lossless || int(k.dscp) == c.Scenario().NIC.DSCP), c.SwitchPath(sw, "ecn"), c.Switches[sw].Name,
					fmt.Sprintf("DCQCN is on for data with DSCP %d, and queue %d does not mark it%s", k.dscp, w.queue, c.once101(sw, k)),
					fmt.Sprintf("DSCP %d -> class %d -> queue %d without ECN profile: 0 marks, 0 CNPs%s", k.dscp, w.tc, w.queue, c.pfcShare()),
					c.markingOn(sw, w.queue)+", or cc.algorithm: none")
			case marks && !c.CC.DCQCN:
				c.addAs("marks-without-reaction", warningIf(unheard), "cc", c.Switches[sw].Name, fmt.Sprintf("switches mark data with DSCP %d, and no sender reacts%s", k.dscp, c.once101(sw, k)),
					fmt.Sprintf("marks from Kmin %s on; cc.algorithm none cuts no rate%s%s", size(kmin), c.pfcShare(), harm),
					"set cc: {algorithm: dcqcn, preset: connectx}, or switch.ecn.enabled: false if PFC alone is meant")
			}
		}
	}
}

// firstMark is the smallest Kmin of all queues that hold a class.
func (c *context) firstMark(k *class) int64 {
	least := int64(math.MaxInt64)
	for sw := range c.Switches {
		for port := range c.Switches[sw].Ports {
			if red := c.red(sw, port, c.meant(sw, k).queue); red != nil {
				least = min(least, red.Kmin)
			}
		}
	}
	return least
}

// pfcShare says how long PFC alone stops the senders of the largest incast.
func (c *context) pfcShare() string {
	n, e := c.traffic.incast()
	if n < 2 {
		return ""
	}
	return fmt.Sprintf("; %d senders into %s at line rate are paused 1 - 1/%d = %s %% of the time", n, c.Graph.Endpoints[e].Name, n, results.Ratio.Format(100-100/float64(n)))
}

// markingOn is how to let a queue mark.
func (c *context) markingOn(sw int, queue uint8) string {
	listed := c.SwitchSpec(sw).ECN.Queues
	if !c.SwitchSpec(sw).ECN.Enabled && (listed == nil || slices.Contains(listed, int(queue))) {
		return fmt.Sprintf("set %s: true", c.SwitchPath(sw, "ecn.enabled"))
	}
	if listed == nil {
		for q := range c.Switches[sw].Queues {
			if c.Switches[sw].Queues[q].RED != nil {
				listed = append(listed, q)
			}
		}
	}
	return fmt.Sprintf("set %s: true and %s: %s", c.SwitchPath(sw, "ecn.enabled"), c.SwitchPath(sw, "ecn.queues"), withPriority(listed, queue))
}

// marksMatter reports whether the workload makes queues that mark: senders of one
// receiver are together faster than it, or one alone is. If some flow elsewhere is
// stopped with them, the text says which.
func (c *context) marksMatter() (bool, string) {
	overloaded := false
	for e := range c.Graph.Endpoints {
		overloaded = overloaded || c.traffic.overloaded(c.Plan, e)
	}
	if p, suffers := c.victim(); suffers {
		return overloaded, fmt.Sprintf("; %s to %s shares links with an incast and is stopped with it", c.Graph.Endpoints[p.src].Name, c.Graph.Endpoints[p.dst].Name)
	}
	return overloaded, ""
}

// increases computes how long DCQCN takes to regain the line rate.
func (c *context) increases() {
	const designed = 3 * sim.Second / 2 // what the defaults take at 25G, for which they were made
	if !c.CC.DCQCN {
		return
	}
	for e, p := range c.CC.Params {
		if p.RateAI <= 0 || p.TimerPeriod <= 0 || !c.traffic.slowed(e) {
			continue
		}
		line := c.CC.Lines[e]
		additive := sim.Time(float64(line) / float64(p.RateAI) * float64(p.TimerPeriod))
		if additive <= designed {
			continue
		}
		hyper := "no hyper increase"
		if p.RateHAI > 0 {
			hyper = fmt.Sprintf("by rate_hai %v %s", p.RateHAI, lasts(sim.Time(float64(line)/float64(p.RateHAI)*float64(p.TimerPeriod))))
		}
		c.add("increase-not-scaled", "cc.rate_ai", c.Graph.Endpoints[e].Name, fmt.Sprintf("regaining %v takes %s in steps of rate_ai", line, lasts(additive)),
			fmt.Sprintf("%v / %v x %s = %s; %s", line, p.RateAI, lasts(p.TimerPeriod), lasts(additive), hyper),
			"set cc.per: 25Gbps if they are meant for that rate, or raise cc.rate_ai and cc.rate_hai in proportion to the rate")
	}
}

// mixedControl looks for classes in which some traffic reacts and some does not.
func (c *context) mixedControl() {
	for i := range c.traffic.classes {
		k := &c.traffic.classes[i]
		if !k.reacts || !k.ignores {
			continue
		}
		var with, without []string
		for i, e := range c.Workload {
			_, datagrams := e.(workload.Datagrams)
			switch common := workload.CommonOf(e); {
			case datagrams || common.Class.DSCP != k.dscp:
			case common.Class.NoCC:
				without = append(without, c.Names[i])
			default:
				with = append(with, c.Names[i])
			}
		}
		c.add("mixed-congestion-control", "workload", "", fmt.Sprintf("data with DSCP %d partly reacts to marks and partly does not", k.dscp),
			fmt.Sprintf("with DCQCN: %v, without: %v", with, without), "give the entries with no_cc a dscp of their own that leads to another queue")
	}
}

// bonds looks for servers with several NICs that share one queue pair: of each
// entry and number of queue pairs one finding with the servers that send.
func (c *context) bonds() {
	for _, pair := range c.traffic.order {
		common := workload.CommonOf(c.Workload[pair.entry])
		src, dst := &c.Hosts[pair.src], &c.Hosts[pair.dst]
		nics, qps := min(len(src.Endpoints), len(dst.Endpoints)), c.traffic.pairs[pair]
		if common.NIC != workload.ByQP || qps >= nics {
			continue
		}
		rate := c.NICs[src.Endpoints[0]].Rate
		c.add("one-queue-pair-on-bond", fmt.Sprintf("workload[%d]", pair.entry), src.Name,
			fmt.Sprintf("%d queue pair(s) of %s between hosts with %d NICs use %d of them", qps, c.Names[pair.entry], nics, qps),
			fmt.Sprintf("%d x %v of %d x %v", qps, rate, nics, rate), fmt.Sprintf("set workload[%d].qps: %d or more", pair.entry, nics))
	}
}
