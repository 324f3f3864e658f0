package headroom

import (
	"cmp"
	"math/bits"
	"slices"

	"rocesim/sim"
)

// ieeeQuanta is the longest time, in pause quanta of the rate, that a port may take
// to obey a pause (IEEE 802.3 Annex 31B.3.7, as sonic-swss has it in
// buffer_headroom_mellanox.lua, but for 10G). ok is false for a rate that the table
// does not have.
func ieeeQuanta(r sim.Rate) (quanta int64, ok bool) {
	rows := []struct{ gbit, quanta int64 }{{10, 60}, {25, 80}, {40, 118}, {50, 147}, {100, 394}, {200, 453}, {400, 905}, {800, 905}}
	at, found := slices.BinarySearchFunc(rows, int64(r), func(row struct{ gbit, quanta int64 }, r int64) int {
		return cmp.Compare(row.gbit*int64(sim.Gbps), r)
	})
	if !found {
		return 0, false
	}
	return rows[at].quanta, true
}

// Standard is the headroom that planners take whatever the hardware, in bytes on the
// wire: cells are not counted.
type Standard struct {
	// Frames are the one that delays the pause and the one that the peer has just
	// begun, Pause the pause frame, Cable what is on the cable there and back, and
	// Response what the peer sends in the longest time that IEEE 802.3 allows it.
	Frames, Pause, Cable, Response int64
	// Total is their sum; 0 if the standard has no response time for the rate.
	Total int64
}

// IEEE returns that headroom (802.1Qbb as Cisco's PFC white paper lays it out) for a
// port of rate r and a cable of a one-way delay. wire is the largest frame with
// preamble and gap.
func IEEE(r sim.Rate, delay sim.Time, wire int64) Standard {
	quanta, ok := ieeeQuanta(r)
	if !ok {
		return Standard{}
	}
	const pause = 84 // a frame of 64 bytes, preamble and gap
	s := Standard{Frames: 2 * wire, Pause: pause, Cable: BytesIn(r, 2*delay), Response: quanta * quantumBytes}
	s.Total = s.Frames + s.Pause + s.Cable + s.Response
	return s
}

// BytesIn returns what a rate carries in a time, in bytes, rounded down. Neither
// is negative.
func BytesIn(r sim.Rate, t sim.Time) int64 {
	hi, lo := bits.Mul64(uint64(r), uint64(t))
	bytes, _ := bits.Div64(hi, lo, 8*uint64(sim.Second))
	return int64(bytes)
}
