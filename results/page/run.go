package page

import (
	"rocesim/results"
	"rocesim/results/why"
)

// Extra is what a run page shows beside what the run holds.
type Extra struct {
	// Expectations are the outcomes of the scenario's expect clauses.
	Expectations []results.Outcome
	// Command is the command line that repeats the run; empty if not known.
	Command string
}

// Run makes the page of one run.
func Run(run *results.Run, rep *why.Report, extra Extra) (*Document, error) {
	d := &Document{Title: run.Manifest.Name, Kind: "Run", Foot: "rocesim " + run.Manifest.Tool}
	for _, component := range []func(*results.Run) (Part, error){RunCharts, Topology} {
		p, err := component(run)
		if err != nil {
			return nil, err
		}
		d.Add(p)
	}
	return d, nil
}
