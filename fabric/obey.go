package fabric

import (
	"math/bits"

	"rocesim/sim"
)

// Obeys returns the priorities whose pauses the port obeys.
func (p *Port) Obeys() uint8 { return p.pfc.obeys }

// Obey makes the port obey pauses of the given priorities from now on, or
// ignore them. Pauses under way that are ignored end.
func (p *Port) Obey(now sim.Time, priorities uint8, obey bool) {
	c := p.pfc
	if obey {
		c.obeys |= priorities
		return
	}
	c.obeys &^= priorities
	for v := p.Blocked(now) & priorities; v != 0; v &= v - 1 {
		p.resume(now, bits.TrailingZeros8(v))
	}
}
