// Package results holds what one run of the simulator measured, and turns it
// into what a person or a program reads: a Summary, the numbers that expect
// clauses test, and a run directory of JSON and CSV files.
//
// The package is data and files only. It knows no model: package
// results/metrics fills a Run from the model, and results/report draws it.
//
// Everything here is deterministic: the same Run gives the same bytes. Nothing
// that depends on the host, such as the wall clock, ever enters a Run.
package results
