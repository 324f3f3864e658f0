package check

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"rocesim/results"
	"rocesim/scenarios"
)

// Result is a scenario that has been simulated.
type Result struct {
	Scenario *scenarios.Scenario
	Run      *results.Run
	// Outcomes are those of the scenario's own expect clauses, in order.
	Outcomes []results.Outcome

	metrics *results.Metrics
}

// Load simulates the scenario in a file, changed by sets of the form
// "path=value". The error says what is wrong with the file, or is that of ctx.
func Load(ctx context.Context, path string, sets ...string) (*Result, error) {
	sc, err := scenarios.Load(path, sets)
	if err != nil {
		return nil, err
	}
	return Simulate(ctx, sc, scenarios.RunOptions{Overrides: sets})
}

// Simulate runs a scenario. A run that ctx ends is an error: what it measured is
// not what the scenario asks for.
func Simulate(ctx context.Context, sc *scenarios.Scenario, opt scenarios.RunOptions) (*Result, error) {
	plan, err := sc.Plan()
	if err != nil {
		return nil, err
	}
	run, err := scenarios.Run(ctx, sc, opt)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	m := results.NewMetrics(run)
	return &Result{Scenario: sc, Run: run, metrics: m, Outcomes: results.Evaluate(plan.Expect, m)}, nil
}

// Value returns a metric, such as "fct.p99{workload=storage}", in its base unit:
// picoseconds, bytes, bit/s, a ratio or a count.
func (r *Result) Value(metric string) (float64, error) {
	subject, err := results.ParseSubject(metric)
	if err != nil {
		return 0, fmt.Errorf("metric %q: %w", metric, err)
	}
	value, err := subject.Of(r.metrics)
	if err != nil {
		return 0, fmt.Errorf("metric %q: %w", metric, err)
	}
	return value, nil
}

// Expect evaluates further clauses, in the notation of a scenario's expect. The
// error lists those that do not hold, a line each, or says what is wrong with
// the first that cannot be read.
func (r *Result) Expect(clauses ...string) error {
	var parsed []results.Expectation
	for _, text := range clauses {
		e, err := results.ParseExpectation(text)
		if err != nil {
			return fmt.Errorf("expectation %q: %w", text, err)
		}
		parsed = append(parsed, e)
	}
	return failures(results.Evaluate(parsed, r.metrics))
}

// Err lists the scenario's own expectations that do not hold, and the fatal
// condition that ended the run, if one did.
func (r *Result) Err() error {
	err := failures(r.Outcomes)
	if text := r.fatal(); text != "" {
		return errors.Join(errors.New(text), err)
	}
	return err
}

func failures(outcomes []results.Outcome) error {
	var texts []string
	for _, o := range outcomes {
		if !o.OK {
			texts = append(texts, o.Text)
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return errors.New(strings.Join(texts, "\n"))
}

// fatal says what ended the run too early, unless the scenario has an
// expectation about it, which then judges.
func (r *Result) fatal() string {
	m := &r.Run.Manifest
	switch {
	case m.Stop == results.Stalled && !r.expects("flows.unfinished"):
		return "the run stalled: " + m.Stall
	case m.Stop == results.Deadlocked && !r.expects("deadlocks"):
		return "the run ended with a " + m.Deadlocks[len(m.Deadlocks)-1]
	}
	return ""
}

func (r *Result) expects(metric string) bool {
	for _, text := range r.Scenario.Expect {
		if e, err := results.ParseExpectation(text); err == nil && e.Metric == metric {
			return true
		}
	}
	return false
}

// Drifts compares the result with the baseline in a file, as rocesim test
// writes it, and returns the metrics beyond their tolerance. The error says that
// there is no such baseline, or not of this scenario and seed.
func (r *Result) Drifts(file string) ([]Drift, error) {
	b, err := ReadBaseline(file)
	if err != nil {
		return nil, err
	}
	if b == nil {
		return nil, fmt.Errorf("%s: there is no such baseline; write it with: rocesim test --update", file)
	}
	return b.Drifts(r)
}
