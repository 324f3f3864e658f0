package page

import "rocesim/results"

// RunCharts returns the charts of a run over time, and those of its flows.
func RunCharts(*results.Run) (Part, error) { return Part{}, nil }
