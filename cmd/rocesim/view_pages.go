package main

import (
	"rocesim/results"
	"rocesim/results/page"
	"rocesim/scenarios/sweep"
	"rocesim/scenarios/versus"
)

// pageOfRun makes the page of a run directory, without expectations where this
// version cannot read the scenario.
func pageOfRun(dir string) (*page.Document, error) {
	run, err := results.Read(dir)
	if err != nil {
		return nil, err
	}
	summary := results.Summarise(run)
	sc, err := scenarioOf(run, dir)
	if err != nil {
		return runPage(run, &summary, nil)
	}
	if plan, err := sc.Plan(); err == nil {
		summary.Expect(plan.Expect, results.NewMetrics(run))
	}
	return runPage(run, &summary, sc)
}

func pageOfSweep(dir string) (*page.Document, error) { return sweep.Page(dir) }

func pageOfComparison(dir string) (*page.Document, error) {
	c, err := versus.Read(dir)
	if err != nil {
		return nil, err
	}
	return c.Page()
}
