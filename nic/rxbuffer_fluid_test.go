package nic

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/sim"
)

const ns = sim.Nanosecond

// reference drains a buffer in steps of 1 ns, which all times of the test are
// multiples of: a byte a step.
type reference struct {
	level, stall int64
	phase        int64
	every, pause int64
}

func (r *reference) step(at int64) {
	if r.every > 0 && (at-r.phase+r.every)%r.every < r.pause {
		return
	}
	switch {
	case r.stall > 0:
		r.stall--
	case r.level > 0:
		r.level--
	}
}

// The buffer in closed form is that drained step by step, whatever the hiccups.
func TestReceiveBufferProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		every := rapid.Int64Range(2, 500).Draw(t, "hiccup every (ns)")
		r := ReceiveConfig{
			Buffer: 3000, Xoff: 2000, Xon: 500, Drain: 8 * sim.Gbps,
			HiccupEvery: sim.Time(every) * ns, HiccupFor: sim.Time(rapid.Int64Range(0, every-1).Draw(t, "for (ns)")) * ns,
		}
		if rapid.Bool().Draw(t, "misses") {
			r.MissProbability, r.MissDelay = 1<<32, sim.Time(rapid.Int64Range(1, 300).Draw(t, "miss (ns)"))*ns
		}
		buffer := newRxBuffer(&Config{Name: "n", Receive: &r})
		buffer.phase = sim.Time(rapid.Int64Range(0, every-1).Draw(t, "phase (ns)")) * ns
		ref := reference{phase: int64(buffer.phase / ns), every: every, pause: int64(r.HiccupFor / ns)}
		var now int64
		for range rapid.IntRange(1, 20).Draw(t, "frames") {
			for range rapid.IntRange(0, 400).Draw(t, "gap (ns)") {
				ref.step(now)
				now++
			}
			frame := rapid.Int64Range(64, 1000).Draw(t, "frame")
			late, ok := buffer.admit(sim.Time(now)*ns, frame)
			require.Equal(t, ref.level+frame <= 3000, ok)
			if !ok {
				continue
			}
			ref.level += frame
			ref.stall += int64(r.MissDelay / ns)
			require.Equal(t, ref.level, buffer.bytes(buffer.level))
			require.Equal(t, ref.until(now, 0), int64(late/ns), "when the frame has drained")
			require.Equal(t, ref.until(now, 500), int64(buffer.resumesAt(sim.Time(now)*ns)/ns)-now, "when the level is 500")
		}
	})
}

// until returns after how many steps the level is at most low.
func (r reference) until(now, low int64) int64 {
	start := now
	for r.level > low {
		r.step(now)
		now++
	}
	return now - start
}
