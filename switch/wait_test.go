package switching_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/fabric/packet"
	"rocesim/sim"
)

// A queue is stopped while it holds packets and its peer's pause lasts; asking
// does not settle the pause.
func TestStoppedQueues(t *testing.T) {
	c := defaults(2)
	c.PFC.Enabled |= 1 << 5
	c.Classes.PFCToQueue[5] = 3
	b := newTestbed(t, &c)
	b.pause(1, 3)
	assert.Zero(t, b.sw.StoppedQueues(0, 1), "nothing waits")
	b.receive(0, 1, 3, 1000, 1)
	assert.Equal(t, uint8(1<<3), b.sw.StoppedQueues(0, 1))
	assert.Zero(t, b.sw.StoppedQueues(0, 0))
	assert.Equal(t, uint8(1<<3), b.sw.StoppingPriorities(0, 1, 3))
	b.pause(1, 5)
	assert.Equal(t, uint8(1<<3|1<<5), b.sw.StoppingPriorities(0, 1, 3), "two priorities may stop one queue")
	end := packet.QuantaTime(packet.MaxQuanta, rate100)
	assert.NotZero(t, b.sw.StoppedQueues(end-1, 1))
	assert.Zero(t, b.sw.StoppedQueues(end, 1), "the pause has run out")
	assert.NotZero(t, b.sw.StoppedQueues(0, 1))
}

// What a queue holds of which group, at which fill the group paused, and with
// how much it would resume.
func TestResumesWith(t *testing.T) {
	c := defaults(4)
	c.Groups[3].Reserved = 2000
	c.Groups[3].XonOffset = 40_000
	b := newTestbed(t, &c)
	b.pause(2, 3)
	b.pause(3, 3)
	b.receive(0, 2, 3, 1000, 80)
	b.receive(0, 3, 3, 1000, 40) // 120 KB: 2 reserved, 100 shared, 18 of headroom
	held := map[int]int64{}
	for _, out := range []int{2, 3} {
		b.sw.EachWaiting(out, 3, func(in int, group uint8, charge int64) {
			assert.Equal(t, 0, in)
			assert.Equal(t, uint8(3), group)
			held[out] += charge
		})
	}
	assert.Equal(t, map[int]int64{2: 80_000, 3: 40_000}, held)
	assert.Equal(t, uint8(1<<3), b.sw.PausingGroups(0, 3))
	assert.Zero(t, b.sw.PausingGroups(0, 4))
	assert.Zero(t, b.sw.PausingGroups(1, 3))
	use, xoff, xon := b.sw.Levels(0, 3)
	assert.Equal(t, []int64{120_000, 100_000, 60_000}, []int64{use, xoff, xon})
	assert.True(t, b.sw.ResumesWith(0, 3, 62_000), "shared use of 60 KB and the reserve")
	assert.False(t, b.sw.ResumesWith(0, 3, 62_001))
	assert.False(t, b.sw.ResumesWith(0, 3, 102_001), "headroom is in use")

	b.resume(2, 3) // the 80 KB leave: 40 KB are left, below XON
	b.run(sim.Millisecond)
	require.Empty(t, b.sw.PausingGroups(0, 3))
}

// With a live threshold, what counts is the threshold of an empty pool.
func TestResumesWithLiveThreshold(t *testing.T) {
	c := defaults(2)
	c.Buffer.Shared = 400_000
	c.Groups[3].Threshold.Dynamic, c.Groups[3].Threshold.Alpha = true, 1<<16
	c.Groups[3].LiveXon = true
	b := newTestbed(t, &c)
	b.pause(1, 3)
	b.receive(0, 1, 3, 1000, 210)
	require.NotZero(t, b.sw.PausingGroups(0, 3))
	assert.True(t, b.sw.ResumesWith(0, 3, 200_000))
	_, xoff, xon := b.sw.Levels(0, 3)
	assert.Equal(t, int64(200_000), xoff)
	assert.Equal(t, int64(400_000), xon)
}

// A pause is renewed if it needs no renewal or gets it in time.
func TestRenews(t *testing.T) {
	c := defaults(1)
	pause := packet.QuantaTime(packet.MaxQuanta, rate100)
	for _, x := range []struct {
		infinite bool
		refresh  sim.Time
		want     bool
	}{{true, 0, true}, {false, 0, false}, {false, pause / 2, true}, {false, pause, false}} {
		c.PFC.Infinite, c.PFC.Refresh = x.infinite, x.refresh
		assert.Equal(t, x.want, newTestbed(t, &c).sw.Renews(0), x)
	}
}
