package lint

import (
	"fmt"
	"slices"
	"strings"

	"rocesim/results"
	"rocesim/scenarios/rules"
	"rocesim/sim"
	switching "rocesim/switch"
)

// bits are the priorities of a mask.
func bits(mask uint8) []int {
	var list []int
	for i := range switching.Priorities {
		if mask>>i&1 == 1 {
			list = append(list, i)
		}
	}
	return list
}

// priorities lists the bits of a mask.
func priorities(mask uint8) string { return fmt.Sprintf("priorities %v", bits(mask)) }

// withPriority lists priorities and one more as a list of the file.
func withPriority(listed []int, one uint8) string {
	list := append(slices.Clone(listed), int(one))
	slices.Sort(list)
	return asList(slices.Compact(list))
}

// asList writes numbers as a list of the file.
func asList(list []int) string { return strings.ReplaceAll(fmt.Sprint(list), " ", ", ") }

// pausePriorities looks for NICs that send data with another priority than the one
// that their switch pauses for it. What the plan has found already is not repeated.
func (c *context) pausePriorities() {
	for i := range c.traffic.classes {
		k := &c.traffic.classes[i]
		for e := range c.Graph.Endpoints {
			sw := leafOf(c.Plan, e)
			if !k.senders[e] || sw < 0 || int(k.dscp) == c.Scenario().NIC.DSCP && k.priority == c.NICs[0].DSCPToPriority[k.dscp] {
				continue
			}
			if w := c.of(sw, k); w.pauses && w.priority != k.priority {
				c.add("pause-priority-differs", c.NICPath(e, "dscp_to_priority"), c.Graph.Endpoints[e].Name,
					fmt.Sprintf("switches pause priority %d for data with DSCP %d, and the NIC sends it with priority %d", w.priority, k.dscp, k.priority),
					fmt.Sprintf("switch: DSCP %d -> group %d -> priority %d; NIC: DSCP %d -> priority %d", k.dscp, w.group, w.priority, k.dscp, k.priority),
					fmt.Sprintf("set %s: {%d: %d}", c.NICPath(e, "dscp_to_priority"), k.dscp, w.priority))
			}
		}
	}
}

// pfcOnSwitches looks for switches that do not pause what others pause.
func (c *context) pfcOnSwitches() {
	for i := range c.traffic.classes {
		k := &c.traffic.classes[i]
		var off []int
		pausing := 0
		for sw := range c.Switches {
			switch w := c.meant(sw, k); {
			case w.pauses:
				pausing++
			case w.lossless:
				off = append(off, sw)
			}
		}
		if pausing == 0 {
			c.withoutPFC(k)
			continue
		}
		for _, sw := range off {
			w := c.meant(sw, k)
			c.add("pfc-off-on-switch", c.SwitchPath(sw, "pfc.enabled"), c.Switches[sw].Name,
				fmt.Sprintf("PFC is off for priority %d of data with DSCP %d, which %d of %d switches pause%s", w.priority, k.dscp, pausing, len(c.Switches), c.once101(sw, k)),
				fmt.Sprintf("DSCP %d -> class %d -> priority %d, enabled are %s", k.dscp, w.tc, w.priority, priorities(c.Switches[sw].PFC.Enabled)),
				c.pfcOn(sw, w.priority))
		}
	}
}

// pfcOn is how to let a switch pause a priority.
func (c *context) pfcOn(sw int, priority uint8) string {
	return fmt.Sprintf("set %s: true", c.SwitchPath(sw, "pfc.enabled")) + c.listing(sw, priority)
}

// listing ends a remedy with how to list a priority as lossless; it is empty if the
// priority is.
func (c *context) listing(sw int, priority uint8) string {
	listed := c.SwitchSpec(sw).PFC.Priorities
	if slices.Contains(listed, int(priority)) {
		return ""
	}
	return fmt.Sprintf(" and %s: %s", c.SwitchPath(sw, "pfc.priorities"), withPriority(listed, priority))
}

// withoutPFC tells of a class that no switch pauses, if it repeats from the loss
// on.
func (c *context) withoutPFC(k *class) {
	if c.Scenario().NIC.Recovery == "selective-repeat" || len(c.Switches) == 0 ||
		slices.ContainsFunc(c.found, func(f Finding) bool { return f.Rule.Name == "data-in-lossy-class" }) {
		return
	}
	_, e := c.traffic.incast()
	n := &c.NICs[e]
	round := sim.Time(0)
	for _, l := range c.Routes.FirstPath(c.firstSender(k), e) {
		round += 2 * c.Graph.Links[l.Link].Delay
	}
	round += n.TxLatency + n.RxLatency + n.AckLatency
	packets := 1 + float64(n.Rate)/8*round.Seconds()/float64(n.MTU)
	c.add("lossy-go-back-n", "switch.pfc", "", fmt.Sprintf("no switch pauses data with DSCP %d, and a loss repeats all that follows it (%s)", k.dscp, c.Scenario().NIC.Recovery),
		fmt.Sprintf("%v over a round trip of %s is %s packets; 1 %% of loss leaves %s %% useful", n.Rate, lasts(round), results.Count.Format(packets),
			results.Ratio.Format(100*0.99/(0.99+0.01*packets))),
		"set switch.pfc.enabled: true with the data's priority, or nic.recovery: selective-repeat")
}

// firstSender is the lowest endpoint that sends a class.
func (c *context) firstSender(k *class) int {
	for e := range c.Graph.Endpoints {
		if k.senders[e] {
			return e
		}
	}
	return 0
}

// pfcOnNICs looks for senders that do not obey their switch.
func (c *context) pfcOnNICs() {
	for i := range c.traffic.classes {
		k := &c.traffic.classes[i]
		for e := range c.Graph.Endpoints {
			sw := leafOf(c.Plan, e)
			if !k.senders[e] || sw < 0 {
				continue
			}
			w := c.meant(sw, k)
			if mask := c.NICs[e].PFC; w.pauses && mask>>w.priority&1 == 0 {
				c.add("pfc-off-on-nic", c.NICPath(e, "pfc"), c.Graph.Endpoints[e].Name,
					fmt.Sprintf("the switch pauses priority %d for data with DSCP %d, and the NIC does not obey%s", w.priority, k.dscp, c.once101(sw, k)),
					fmt.Sprintf("DSCP %d -> class %d -> priority %d; the NIC obeys %s", k.dscp, w.tc, w.priority, priorities(mask)),
					c.obeyOn(e, mask, w.priority))
			}
		}
	}
}

// obeyOn is how to let a NIC obey pauses of a priority.
func (c *context) obeyOn(e int, mask, priority uint8) string {
	remedy := fmt.Sprintf("set %s: true", c.NICPath(e, "pfc.enabled"))
	if listed := c.Scenario().NIC.PFC.Priorities; mask != 0 || !slices.Contains(listed, int(priority)) {
		remedy += fmt.Sprintf(" and %s: %s", c.NICPath(e, "pfc.priorities"), withPriority(bits(mask), priority))
	}
	return remedy
}

// pcpWithoutTag looks for switches that classify by a tag which no frame has.
func (c *context) pcpWithoutTag() {
	framing := c.Scenario().NIC.Framing
	if framing == "rocev2-vlan" {
		return
	}
	for sw := range c.Switches {
		if c.Switches[sw].Classes.TrustPCP {
			c.add("pcp-without-tag", c.SwitchPath(sw, "trust"), c.Switches[sw].Name, "the switch classifies by the priority of 802.1Q tags, and NICs send none",
				fmt.Sprintf("trust pcp, nic.framing %s: a real port gives such frames its default class; the model takes the NIC's priority", framing),
				fmt.Sprintf("set %s: dscp, or nic.framing: rocev2-vlan", c.SwitchPath(sw, "trust")))
		}
	}
}

// red is the marking profile of a queue on a port, nil without one.
func (c *context) red(sw, port int, queue uint8) *switching.REDProfile {
	s := &c.Switches[sw]
	if s.Queues[queue].RED == nil {
		return nil
	}
	if own := s.Ports[port].RED; own != nil {
		return own
	}
	return s.Queues[queue].RED
}

// warningIf is a warning if the condition holds, else information.
func warningIf(severe bool) rules.Severity {
	if severe {
		return rules.Warning
	}
	return rules.Info
}

// queueShares shows what the queues that the workload uses are guaranteed.
func (c *context) queueShares() {
	for sw := range c.Switches {
		c.sharesAt(sw)
	}
}

// sharesAt is the finding for one switch.
func (c *context) sharesAt(sw int) {
	users := map[uint8][]string{}
	var queues []uint8
	sum := 0
	for _, m := range c.traffic.markings {
		q := wayOf(&c.Switches[sw], m.dscp, m.priority).queue
		if c.Switches[sw].Queues[q].Strict {
			continue
		}
		if users[q] == nil {
			queues = append(queues, q)
			sum += c.Switches[sw].Queues[q].Weight
		}
		if name := fmt.Sprintf("DSCP %d", m.dscp); !slices.Contains(users[q], name) {
			users[q] = append(users[q], name)
		}
	}
	if len(queues) < 2 {
		return
	}
	slices.Sort(queues)
	var list []string
	for _, q := range queues {
		weight := c.Switches[sw].Queues[q].Weight
		list = append(list, fmt.Sprintf("queue %d (%s) %d / %d = %s %%", q, strings.Join(users[q], ", "), weight, sum, results.Ratio.Format(100*float64(weight)/float64(sum))))
	}
	c.add("queue-share", c.SwitchPath(sw, "queue_weights"), c.Switches[sw].Name, "queues with weights share the ports when all have packets",
		strings.Join(list, "; "), "change switch.queue_weights if another split is wanted")
}
