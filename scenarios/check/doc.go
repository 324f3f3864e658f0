// Package check tests scenarios: it runs them, evaluates what they expect, and
// compares what they measured with a baseline, a file of earlier results. The
// command rocesim test is built on it, and so can be the tests of a program of
// your own:
//
//	result, err := check.Load(ctx, "fabric.yaml", "switch.ecn.kmin=200KB")
//	err = result.Expect("drops.lossless == 0", "fct.p99{workload=storage} <= 3ms")
package check
