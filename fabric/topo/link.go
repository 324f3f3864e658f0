package topo

import (
	"math"

	"rocesim/sim"
)

// PropagationPerMetre is the time that light takes per metre of fibre, and
// close to that of copper: two thirds of its speed in vacuum.
const PropagationPerMetre = 5 * sim.Nanosecond

// Limits of what a builder accepts.
const (
	// MaxLength in metres: beyond the longest Ethernet optics (80 km,
	// 100GBASE-ZR, IEEE 802.3ct).
	MaxLength = 100_000.0
	// MaxDelay of a link: five times the way round the earth in fibre.
	MaxDelay = sim.Second
	// MaxRate is beyond any announced Ethernet port (IEEE 802.3dj: 1.6 Tb/s)
	// and the largest accelerator links that trace files contain.
	MaxRate = 100_000 * sim.Gbps
	// MaxParallel links between two nodes.
	MaxParallel = 1024
	// MaxEndpoints, MaxSwitches and MaxLinks bound a graph by what the kernel
	// can number (sim.MaxSources).
	MaxEndpoints = 1 << 16
	MaxSwitches  = 1 << 13
	MaxLinks     = 1 << 17
	// MaxPorts of a switch. Ports and sets of next hops are numbered in 16 bits.
	MaxPorts = 1 << 15
)

// LinkSpec describes one link or several parallel ones.
type LinkSpec struct {
	Rate sim.Rate
	// Length in metres, from which the delay follows if Delay is 0.
	Length float64
	// Delay is the one-way propagation time.
	Delay sim.Time
	// Count of parallel links; 0 is one.
	Count int
}

// Propagation returns the one-way delay: Delay if set, else that of Length.
func (s LinkSpec) Propagation() sim.Time {
	if s.Delay != 0 {
		return s.Delay
	}
	return sim.Time(math.Round(s.Length * float64(PropagationPerMetre)))
}

func (s LinkSpec) count() int { return max(1, s.Count) }

// check reports impossible values of the spec that field names.
func (s LinkSpec) check(field string, p *problems) {
	if s.Rate <= 0 || s.Rate > MaxRate {
		p.add(field+".rate", "%d bit/s is not allowed, must be above 0 and at most %v", int64(s.Rate), MaxRate)
	}
	if !(s.Length >= 0 && s.Length <= MaxLength) {
		p.add(field+".cable", "%g m is not allowed, must be from 0 to %g m", s.Length, MaxLength)
	}
	if s.Delay < 0 || s.Delay > MaxDelay {
		p.add(field+".delay", "%v is not allowed, must be from 0 to %v", s.Delay, MaxDelay)
	}
	p.within(field+".count", s.Count, 0, MaxParallel)
}
