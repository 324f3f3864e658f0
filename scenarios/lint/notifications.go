package lint

import (
	"fmt"
	"slices"

	"rocesim/results"
	"rocesim/sim"
)

// notifications checks the way of CNPs through every switch, once for each way in
// which NICs mark them.
func (c *context) notifications() {
	if !c.CC.DCQCN {
		return
	}
	seen := map[marking]bool{}
	for e := range c.NICs {
		n := &c.NICs[e]
		m := marking{n.CNPDSCP, n.DSCPToPriority[n.CNPDSCP]}
		if n.EchoCNP || seen[m] {
			continue
		}
		seen[m] = true
		c.behindData(m, c.NICPath(e, "cnp.dscp"))
		for sw := range c.Switches {
			c.notified(sw, m)
		}
	}
}

// notified checks the queue of CNPs at a switch.
func (c *context) notified(sw int, m marking) {
	cnp := wayOf(&c.Switches[sw], m.dscp, m.priority)
	c.starved(sw, cnp)
	if red := c.Switches[sw].Queues[cnp.queue].RED; red != nil && !red.MarkOnly {
		c.add("cnp-dropped-by-wred", c.SwitchPath(sw, "ecn"), c.Switches[sw].Name,
			fmt.Sprintf("WRED drops CNPs in queue %d", cnp.queue),
			fmt.Sprintf("DSCP %d -> queue %d, profile Kmin %s, Kmax %s, not mark_only", m.dscp, cnp.queue, size(red.Kmin), size(red.Kmax)),
			fmt.Sprintf("set %s: true, or take the queue out of switch.ecn.queues", c.SwitchPath(sw, "ecn.mark_only")))
	}
}

// sharing is a queue that CNPs share with data.
type sharing struct {
	cnp  way
	data *class
}

// behindData looks for CNPs in a queue of data, and gives the delay of the slowest
// port for all switches that do alike; own is the field that marks the CNPs.
func (c *context) behindData(m marking, own string) {
	worst := map[sharing]sim.Time{}
	at := make([]sharing, len(c.Switches))
	for sw := range c.Switches {
		cnp := wayOf(&c.Switches[sw], m.dscp, m.priority)
		i := slices.IndexFunc(c.traffic.classes, func(k class) bool { return k.reacts && c.of(sw, &k).queue == cnp.queue })
		if i < 0 {
			continue
		}
		at[sw] = sharing{cnp, &c.traffic.classes[i]}
		for port := range c.Switches[sw].Ports {
			if red := c.red(sw, port, cnp.queue); red != nil {
				worst[at[sw]] = max(worst[at[sw]], c.Switches[sw].Ports[port].Rate.TxTimeCeil(red.Kmax))
			}
		}
	}
	for sw, s := range at {
		if s.data != nil {
			c.waits(sw, m, own, s, worst[s])
		}
	}
}

// waits is the finding for one switch; own is the field that marks the CNPs, full
// what a queue at Kmax lasts, 0 without marking.
func (c *context) waits(sw int, m marking, own string, s sharing, full sim.Time) {
	late := "the delay of a full queue"
	if full > 0 {
		late = fmt.Sprintf("a queue at Kmax lasts up to %s at each congested hop", lasts(full))
	}
	path, remedy := c.SwitchPath(sw, "dscp_to_tc"), "set "+c.ownQueue(sw, m, s.data)
	if s.data.dscp == m.dscp {
		path, remedy = own, fmt.Sprintf("set %s: 48", own)
		usual := marking{48, c.NICs[0].DSCPToPriority[48]}
		if w := wayOf(&c.Switches[sw], usual.dscp, usual.priority); w.queue == s.cnp.queue || !c.Switches[sw].Queues[w.queue].Strict {
			remedy += " and " + c.ownQueue(sw, usual, s.data)
		}
	}
	c.add("cnp-in-data-queue", path, c.Switches[sw].Name,
		fmt.Sprintf("CNPs (DSCP %d) wait in queue %d behind data with DSCP %d", m.dscp, s.cnp.queue, s.data.dscp),
		fmt.Sprintf("DSCP %d -> class %d -> queue %d, as DSCP %d; %s", m.dscp, s.cnp.tc, s.cnp.queue, s.data.dscp, late),
		remedy)
}

// ownQueue is how to give a marking queue 6, strictly first, beside the data's way.
func (c *context) ownQueue(sw int, m marking, data *class) string {
	return fmt.Sprintf("%s: {%d: %d, %d: 6} and %s: %s", c.SwitchPath(sw, "dscp_to_tc"), data.dscp, c.of(sw, data).tc, m.dscp,
		c.SwitchPath(sw, "strict_queues"), withPriority(c.SwitchSpec(sw).StrictQueues, 6))
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
	for e, n := range c.traffic.flows {
		if n > flows {
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
		fmt.Sprintf("set %s: %s", c.SwitchPath(sw, "strict_queues"), withPriority(c.SwitchSpec(sw).StrictQueues, cnp.queue)))
}
