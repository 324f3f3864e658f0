package scenarios

import (
	"fmt"

	"rocesim/fabric/topo"
	"rocesim/scenarios/dependency"
	"rocesim/scenarios/model"
	"rocesim/scenarios/workload"
)

// maxDescribed is how many circles, loops or failures are described; the
// others are counted.
const maxDescribed = 5

// Risk is a way into a deadlock, as a sentence.
type Risk struct {
	Text string
	// Loop tells packets that go in circles from buffers that wait for each other.
	Loop bool
	// Without is the link that has to fail for it; empty if none has to.
	Without string
}

// DeadlockRisks says which buffers can wait for each other in a circle, and
// which routes never arrive, with the traffic of the plan, before and after each
// of its faults. Each is a sentence; an empty list means that the fabric cannot
// deadlock. With failures, the routes that follow each failure of a single link
// between switches are looked at instead of those after the plan's faults.
func (p *Plan) DeadlockRisks(failures bool) []string {
	var text []string
	for _, r := range p.Risks(failures) {
		text = append(text, r.Text)
	}
	return text
}

// Risks is DeadlockRisks with the kind of each.
func (p *Plan) Risks(failures bool) []Risk {
	n := p.dependencies()
	risks := describeRisks(p.Graph, dependency.Check(n), "", "")
	down := p.faultyLinks()
	if failures {
		down = p.fabricLinks()
	}
	described := 0
	for i, l := range down {
		report := dependency.CheckWithout(n, l...)
		if len(report.Cycles)+len(report.Loops) == 0 {
			continue
		}
		if described++; described > maxDescribed {
			return append(risks, Risk{Text: fmt.Sprintf("%d more failures are not looked at", len(down)-i)})
		}
		link := p.Graph.Links[l[0]].Name
		risks = append(risks, describeRisks(p.Graph, report, link, "without link "+link+more(len(l)-1)+" ")...)
	}
	return risks
}

func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

// fabricLinks lists the links between switches, each alone.
func (p *Plan) fabricLinks() [][]int {
	var down [][]int
	for l := range p.Graph.Links {
		if p.Graph.BetweenSwitches(l) {
			down = append(down, []int{l})
		}
	}
	return down
}

// faultyLinks lists what each fault of the plan takes out of service, once.
func (p *Plan) faultyLinks() [][]int {
	var down [][]int
	seen := map[model.Fault]bool{}
	for _, f := range p.Faults {
		if f = (model.Fault{Kind: f.Kind, Target: f.Target}); seen[f] {
			continue
		}
		seen[f] = true
		switch f.Kind {
		case model.LinkDown:
			down = append(down, []int{f.Target})
		case model.Reboot:
			var links []int
			for _, port := range p.Graph.Ports(len(p.Graph.Endpoints) + f.Target) {
				links = append(links, port.Link)
			}
			down = append(down, links)
		}
	}
	return down
}

// describeRisks makes sentences of a report; when says under which condition
// they hold: without which link.
func describeRisks(g *topo.Graph, r dependency.Report, without, when string) []Risk {
	var risks []Risk
	say := func(loop bool, format string, args ...any) {
		risks = append(risks, Risk{Text: when + fmt.Sprintf(format, args...), Loop: loop, Without: without})
	}
	for i, c := range r.Cycles {
		if i == maxDescribed {
			say(false, "%d more sets of buffers can wait for each other in a circle", len(r.Cycles)-i)
			break
		}
		say(false, "buffers can wait for each other in a circle (cyclic buffer dependency), so a deadlock is possible: %s", c.Describe(g))
	}
	for i, l := range r.Loops {
		if i == maxDescribed {
			say(true, "packets to %d more NICs go in circles", len(r.Loops)-i)
			break
		}
		say(true, "packets to %s can go in circles until their hop limit is reached: %s", g.NodeName(l.Dst), l.Describe(g))
	}
	return risks
}

// dependencies returns the fabric with all traffic, ACKs included.
func (p *Plan) dependencies() *dependency.Network {
	n := &dependency.Network{Graph: p.Graph, Routes: p.Routes, Switches: p.Switches}
	p.Connections(func(src, dst int, c workload.Class) {
		class := dependency.Class{DSCP: c.DSCP, PCP: p.NICs[src].DSCPToPriority[c.DSCP]}
		n.Add(dependency.Flow{Src: src, Dst: dst, Class: class})
		if !c.Unreliable {
			n.Add(dependency.Flow{Src: dst, Dst: src, Class: class})
		}
	})
	return n
}
