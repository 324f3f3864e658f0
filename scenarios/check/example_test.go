package check_test

import (
	"context"
	"fmt"
	"testing"

	"rocesim/results"
	"rocesim/scenarios"
	"rocesim/scenarios/check"
)

// TestFabric is how a test of your own may look: it loads a scenario, changes
// what the test is about, and asserts.
func TestFabric(t *testing.T) {
	result, err := check.Load(t.Context(), "testdata/fabric.yaml", "nic.mtu=1024")
	if err != nil {
		t.Fatal(err)
	}
	if err := result.Err(); err != nil { // the scenario's own expectations
		t.Error(err)
	}
	if err := result.Expect("pfc.pauses == 0", "goodput{workload=burst} >= 80Gbps"); err != nil {
		t.Error(err)
	}
}

func ExampleLoad() {
	ctx := context.Background()
	result, err := check.Load(ctx, "testdata/fabric.yaml", "workload[burst].senders=h[1-3]", "seed=7")
	if err != nil {
		fmt.Println(err)
		return
	}
	last, err := result.Value("makespan{workload=burst}")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("the last of 3 messages arrives in time:", last < 80e6, "(ps)")
	fmt.Println(result.Expect("drops.total == 0", "flows.finished == 4"))
	// Output:
	// the last of 3 messages arrives in time: true (ps)
	// flows.finished = 3, expected == 4: FAILED
}

// Fields can be changed in Go, too: a Scenario is a struct.
func ExampleSimulate() {
	sc, err := scenarios.Load("testdata/fabric.yaml", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for seed := uint64(1); seed <= 3; seed++ {
		sc.Seed = seed
		result, err := check.Simulate(context.Background(), sc, scenarios.RunOptions{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(seed, results.Failed(result.Outcomes), "expectations failed")
	}
	// Output:
	// 1 0 expectations failed
	// 2 0 expectations failed
	// 3 0 expectations failed
}
