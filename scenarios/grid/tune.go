package grid

import (
	"fmt"
	"strconv"

	"gopkg.in/yaml.v3"

	"rocesim/results"
	"rocesim/scenarios/strict"
)

// Tune is the tune section of a scenario: what the command tune searches for,
// and where. A single run takes no notice of it.
type Tune struct {
	Params    Params   `yaml:"params" doc:"for each field to be set, by its path, a range LOW..HIGH, LOW..HIGH:log or LOW..HIGH:integer, or a list of values"`
	Objective Goals    `yaml:"objective" doc:"what to minimise or maximise: a metric, or a group of metrics with their weights"`
	Subject   []Clause `yaml:"subject" doc:"conditions on the results, beside those of expect, that a setting has to meet with every seed"`
	Budget    int      `yaml:"budget" min:"2" max:"10000" omit:"zero" doc:"how many runs the search may take; without it 60"`
	Seeds     Seeds    `yaml:"seeds" doc:"how many seeds each setting is run with, from the scenario's own on, or a list of them"`
}

// Clause is a condition on the results.
type Clause struct {
	Expectation results.Expectation
	Pos         strict.Pos
}

// DecodeNode reads an expect clause.
func (c *Clause) DecodeNode(v strict.Value) {
	if parsed, ok := parse(v, results.ParseExpectation); ok {
		*c = Clause{parsed, v.Pos()}
	}
}

// EncodeNode writes what DecodeNode reads.
func (c *Clause) EncodeNode() *yaml.Node { return strict.Text(c.Expectation.Text) }

// Goal is one metric of a weighted sum.
type Goal struct {
	Objective Objective
	// Weight is above 0.
	Weight float64
}

// Goals are the metrics whose weighted sum is minimised.
type Goals []Goal

// ParseWeight reads a weight.
func ParseWeight(text string) (float64, error) {
	w, err := strconv.ParseFloat(text, 64)
	if err != nil || !(w > 0 && w <= maxWeight) {
		return 0, fmt.Errorf("%q is no weight; allowed: a number above 0, up to %g", text, maxWeight)
	}
	return w, nil
}

const maxWeight = 1e9

// DecodeNode reads "minimise fct.p99", or a group of them with weights.
func (g *Goals) DecodeNode(v strict.Value) {
	*g = nil
	keys, group := v.Keys()
	if !group {
		one := Goal{Weight: 1}
		one.Objective.DecodeNode(v)
		*g = Goals{one}
		return
	}
	for _, key := range keys {
		value, _ := v.Key(key)
		objective, err := ParseObjective(key)
		text, _ := value.Scalar()
		weight, wrong := ParseWeight(text)
		if err == nil {
			err = wrong
		}
		if err != nil {
			value.Failf("%v", err)
			continue
		}
		objective.Pos = value.Pos()
		*g = append(*g, Goal{objective, weight})
	}
}

// EncodeNode writes what DecodeNode reads.
func (g *Goals) EncodeNode() *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for _, one := range *g {
		n.Content = append(n.Content, strict.Text(one.Objective.Words()), strict.Text(strconv.FormatFloat(one.Weight, 'g', -1, 64)))
	}
	return n
}
