package headroom

import (
	"cmp"
	"math/bits"
	"slices"

	"rocesim/sim"
)

// Response is the longest time, in bytes of the rate, that a port may take to obey
// a pause (IEEE 802.3 Annex 31B.3.7, quanta of 64 bytes as sonic-swss has them in
// buffer_headroom_mellanox.lua; 60 quanta at 10G by the standard). ok is false
// for a rate that the table does not have.
func Response(r sim.Rate) (bytes int64, ok bool) {
	rows := []struct{ gbit, quanta int64 }{{10, 60}, {25, 80}, {40, 118}, {50, 147}, {100, 394}, {200, 453}, {400, 905}, {800, 905}}
	at, found := slices.BinarySearchFunc(rows, int64(r), func(row struct{ gbit, quanta int64 }, r int64) int {
		return cmp.Compare(row.gbit*int64(sim.Gbps), r)
	})
	if !found {
		return 0, false
	}
	return rows[at].quanta * quantumBytes, true
}

// IEEE is the headroom that planners take whatever the hardware: the frame that
// delays the pause, the pause (84 bytes), the cable there and back, the longest
// response that IEEE 802.3 allows, and the frame that the peer has just begun
// (802.1Qbb as Cisco's PFC white paper lays it out). wire is the largest frame
// with preamble and gap. Cells are not counted. ok is false for a rate without
// response time.
func IEEE(r sim.Rate, delay sim.Time, wire int64) (bytes int64, ok bool) {
	response, ok := Response(r)
	if !ok {
		return 0, false
	}
	const pause = 84
	return wire + pause + BytesIn(r, 2*delay) + response + wire, true
}

// BytesIn returns what a rate carries in a time, in bytes, rounded down. Neither
// is negative.
func BytesIn(r sim.Rate, t sim.Time) int64 {
	hi, lo := bits.Mul64(uint64(r), uint64(t))
	bytes, _ := bits.Div64(hi, lo, 8*uint64(sim.Second))
	return int64(bytes)
}
