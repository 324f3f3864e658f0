// Package grid holds the combinations of values that a sweep tries: axes with
// lists and ranges of values, axes that move together, seeds, and the metrics
// to judge by. It reads them from the sweep section of a scenario and from
// command lines, and knows nothing of how a scenario is run.
package grid
