package grid

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"rocesim/results"
	"rocesim/scenarios/strict"
)

// Subject is a metric, perhaps of a part of the run, as an expect clause names
// it.
type Subject struct {
	Metric results.Subject
	// Pos is where it was given.
	Pos strict.Pos
}

// DecodeNode reads "fct.p99" or "fct.p99{workload=storage}".
func (s *Subject) DecodeNode(v strict.Value) {
	if parsed, ok := parse(v, results.ParseSubject); ok {
		*s = Subject{parsed, v.Pos()}
	}
}

// parse reads a value of one word or sentence and records what is wrong with it.
func parse[T any](v strict.Value, read func(text string) (T, error)) (parsed T, ok bool) {
	text, _ := v.Scalar()
	parsed, err := read(text)
	if err != nil {
		v.Failf("%v", err)
	}
	return parsed, err == nil
}

// EncodeNode writes what DecodeNode reads.
func (s *Subject) EncodeNode() *yaml.Node { return strict.Text(s.Metric.String()) }

// Objective is what a recommended setting is best at.
type Objective struct {
	Metric    results.Subject
	Direction results.Direction
	// Pos is where it was given.
	Pos strict.Pos
}

// ParseObjective reads "minimise fct.p99", "maximise goodput.total", or a
// metric that is better in one direction.
func ParseObjective(text string) (Objective, error) {
	word, rest, two := strings.Cut(strings.TrimSpace(text), " ")
	direction := results.Neutral
	switch {
	case two && (word == "minimise" || word == "minimize"):
		direction = results.LowerBetter
	case two && (word == "maximise" || word == "maximize"):
		direction = results.HigherBetter
	default:
		rest = text
	}
	subject, err := results.ParseSubject(rest)
	if err != nil {
		return Objective{}, err
	}
	if direction == results.Neutral {
		direction = results.BetterDirection(subject.Metric)
	}
	if direction == results.Neutral {
		return Objective{}, fmt.Errorf("neither more nor less of %s is better in itself; allowed: \"minimise %s\" or \"maximise %s\"", subject, subject, subject)
	}
	return Objective{Metric: subject, Direction: direction}, nil
}

// DecodeNode reads what ParseObjective does.
func (o *Objective) DecodeNode(v strict.Value) {
	if parsed, ok := parse(v, ParseObjective); ok {
		*o = parsed
		o.Pos = v.Pos()
	}
}

// EncodeNode writes what DecodeNode reads.
func (o *Objective) EncodeNode() *yaml.Node { return strict.Text(o.Words()) }

// Words is the objective as ParseObjective reads it.
func (o *Objective) Words() string {
	if o.Direction == results.HigherBetter {
		return "maximise " + o.Metric.String()
	}
	return "minimise " + o.Metric.String()
}
