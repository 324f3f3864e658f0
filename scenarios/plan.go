package scenarios

import (
	"errors"
	"slices"

	"rocesim/cc/dcqcn"
	"rocesim/fabric/packet"
	"rocesim/fabric/topo"
	"rocesim/nic"
	"rocesim/results"
	"rocesim/scenarios/model"
	"rocesim/scenarios/rules"
	"rocesim/scenarios/strict"
	"rocesim/scenarios/workload"
	"rocesim/sim"
	switching "rocesim/switch"
)

// Plan is a scenario resolved to what the model packages take: nothing is left
// to look up.
type Plan struct {
	Name string
	Seed uint64
	// Graph is the network with overrides applied.
	Graph *topo.Graph
	// Routes are the equal-cost next hops of Graph.
	Routes *topo.Routes
	// Switches has one configuration per switch, NICs one per endpoint, in the
	// order of Graph.
	Switches []switching.Config
	NICs     []nic.Config
	Framing  packet.Framing
	// Quantum floors transmission times; 1 ps is exact.
	Quantum sim.Time
	CC      CCPlan
	// Addresses are the IPv4 addresses of the endpoints; nil numbers
	// 10.0.0.0/8.
	Addresses []uint32
	// Hosts and Workload drive workload.NewDriver; Workload[i] is the entry
	// called Names[i], of the type that the scenario calls Types[i].
	Hosts        workload.Hosts
	Workload     []workload.Entry
	Names, Types []string
	// StopTime ends the run; with StopWhenDone it ends earlier when all flows
	// are done.
	StopTime     sim.Time
	StopWhenDone bool
	// Faults go wrong, and Convergence is how long routing takes to follow.
	Faults      []model.Fault
	Convergence sim.Time
	Expect      []results.Expectation
	Output      Output
	// Findings are mistakes that a run survives, as far as making the plan shows
	// them; package lint looks for more. Warnings are their sentences, and Notes
	// those about choices that were made for the user.
	Findings        []rules.Finding
	Warnings, Notes []string

	scenario *Scenario
	specs    []Switch // of each switch, overrides applied
	drawn    bool     // some of it, with the seed
}

// CCPlan is the congestion control, resolved.
type CCPlan struct {
	// DCQCN is false if queue pairs send at line rate (PFC only).
	DCQCN bool
	// Params are those of each endpoint's queue pairs and Lines its rate;
	// endpoints of one rate share parameters. Nil without DCQCN.
	Params []*dcqcn.Params
	Lines  []sim.Rate
}

// planner resolves a scenario step by step. Steps whose section is broken are
// skipped, so that all others still report.
type planner struct {
	sc    *Scenario
	doc   *strict.Document
	plan  *Plan
	hosts *hostNames
	said  map[string]bool // notes and warnings given
	// adapters is what each NIC is after overrides.
	adapters []NIC
	// mtu is the largest of all NICs.
	mtu int
}

// Plan resolves the scenario. The error is of type Errors.
func (sc *Scenario) Plan() (*Plan, error) {
	if sc.doc == nil {
		sc.doc = strict.Empty("scenario " + sc.Name)
	}
	p := &planner{sc: sc, doc: sc.doc, said: map[string]bool{}, plan: &Plan{
		Name: sc.Name, Seed: sc.Seed, Output: sc.Output, Notes: slices.Clone(sc.notes),
		Framing: sc.NIC.frame(), scenario: sc,
	}}
	p.lint()
	p.fabric()
	p.nicSpecs()
	p.switches()
	p.addresses()
	p.nics()
	p.congestionControl()
	p.workload()
	p.stop()
	p.faults()
	p.expectations()
	p.classes()
	p.checkTimers()
	p.checkRTO()
	if err := p.doc.Err(); err != nil {
		return nil, err
	}
	return p.plan, nil
}

// ok reports whether sections are free of errors.
func (p *planner) ok(sections ...string) bool {
	for _, s := range sections {
		if p.doc.Failed(s) {
			return false
		}
	}
	return true
}

// stream returns random numbers for a part of the plan, which then is that of
// one seed.
func (p *planner) stream(name string) *sim.Stream {
	p.plan.drawn = true
	return sim.NewStream(p.sc.Seed, name)
}

// fabric builds the graph.
func (p *planner) fabric() {
	if !p.ok("fabric") || p.sc.Fabric.Topology == nil {
		return
	}
	common := p.sc.Fabric.common()
	p.plan.Quantum, p.plan.Convergence = common.Quantum, common.Convergence
	g, err := p.sc.Fabric.build()
	if err != nil {
		p.builderErrors(err)
		return
	}
	p.medium(g, &common.Medium)
	p.linkOverrides(g, common.Overrides)
	for _, err := range g.Validate() {
		p.doc.Failf("fabric", "%v", err)
	}
	if p.ok("fabric") {
		p.plan.Graph = g
		p.plan.Routes = topo.NewRoutes(g).WithStatic(p.staticRoutes(g))
		p.hosts = namesOf(g)
		p.plan.Hosts = workloadHosts(g)
	}
}

// builderErrors gives the errors of a builder their places in the file.
func (p *planner) builderErrors(err error) {
	for _, one := range topo.Problems(err) {
		var field *topo.FieldError
		if errors.As(one, &field) {
			p.doc.Failf("fabric."+field.Field, "%s", field.Text)
		} else {
			p.doc.Failf("fabric", "%v", one)
		}
	}
}

// medium sets the delays of links given by length.
func (p *planner) medium(g *topo.Graph, m *Medium) {
	for i := range g.Links {
		if l := &g.Links[i]; l.Length > 0 {
			l.Delay = m.delay(l.Rate, l.Length)
		}
	}
}

// delay returns the one-way delay of a cable.
func (m *Medium) delay(r sim.Rate, length float64) sim.Time {
	d := sim.Time(length*float64(m.PerMetre) + 0.5)
	for _, row := range m.FEC {
		if row.Rate == r {
			d += row.Delay
		}
	}
	return d
}

// maxOverrides bounds each list of overrides.
const maxOverrides = 1000

// few reports whether a list of overrides is short enough.
func (p *planner) few(path string, n int) bool {
	if n > maxOverrides {
		p.doc.Failf(path, "%d overrides are too many; allowed are %d", n, maxOverrides)
		return false
	}
	return true
}

// linkOverrides changes single links.
func (p *planner) linkOverrides(g *topo.Graph, overrides []linkPatch) {
	if !p.few("fabric.overrides", len(overrides)) {
		return
	}
	medium := &p.sc.Fabric.common().Medium
	for i := range overrides {
		o := overrides[i].Value()
		pattern, ok := p.pattern(o)
		if !ok {
			continue
		}
		found := g.MatchLinks(pattern)
		if len(found) == 0 {
			o.Failf("%q matches no link; links are called like %q", pattern.String(), g.Links[len(g.Links)-1].Name)
		}
		for _, k := range found {
			l := &g.Links[k]
			link := Link{Rate: l.Rate, Cable: strict.Length(l.Length)}
			if l.Length == 0 {
				link.Delay = l.Delay
			}
			o.Patch(&link, "match")
			if link.Count != 0 {
				p.doc.Failf(o.Path+".count", "the number of links cannot be changed here; allowed: cable, delay, rate")
			}
			l.Rate, l.Length, l.Delay = link.Rate, float64(link.Cable), link.Delay
			if link.Cable > 0 {
				l.Delay = medium.delay(l.Rate, l.Length)
			}
		}
	}
}

// pattern reads the match key of an override.
func (p *planner) pattern(o strict.Value) (topo.Pattern, bool) {
	m, given := o.Key("match")
	text, ok := m.Scalar()
	if !given || !ok {
		o.Failf("the override has no match; allowed: the name of what it changes, such as leaf3 or \"leaf*\"")
		return topo.Pattern{}, false
	}
	pattern, err := topo.ParsePattern(text)
	if err != nil {
		m.Failf("%v", err)
		return topo.Pattern{}, false
	}
	if nested, given := o.Key("overrides"); given {
		nested.Failf("an override has no overrides of its own; allowed: another override beside it")
		return topo.Pattern{}, false
	}
	return pattern, true
}

// override applies an override to those of n things that it matches by name, and
// asks for the error if it matches none.
func (p *planner) override(o strict.Value, n int, matches func(topo.Pattern, int) bool, apply func(int), none func(pattern string)) {
	pattern, ok := p.pattern(o)
	if !ok {
		return
	}
	found := false
	for i := range n {
		if matches(pattern, i) {
			found = true
			apply(i)
		}
	}
	if !found {
		none(pattern.String())
	}
}

func workloadHosts(g *topo.Graph) workload.Hosts {
	hosts := make(workload.Hosts, len(g.Hosts))
	for i, h := range g.Hosts {
		hosts[i] = workload.Host{Name: h.Name, Endpoints: h.Endpoints}
		for _, e := range h.Endpoints {
			hosts[i].Rate += g.Links[g.Ports(e)[0].Link].Rate
		}
	}
	return hosts
}

// congestionControl makes one parameter set for each rate of a NIC.
func (p *planner) congestionControl() {
	p.plan.CC.DCQCN = p.sc.CC.Algorithm == "dcqcn"
	if !p.plan.CC.DCQCN || !p.ok("cc") || p.plan.Graph == nil {
		return
	}
	if p.sc.CC.Preset == "none" {
		p.note("cc.preset none changes nothing beside cc.algorithm: dcqcn, which stands in the scenario and wins: set cc.algorithm: none to switch DCQCN off")
	}
	byRate := map[sim.Rate]*dcqcn.Params{}
	for e := range p.plan.Graph.Endpoints {
		rate := p.port(e).Rate
		if byRate[rate] == nil {
			params := p.sc.CC.Params(rate, p.plan.Quantum)
			for _, err := range params.Validate() {
				p.doc.Failf("cc", "%v", err)
			}
			byRate[rate] = &params
		}
		p.plan.CC.Params = append(p.plan.CC.Params, byRate[rate])
		p.plan.CC.Lines = append(p.plan.CC.Lines, rate)
	}
}

// port returns the link of an endpoint.
func (p *planner) port(endpoint int) *topo.Link {
	g := p.plan.Graph
	return &g.Links[g.Ports(endpoint)[0].Link]
}

// expectations parses the expect clauses.
func (p *planner) expectations() {
	for i, text := range p.sc.Expect {
		path := strict.Indexed("expect", i)
		if !p.ok(path) {
			continue
		}
		e, err := results.ParseExpectation(text)
		if err != nil {
			p.doc.Failf(path, "%v", err)
			continue
		}
		if name, ok := e.Label("workload"); ok && !p.named(name) {
			p.doc.Failf(path, "%s", strict.Unknown("workload", name, p.entryNames()))
		}
		p.plan.Expect = append(p.plan.Expect, e)
	}
}
