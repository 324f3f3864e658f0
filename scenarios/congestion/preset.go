package congestion

import (
	"fmt"

	"rocesim/cc/dcqcn"
	"rocesim/scenarios/presets"
	"rocesim/sim"
)

// MustParams returns the parameters that a built-in preset gives a reaction
// point on a NIC of rate line, exact to the picosecond: for tests and examples. It
// panics if there is no such preset.
func MustParams(preset string, line sim.Rate) dcqcn.Params {
	doc, _ := presets.Read("cc", preset)
	if doc == nil {
		panic(fmt.Sprintf("congestion: there is no preset %q", preset))
	}
	var c Control
	doc.Sub("values").Decode(&c)
	return c.Params(line, sim.Picosecond)
}
