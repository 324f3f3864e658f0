package page

import "rocesim/results"

// Topology returns the drawing of a run's network.
func Topology(*results.Run) (Part, error) { return Part{}, nil }
