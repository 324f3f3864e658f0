package scenarios

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	switching "rocesim/switch"
)

// classes looks for the most frequent mistake with RoCE: traffic that the NIC
// believes lossless lands in a lossy class of a switch, or is paused by a
// priority that the NIC does not use for it.
func (p *planner) classes() {
	if p.plan.Graph == nil || p.plan.NICs == nil || p.plan.Switches == nil || len(p.sc.Switch.PFC.Priorities) == 0 {
		return
	}
	own := p.plan.NICs[0].DSCPToPriority
	for _, d := range p.dscps() {
		var lossy, other []int
		for i := range p.plan.Switches {
			sw := &p.plan.Switches[i]
			group := sw.Classes.TCToGroup[classOf(sw, d, own[d])]
			if !sw.Groups[group].Lossless {
				lossy = append(lossy, i)
			} else if sw.Classes.GroupToPFC[group] != own[d] {
				other = append(other, i)
			}
		}
		if len(other) > 0 {
			p.otherPriority(d, own[d], other, len(p.plan.Switches)-len(lossy))
		}
		if len(lossy) > 0 {
			p.lossyClass(d, int(own[d]), lossy)
		}
	}
}

// otherPriority tells of switches that pause data by a priority that NICs do not
// send it with. Where all lossless ones do, the NICs' map is to change.
func (p *planner) otherPriority(dscp int, own uint8, other []int, lossless int) {
	sw := &p.plan.Switches[other[0]]
	group := sw.Classes.TCToGroup[classOf(sw, dscp, own)]
	priority := sw.Classes.GroupToPFC[group]
	names, path := []string{sw.Name}, "nic.dscp_to_priority"
	remedy := fmt.Sprintf("set nic.dscp_to_priority: {%d: %d}", dscp, priority)
	if len(other) < lossless {
		path = p.plan.SwitchPath(other[0], "dscp_to_tc")
		remedy = fmt.Sprintf("set %s: {%d: %d}", path, dscp, own)
		names = nil
		for _, i := range other {
			names = append(names, p.plan.Switches[i].Name)
		}
	}
	p.find("pause-priority-differs", path, names,
		fmt.Sprintf("switch %s pauses priority %d for traffic with DSCP %d, but NICs send it with priority %d and will not stop", sw.Name, priority, dscp, own),
		fmt.Sprintf("switch: DSCP %d -> group %d -> priority %d; NIC: DSCP %d -> priority %d", dscp, group, priority, dscp, own), remedy)
}

// lossyClass tells of switches that treat data as lossy.
func (p *planner) lossyClass(dscp, priority int, lossy []int) {
	var names []string
	for _, i := range lossy {
		names = append(names, p.plan.Switches[i].Name)
	}
	lossless := p.sc.Switch.PFC.Priorities
	sw := &p.plan.Switches[lossy[0]]
	tc := classOf(sw, dscp, uint8(priority))
	leads := fmt.Sprintf("class %d -> group %d, queue %d, lossy; ACKs go the same way", tc, sw.Classes.TCToGroup[tc], sw.Classes.TCToQueue[tc])
	many := someOf(names, len(p.plan.Switches), "switches")
	if sw.Classes.TrustPCP {
		p.find("data-in-lossy-class", p.plan.SwitchPath(lossy[0], "pcp_to_tc"), names,
			fmt.Sprintf("data with 802.1Q priority %d lands in a lossy class of %s; lossless are the classes of priorities %v", priority, many, lossless),
			fmt.Sprintf("802.1Q priority %d -> %s", priority, leads),
			fmt.Sprintf("set %s: {%d: %d}, or change nic.dscp_to_priority", p.plan.SwitchPath(lossy[0], "pcp_to_tc"), priority, lossless[0]))
		return
	}
	field, value := p.toLossless(lossy[0], dscp, priority)
	path := p.plan.SwitchPath(lossy[0], field)
	remedy := "set " + path + ": " + value
	if known := losslessDSCPs(sw); len(known) > 0 && len(lossy) == len(p.plan.Switches) {
		remedy += fmt.Sprintf(", or nic: {%s}, which the map knows", p.markedAs(sw, known[0]))
	}
	p.find("data-in-lossy-class", path, names,
		fmt.Sprintf("data with DSCP %d lands in a lossy class of %s; lossless are the classes of priorities %v", dscp, many, lossless),
		fmt.Sprintf("DSCP %d -> %s (the map: %s)", dscp, leads, mapText(&p.plan.specs[lossy[0]])), remedy)
}

// toLossless is the field that lets a switch treat data as lossless, and its value:
// the priority is not enabled, the class leads to another group, or else the code
// point to another class.
func (p *planner) toLossless(sw, dscp, priority int) (field, value string) {
	enabled := p.plan.specs[sw].PFC.Priorities
	_, mapped := p.plan.specs[sw].DSCPToTC[dscp] // and not in the class of all others
	tc := int(classOf(&p.plan.Switches[sw], dscp, uint8(priority)))
	switch {
	case mapped && tc == priority && !slices.Contains(enabled, tc):
		all := append(slices.Clone(enabled), tc)
		slices.Sort(all)
		return "pfc.priorities", strings.ReplaceAll(fmt.Sprint(all), " ", ", ")
	case slices.Contains(enabled, tc):
		return "tc_to_group", fmt.Sprintf("{%d: %d}", tc, tc)
	case slices.Contains(enabled, priority):
		return "dscp_to_tc", fmt.Sprintf("{%d: %d}", dscp, priority)
	default:
		return "dscp_to_tc", fmt.Sprintf("{%d: %d}", dscp, p.sc.Switch.PFC.Priorities[0])
	}
}

// markedAs are the fields of a NIC that mark data with a code point and send it with
// the priority that a switch pauses for it.
func (p *planner) markedAs(sw *switching.Config, dscp int) string {
	fields := fmt.Sprintf("dscp: %d", dscp)
	pauses := sw.Classes.GroupToPFC[sw.Classes.TCToGroup[sw.Classes.DSCPToTC[dscp]]]
	if p.plan.NICs[0].DSCPToPriority[dscp] != pauses {
		fields += fmt.Sprintf(", dscp_to_priority: {%d: %d}", dscp, pauses)
	}
	return fields
}

// mapText is the DSCP map of a switch as it is written, shortened if it is long.
func mapText(spec *Switch) string {
	const most = 10
	var rows []string
	for _, d := range slices.Sorted(maps.Keys(spec.DSCPToTC)) {
		if len(rows) == most {
			rows = append(rows, "...")
			break
		}
		rows = append(rows, fmt.Sprintf("%d->%d", d, spec.DSCPToTC[d]))
	}
	return strings.Join(append(rows, fmt.Sprintf("others->%d", spec.DefaultTC)), ", ")
}

// classOf is the traffic class of a packet at a switch.
func classOf(sw *switching.Config, dscp int, priority uint8) uint8 {
	if sw.Classes.TrustPCP {
		return sw.Classes.PCPToTC[priority]
	}
	return sw.Classes.DSCPToTC[dscp]
}

// losslessDSCPs are the code points that a switch treats as lossless.
func losslessDSCPs(sw *switching.Config) []int {
	var known []int
	for d, tc := range sw.Classes.DSCPToTC {
		if sw.Groups[sw.Classes.TCToGroup[tc]].Lossless {
			known = append(known, d)
		}
	}
	return known
}

// dscps lists the code points of reliable traffic that says nothing else.
// Entries with a code point of their own may well mean a lossy class.
func (p *planner) dscps() []int {
	var out []int
	for _, w := range p.sc.Workload {
		_, unreliable := w.Traffic.(*Datagrams)
		if w.common().DSCP == nil && !unreliable && !slices.Contains(out, p.sc.NIC.DSCP) {
			out = append(out, p.sc.NIC.DSCP)
		}
	}
	return out
}
