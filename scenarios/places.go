package scenarios

import (
	"strings"

	"rocesim/fabric/topo"
	"rocesim/scenarios/strict"
)

// Scenario is what the plan was made of.
func (p *Plan) Scenario() *Scenario { return p.scenario }

// SwitchSpec is what a switch is as the scenario writes it, overrides applied.
func (p *Plan) SwitchSpec(sw int) *Switch { return &p.specs[sw] }

// Place is where the field of a path stands in the file: the preset that gives it
// if the file does not name it, else the nearest field above it.
func (p *Plan) Place(path string) strict.Pos { return p.scenario.doc.Place(path) }

// SwitchPath is the path of a switch's field: that of the last override that gives
// it to the switch, or "switch." and the field.
func (p *Plan) SwitchPath(sw int, field string) string {
	name := p.Graph.Switches[sw].Name
	overrides := p.scenario.Switch.Overrides
	for i := len(overrides) - 1; i >= 0; i-- {
		if o := overrides[i].Value(); matches(o, name) && gives(o, field) {
			return o.Path + "." + field
		}
	}
	return "switch." + field
}

// NICPath is the path of an endpoint's field, as SwitchPath is that of a switch's.
func (p *Plan) NICPath(endpoint int, field string) string {
	e := &p.Graph.Endpoints[endpoint]
	overrides := p.scenario.NIC.Overrides
	for i := len(overrides) - 1; i >= 0; i-- {
		o := overrides[i].Value()
		if (matches(o, e.Name) || matches(o, p.Graph.Hosts[e.Host].Name)) && gives(o, field) {
			return o.Path + "." + field
		}
	}
	return "nic." + field
}

// matches reports whether an override is about a node.
func matches(o strict.Value, name string) bool {
	m, _ := o.Key("match")
	text, _ := m.Scalar()
	pattern, err := topo.ParsePattern(text)
	return err == nil && pattern.Match(name)
}

// gives reports whether an override has a field, or a preset that has it.
func gives(o strict.Value, field string) bool {
	for step := range strings.SplitSeq(field, ".") {
		if _, preset := o.Key("preset"); preset {
			return true
		}
		next, given := o.Key(step)
		if !given {
			return false
		}
		o = next
	}
	return true
}
