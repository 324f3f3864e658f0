package cc_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/cc"
	"rocesim/sim"
)

// A fixed rate is paced in wire bytes and does not drift by more than a
// picosecond a packet; nothing changes it.
func TestFixed(t *testing.T) {
	var c cc.Controller = cc.NewFixed(3 * sim.Gbps)
	var sum sim.Time
	for range 1000 {
		sum += c.Sent(0, 4178)
		c.OnCNP(0)
		c.OnAck(0, cc.Ack{Echo: true})
	}
	assert.InDelta(t, 1000*4178*8e12/3e9, float64(sum), 1000)
	assert.Equal(t, 3*sim.Gbps, c.Rate(0))
	assert.Zero(t, c.Window())
	quarter := cc.NewFixed(25 * sim.Gbps)
	assert.Equal(t, sim.Time(4178*320), quarter.Sent(0, 4178), "320 ps a byte")
}

// DCQCN 3.1: the first marked packet is answered at once, the next one N
// microseconds later at the earliest, counted from the CNP before.
func TestNotificationPoint(t *testing.T) {
	var n cc.NotificationPoint
	const interval = 50 * sim.Microsecond
	for _, c := range []struct {
		at  sim.Time
		due bool
	}{
		{3 * sim.Microsecond, true},
		{4 * sim.Microsecond, false},
		{53*sim.Microsecond - 1, false},
		{53 * sim.Microsecond, true},
		{102 * sim.Microsecond, false},
		{110 * sim.Microsecond, true},
		{sim.Second, true},
		{sim.Second + 1, false},
	} {
		assert.Equal(t, c.due, n.Due(c.at, interval), "%v", c.at)
	}
}

// CNPs are never closer than the interval, and no marked packet an interval
// after the last CNP goes unanswered. Interval 0 answers all.
func TestNotificationPointProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var n cc.NotificationPoint
		interval := sim.Time(rapid.IntRange(0, 100).Draw(t, "interval"))
		now, last := sim.Time(0), -sim.Second
		for range rapid.IntRange(1, 100).Draw(t, "marked packets") {
			now += sim.Time(rapid.IntRange(0, 60).Draw(t, "gap"))
			due := n.Due(now, interval)
			require.Equal(t, now-last >= interval, due)
			if due {
				last = now
			}
		}
	})
}
