package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// treatment is what neighbours must agree on: whether a class is lossless, which
// priority is paused for it, in which queue it waits, and which queue that pause
// stops.
type treatment struct {
	lossless, obeys          bool
	priority, queue, stopped uint8
}

// treatmentOf is that of a class by a switch.
func (c *context) treatmentOf(sw int, k *class) treatment {
	s, w := &c.Switches[sw], c.of(sw, k)
	return treatment{
		lossless: w.lossless, obeys: s.PFC.Enabled>>w.priority&1 == 1,
		priority: w.priority, queue: w.queue, stopped: s.Classes.PFCToQueue[w.priority],
	}
}

// classesOnLinks compares both ends of each link between switches, in both
// directions: what the receiver pauses must stop what the sender sends. The switch
// that differs from most is found once, not at each of its links.
func (c *context) classesOnLinks() {
	for i := range c.traffic.classes {
		k := &c.traffic.classes[i]
		like := map[treatment]int{}
		for sw := range c.Switches {
			like[c.treatmentOf(sw, k)]++
		}
		odd := map[int][]int{} // the neighbours of each switch that differs
		var order []int
		for l := range c.Graph.Links {
			link := &c.Graph.Links[l]
			a, b := c.switchAt(link.A.Node), c.switchAt(link.B.Node)
			if a >= 0 && b >= 0 {
				c.stopsOther(k, a)
				c.stopsOther(k, b)
			}
			if a < 0 || b < 0 || c.disagreement(k, a, b) == "" && c.disagreement(k, b, a) == "" {
				continue
			}
			if c.odder(k, b, a, like) {
				a, b = b, a
			}
			if odd[a] == nil {
				order = append(order, a)
			}
			odd[a] = append(odd[a], b)
		}
		for _, sw := range order {
			c.differs(k, sw, odd[sw])
		}
	}
}

// once takes out what the plan has found of a switch whose links say more of the
// same mistake.
func (c *context) once() {
	c.found = slices.DeleteFunc(slices.Clone(c.found), func(f Finding) bool {
		return f.Rule.Name == "pause-priority-differs" && !strings.HasPrefix(f.Path, "nic") && c.placedAt("class-differs-on-link", f.Where)
	})
}

// placedAt reports whether a rule has a finding at a place.
func (c *context) placedAt(rule, where string) bool {
	return slices.ContainsFunc(c.found, func(f Finding) bool { return f.Rule.Name == rule && slices.Contains(f.Places(), where) })
}

// ownMistake reports whether a switch keeps a class in another queue than the one
// that pauses of its own priority stop.
func (t *treatment) ownMistake() bool { return t.lossless && t.obeys && t.stopped != t.queue }

// stopsOther finds that mistake at a switch.
func (c *context) stopsOther(k *class, sw int) {
	t, w := c.treatmentOf(sw, k), c.of(sw, k)
	if !t.ownMistake() {
		return
	}
	path := c.SwitchPath(sw, "tc_to_queue")
	c.add("pause-stops-other-queue", path, c.Switches[sw].Name,
		fmt.Sprintf("pauses for data with DSCP %d stop queue %d, and the data waits in queue %d", k.dscp, t.stopped, t.queue),
		fmt.Sprintf("DSCP %d -> class %d -> queue %d; class %d -> group %d -> priority %d, which stops queue %d", k.dscp, w.tc, w.queue, w.tc, w.group, w.priority, t.stopped),
		fmt.Sprintf("set %s: {%d: %d}", path, w.tc, t.stopped))
}

// odder reports whether of two neighbours a is more likely the mistaken one: it
// pauses another priority than NICs send with, or else fewer switches are like it,
// or else an override is about it.
func (c *context) odder(k *class, a, b int, like map[treatment]int) bool {
	other := func(sw int) int { return int(min(1, c.of(sw, k).priority^k.priority)) }
	own := func(sw int) int {
		return strings.Count(c.SwitchPath(sw, c.mapsThatDiffer(k, a, b)[0].path), "overrides")
	}
	return cmp.Or(cmp.Compare(other(a), other(b)), cmp.Compare(like[c.treatmentOf(b, k)], like[c.treatmentOf(a, k)]), cmp.Compare(own(a), own(b))) > 0
}

// disagreement says what is wrong in one direction of a link, in words; empty if
// nothing is, or if another rule says it.
func (c *context) disagreement(k *class, from, to int) string {
	out, in := c.of(from, k), c.of(to, k)
	sender := &c.Switches[from]
	stopped, mistaken := sender.Classes.PFCToQueue[in.priority], c.treatmentOf(from, k)
	switch {
	case out.lossless != in.lossless:
		if int(k.dscp) == c.Scenario().NIC.DSCP || c.lossyUnawares(from, k) || c.lossyUnawares(to, k) {
			return "" // data-in-lossy-class says it
		}
		return "it is lossless at one end of a link and lossy at the other"
	case !in.pauses || sender.PFC.Enabled == 0: // pfc-off-on-switch says it
		return ""
	case sender.PFC.Enabled>>in.priority&1 == 0:
		return fmt.Sprintf("pauses of priority %d for it are not obeyed by the sender, which obeys %s", in.priority, priorities(sender.PFC.Enabled))
	case stopped != out.queue && !mistaken.ownMistake(): // pause-stops-other-queue says it
		return fmt.Sprintf("pauses of priority %d for it stop queue %d of the sender instead of the data's queue %d", in.priority, stopped, out.queue)
	default:
		return ""
	}
}

// classMap is a field in which two switches differ, with the value of the second.
type classMap struct{ path, value string }

// mapsThatDiffer lists the fields that make switch a treat a class otherwise than
// switch b.
func (c *context) mapsThatDiffer(k *class, a, b int) []classMap {
	one, other := c.of(a, k), c.of(b, k)
	var list []classMap
	add := func(differ bool, path, format string, args ...any) {
		if differ {
			list = append(list, classMap{path, fmt.Sprintf(format, args...)})
		}
	}
	if c.Switches[a].Classes.TrustPCP {
		add(one.tc != other.tc, "pcp_to_tc", "{%d: %d}", k.priority, other.tc)
	} else {
		add(one.tc != other.tc, "dscp_to_tc", "{%d: %d}", k.dscp, other.tc)
	}
	m, n := &c.Switches[a].Classes, &c.Switches[b].Classes
	add(m.TCToGroup[other.tc] != other.group, "tc_to_group", "{%d: %d}", other.tc, other.group)
	add(m.TCToQueue[other.tc] != other.queue, "tc_to_queue", "{%d: %d}", other.tc, other.queue)
	add(m.TrustPCP != n.TrustPCP, "trust", "%s", c.SwitchSpec(b).Trust)
	add((c.Switches[a].PFC.Enabled^c.Switches[b].PFC.Enabled)>>other.priority&1 == 1 || len(list) == 0, "pfc.priorities", "%s", asList(c.SwitchSpec(b).PFC.Priorities))
	return list
}

// differs is the finding for a switch that treats a class otherwise than some
// neighbours.
func (c *context) differs(k *class, sw int, neighbours []int) {
	other := neighbours[0]
	wrong := cmp.Or(c.disagreement(k, sw, other), c.disagreement(k, other, sw))
	maps := c.mapsThatDiffer(k, sw, other)
	var remedy []string
	for _, m := range maps {
		remedy = append(remedy, c.SwitchPath(sw, m.path)+": "+m.value)
	}
	slices.Sort(neighbours)
	var names []string
	for _, n := range slices.Compact(neighbours) {
		names = append(names, c.Switches[n].Name)
	}
	c.add("class-differs-on-link", c.SwitchPath(sw, maps[0].path), c.Switches[sw].Name,
		fmt.Sprintf("data with DSCP %d is treated otherwise than by the neighbours: %s", k.dscp, wrong),
		fmt.Sprintf("here %s; at neighbours (%s) %s", c.wayText(sw, k), firstOf(names), c.wayText(other, k)),
		"set "+strings.Join(remedy, " and "))
}

// wayText is the way of a class through a switch.
func (c *context) wayText(sw int, k *class) string {
	w := c.of(sw, k)
	return fmt.Sprintf("DSCP %d -> class %d -> queue %d, group %d -> priority %d, obeys %s", k.dscp, w.tc, w.queue, w.group, w.priority,
		priorities(c.Switches[sw].PFC.Enabled))
}

// firstOf lists names, of many the first few.
func firstOf(names []string) string {
	if n := len(names); n > shownPlaces {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:shownPlaces], ", "), n-shownPlaces)
	}
	return strings.Join(names, ", ")
}
