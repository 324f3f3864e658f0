// Package results holds what one run of the simulator measured, and turns it
// into what a person or a program reads: a Summary, the numbers that expect
// clauses test, and a run directory of JSON and CSV files.
//
// The package is data and files only. It knows no model: package
// results/metrics fills a Run from the model, results/report and results/page
// draw it, results/why explains it, results/compare compares several.
//
// The data is in run.go, tables.go and storm.go: a Run is tables whose rows refer
// to each other by index. Of it are made
//
//   - CSV files: columns_*.go says which, csv.go and read_csv.go write and read
//     them; write.go and read.go do so for the whole directory.
//   - Metrics, by the names of Catalogue (catalogue.go): measure*.go computes
//     them, expect.go and evaluate.go are the clauses about them, direction.go
//     says which change is an improvement.
//   - A Summary (summary.go) with a Verdict (verdict.go) and its text.
//
// Quantities are put into words by Unit.Format (quantity.go).
//
// Everything here is deterministic: the same Run gives the same bytes. Nothing
// that depends on the host, such as the wall clock, ever enters a Run.
package results
