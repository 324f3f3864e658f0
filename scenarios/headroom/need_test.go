package headroom

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/sim"
)

// tomahawk3 is a 100G port with 3 m of cable to an adapter that takes 500 ns.
func tomahawk3() Port {
	return Port{
		Rate: 100 * sim.Gbps, Delay: 15 * sim.Nanosecond, Response: 500 * sim.Nanosecond, Ingress: 375 * sim.Nanosecond, Stores: true,
		Cell: 254, Full: []int64{4158, 4174}, Largest: 4174, Least: 66, Pause: 64, Preamble: 8, Gap: 12,
	}
}

// Worked by hand: 12.5 B/ns.
func TestNeedOfAPort(t *testing.T) {
	p := tomahawk3()
	n := p.Need()
	// 335.52 frame + 6.72 - 0.96 pause + 30 cable + 500 + 375 + 334.24 - 0.96 stored.
	assert.InDelta(t, 1579.56, n.Reach.Nanos(), 1e-3+1.3, "of frames of 4158 or 4174 B")
	assert.Equal(t, []int64{5, 17 * 254, 5 * 17 * 254}, []int64{n.Frames, n.Charge, n.Needed})
	var sum sim.Time
	for _, term := range n.Terms {
		sum += term.Time
	}
	assert.Equal(t, n.Reach, sum)
	r := p.Reserve()
	// 905 ns x 12.5 = 11,312 B; a frame of 66 B is 86 B of wire and 254 B of buffer.
	assert.Equal(t, Reserve{Full: 4318, Waits: 4194, Pause: 84, Ahead: 905 * sim.Nanosecond, InFlight: 11_312,
		Worst: 66, WorstWire: 86, WorstCharge: 254, Total: 2*4318 + 46_045}, r)
	p.Cell = 1
	r = p.Reserve()
	assert.Equal(t, int64(3*4194+84+11_312), r.Total, "bytes, not cells")
}

// What is reserved for any frames is no less than what full frames need, and no
// frame takes more of the buffer for its wire than the worst.
func TestReserveCoversAllFrames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		full := rapid.Int64Range(66, 9100).Draw(t, "full")
		p := Port{
			Rate:  sim.Rate(rapid.SampledFrom([]int64{10, 25, 100, 400, 800}).Draw(t, "rate")) * sim.Gbps,
			Delay: sim.Time(rapid.Int64Range(0, 1e8).Draw(t, "delay")), Response: sim.Time(rapid.Int64Range(0, 1e7).Draw(t, "response")),
			PeerEgress: sim.Time(rapid.Int64Range(0, 1e6).Draw(t, "egress")), Ingress: sim.Time(rapid.Int64Range(0, 1e6).Draw(t, "ingress")),
			Stores: rapid.Bool().Draw(t, "stores"), Cell: rapid.Int64Range(1, 9000).Draw(t, "cell"),
			Full: []int64{full}, Largest: full, Least: rapid.Int64Range(64, full).Draw(t, "least"), Pause: 64, Preamble: 8, Gap: 12,
		}
		n, r := p.Need(), p.Reserve()
		require.GreaterOrEqual(t, r.Total, n.Needed)
		for frame := p.Least; frame <= full; frame++ {
			if charge, wire := p.charge(frame), p.wire(frame); charge > wire {
				require.LessOrEqual(t, charge*r.WorstWire, r.WorstCharge*wire, "frame of %d B", frame)
			}
		}
	})
}

func TestBytesIn(t *testing.T) {
	assert.Equal(t, int64(12), BytesIn(100*sim.Gbps, sim.Nanosecond), "12.5")
	assert.Equal(t, int64(375), BytesIn(100*sim.Gbps, 30*sim.Nanosecond), "374 as a product of floating-point numbers")
	assert.Equal(t, int64(250_000_000), BytesIn(100*sim.Gbps, 20*sim.Millisecond))
	assert.Equal(t, int64(1e14), BytesIn(800*sim.Gbps, 1000*sim.Second), "no overflow")
}
