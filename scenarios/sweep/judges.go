package sweep

import (
	"fmt"
	"slices"

	"rocesim/results"
	"rocesim/scenarios/grid"
	"rocesim/scenarios/strict"
)

// usualMetrics are drawn if nobody says which.
func usualMetrics() []string {
	return []string{"fct.p99", "goodput.total", "pfc.paused_time", "queue.peak", "ecn.marks"}
}

// judges finds out what to judge by: the command line, else the file, else
// what is usual.
func (s *Sweep) judges(spec Spec, block *grid.Block) error {
	metrics, err := s.subjects("--metrics", spec.Metrics, block.Metrics)
	if err != nil {
		return err
	}
	pareto, err := s.subjects("--pareto", spec.Pareto, block.Pareto)
	if err != nil {
		return err
	}
	objective := block.Objective
	if spec.Objective != "" {
		parsed, err := grid.ParseObjective(spec.Objective)
		if err != nil {
			return fmt.Errorf("--objective: %w", err)
		}
		parsed.Pos = strict.Pos{File: "--objective"}
		objective = &parsed
	}
	if objective == nil {
		objective = &grid.Objective{Metric: results.Subject{Metric: "fct.p99"}, Direction: results.LowerBetter}
	}
	if s.asked = len(metrics) > 0; !s.asked {
		metrics = asSubjects(usualMetrics())
	}
	if len(pareto) == 0 {
		pareto = asSubjects([]string{"fct.p99", "pfc.paused_time"})
	}
	s.Objective = objective
	if err := s.setPareto(pareto); err != nil {
		return err
	}
	for _, m := range slices.Concat([]grid.Subject{{Metric: objective.Metric, Pos: objective.Pos}}, metrics, pareto) {
		if err := s.want(m); err != nil {
			return err
		}
	}
	for _, m := range metrics {
		s.Metrics = append(s.Metrics, m.Metric)
	}
	if !slices.ContainsFunc(s.Metrics, same(objective.Metric)) {
		s.Metrics = append([]results.Subject{objective.Metric}, s.Metrics...)
	}
	return nil
}

// setPareto takes the two metrics that are traded against each other.
func (s *Sweep) setPareto(pair []grid.Subject) error {
	if len(pair) != 2 || pair[0].Metric.String() == pair[1].Metric.String() {
		return strict.Errors{{Pos: pair[0].Pos, Text: fmt.Sprintf("a Pareto front is between two different metrics, such as fct.p99 and pfc.paused_time; given: %d", len(pair))}}
	}
	for _, m := range pair {
		if results.BetterDirection(m.Metric.Metric) == results.Neutral {
			return strict.Errors{{Pos: m.Pos, Text: fmt.Sprintf("neither more nor less of %s is better, so there is nothing to trade", m.Metric)}}
		}
		s.Pareto = append(s.Pareto, m.Metric)
	}
	return nil
}

// subjects parses those of a flag, or else takes those of the file.
func (s *Sweep) subjects(flag string, texts []string, block []grid.Subject) ([]grid.Subject, error) {
	if len(texts) == 0 {
		return block, nil
	}
	var all []grid.Subject
	for _, text := range texts {
		parsed, err := results.ParseSubject(text)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", flag, text, err)
		}
		all = append(all, grid.Subject{Metric: parsed, Pos: strict.Pos{File: flag + " " + text}})
	}
	return all, nil
}

func asSubjects(names []string) []grid.Subject {
	var all []grid.Subject
	for _, name := range names {
		all = append(all, grid.Subject{Metric: results.Subject{Metric: name}})
	}
	return all
}

// want makes a metric a column, after checking that at least one scenario has
// what its labels name.
func (s *Sweep) want(m grid.Subject) error {
	for _, l := range m.Metric.Labels {
		var names []string
		for _, src := range s.sources {
			switch l.Key {
			case "workload":
				names = append(names, src.entries...)
			case "src", "dst", "node":
				names = append(names, src.nodes...)
			}
		}
		if names != nil && !slices.Contains(names, l.Value) {
			return strict.Errors{{Pos: m.Pos, Path: m.Metric.String(), Text: strict.Unknown(l.Key, l.Value, names)}}
		}
	}
	if !slices.ContainsFunc(s.columns, same(m.Metric)) {
		s.columns = append(s.columns, m.Metric)
	}
	return nil
}

// extra lists the metrics that a record does not have anyway.
func (s *Sweep) extra(src *source) []string {
	var usual, names []string
	for _, u := range results.AllSubjects(src.entries) {
		usual = append(usual, u.String())
	}
	for i, c := range s.columns {
		if src.knows(c) && !slices.Contains(usual, s.names[i]) {
			names = append(names, s.names[i])
		}
	}
	return names
}

// knows reports whether the scenario has the workloads that a metric names.
func (src *source) knows(s results.Subject) bool {
	return !slices.ContainsFunc(s.Labels, func(l results.Label) bool {
		return l.Key == "workload" && !slices.Contains(src.entries, l.Value)
	})
}
