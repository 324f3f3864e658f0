package model_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/nic"
	"rocesim/scenarios/model"
	"rocesim/sim"
	switching "rocesim/switch"
)

// A host that drains 40 Gb/s of a 100 Gb/s link makes its sender send at 40
// Gb/s +-1 %, paused for 0.60 +-0.02 of the time, without a drop, and no hop
// holds more than XOFF and headroom (FACTS V-11, section 2.7).
func TestSlowReceiver(t *testing.T) {
	const (
		drain    = 40 * sim.Gbps
		xoff     = 192_000
		headroom = 64_000
		end      = 20 * sim.Millisecond
		warm     = 2 * sim.Millisecond
	)
	spec := starSpec(t, 2, flow("a", 0, 1, 1<<30, 0))
	spec.NICs[1].Receive = &nic.ReceiveConfig{Buffer: xoff + headroom, Xoff: xoff, Xon: 128_000, Drain: drain}
	group := &spec.Switches[0].Groups[3]
	group.Threshold = switching.Threshold{Static: 100_000}
	m, err := model.New(spec)
	require.NoError(t, err)
	m.Run(context.Background(), model.Stop{Time: warm}, nil)
	sent0 := m.NICs.NIC(0).Stats().Tx[3].Bytes
	paused0 := [2]sim.Time{m.Switches[0].Port(1).PausedTime(warm, 3), m.NICs.NIC(0).PausedTime(warm, 3)}
	m.Run(context.Background(), model.Stop{Time: end}, nil)
	require.NoError(t, m.CheckConservation())

	span := (end - warm).Seconds()
	rate := float64(m.NICs.NIC(0).Stats().Tx[3].Bytes-sent0) * 8 / span
	assert.InEpsilon(t, float64(drain), rate, 0.01, "sender's rate")
	egress := (m.Switches[0].Port(1).PausedTime(end, 3) - paused0[0]).Seconds() / span
	assert.InDelta(t, 0.60, egress, 0.02, "paused part of the switch's port to the receiver")
	source := (m.NICs.NIC(0).PausedTime(end, 3) - paused0[1]).Seconds() / span
	assert.InDelta(t, 0.60, source, 0.02, "paused part of the sender's port")
	held := m.NICs.NIC(1).HeldTime(end, 3).Seconds() / end.Seconds()
	assert.InDelta(t, 0.60, held, 0.02, "what the receiver says of itself")

	for cause := range switching.DropCauses {
		assert.Zero(t, m.Switches[0].Drops(cause), cause)
	}
	assert.Zero(t, m.NICs.NIC(1).Stats().OutOfBuffer)
	_, peak := m.NICs.NIC(1).ReceiveBuffer(end)
	assert.LessOrEqual(t, peak, int64(xoff+headroom))
	assert.GreaterOrEqual(t, peak, int64(xoff))
	g := m.Switches[0].Group(0, 3)
	assert.LessOrEqual(t, g.PeakShared+g.PeakHeadroom, group.Threshold.Static+spec.Switches[0].Ports[0].Headroom+group.Reserved)
}
