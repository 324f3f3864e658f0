package main

import (
	"errors"
	"os"
	"path/filepath"

	"rocesim/results"
	"rocesim/results/compare"
	"rocesim/results/page"
	"rocesim/scenarios/sweep"
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

// pageOfComparison makes the page of a comparison without charts, as the runs
// are not in its directory.
func pageOfComparison(dir string) (*page.Document, error) {
	c, s, err := compare.ReadDir(os.DirFS(dir), ".")
	switch {
	case err != nil:
		return nil, err
	case s != nil:
		return page.SweepComparison(s)
	}
	return page.Comparison(c, nil, nil)
}

// writePage writes a page into a directory that is being made.
func writePage(dir string, make func() (*page.Document, error)) error {
	doc, err := make()
	if err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, results.ReportFile))
	if err != nil {
		return err
	}
	return errors.Join(doc.Write(f), f.Close())
}
