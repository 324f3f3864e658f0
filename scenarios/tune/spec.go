package tune

import (
	"fmt"
	"slices"
	"strings"

	"rocesim/results"
	"rocesim/scenarios"
	"rocesim/scenarios/grid"
	"rocesim/scenarios/strict"
)

// Spec is what a command line asks for. What it leaves out comes from the tune
// section of the scenario.
type Spec struct {
	File string
	// Sets are "path=value", changes of every run.
	Sets []string
	// Params are as in grid.ParseParam; those of the file with other paths stay.
	Params []string
	// Minimise and Maximise are metrics, Weights "metric=weight", 1 without.
	Minimise, Maximise, Weights []string
	// Subject are expect clauses, beside those of the scenario.
	Subject []string
	// Budget is how many runs there may be; 0 is not given.
	Budget int
	Seeds  string
}

// Limits of a search, and what it does if nothing is said.
const (
	maxParams     = 10 // beyond it, a few hundred runs tell nothing
	maxRuns       = 10_000
	defaultBudget = 60
)

// LeastSettings is how many settings a search tries at least: the scenario as it
// is and three others.
const LeastSettings = 4

// Problem is a checked search.
type Problem struct {
	template *scenarios.Template
	fixed    []string
	base     *scenarios.Scenario
	Params   []grid.Param
	Goals    []grid.Goal
	// conditions have to be met with every seed.
	conditions []results.Expectation
	seeds      []uint64
	budget     int
	// metrics are those that records do not have anyway.
	metrics []string
}

// Load reads the scenario and checks the search. The error is of type
// strict.Errors where a place can be named.
func Load(spec Spec) (*Problem, error) {
	template, err := scenarios.LoadTemplate(spec.File)
	if err != nil {
		return nil, err
	}
	base, err := template.Scenario(spec.Sets)
	if err != nil {
		return nil, err
	}
	block := base.Tune
	if block == nil {
		block = &grid.Tune{}
	}
	p := &Problem{template: template, fixed: spec.Sets, base: base}
	if err := p.params(spec, block); err != nil {
		return nil, err
	}
	if err := p.judges(spec, block); err != nil {
		return nil, err
	}
	return p, p.effort(spec, block)
}

// params joins those of the command line with those of the file, which they
// replace, and tries values of each.
func (p *Problem) params(spec Spec, block *grid.Tune) error {
	p.Params = slices.Clone(block.Params)
	for _, arg := range spec.Params {
		one, err := grid.ParseParam(arg)
		if err != nil {
			return err
		}
		same := func(o grid.Param) bool { return o.Path == one.Path }
		if i := slices.IndexFunc(p.Params, same); i >= 0 {
			p.Params[i] = one
		} else {
			p.Params = append(p.Params, one)
		}
	}
	if len(p.Params) == 0 || len(p.Params) > maxParams {
		return fmt.Errorf("a search needs 1 to %d parameters, such as --param switch.ecn.kmin=50KB..2MB:log; given: %d", maxParams, len(p.Params))
	}
	for i := range p.Params {
		if err := p.checkParam(&p.Params[i]); err != nil {
			return err
		}
	}
	for i := range p.Params {
		if err := p.checkValues(i); err != nil {
			return err
		}
	}
	return nil
}

// parse reads the scenario with further changes.
func (p *Problem) parse(sets []string) (*scenarios.Scenario, error) {
	return p.template.Scenario(slices.Concat(p.fixed, sets))
}

// judges finds out what to search for: the command line, else the file.
func (p *Problem) judges(spec Spec, block *grid.Tune) error {
	if err := p.goals(spec); err != nil {
		return err
	}
	if len(p.Goals) == 0 {
		p.Goals = block.Objective
	}
	if len(p.Goals) == 0 {
		p.Goals = []grid.Goal{{Objective: grid.Objective{Metric: results.Subject{Metric: "fct.p99"}, Direction: results.LowerBetter}, Weight: 1}}
	}
	if err := p.weights(spec.Weights); err != nil {
		return err
	}
	plan, err := p.base.Plan()
	if err != nil {
		return err
	}
	p.conditions = plan.Expect
	for _, c := range block.Subject {
		p.conditions = append(p.conditions, c.Expectation)
	}
	for _, text := range spec.Subject {
		e, err := results.ParseExpectation(text)
		if err != nil {
			return fmt.Errorf("--subject %s: %w", text, err)
		}
		p.conditions = append(p.conditions, e)
	}
	return p.want(plan)
}

// goals reads those of the command line.
func (p *Problem) goals(spec Spec) error {
	read := func(flag, word string, texts []string) error {
		for _, text := range texts {
			objective, err := grid.ParseObjective(word + " " + text)
			if err != nil {
				return fmt.Errorf("%s %s: %w", flag, text, err)
			}
			objective.Pos = strict.Pos{File: flag + " " + text}
			p.Goals = append(p.Goals, grid.Goal{Objective: objective, Weight: 1})
		}
		return nil
	}
	if err := read("--minimise", "minimise", spec.Minimise); err != nil {
		return err
	}
	return read("--maximise", "maximise", spec.Maximise)
}

// weights reads "metric=weight", the metric being one of the goals.
func (p *Problem) weights(args []string) error {
	p.Goals = slices.Clone(p.Goals)
	var names []string
	for i := range p.Goals {
		names = append(names, p.Goals[i].Objective.Metric.String())
	}
	for _, arg := range args {
		at := strings.LastIndexByte(arg, '=')
		if at < 0 {
			return fmt.Errorf("--weight %s: allowed: METRIC=WEIGHT, such as %s=2", arg, names[0])
		}
		weight, err := grid.ParseWeight(arg[at+1:])
		if err != nil {
			return fmt.Errorf("--weight %s: %w", arg, err)
		}
		i := slices.Index(names, strings.TrimSpace(arg[:at]))
		if i < 0 {
			return fmt.Errorf("--weight %s: %s", arg, strict.Unknown("goal", arg[:at], names))
		}
		p.Goals[i].Weight = weight
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return strict.Errors{{Pos: p.Goals[i].Objective.Pos, Text: name + " is given twice"}}
		}
	}
	return nil
}

// want lists the metrics that goals and conditions need, after checking that
// the scenario has what their labels name.
func (p *Problem) want(plan *scenarios.Plan) error {
	var usual []string
	for _, s := range results.AllSubjects(plan.Names) {
		usual = append(usual, s.String())
	}
	for i := range p.Goals {
		o := &p.Goals[i].Objective
		if text := p.unknown(plan, o.Metric); text != "" {
			return strict.Errors{{Pos: o.Pos, Path: o.Metric.String(), Text: text}}
		}
	}
	subjects := p.subjects()
	for i := range p.conditions {
		if text := p.unknown(plan, p.conditions[i].Subject()); text != "" {
			return fmt.Errorf("the condition %s: %s", p.conditions[i].Text, text)
		}
		subjects = append(subjects, p.conditions[i].Subject())
	}
	for _, s := range subjects {
		if name := s.String(); !slices.Contains(usual, name) && !slices.Contains(p.metrics, name) {
			p.metrics = append(p.metrics, name)
		}
	}
	return nil
}

// subjects are the metrics of the goals.
func (p *Problem) subjects() []results.Subject {
	var all []results.Subject
	for i := range p.Goals {
		all = append(all, p.Goals[i].Objective.Metric)
	}
	return all
}

// unknown says what a label names that the scenario does not have.
func (p *Problem) unknown(plan *scenarios.Plan, s results.Subject) string {
	for _, l := range s.Labels {
		var names []string
		switch l.Key {
		case "workload":
			names = plan.Names
		case "src", "dst", "node":
			for i := range len(plan.Graph.Endpoints) + len(plan.Graph.Switches) {
				names = append(names, plan.Graph.NodeName(i))
			}
			for _, h := range plan.Graph.Hosts {
				names = append(names, h.Name)
			}
		default:
			continue
		}
		if !slices.Contains(names, l.Value) {
			return strict.Unknown(l.Key, l.Value, names)
		}
	}
	return ""
}

// effort finds out how much may be run.
func (p *Problem) effort(spec Spec, block *grid.Tune) error {
	seeds := block.Seeds
	if spec.Seeds != "" {
		parsed, err := grid.ParseSeeds(spec.Seeds)
		if err != nil {
			return fmt.Errorf("--seeds: %w", err)
		}
		seeds = parsed
	}
	p.seeds = seeds.From(p.base.Seed)
	p.budget = defaultBudget
	if block.Budget > 0 {
		p.budget = block.Budget
	}
	if spec.Budget != 0 {
		p.budget = spec.Budget
	}
	if least := LeastSettings * len(p.seeds); p.budget < least || p.budget > maxRuns {
		return fmt.Errorf("the budget is %d; allowed: from %d runs, the scenario as it is and %d other settings with every seed, to %d",
			p.budget, least, LeastSettings-1, maxRuns)
	}
	return nil
}

// Base is the scenario as it is.
func (p *Problem) Base() *scenarios.Scenario { return p.base }
