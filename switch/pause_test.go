package switching_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/fabric/packet"
	"rocesim/sim"
	switching "rocesim/switch"
)

// A paused priority does not hold up the others, and XON lets it go on at once
// (IEEE 802.1Qbb: other priorities keep being served).
func TestPauseStopsItsPriorityOnly(t *testing.T) {
	c := defaults(2)
	b := newTestbed(t, &c)
	b.pause(1, 3)
	b.receive(0, 1, 3, 1000, 2)
	b.run(sim.Microsecond)
	assert.Empty(t, b.sinks[1].packets)
	b.receive(0, 1, 2, 1000, 1)
	b.run(2 * sim.Microsecond)
	assert.Len(t, b.sinks[1].packets, 1)
	b.resume(1, 3)
	b.run(3 * sim.Microsecond)
	require.Len(t, b.sinks[1].packets, 3)
	assert.Equal(t, 2*sim.Microsecond+1008*psPerByte, b.sinks[1].packets[1].at)
	b.run(sim.Second)
	assert.True(t, b.engine.Idle(), "the wake-up for the end of the pause is gone")
}

// The frame on the wire is completed, then the pause holds (IEEE 802.1Qbb); when
// its time is over the port goes on by itself.
func TestPauseExpires(t *testing.T) {
	c := defaults(2)
	b := newTestbed(t, &c)
	b.receive(0, 1, 3, 1000, 3)
	b.run(1000)
	b.sw.ReceivePause(b.now, 1, packet.Pause{Vector: 1 << 3, Quanta: 1000})
	b.runAll()
	var at []sim.Time
	for _, a := range b.sinks[1].packets {
		at = append(at, a.at)
	}
	const resumed = 1000 + 1000*5120 // V-9: 5.12 us at 100 Gb/s
	assert.Equal(t, []sim.Time{1008 * psPerByte, resumed + 1008*psPerByte, resumed + slot + 1008*psPerByte}, at)
	assert.Equal(t, sim.Time(1000*5120), b.sw.Port(1).PausedTime(b.now, 3))
}

// An XOFF that is repeated in time keeps the port paused without a gap.
func TestRefreshedPauseHolds(t *testing.T) {
	c := defaults(2)
	b := newTestbed(t, &c)
	for i := range 5 {
		b.run(sim.Time(i) * 4 * sim.Microsecond)
		b.sw.ReceivePause(b.now, 1, packet.Pause{Vector: 1 << 3, Quanta: 1000})
		b.receive(0, 1, 3, 1000, 1)
	}
	b.run(16*sim.Microsecond + 5120*sim.Nanosecond - 1)
	assert.Empty(t, b.sinks[1].packets)
	b.runAll()
	assert.Len(t, b.sinks[1].packets, 5)
	assert.Equal(t, uint64(1), b.sw.Port(1).Stats().Transitions[3])
}

// A pause of a lossy priority is ignored, and so is any at a port
// without PFC.
func TestPausesThatAreIgnored(t *testing.T) {
	c := defaults(3)
	c.Ports[2].NoPFC = true
	b := newTestbed(t, &c)
	b.pause(1, 2)
	b.pause(2, 3)
	b.receive(0, 1, 2, 1000, 1)
	b.receive(0, 2, 3, 1000, 1)
	b.run(sim.Microsecond)
	assert.Len(t, b.sinks[1].packets, 1)
	assert.Len(t, b.sinks[2].packets, 1)
	assert.Equal(t, uint64(1), b.sw.Port(1).Stats().ReceivedXoff[2], "but counted")
}

// XOFF goes to the peer that fills the buffer, with the priority of the group
// and the configured quanta; XON follows when it has drained. Both frames wait
// for the wire only.
func TestXoffAndXonFrames(t *testing.T) {
	c := defaults(3)
	c.PFC.Quanta = 500
	b := newTestbed(t, &c)
	b.pause(1, 3)
	b.receive(0, 1, 3, 1000, 99)
	b.receive(2, 1, 3, 1000, 99)
	b.run(10)
	assert.Empty(t, b.sinks[0].pauses)
	b.receive(0, 1, 3, 1000, 2)
	assert.True(t, b.sw.Pausing(0, 3))
	assert.False(t, b.sw.Pausing(2, 3))
	b.run(sim.Microsecond)
	b.resume(1, 3)
	b.runAll()
	want := []pauseFrame{
		{at: 10 + 72*psPerByte, Pause: packet.Pause{Vector: 1 << 3, Quanta: 500}},
		// The first frame that leaves empties the headroom; shared use is
		// then 100 KB, the threshold, which is enough without an offset.
		{at: sim.Microsecond + 72*psPerByte, Pause: packet.Pause{Vector: 1 << 3}},
	}
	assert.Equal(t, want, b.sinks[0].pauses)
	assert.Empty(t, b.sinks[2].pauses)
	assert.Empty(t, b.sinks[1].pauses)
	s := b.sw.Port(0).Stats()
	assert.Equal(t, uint64(2), s.Sent[3])
	assert.Equal(t, uint64(1), s.Xoff[3])
}

// While a group stays above XON the XOFF is repeated at the refresh interval,
// and no longer (IEEE 802.1Qbb).
func TestXoffIsRefreshed(t *testing.T) {
	const refresh = 10 * sim.Microsecond
	c := defaults(3)
	c.PFC.Refresh = refresh
	b := newTestbed(t, &c)
	b.pause(1, 3)
	b.receive(0, 1, 3, 1000, 101)
	b.run(4 * sim.Microsecond)
	b.receive(2, 1, 3, 1000, 101)
	b.run(35 * sim.Microsecond)
	assert.Equal(t, []sim.Time{0, refresh, 2 * refresh, 3 * refresh}, b.pausedAt(0))
	assert.Equal(t, []sim.Time{4 * sim.Microsecond, 4*sim.Microsecond + refresh, 4*sim.Microsecond + 2*refresh, 4*sim.Microsecond + 3*refresh}, b.pausedAt(2))
	b.resume(1, 3)
	b.run(sim.Second)
	assert.Len(t, b.pausedAt(0), 4)
	assert.Len(t, b.sinks[0].pauses, 5, "and one XON")
	assert.Equal(t, sim.Never, b.engine.Next(), "no refresh is left")
}

// pausedAt is when port sent its XOFF frames.
func (b *testbed) pausedAt(port int) (at []sim.Time) {
	for _, f := range b.sinks[port].pauses {
		if f.Quanta > 0 {
			at = append(at, f.at-72*psPerByte)
		}
	}
	return at
}

// A second pause within one refresh interval of the first counts from its own
// beginning.
func TestRefreshAfterASecondPause(t *testing.T) {
	const refresh = 10 * sim.Microsecond
	c := defaults(2)
	c.PFC.Refresh = refresh
	b := newTestbed(t, &c)
	b.pause(1, 3)
	b.receive(0, 1, 3, 1000, 100)
	b.run(sim.Microsecond)
	b.resume(1, 3)
	b.pause(1, 3) // one frame got through
	b.run(6 * sim.Microsecond)
	b.receive(0, 1, 3, 1000, 1)
	b.run(17 * sim.Microsecond)
	assert.Equal(t, []sim.Time{0, 6 * sim.Microsecond, 16 * sim.Microsecond}, b.pausedAt(0))
}

// Without PFC a lossless group fills its headroom and then drops; so does one
// whose priority is not enabled. Nobody is paused.
func TestWithoutPFC(t *testing.T) {
	for name, change := range map[string]func(*switching.Config){
		"at the port": func(c *switching.Config) { c.Ports[0].NoPFC = true },
		"at all":      func(c *switching.Config) { c.PFC.Enabled = 0 },
	} {
		c := defaults(3)
		change(&c)
		b := newTestbed(t, &c)
		b.receive(2, 1, 0, 60_000, 1) // keeps port 1 busy for 4.8 us
		b.receive(0, 1, 3, 1000, 200)
		b.run(sim.Microsecond)
		assert.Empty(t, b.sinks[0].pauses, name)
		assert.Equal(t, uint64(50), b.sw.Drops(switching.DropHeadroom), "%s: 100 KB and 50 KB of headroom", name)
		assert.Equal(t, "headroom overrun", b.drops[0].cause.String())
		b.conserved()
	}
}

// The observer of the switch hears of XOFF, of each refresh and of XON.
func TestPauseSentObserver(t *testing.T) {
	type sent struct {
		at             sim.Time
		port, priority int
		paused         bool
	}
	var got []sent
	c := defaults(2)
	c.PFC.Refresh = 10 * sim.Microsecond
	b := newObserved(t, &c, switching.Observer{PauseSent: func(now sim.Time, _ *switching.Switch, port, priority int, paused bool) {
		got = append(got, sent{now, port, priority, paused})
	}})
	b.pause(1, 3)
	b.receive(0, 1, 3, 1000, 101)
	b.run(15 * sim.Microsecond)
	b.resume(1, 3)
	b.runAll()
	assert.Equal(t, []sent{
		{0, 0, 3, true}, {10 * sim.Microsecond, 0, 3, true}, {15 * sim.Microsecond, 0, 3, false},
	}, got)
}
