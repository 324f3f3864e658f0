package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"rocesim/scenarios/rules"
)

// remarks looks for lossless data to which a switch gives a code point that some
// switch treats as lossy.
func (c *context) remarks() {
	for sw := range c.Switches {
		bump := c.Switches[sw].Bump
		if bump == nil || !slices.Contains(bump.From, true) || !slices.Contains(bump.To, true) {
			continue
		}
		for i := range c.traffic.classes {
			k := &c.traffic.classes[i]
			remarked := class{dscp: bump.DSCP[k.dscp], priority: k.priority}
			if remarked.dscp != k.dscp && c.of(sw, k).lossless {
				c.remarked(sw, k, &remarked)
			}
		}
	}
}

// remarked tells of the switches that treat the new class as lossy.
func (c *context) remarked(sw int, old, remarked *class) {
	from := c.of(sw, old)
	for at := range c.Switches {
		to := c.of(at, remarked)
		if to.lossless {
			continue
		}
		c.add("remarked-lossy", c.SwitchPath(sw, "bump.dscp"), c.Switches[at].Name,
			fmt.Sprintf("data with DSCP %d is given DSCP %d, whose class is lossy", old.dscp, remarked.dscp),
			fmt.Sprintf("switch.bump: DSCP %d -> class %d, lossless, becomes DSCP %d -> class %d -> group %d, queue %d, lossy",
				old.dscp, from.tc, remarked.dscp, to.tc, to.group, to.queue),
			c.secondClass(at, from.tc, old, remarked))
	}
}

// secondClass is how to treat a code point as lossless, apart from another class.
func (c *context) secondClass(sw int, taken uint8, old, remarked *class) string {
	tc := uint8(4)
	for _, n := range []uint8{5, 3, 4} { // the last one that is lossless already, or else 4 or 3
		if n != taken && (tc == taken || c.Switches[sw].Groups[n].Lossless) {
			tc = n
		}
	}
	return c.losslessMap(sw, map[uint8]int{old.dscp: int(taken), remarked.dscp: int(tc)}, tc)
}

// losslessMap is how to add code points to the map of a switch, CNPs beside them, and
// to let it pause a priority.
func (c *context) losslessMap(sw int, to map[uint8]int, priority uint8) string {
	spec := c.SwitchSpec(sw)
	for e := range c.NICs {
		d := c.NICs[e].CNPDSCP
		if own, mapped := spec.DSCPToTC[int(d)]; mapped && to[d] == 0 {
			to[d] = own
		}
	}
	var rows []string
	for _, d := range slices.Sorted(maps.Keys(to)) {
		rows = append(rows, fmt.Sprintf("%d: %d", d, to[d]))
	}
	return fmt.Sprintf("set %s: {%s}", c.SwitchPath(sw, "dscp_to_tc"), strings.Join(rows, ", ")) + c.listing(sw, priority)
}

// entriesInLossyClasses looks for entries with a code point of their own that NICs
// send with a priority which the switches pause, while switches have it in a lossy
// class. The plan looks at the NIC's own code point.
func (c *context) entriesInLossyClasses() {
	for i := range c.traffic.classes {
		k := &c.traffic.classes[i]
		if int(k.dscp) == c.Scenario().NIC.DSCP {
			continue
		}
		_, said := c.Scenario().NIC.DSCPToPriority[int(k.dscp)]
		severity := rules.Warning
		if said {
			severity = rules.Error
		}
		for sw := range c.Switches {
			w := c.of(sw, k)
			if !c.lossyUnawares(sw, k) {
				continue
			}
			c.addAs("data-in-lossy-class", severity, c.SwitchPath(sw, "dscp_to_tc"), c.Switches[sw].Name,
				fmt.Sprintf("data with DSCP %d lands in a lossy class, though NICs send it with priority %d, which switches pause", k.dscp, k.priority),
				fmt.Sprintf("NIC: DSCP %d -> priority %d; switch: DSCP %d -> class %d -> group %d, queue %d, lossy; ACKs go the same way", k.dscp, k.priority, k.dscp, w.tc, w.group, w.queue),
				c.losslessMap(sw, c.losslessMarkings(sw, k), k.priority)+fmt.Sprintf(", or give the entry a dscp that NICs send with a lossy priority (nic.dscp_to_priority: {%d: 0})", k.dscp))
		}
	}
}

// lossyUnawares reports whether a switch has data in a lossy class which NICs send
// with a priority that it pauses.
func (c *context) lossyUnawares(sw int, k *class) bool {
	s := &c.Switches[sw]
	return !c.of(sw, k).lossless && !s.Classes.TrustPCP && s.PFC.Enabled>>k.priority&1 == 1
}

// losslessMarkings are the code points of lossless traffic with their classes, and
// that of one more class with its priority's.
func (c *context) losslessMarkings(sw int, more *class) map[uint8]int {
	to := map[uint8]int{more.dscp: int(more.priority)}
	for i := range c.traffic.classes {
		if w := c.of(sw, &c.traffic.classes[i]); w.lossless {
			to[c.traffic.classes[i].dscp] = int(w.tc)
		}
	}
	return to
}
