package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"
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

// secondClass is how to treat a code point as lossless, apart from the class that is
// taken; what else the map needs to say stands beside it.
func (c *context) secondClass(sw int, taken uint8, old, remarked *class) string {
	spec, tc := c.SwitchSpec(sw), uint8(4)
	for _, n := range []uint8{5, 3, 4} { // the last one that is lossless already, or else 4 or 3
		if n != taken && (tc == taken || c.Switches[sw].Groups[n].Lossless) {
			tc = n
		}
	}
	to := map[uint8]int{old.dscp: int(taken), remarked.dscp: int(tc)}
	for e := range c.NICs {
		if own, mapped := spec.DSCPToTC[int(c.NICs[e].CNPDSCP)]; mapped && c.NICs[e].CNPDSCP != remarked.dscp {
			to[c.NICs[e].CNPDSCP] = own
		}
	}
	var rows []string
	for _, d := range slices.Sorted(maps.Keys(to)) {
		rows = append(rows, fmt.Sprintf("%d: %d", d, to[d]))
	}
	remedy := fmt.Sprintf("set %s: {%s}", c.SwitchPath(sw, "dscp_to_tc"), strings.Join(rows, ", "))
	if listed := spec.PFC.Priorities; !slices.Contains(listed, int(tc)) {
		remedy += fmt.Sprintf(" and %s: %s", c.SwitchPath(sw, "pfc.priorities"), withPriority(listed, tc))
	}
	return remedy
}
