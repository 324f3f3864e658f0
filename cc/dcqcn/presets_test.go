package dcqcn_test

import (
	"rocesim/cc/dcqcn"
	"rocesim/scenarios/congestion"
	"rocesim/sim"
)

// The machines that the package describes, as the presets of scenarios have
// them: sources stand there.

func paper(line sim.Rate) dcqcn.Params { return congestion.MustParams("paper", line) }

func connectX(line sim.Rate) dcqcn.Params { return congestion.MustParams("connectx", line) }

// hpcc has gaps of whole nanoseconds, as the simulator of the HPCC paper has.
func hpcc(line sim.Rate) dcqcn.Params {
	p := congestion.MustParams("hpcc", line)
	p.Quantum = sim.Nanosecond
	return p
}
