package results

import (
	"io"
	"testing"
)

// BenchmarkSummarise sums up a run of a million flows.
func BenchmarkSummarise(b *testing.B) {
	run := many(1_000_000)
	b.ReportAllocs()
	for b.Loop() {
		Summarise(run)
	}
}

// BenchmarkFlowsCSV writes a million rows.
func BenchmarkFlowsCSV(b *testing.B) {
	run := many(1_000_000)
	b.ReportAllocs()
	for b.Loop() {
		flows := (&layout{Run: run}).flowTable()
		if err := flows.write(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
