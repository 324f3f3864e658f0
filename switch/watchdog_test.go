package switching_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/fabric/packet"
	"rocesim/sim"
	switching "rocesim/switch"
)

const ms = sim.Millisecond

// watched is a switch of three ports with a watchdog that polls every 100 ms,
// first at 100 ms, and needs three polls to detect and two to restore.
func watched(t testing.TB, change func(*switching.Config)) *testbed {
	c := defaults(3)
	c.Watchdog = &switching.WatchdogConfig{Poll: 100 * ms, First: 100 * ms, Detect: 300 * ms, Restore: 200 * ms}
	if change != nil {
		change(&c)
	}
	return newTestbed(t, &c)
}

// storm keeps a priority paused at a port until a time, as a peer does that
// repeats XOFF.
func (b *testbed) storm(port, priority int, until sim.Time) {
	const refresh = 167 * sim.Microsecond // of 335 us
	for b.now < until {
		b.pause(port, priority)
		b.run(min(until, b.now+refresh))
	}
}

// The countdown runs from poll to poll while the storm holds: paused at 100, 200,
// 300 and 400 ms, it is a storm at 400 ms, after three polls that had a paused
// one before them.
func TestWatchdogDrops(t *testing.T) {
	b := watched(t, nil)
	b.run(50 * ms)
	b.pause(0, 3)
	b.receive(1, 0, 3, 1000, 5)
	b.storm(0, 3, 399*ms)
	require.Empty(t, b.sw.Storms())
	require.EqualValues(t, 5000, b.sw.QueueBytes(0, 3))
	assert.True(t, b.sw.Watches(b.now))

	b.storm(0, 3, 410*ms)
	assert.Zero(t, b.sw.QueueBytes(0, 3))
	b.conserved()
	require.Len(t, b.drops, 5)
	for _, d := range b.drops {
		assert.Equal(t, switching.DropWatchdog, d.cause)
		assert.Equal(t, 1, d.port, "where the packet came in")
	}
	assert.Equal(t, "PFC watchdog", switching.DropWatchdog.String())

	b.receive(1, 0, 3, 1000, 2) // to the storm's queue
	b.receive(0, 1, 3, 1000, 3) // from its port, in its class
	b.receive(1, 0, 0, 1000, 4) // another class
	b.receive(1, 2, 3, 1000, 6) // another port
	b.run(b.now + ms)
	assert.Len(t, b.sinks[0].packets, 4)
	assert.Empty(t, b.sinks[1].packets)
	assert.Len(t, b.sinks[2].packets, 6)
	storm := b.sw.Storms()[0]
	assert.Equal(t, switching.Storm{Port: 0, Priority: 3, Detected: 400 * ms, TxDropped: 7, RxDropped: 3}, storm)
	assert.True(t, b.sw.Watches(b.now), "the storm will end")
	b.conserved()

	b.storm(0, 3, 450*ms)
	b.run(699 * ms)
	assert.Zero(t, b.sw.Storms()[0].Restored)
	b.run(710 * ms) // quiet from 500 to 700: the poll at 500 saw frames
	assert.Equal(t, 700*ms, b.sw.Storms()[0].Restored)
	b.receive(1, 0, 3, 1000, 2)
	b.run(b.now + ms)
	assert.Len(t, b.sinks[0].packets, 6, "the queue works again")
	b.pause(0, 3)
	b.receive(1, 0, 3, 1000, 1)
	b.run(b.now + sim.Microsecond)
	assert.EqualValues(t, 1000, b.sw.QueueBytes(0, 3), "and obeys pauses again")
	assert.Len(t, b.sw.Storms(), 1)
}

// With action forward the pauses are ignored and packets go out.
func TestWatchdogForwards(t *testing.T) {
	b := watched(t, func(c *switching.Config) { c.Watchdog.Action = switching.WatchdogForward })
	b.pause(0, 3)
	b.receive(1, 0, 3, 1000, 5)
	b.storm(0, 3, 410*ms)
	assert.Len(t, b.sinks[0].packets, 5)
	b.receive(1, 0, 3, 1000, 2)
	b.receive(0, 1, 3, 1000, 3)
	b.run(b.now + ms)
	assert.Len(t, b.sinks[0].packets, 7)
	assert.Len(t, b.sinks[1].packets, 3)
	assert.Empty(t, b.drops)
	assert.Equal(t, []switching.Storm{{Priority: 3, Detected: 400 * ms, TxOK: 7, RxOK: 3}}, b.sw.Storms())
	b.conserved()
}

// With action alert nothing changes; the storm is over at the first poll that
// does not see it.
func TestWatchdogAlerts(t *testing.T) {
	b := watched(t, func(c *switching.Config) { c.Watchdog.Action = switching.WatchdogAlert })
	b.pause(0, 3)
	b.receive(1, 0, 3, 1000, 5)
	b.storm(0, 3, 550*ms)
	assert.Empty(t, b.sinks[0].packets)
	assert.False(t, b.sw.Watches(b.now), "it will not help")
	b.run(610 * ms)
	assert.Len(t, b.sinks[0].packets, 5)
	assert.Equal(t, []switching.Storm{{Priority: 3, Detected: 400 * ms, Restored: 600 * ms, TxOK: 5}}, b.sw.Storms())
	b.conserved()
}

// What is and what is not a storm (sonic-swss, pfc_detect_broadcom.lua and
// pfc_detect_mellanox.lua; sonic-swss).
func TestWatchdogConditions(t *testing.T) {
	const end = 1000 * ms
	keepPaused := func(b *testbed) { b.storm(0, 3, end) }
	resumed := func(b *testbed) { // for 1 us in every 100 ms
		for b.now < end {
			b.storm(0, 3, b.now+50*ms)
			b.resume(0, 3)
			b.run(b.now + sim.Microsecond)
			b.storm(0, 3, b.now+50*ms)
		}
	}
	silent := func(b *testbed) { // one XOFF that lasts until XON
		b.pause(0, 3)
		b.run(end)
	}
	often := func(b *testbed) { // paused for 98.5 % of the time, never across a poll
		for b.now < end {
			b.storm(0, 3, b.now+985*ms/10)
			b.resume(0, 3)
			b.run((b.now/(100*ms) + 1) * 100 * ms)
		}
	}
	for _, c := range []struct {
		name               string
		peer               func(*testbed)
		load               int
		infinite           bool
		broadcom, mellanox bool
	}{
		{"paused without end, packets wait", keepPaused, 3, false, true, true},
		{"paused without end, nothing waits", keepPaused, 0, false, true, false},
		{"resumed for an instant, much waits", resumed, 100, false, false, false},
		{"an endless pause without frames", silent, 3, true, false, true},
		{"paused less than 99 %", often, 100_000, false, false, false},
		{"not paused", func(b *testbed) { b.run(end) }, 3, false, false, false},
	} {
		for condition, want := range []bool{switching.BroadcomStorm: c.broadcom, switching.MellanoxStorm: c.mellanox} {
			t.Run(fmt.Sprintf("%s/%d", c.name, condition), func(t *testing.T) {
				b := watched(t, func(k *switching.Config) {
					k.Watchdog.Condition = switching.WatchdogCondition(condition)
					k.PFC.Infinite = c.infinite
					k.Groups[3].Threshold = switching.Threshold{Static: 1 << 40}
				})
				b.run(5 * ms)
				b.pause(0, 3)
				b.receive(1, 0, 3, 1000, c.load)
				c.peer(b)
				assert.Equal(t, want, len(b.sw.Storms()) > 0, "%+v", b.sw.Storms())
			})
		}
	}
}

// Pauses of a lossy priority stop nothing, lose nothing and are no storm (report
// L21, sonic-buildimage issue 23441).
func TestPauseOfALossyPriorityIsIgnored(t *testing.T) {
	b := watched(t, nil)
	for range 20 {
		b.storm(0, 0, b.now+50*ms)
		for priority := range switching.Priorities {
			b.receive(1, 0, priority, 1000, 1)
		}
	}
	b.run(b.now + ms)
	assert.Len(t, b.sinks[0].packets, 20*switching.Priorities)
	assert.Empty(t, b.drops)
	assert.Empty(t, b.sw.Storms())
	assert.Zero(t, b.sw.Port(0).PausedTime(b.now, 0))
	assert.Positive(t, b.sw.Port(0).Stats().Received[0], "the frames are counted")
}

// Only ports that are watched have storms.
func TestWatchdogPorts(t *testing.T) {
	b := watched(t, func(c *switching.Config) { c.Watchdog.Ports = []int{1} })
	for b.now < 600*ms {
		b.pause(0, 3)
		b.pause(1, 3)
		b.run(b.now + 160*sim.Microsecond)
	}
	require.Len(t, b.sw.Storms(), 1)
	assert.Equal(t, 1, b.sw.Storms()[0].Port)
}

// A peer that the switch had paused at the storm's port is let go, and not
// paused again until PFC is restored.
func TestWatchdogStopsPausingThePeer(t *testing.T) {
	b := watched(t, func(c *switching.Config) { c.Groups[3].Threshold = switching.Threshold{Static: 3000} })
	b.pause(2, 3)
	b.receive(0, 2, 3, 1000, 5)
	require.True(t, b.sw.Pausing(0, 3))
	for b.now < 410*ms {
		b.pause(0, 3)
		if b.now < 300*ms {
			b.pause(2, 3)
		}
		b.run(b.now + 160*sim.Microsecond)
	}
	assert.False(t, b.sw.Pausing(0, 3))
	last := b.sinks[0].pauses[len(b.sinks[0].pauses)-1]
	assert.Equal(t, packet.Pause{Vector: 1 << 3}, last.Pause)
	require.Len(t, b.sw.Storms(), 1)
}

// Whatever pauses come, bytes are conserved, storms of one queue do not overlap,
// and each is as long as its times ask for.
func TestWatchdogProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := watched(t, func(c *switching.Config) {
			c.Watchdog.Action = rapid.SampledFrom([]switching.WatchdogAction{switching.WatchdogDrop, switching.WatchdogForward, switching.WatchdogAlert}).Draw(rt, "action")
			c.Watchdog.Condition = rapid.SampledFrom([]switching.WatchdogCondition{switching.BroadcomStorm, switching.MellanoxStorm}).Draw(rt, "condition")
			c.Groups[3].Threshold = switching.Threshold{Static: 20_000}
		})
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			port := rapid.IntRange(0, 2).Draw(rt, "port")
			switch rapid.IntRange(0, 2).Draw(rt, "what") {
			case 0:
				b.storm(port, 3, b.now+sim.Time(rapid.IntRange(1, 700).Draw(rt, "storm (ms)"))*ms)
			case 1:
				b.run(b.now + sim.Time(rapid.IntRange(1, 700).Draw(rt, "quiet (ms)"))*ms)
			default:
				b.receive((port+1)%3, port, 3, 1000, rapid.IntRange(1, 30).Draw(rt, "packets"))
			}
			require.NoError(rt, b.sw.CheckConservation())
		}
		checkStorms(rt, b.sw)
	})
}

func checkStorms(t *rapid.T, s *switching.Switch) {
	free := map[int]sim.Time{} // by port: when its last storm ended
	for _, e := range s.Storms() {
		require.GreaterOrEqual(t, e.Detected-free[e.Port], 300*ms, "detected after %v of calm", e.Detected-free[e.Port])
		free[e.Port] = sim.Never
		if e.Restored == 0 {
			continue
		}
		free[e.Port] = e.Restored
		if s.Config().Watchdog.Action != switching.WatchdogAlert {
			require.GreaterOrEqual(t, e.Restored-e.Detected, 200*ms)
		}
	}
}

// A switch that restarts knows of no storm; its watchdog begins anew.
func TestResetEndsStorms(t *testing.T) {
	b := watched(t, nil)
	b.storm(0, 3, 450*ms)
	require.Len(t, b.sw.Storms(), 1)
	b.sw.Reset(b.now)
	assert.Equal(t, 450*ms, b.sw.Storms()[0].Restored)
	b.receive(1, 0, 3, 1000, 1)
	b.run(b.now + ms)
	assert.Len(t, b.sinks[0].packets, 1)
	b.storm(0, 3, 799*ms)
	assert.Len(t, b.sw.Storms(), 1, "the poll at 500 ms has none before it, so three more follow")
	b.storm(0, 3, 810*ms)
	assert.Len(t, b.sw.Storms(), 2)
	assert.Equal(t, 800*ms, b.sw.Storms()[1].Detected)
	b.conserved()
}
