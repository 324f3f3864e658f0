package lint

import (
	"fmt"
	"slices"

	"rocesim/results"
	"rocesim/scenarios/rules"
	"rocesim/sim"
	switching "rocesim/switch"
)

// classesOnLinks compares both ends of each link between switches, in both
// directions: what the receiver pauses must stop what the sender sends.
func (c *context) classesOnLinks() {
	for l := range c.Graph.Links {
		link := &c.Graph.Links[l]
		a, b := c.switchAt(link.A.Node), c.switchAt(link.B.Node)
		if a < 0 || b < 0 {
			continue
		}
		for i := range c.traffic.classes {
			k := &c.traffic.classes[i]
			c.classOnLink(k, a, b, link.Name)
			c.classOnLink(k, b, a, link.Name)
		}
	}
}

// classOnLink checks one direction for one class.
func (c *context) classOnLink(k *class, from, to int, link string) {
	out, in := c.of(from, k), c.of(to, k)
	sender, receiver := &c.Switches[from], &c.Switches[to]
	where := sender.Name + " to " + receiver.Name + " link " + link
	path := c.SwitchPath(from, "dscp_to_tc")
	other := fmt.Sprintf("give %s and %s the same dscp_to_tc, tc_to_group, tc_to_queue and pfc.priorities", sender.Name, receiver.Name)
	switch {
	case out.lossless != in.lossless:
		if int(k.dscp) == c.Scenario().NIC.DSCP {
			return // data-in-lossy-class says it
		}
		c.add("class-differs-on-link", path, where, fmt.Sprintf("data with DSCP %d is lossless at one end of the link and lossy at the other", k.dscp),
			fmt.Sprintf("%s: group %d; %s: group %d", sender.Name, out.group, receiver.Name, in.group), other)
	case !in.pauses:
	case sender.PFC.Enabled>>in.priority&1 == 0:
		if sender.PFC.Enabled == 0 {
			return // pfc-off-on-switch says it
		}
		c.add("class-differs-on-link", path, where, fmt.Sprintf("%s pauses priority %d for data with DSCP %d, which %s does not obey", receiver.Name, in.priority, k.dscp, sender.Name),
			fmt.Sprintf("%s: DSCP %d -> class %d -> priority %d; %s obeys %s", receiver.Name, k.dscp, in.tc, in.priority, sender.Name, priorities(sender.PFC.Enabled)), other)
	case sender.Classes.PFCToQueue[in.priority] != out.queue:
		c.add("class-differs-on-link", path, where, fmt.Sprintf("%s pauses priority %d for data with DSCP %d, which stops queue %d of %s instead of the data's queue %d",
			receiver.Name, in.priority, k.dscp, sender.Classes.PFCToQueue[in.priority], sender.Name, out.queue),
			fmt.Sprintf("%s: DSCP %d -> class %d -> queue %d; %s: DSCP %d -> class %d -> priority %d",
				sender.Name, k.dscp, out.tc, out.queue, receiver.Name, k.dscp, in.tc, in.priority), other)
	}
}

// priorities lists the bits of a mask.
func priorities(mask uint8) string {
	var list []int
	for i := range switching.Priorities {
		if mask>>i&1 == 1 {
			list = append(list, i)
		}
	}
	return fmt.Sprintf("priorities %v", list)
}

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
					fmt.Sprintf("set nic.dscp_to_priority: {%d: %d}", k.dscp, w.priority))
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
			switch w := c.of(sw, k); {
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
			w := c.of(sw, k)
			c.add("pfc-off-on-switch", c.SwitchPath(sw, "pfc.enabled"), c.Switches[sw].Name,
				fmt.Sprintf("PFC is off for priority %d of data with DSCP %d, which %d of %d switches pause", w.priority, k.dscp, pausing, len(c.Switches)),
				fmt.Sprintf("DSCP %d -> class %d -> priority %d, enabled are %s", k.dscp, w.tc, w.priority, priorities(c.Switches[sw].PFC.Enabled)),
				fmt.Sprintf("set switch.pfc: {enabled: true} with priority %d there", w.priority))
		}
	}
}

// withoutPFC tells of a class that no switch pauses, if it repeats from the loss
// on.
func (c *context) withoutPFC(k *class) {
	if c.Scenario().NIC.Recovery == "selective-repeat" || len(c.Switches) == 0 ||
		slices.ContainsFunc(c.Findings, func(f Finding) bool { return f.Rule.Name == "data-in-lossy-class" }) {
		return
	}
	_, e := c.traffic.incast()
	n := &c.NICs[e]
	round := sim.Time(0)
	for _, l := range c.Routes.Path(c.firstSender(k), e, func(_, _ int) int { return 0 }) {
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
			w := c.of(sw, k)
			if mask := c.NICs[e].PFC; w.pauses && mask>>w.priority&1 == 0 {
				c.add("pfc-off-on-nic", c.NICPath(e, "pfc"), c.Graph.Endpoints[e].Name,
					fmt.Sprintf("the switch pauses priority %d for data with DSCP %d, and the NIC does not obey", w.priority, k.dscp),
					fmt.Sprintf("DSCP %d -> class %d -> priority %d; the NIC obeys %s", k.dscp, w.tc, w.priority, priorities(mask)),
					fmt.Sprintf("set nic.pfc: {enabled: true} with priority %d", w.priority))
			}
		}
	}
}

// notifications checks the way of CNPs through every switch.
func (c *context) notifications() {
	if !c.CC.DCQCN || len(c.NICs) == 0 || c.NICs[0].EchoCNP {
		return
	}
	n := &c.NICs[0]
	for sw := range c.Switches {
		cnp := wayOf(&c.Switches[sw], n.CNPDSCP, n.DSCPToPriority[n.CNPDSCP])
		c.behindData(sw, n.CNPDSCP, cnp)
		c.starved(sw, cnp)
		if red := c.Switches[sw].Queues[cnp.queue].RED; red != nil && !red.MarkOnly {
			c.add("cnp-dropped-by-wred", c.SwitchPath(sw, "ecn"), c.Switches[sw].Name,
				fmt.Sprintf("WRED drops CNPs in queue %d", cnp.queue),
				fmt.Sprintf("DSCP %d -> queue %d, profile Kmin %s, Kmax %s, not mark_only", n.CNPDSCP, cnp.queue, size(red.Kmin), size(red.Kmax)),
				"set switch.ecn.mark_only: true, or take the queue out of switch.ecn.queues")
		}
	}
}

// behindData looks for CNPs in a queue of data.
func (c *context) behindData(sw int, dscp uint8, cnp way) {
	for i := range c.traffic.classes {
		k := &c.traffic.classes[i]
		w := c.of(sw, k)
		if !k.reacts || w.queue != cnp.queue {
			continue
		}
		late := "the delay of a full queue"
		if red := c.red(sw, 0, w.queue); red != nil {
			rate := c.Switches[sw].Ports[0].Rate
			late = fmt.Sprintf("Kmax %s / %v = %s of delay a congested hop", size(red.Kmax), rate, lasts(rate.TxTimeCeil(red.Kmax)))
		}
		c.add("cnp-in-data-queue", c.SwitchPath(sw, "dscp_to_tc"), c.Switches[sw].Name,
			fmt.Sprintf("CNPs (DSCP %d) wait in queue %d behind data with DSCP %d", dscp, cnp.queue, k.dscp),
			fmt.Sprintf("DSCP %d -> class %d -> queue %d, as DSCP %d; %s", dscp, cnp.tc, cnp.queue, k.dscp, late),
			fmt.Sprintf("set switch.dscp_to_tc: {%d: 6} and switch.strict_queues: [6]", dscp))
		return
	}
}

// starved compares what the CNP's queue is guaranteed with what the busiest
// receiver sends.
func (c *context) starved(sw int, cnp way) {
	s := &c.Switches[sw]
	if s.Queues[cnp.queue].Strict {
		return
	}
	weights, used := s.Queues[cnp.queue].Weight, map[uint8]bool{cnp.queue: true}
	for i := range c.traffic.classes {
		if w := c.of(sw, &c.traffic.classes[i]); !used[w.queue] && !s.Queues[w.queue].Strict {
			used[w.queue] = true
			weights += s.Queues[w.queue].Weight
		}
	}
	flows, busiest := 0, 0
	for e := range c.Graph.Endpoints {
		if n := c.traffic.flows[e]; n > flows {
			flows, busiest = n, e
		}
	}
	n := &c.NICs[busiest]
	wire := int64(c.Framing.Wire(c.Framing.CNP))
	demand := float64(n.Rate) * float64(wire) / float64(c.Framing.Wire(c.Framing.Frame(n.MTU, false))) // one for each packet
	if n.CNPInterval > 0 {
		demand = min(demand, float64(flows)*float64(wire)*8/n.CNPInterval.Seconds())
	}
	share := float64(n.Rate) * float64(s.Queues[cnp.queue].Weight) / float64(weights)
	if flows == 0 || share >= demand {
		return
	}
	c.add("cnp-starved", c.SwitchPath(sw, "queue_weights"), s.Name,
		fmt.Sprintf("queue %d is guaranteed less than the CNPs in it need", cnp.queue),
		fmt.Sprintf("%d flows into %s make up to %s of CNPs; weight %d of %d at %v guarantees %s", flows, n.Name, results.DataRate.Format(demand),
			s.Queues[cnp.queue].Weight, weights, n.Rate, results.DataRate.Format(share)),
		fmt.Sprintf("set switch.strict_queues: [%d]", cnp.queue))
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
