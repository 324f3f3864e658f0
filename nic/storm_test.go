package nic_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"rocesim/fabric/packet"
	"rocesim/nic"
	"rocesim/sim"
)

const (
	ms = sim.Millisecond
	// pauseTime is from the decision to pause to the last bit of the frame on an
	// idle port at 100 Gb/s: 64 bytes and 8 of preamble.
	pauseTime = 72 * perByte
	// halfPause is half of what 65535 quanta last at 100 Gb/s: 335.5392 us.
	halfPause = 167_769_600 * sim.Picosecond
)

func stormy(i int, c *nic.Config) { c.Storms = true }

// pauseTimes returns when XOFF and XON frames left, all of which must be about
// the given priorities.
func (b *testbed) pauseTimes(vector uint8) (xoff, xon []sim.Time) {
	for _, f := range b.pauses {
		switch {
		case f.Vector != vector:
			b.t.Errorf("pause frame for %08b, expected %08b", f.Vector, vector)
		case f.Quanta == packet.MaxQuanta:
			xoff = append(xoff, f.at)
		default:
			assert.Zero(b.t, f.Quanta)
			xon = append(xon, f.at)
		}
	}
	return xoff, xon
}

// A storm is XOFF at its beginning and again whenever half of the pause time has
// passed, 5961 times a second at 100 Gb/s, and XON at its end.
func TestStorm(t *testing.T) {
	b := newTestbed(t, 1, stormy)
	b.run(ms)
	b.nics.NIC(0).StartStorm(ms, 1<<3)
	assert.True(t, b.nics.NIC(0).Storming())
	b.run(2 * ms)
	b.nics.NIC(0).StopStorm(2 * ms)
	b.run(5 * ms)
	xoff, xon := b.pauseTimes(1 << 3)
	assert.Equal(t, every(ms+pauseTime, halfPause, 6), xoff)
	assert.Equal(t, []sim.Time{2*ms + pauseTime}, xon)
	assert.Equal(t, ms, b.nics.NIC(0).HeldTime(b.now, 3))
	assert.Equal(t, ms, b.nics.NIC(0).FirstHeld(3))
	assert.Zero(t, b.nics.NIC(0).HeldTime(b.now, 4))
	assert.False(t, b.nics.NIC(0).Storming())
}

// Two storms that overlap end together; one that begins anew pauses anew.
func TestStormsJoin(t *testing.T) {
	b := newTestbed(t, 1, stormy)
	n := b.nics.NIC(0)
	n.StartStorm(0, 1<<3)
	b.run(10 * us)
	n.StartStorm(b.now, 1<<3)
	assert.EqualValues(t, 1<<3, n.Held())
	b.run(20 * us)
	n.StopStorm(b.now)
	b.run(30 * us)
	n.StartStorm(b.now, 1<<3)
	b.run(40 * us)
	n.StopStorm(b.now)
	b.run(ms)
	xoff, xon := b.pauseTimes(1 << 3)
	assert.Equal(t, []sim.Time{pauseTime, 30*us + pauseTime}, xoff)
	assert.Equal(t, []sim.Time{20*us + pauseTime, 40*us + pauseTime}, xon)
	assert.Equal(t, 30*us, n.HeldTime(b.now, 3))
}

// The NIC's own watchdog ends a storm after its time, 100 ms by default (Guo et
// al., SIGCOMM 2016, section 4.3), once for each storm.
func TestNICWatchdogEndsAStorm(t *testing.T) {
	b := newTestbed(t, 1, func(_ int, c *nic.Config) { c.Storms, c.StuckAfter = true, 100*ms })
	n := b.nics.NIC(0)
	b.run(ms)
	n.StartStorm(b.now, 1<<3)
	assert.True(t, n.LetsGo(b.now), "the watchdog will act")
	b.run(300 * ms)
	_, xon := b.pauseTimes(1 << 3)
	assert.Equal(t, []sim.Time{101*ms + pauseTime}, xon)
	assert.EqualValues(t, 1, n.Stats().StormErrors)
	assert.Zero(t, n.Held())
	assert.True(t, n.Storming(), "the NIC is as broken as before")
	assert.False(t, n.LetsGo(b.now))

	n.StopStorm(b.now)
	b.run(400 * ms)
	assert.Len(t, xon, 1)
	n.StartStorm(b.now, 1<<3)
	assert.EqualValues(t, 1<<3, n.Held(), "a new storm pauses again")
}

// A storm shorter than the watchdog's time is left alone.
func TestNICWatchdogLeavesShortStorms(t *testing.T) {
	b := newTestbed(t, 1, func(_ int, c *nic.Config) { c.Storms, c.StuckAfter = true, 100*ms })
	for start := sim.Time(0); start < 400*ms; start += 100 * ms {
		b.run(start)
		b.nics.NIC(0).StartStorm(b.now, 1<<3)
		b.run(start + 99*ms)
		b.nics.NIC(0).StopStorm(b.now)
	}
	assert.Zero(t, b.nics.NIC(0).Stats().StormErrors)
}
