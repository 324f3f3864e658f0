package lint

import (
	"slices"

	"rocesim/fabric/topo"
	"rocesim/scenarios/rules"
	switching "rocesim/switch"
)

// meant is the way of a class through a switch. Data that lands in a lossy class by
// mistake has the way of the lossless class that it was meant for: what is wrong with
// that one would come to light only once the map is right.
func (c *context) meant(sw int, k *class) way {
	w := c.of(sw, k)
	if w.lossless || !c.misled(sw, k) {
		return w
	}
	if to := losslessWay(&c.Switches[sw], k.priority); to.lossless {
		return to
	}
	return w
}

// losslessWay is the way through the lossless group that pauses a priority, or else
// the first one; a lossy way if there is none.
func losslessWay(sw *switching.Config, priority uint8) (best way) {
	for group := range uint8(switching.Priorities) {
		tc := group // also where the map leads no class there
		if i := slices.Index(sw.Classes.TCToGroup[:], group); sw.Classes.TCToGroup[tc] != group && i >= 0 {
			tc = uint8(i)
		}
		to := wayThrough(sw, tc, group)
		if to.lossless && (!best.lossless || to.priority == priority && best.priority != priority) {
			best = to
		}
	}
	return best
}

// misled reports whether a switch has a class among the lossy ones by mistake: it is
// found to be one, nothing says that it is meant, and PFC is in use.
func (c *context) misled(sw int, k *class) bool {
	const rule = "data-in-lossy-class"
	if int(k.dscp) != c.Scenario().NIC.DSCP && !c.lossyUnawares(sw, k) {
		return false
	}
	return c.pausing && c.placedAt(rule, c.Switches[sw].Name) && !c.intended(rule, c.Switches[sw].Name)
}

// once101 is what messages say of data that is not yet in the class that they are
// about.
func (c *context) once101(sw int, k *class) string {
	if w := c.meant(sw, k); w.lossless && !c.of(sw, k).lossless {
		return " (once RS101 is cured)"
	}
	return ""
}

// intended reports whether the scenario says of a rule that its findings at a place
// are meant.
func (c *context) intended(rule, where string) bool {
	block := c.Scenario().Lint
	if block == nil {
		return false
	}
	for _, ig := range block.Ignore {
		named, err := rules.Find(ig.Code)
		pattern, bad := topo.ParsePattern(ig.Where)
		if err == nil && named.Name == rule && (ig.Where == "" || bad == nil && pattern.Match(where)) {
			return true
		}
	}
	return false
}
