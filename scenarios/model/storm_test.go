package model_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/fabric/topo"
	"rocesim/nic"
	"rocesim/scenarios/model"
	"rocesim/sim"
	switching "rocesim/switch"
)

// A host that drains 40 Gb/s of a 100 Gb/s link makes its sender send at 40
// Gb/s +-1 %, paused for 0.60 +-0.02 of the time, without a drop, and no hop
// holds more than XOFF and headroom (V-11).
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

// A storm without end and without a cure is a stall that names the NIC; with a
// watchdog that drops, or one in the NIC, the run goes on.
func TestStormWithoutEndIsAStall(t *testing.T) {
	build := func(change func(*model.Spec)) *model.Model {
		spec := starSpec(t, 2, flow("a", 0, 1, 1<<20, 0))
		spec.Faults = []model.Fault{{Kind: model.PauseStorm, Target: 1, At: 10 * us}}
		for i := range spec.NICs {
			spec.NICs[i].Timeout = 0
		}
		if change != nil {
			change(spec)
		}
		m, err := model.New(spec)
		require.NoError(t, err)
		return m
	}
	stop := model.Stop{WhenDone: true, Max: sim.Second}

	m := build(nil)
	assert.Equal(t, model.Stalled, m.Run(context.Background(), stop, nil))
	assert.Less(t, m.Now(), 100*ms)
	assert.Contains(t, m.ExplainStall(shown()), "is paused by h1:0")

	m = build(func(s *model.Spec) { s.NICs[1].StuckAfter = 100 * ms })
	assert.Equal(t, model.Done, m.Run(context.Background(), stop, nil))
	assert.Greater(t, m.Now(), 100*ms, "the NIC's watchdog ends the storm")

	m = build(func(s *model.Spec) {
		s.Switches[0].Watchdog = sonicWatchdog(200 * ms)
		s.Switches[0].Watchdog.Action = switching.WatchdogForward
	})
	assert.Equal(t, model.Done, m.Run(context.Background(), stop, nil))
	assert.Greater(t, m.Now(), 400*ms, "the switch's watchdog ignores it")

	m = build(func(s *model.Spec) {
		s.Switches[0].Watchdog = sonicWatchdog(200 * ms)
		s.Switches[0].Watchdog.Action = switching.WatchdogAlert
	})
	assert.Equal(t, model.Stalled, m.Run(context.Background(), stop, nil), "an alert changes nothing")
}

// A host that stands still for 300 ms is no stall: its buffer drains afterwards.
// A dead one is.
func TestHiccupIsNoStall(t *testing.T) {
	for _, c := range []struct {
		drain sim.Rate
		want  model.End
	}{{50 * sim.Gbps, model.Done}, {0, model.Stalled}} {
		spec := starSpec(t, 2, flow("a", 0, 1, 256<<20, 0))
		spec.NICs[0].Timeout, spec.NICs[1].Timeout = 0, 0
		spec.NICs[1].Receive = &nic.ReceiveConfig{
			Buffer: 256_000, Xoff: 192_000, Xon: 128_000, Drain: c.drain, HiccupEvery: 400 * ms, HiccupFor: 360 * ms,
		}
		m, err := model.New(spec)
		require.NoError(t, err)
		assert.Equal(t, c.want, m.Run(context.Background(), model.Stop{WhenDone: true, Max: 3 * sim.Second}, nil), "drain %v", c.drain)
		require.NoError(t, m.CheckConservation())
	}
}

// The sources of pauses exist only where they are needed: without them a run has
// the same events as ever.
func TestPauseSourcesAreOptional(t *testing.T) {
	plain, err := model.New(starSpec(t, 2, flow("a", 0, 1, 1<<20, 0)))
	require.NoError(t, err)
	spec := starSpec(t, 2, flow("a", 0, 1, 1<<20, 0))
	spec.NICs[1].Receive = &nic.ReceiveConfig{Buffer: 1 << 20, Xoff: 1 << 19, Drain: sim.Gbps}
	slow, err := model.New(spec)
	require.NoError(t, err)
	assert.Equal(t, plain.Engine.Sources()+2, slow.Engine.Sources())
}

// Other runs may read the same configurations, at the same time: a model does not
// write into them.
func TestStormLeavesConfigurationsAlone(t *testing.T) {
	spec := starSpec(t, 2, flow("a", 0, 1, 1<<20, 0))
	nics := spec.NICs
	spec.Faults = []model.Fault{{Kind: model.PauseStorm, Target: 1, At: us, For: us}}
	m, err := model.New(spec)
	require.NoError(t, err)
	assert.False(t, nics[1].Storms)
	assert.True(t, m.Spec.NICs[1].Storms)
}

// A dead receiver freezes the path hop by hop, each after the time that its XOFF
// threshold takes to fill at the rate of arrival (docs/accuracy.md, V-11).
func TestStormFreezesHopByHop(t *testing.T) {
	const (
		xoff  = 1_000_000
		begin = ms
		// Frames of 4158 bytes take 4178 on the wire.
		fill = sim.Time(xoff) * 80 * 4178 / 4158
	)
	g, err := topo.Dumbbell{
		Left: 1, Right: 1,
		HostLink: topo.LinkSpec{Rate: 100 * sim.Gbps, Delay: 50 * sim.Nanosecond},
		Middle:   topo.LinkSpec{Rate: 100 * sim.Gbps, Delay: 50 * sim.Nanosecond},
	}.Build()
	require.NoError(t, err)
	spec := starSpec(t, 2, flow("a", 0, 1, 1<<30, 0))
	sw := spec.Switches[0]
	sw.Buffer.Cell = 1
	sw.Groups[3].Threshold = switching.Threshold{Static: xoff}
	spec.Graph, spec.Switches = g, []switching.Config{sw, sw}
	spec.Faults = []model.Fault{{Kind: model.PauseStorm, Target: 1, At: begin}}
	m, err := model.New(spec)
	require.NoError(t, err)
	var paused []sim.Time
	note := func(at sim.Time, _ int, on bool) {
		if on {
			paused = append(paused, at)
		}
	}
	for _, s := range m.Switches {
		for p := range s.NumPorts() {
			s.Port(p).Observe(note)
		}
	}
	m.NICs.NIC(0).Observe(note)
	m.Run(context.Background(), model.Stop{Time: 2 * ms}, nil)
	require.Len(t, paused, 3)
	assert.InDelta(t, float64(begin), float64(paused[0]), float64(us), "the port to the dead NIC")
	assert.InDelta(t, float64(begin+fill), float64(paused[1]), float64(2*us), "the port before it")
	assert.InDelta(t, float64(begin+2*fill), float64(paused[2]), float64(4*us), "the sender")
}
