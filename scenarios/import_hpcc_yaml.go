package scenarios

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"rocesim/scenarios/importer/hpcc"
	"rocesim/scenarios/strict"
	"rocesim/sim"
)

// describe writes the imported files as a scenario. Each entry of the workload
// has its first flow only.
func (im *Import) describe(name string) []byte {
	var b bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("name: %s", name)
	line("source: files of the HPCC ns-3 simulator")
	if im.config != nil {
		line("stop: {when: flows-done, max: %v}", im.duration())
	}
	im.describeFabric(line)
	im.describeSwitch(line)
	im.describeNIC(line)
	im.describeFaults(line)
	line("workload:")
	for _, g := range im.groups {
		f := g.flows[0]
		line("  - name: %s", im.entryName(g))
		line("    type: flows")
		line("    dscp: %d", dscpOf(g.pg))
		line("    flows: [{from: \"%d\", to: \"%d\", bytes: %dB, start: %v, src_port: %d, dst_port: %d}]",
			f.SrcNode, f.DstNode, f.Bytes, f.Start, f.SPort, max(1, f.DPort))
	}
	return b.Bytes()
}

// entryName is "flows", or what tells the entries apart.
func (im *Import) entryName(g flowGroup) string {
	if len(im.groups) == 1 {
		return "flows"
	}
	return fmt.Sprintf("flows-pg%d-port%d", g.pg, g.port)
}

// dscpOf is the code point of a priority: NICs take the upper three bits.
func dscpOf(pg int) int { return 8 * pg }

// replaced reports whether the user has chosen a preset for a section.
func (im *Import) replaced(section string) bool {
	return slices.ContainsFunc(im.sets, func(s string) bool { return strings.HasPrefix(s, section+".preset=") })
}

func (im *Import) describeFabric(line func(string, ...any)) {
	x := &im.topology.Explicit
	line("fabric:")
	line("  topology: explicit")
	if !im.replaced("nic") {
		line("  quantum: 1ns")
	}
	if len(im.asked.down) > 0 {
		line("  convergence: 0s") // the original computes new routes at once
	}
	line("  hosts:")
	for _, h := range x.Hosts {
		line("    - {name: %q, nics: %d}", h.Name, h.NICs)
	}
	line("  switches: [%s]", quoted(x.Switches))
	line("  links:")
	for _, l := range x.Links {
		line("    - {a: %q, b: %q, rate: %v, delay: %v}", l.A, l.B, l.Rate, l.Delay)
	}
}

func quoted(names []string) string {
	var b bytes.Buffer
	for i, n := range names {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", n)
	}
	return b.String()
}

func (im *Import) describeSwitch(line func(string, ...any)) {
	line("switch:")
	line("  preset: hpcc-ns3")
	var priorities []int
	line("  dscp_to_tc:")
	for _, g := range im.groups {
		if !slices.Contains(priorities, g.pg) {
			priorities = append(priorities, g.pg)
			line("    %d: %d", dscpOf(g.pg), g.pg)
		}
	}
	// Priority 0 is never paused in the original.
	if lossless := slices.DeleteFunc(priorities, func(pg int) bool { return pg == 0 }); !slices.Equal(lossless, []int{3}) {
		line("  pfc:")
		line("    priorities: [%s]", listed(lossless))
	}
	c := im.config
	if c == nil || im.replaced("switch") {
		return
	}
	line("  buffer: {total: %v}", strict.Bytes(c.Buffer))
	line("  ecn:")
	line("    enabled: %v", c.QCN)
	if !c.QCN {
		return
	}
	line("    table:")
	for _, rate := range im.topology.Graph.Rates() {
		if r, ok := c.REDFor(rate); ok {
			line("      - {rate: %v, kmin: %v, kmax: %v, pmax: %v}", r.Rate, strict.Bytes(r.Kmin), strict.Bytes(r.Kmax), strict.Fraction(r.Pmax))
		}
	}
}

func listed(numbers []int) string {
	var b bytes.Buffer
	for i, n := range numbers {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(&b, n)
	}
	return b.String()
}

func (im *Import) describeNIC(line func(string, ...any)) {
	line("nic:")
	line("  preset: hpcc-ns3")
	line("  dscp: %d", dscpOf(im.groups[0].pg))
	c := im.config
	if c != nil {
		line("  mtu: %d", c.PayloadSize)
	}
	if c != nil && !im.replaced("nic") {
		line("  acks_unpaused: %v", c.AckHighPrio)
		im.describeRecovery(line)
	}
	line("cc:")
	line("  preset: hpcc")
	if c != nil && !im.replaced("cc") {
		describeCC(c, line)
	}
}

// describeCC writes the parameters of DCQCN; in the original they hold whatever
// the rate of the port.
func describeCC(c *hpcc.Config, line func(string, ...any)) {
	line("  gain: %v", strict.Fraction(c.Gain))
	line("  alpha_period: %v", c.AlphaInterval)
	line("  cut_period: %v", c.DecreaseInterval)
	line("  increase_period: %v", c.RPTimer)
	line("  clamp_target: %v", c.ClampTarget)
	line("  fast_recovery: %d", c.FastRecovery)
	line("  min_rate: %v", c.MinRate)
	line("  rate_ai: %v", c.AI)
	line("  rate_hai: %v", c.HAI)
	line("  per: %v", sim.Rate(0))
}
