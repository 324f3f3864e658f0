// Package derive computes, from a resolved scenario and without simulating, the
// numbers that decide how its fabric behaves: how long an idle path takes, what
// headroom a pause needs, where XOFF lies when several groups fill at once, how
// flows spread over equal paths, where DCQCN settles, and how much work a run
// would be.
//
// Results are plain values. Sizes are in bytes, times in picoseconds, rates in
// bit/s. Where a number rests on a sum, the terms are there too.
package derive
