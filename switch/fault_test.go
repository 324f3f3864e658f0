package switching_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	switching "rocesim/switch"

	"rocesim/sim"
)

// A restart drops all that waits, gives the buffer back and forgets whom it
// has paused; the switch works as before afterwards.
func TestResetEmptiesTheSwitch(t *testing.T) {
	type change struct {
		port   int
		paused bool
	}
	var changes []change
	c := defaults(3)
	b := newObserved(t, &c, switching.Observer{PauseSent: func(_ sim.Time, _ *switching.Switch, port, priority int, paused bool) {
		assert.Equal(t, 3, priority)
		changes = append(changes, change{port, paused})
	}})
	b.pause(2, 3)
	b.receive(0, 2, 3, 1000, 120) // 120 KB: above XOFF
	b.receive(1, 2, 6, 1000, 5)   // of which one leaves at once
	require.NoError(t, b.sw.CheckConservation())
	require.Equal(t, []change{{0, true}}, changes)

	b.sw.Reset(b.now)
	require.NoError(t, b.sw.CheckConservation())
	assert.Equal(t, []change{{0, true}, {0, false}}, changes)
	assert.False(t, b.sw.Pausing(0, 3))
	require.Len(t, b.drops, 124)
	assert.Equal(t, uint64(124), b.sw.Drops(switching.DropReboot))
	assert.Equal(t, "switch reboot", b.drops[0].cause.String())
	assert.Equal(t, uint64(120), b.sw.Group(0, 3).Drops[switching.DropReboot])
	assert.Equal(t, uint64(120), b.sw.Queue(2, 3).Dropped)
	assert.Zero(t, b.sw.QueueBytes(2, 3))
	b.runAll()
	assert.Len(t, b.sinks[2].packets, 1, "the frame that was on the wire; the wire is not the switch's")

	b.resume(2, 3)
	b.receive(0, 2, 3, 1000, 2)
	b.runAll()
	assert.Len(t, b.sinks[2].packets, 3)
	assert.Zero(t, b.pool.InUse())
}

// A failed link takes its peer's pauses with it: what waited is sent (and lost
// by the link, which is not part of this test).
func TestLinkDownForgetsPauses(t *testing.T) {
	c := defaults(2)
	c.PFC.Infinite = true
	b := newTestbed(t, &c)
	b.pause(1, 3)
	b.receive(0, 1, 3, 1000, 2)
	b.runAll()
	require.Empty(t, b.sinks[1].packets)
	b.sw.LinkDown(b.now, 1)
	b.runAll()
	assert.Len(t, b.sinks[1].packets, 2)
	assert.Zero(t, b.sw.Port(1).Blocked(b.now))
}

// When a link comes back, its far end has forgotten that it was paused: a group
// that is still full says so again, and only for itself.
func TestLinkUpRepeatsXoff(t *testing.T) {
	c := defaults(3)
	b := newTestbed(t, &c)
	b.pause(2, 3)
	b.receive(0, 2, 3, 1000, 120)
	b.run(sim.Microsecond)
	require.Len(t, b.sinks[0].pauses, 1)
	b.sw.LinkUp(b.now, 0)
	b.sw.LinkUp(b.now, 1)
	b.run(2 * sim.Microsecond)
	require.Len(t, b.sinks[0].pauses, 2)
	assert.Equal(t, b.sinks[0].pauses[0].Pause, b.sinks[0].pauses[1].Pause)
	assert.Empty(t, b.sinks[1].pauses)
}

// New next hops hold for packets that arrive from then on; those that wait keep
// their port, and an endpoint without a next hop is out of reach.
func TestSetRoutes(t *testing.T) {
	c := defaults(3)
	b := newTestbed(t, &c)
	b.pause(1, 3)
	b.receive(0, 1, 3, 1000, 1)
	b.sw.SetRoutes([]uint16{0, 1, 2}, [][]uint16{{0}, {2}, nil})
	b.receive(0, 1, 3, 1000, 2)
	b.receive(0, 2, 3, 1000, 1)
	b.resume(1, 3)
	b.runAll()
	assert.Len(t, b.sinks[1].packets, 1)
	assert.Len(t, b.sinks[2].packets, 2)
	require.Len(t, b.drops, 1)
	assert.Equal(t, switching.DropNoRoute, b.drops[0].cause)
}
