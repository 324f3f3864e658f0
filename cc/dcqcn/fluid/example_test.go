package fluid_test

import (
	"fmt"

	"rocesim/cc/dcqcn/fluid"
	"rocesim/scenarios/congestion"
	"rocesim/sim"
)

// Ten flows of the DCQCN paper into one port: settled, but close to swinging.
func Example() {
	loop := fluid.Loop{
		Params:      congestion.MustParams("paper", 40*sim.Gbps),
		CNPInterval: 50 * sim.Microsecond,
		RED:         fluid.RED{Kmin: 5000, Kmax: 200_000, Pmax: 0.01},
		Rate:        40 * sim.Gbps, Flows: 10, Delay: 20 * sim.Microsecond, Packet: 1000,
	}
	point, err := loop.FixedPoint()
	if err != nil {
		panic(err)
	}
	fmt.Printf("marks %.4f %%, queue %.1f KB (%v), alpha %.3f, %.0f CNPs/s a flow\n",
		100*point.Mark, point.Queue/1000, point.Regime, point.Alpha, point.Notifications)
	stability, err := loop.Stability()
	if err != nil {
		panic(err)
	}
	fmt.Printf("%v: phase margin %.1f degrees, %.0f Hz, zero at %v\n",
		stability.Verdict, stability.PhaseMargin, stability.Crossover, stability.MaxDelay)
	// Output:
	// marks 0.6032 %, queue 122.6 KB (on the line), alpha 0.153, 2807 CNPs/s a flow
	// marginal: phase margin 6.3 degrees, 412 Hz, zero at 62.47us
}
