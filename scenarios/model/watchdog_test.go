package model_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/scenarios/model"
	"rocesim/sim"
	switching "rocesim/switch"
)

// sonicWatchdog is pfcwd start_default: poll, detection and restoration of
// 200 ms, action drop (sonic-utilities, pfcwd/main.py).
func sonicWatchdog(first sim.Time) *switching.WatchdogConfig {
	return &switching.WatchdogConfig{Poll: 200 * ms, First: first, Detect: 200 * ms, Restore: 200 * ms}
}

// stormSpec is three hosts on one switch with a watchdog; h1 and h2 send to h0,
// which storms.
func stormSpec(tb testing.TB, w *switching.WatchdogConfig, from, length sim.Time) *model.Spec {
	spec := starSpec(tb, 3, flow("victim", 1, 0, 1<<20, 0), flow("bystander", 1, 2, 1<<20, 0))
	spec.Switches[0].Watchdog = w
	spec.Faults = []model.Fault{{Kind: model.PauseStorm, Target: 0, At: from, For: length}}
	return spec
}

// With SONiC's defaults a storm is acted upon 200 to 400 ms after it began and
// PFC restored 200 to 400 ms after it ended; a storm of up to 200 ms is never
// seen (V-16: one of 150 ms). By the condition of Mellanox 99 % of an interval are
// enough, so there it may be one part in a hundred of the first one earlier.
func TestWatchdogWindows(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		condition := rapid.SampledFrom([]switching.WatchdogCondition{switching.BroadcomStorm, switching.MellanoxStorm}).Draw(rt, "condition")
		poll := sim.Time(rapid.SampledFrom([]int64{100, 200}).Draw(rt, "poll (ms)")) * ms
		first := sim.Time(rapid.Int64Range(1, int64(poll/us)).Draw(rt, "first poll (us)")) * sim.Microsecond
		from := sim.Time(rapid.Int64Range(0, 400_000).Draw(rt, "storm from (us)")) * sim.Microsecond
		length := sim.Time(rapid.SampledFrom([]int64{1, 50, 150, 198, 400, 401, 650}).Draw(rt, "storm lasts (ms)")) * ms
		w := sonicWatchdog(first)
		w.Condition, w.Poll = condition, poll
		spec := stormSpec(t, w, from, length)
		spec.Entries = append(spec.Entries, flow("waits", 2, 0, 1<<20, from))
		m, err := model.New(spec)
		require.NoError(t, err)
		m.Run(context.Background(), model.Stop{Time: from + length + 500*ms}, nil)
		require.NoError(t, m.CheckConservation())

		storms := m.Switches[0].Storms()
		if length < 200*ms {
			require.Empty(rt, storms)
			return
		}
		require.Len(rt, storms, 1)
		s := storms[0]
		assert.Equal(rt, 0, s.Port)
		assert.Equal(rt, 3, s.Priority)
		early := sim.Time(0)
		if condition == switching.MellanoxStorm {
			early = poll / 100
		}
		assert.True(rt, s.Detected >= from+200*ms-early && s.Detected <= from+200*ms+poll, "detected at %v, the storm began at %v", s.Detected, from)
		end := from + length
		assert.True(rt, s.Restored >= end+200*ms && s.Restored <= end+200*ms+poll, "restored at %v, the storm ended at %v", s.Restored, end)
		assert.Zero(rt, (s.Detected-first)%poll, "acts at a poll")
		assert.Zero(rt, (s.Restored-first)%poll, "acts at a poll")
	})
}

// Action drop empties the paused queue and unpauses the port that fed it, so
// that what goes elsewhere goes on (V-16).
func TestWatchdogDrop(t *testing.T) {
	spec := stormSpec(t, sonicWatchdog(200*ms), ms, 0)
	spec.Entries = nil
	spec.Entries = append(spec.Entries, flow("victim", 1, 0, 64<<20, 2*ms), flow("bystander", 1, 2, 64<<20, 2*ms))
	spec.Switches[0].Groups[3].Threshold = switching.Threshold{Static: 100_000}
	m, err := model.New(spec)
	require.NoError(t, err)
	s := m.Switches[0]

	m.Run(context.Background(), model.Stop{Time: 390 * ms}, nil)
	require.Empty(t, s.Storms())
	assert.Positive(t, s.QueueBytes(0, 3), "queue of the storm")
	assert.True(t, s.Pausing(1, 3), "the sender is paused")
	before := m.NICs.ReceivedBytes(1)

	m.Run(context.Background(), model.Stop{Time: 410 * ms}, nil)
	require.NoError(t, m.CheckConservation())
	assert.Zero(t, s.QueueBytes(0, 3), "queue of the storm")
	assert.False(t, s.Pausing(1, 3), "the sender is paused")
	assert.Greater(t, m.NICs.ReceivedBytes(1), before, "the bystander goes on")
	require.Len(t, s.Storms(), 1)
	storm := s.Storms()[0]
	assert.Equal(t, 400*ms, storm.Detected)
	assert.Zero(t, storm.Restored)
	assert.Positive(t, storm.TxDropped)
	assert.Equal(t, storm.TxDropped, s.Drops(switching.DropWatchdog))
	assert.Equal(t, storm.TxDropped, s.Queue(0, 3).Dropped)
}
