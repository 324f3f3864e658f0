package switching_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/sim"
	switching "rocesim/switch"
)

// backlog fills queues of port 1 with frames of random sizes, each queue with
// its own mean, until each holds bytes.
func (b *testbed) backlog(bytes int64, queues ...int) {
	random := sim.NewStream(1, "sizes")
	for _, q := range queues {
		for b.sw.QueueBytes(1, q) < bytes {
			b.receive(0, 1, q, 64+random.Intn(500<<(q%4)), 1)
		}
	}
}

// sentBytes is what port 1 has sent of each queue, as the far end saw it.
func (b *testbed) sentBytes() (sum [switching.Priorities]float64, total float64) {
	for _, a := range b.sinks[1].packets {
		sum[a.DSCP>>3] += float64(a.Frame)
		total += float64(a.Frame)
	}
	return sum, total
}

// Deficit round robin shares bytes, not packets, by weight, whatever the frame
// sizes (Shreedhar and Varghese 1995): weights 20/10/10/10 give 40/20/20/20 %.
func TestWeightedShares(t *testing.T) {
	c := defaults(2)
	for q, weight := range map[int]int{0: 20, 1: 10, 2: 10, 5: 10} {
		c.Queues[q].Weight = weight
	}
	b := newTestbed(t, &c)
	b.backlog(60_000_000, 0, 1, 2, 5)
	b.run(10 * sim.Millisecond)
	sum, total := b.sentBytes()
	for q, want := range map[int]float64{0: 40, 1: 20, 2: 20, 5: 20} {
		assert.InDelta(t, want, 100*sum[q]/total, 0.1, "queue %d", q)
	}
}

// Any weights share in proportion, to within a round of quanta and a frame.
func TestWeightedSharesProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := defaults(2)
		queues := rapid.SliceOfNDistinct(rapid.SampledFrom([]int{0, 1, 2, 4, 5, 6, 7}), 2, 4, rapid.ID[int]).Draw(rt, "queues")
		weights := 0
		for _, q := range queues {
			c.Queues[q].Weight = rapid.IntRange(1, 30).Draw(rt, "weight")
			weights += c.Queues[q].Weight
		}
		b := newTestbed(t, &c)
		b.backlog(1_000_000, queues...)
		b.run(60 * sim.Microsecond) // at most 750 KB: no queue runs dry
		sum, total := b.sentBytes()
		for _, q := range queues {
			w := float64(c.Queues[q].Weight)
			round := 512*float64(weights) + float64(len(queues))*4064
			require.InDelta(rt, total*w/float64(weights), sum[q], round, "queue %d of weight %v", q, w)
		}
	})
}

// What one queue leaves unused goes to the others by weight.
func TestUnusedShareIsGivenOn(t *testing.T) {
	c := defaults(2)
	c.Queues[0].Weight, c.Queues[1].Weight, c.Queues[2].Weight = 50, 30, 10
	b := newTestbed(t, &c)
	b.backlog(30_000_000, 1, 2)
	b.run(3 * sim.Millisecond)
	sum, total := b.sentBytes()
	assert.InDelta(t, 75, 100*sum[1]/total, 0.2)
	assert.InDelta(t, 25, 100*sum[2]/total, 0.2)
	assert.InDelta(t, 3e9/80, total+wireExtra*float64(len(b.sinks[1].packets)), 5000, "work-conserving: the wire is never idle")
}

// Strict queues go first, the highest number first of all, and round robin
// queues get what they leave.
func TestStrictPriorities(t *testing.T) {
	c := defaults(2)
	c.Queues[6].Strict, c.Queues[4].Strict = true, true
	b := newTestbed(t, &c)
	b.receive(0, 1, 1, 1000, 3) // the first leaves at once
	b.receive(0, 1, 7, 1000, 2)
	b.receive(0, 1, 4, 1000, 2)
	b.receive(0, 1, 6, 1000, 2)
	b.runAll()
	var order []int
	for _, a := range b.sinks[1].packets {
		order = append(order, int(a.DSCP>>3))
	}
	require.Len(t, order, 9)
	assert.Equal(t, []int{1, 6, 6, 4, 4}, order[:5])
	assert.ElementsMatch(t, []int{1, 1, 7, 7}, order[5:], "7 is not strict here")
}

// A strict queue that is paused stands aside.
func TestPausedStrictQueueStandsAside(t *testing.T) {
	c := defaults(2)
	c.Queues[3].Strict = true
	b := newTestbed(t, &c)
	b.pause(1, 3)
	b.receive(0, 1, 3, 1000, 1)
	b.receive(0, 1, 1, 1000, 1)
	b.run(sim.Microsecond)
	require.Len(t, b.sinks[1].packets, 1)
	assert.Equal(t, uint8(1<<3), b.sinks[1].packets[0].DSCP)
}

// A port sends back to back: frames of 1000 bytes every 81.6 ns at 100 Gb/s.
func TestPortIsWorkConserving(t *testing.T) {
	c := defaults(2)
	b := newTestbed(t, &c)
	b.receive(0, 1, 1, 1000, 5)
	b.runAll()
	for i, a := range b.sinks[1].packets {
		assert.Equal(t, sim.Time(i*slot+1008*psPerByte), a.at)
	}
	q := b.sw.Queue(1, 1)
	assert.Equal(t, switching.QueueStats{Packets: 5, Bytes: 5000, Peak: 4000}, q, "the first did not wait for long, but was in the queue")
}

// A lossy queue drops above its limit: a dynamic one settles where its length
// is alpha times what is free of the lossy pool (Choudhury and Hahne 1998),
// B/2 for alpha 1, and again after it was emptied.
func TestLossyQueueLimit(t *testing.T) {
	for _, c := range []struct {
		limit switching.Threshold
		want  int
	}{
		{switching.Threshold{Dynamic: true, Alpha: switching.AlphaOne}, 500},
		{switching.Threshold{Dynamic: true, Alpha: switching.AlphaOne / 4}, 200},
		{switching.Threshold{Static: 123_999}, 123},
	} {
		k := defaults(2)
		k.Buffer.EgressLossy = 1_000_000
		k.Queues[3].Lossy, k.Queues[3].Limit = true, c.limit
		k.Groups[3].Threshold.Static = 1 << 40
		b := newTestbed(t, &k)
		for round := range 2 {
			b.pause(1, 3)
			b.receive(0, 1, 3, 1000, 600)
			assert.Equal(t, c.want, b.sw.Waiting(1, 3))
			assert.Equal(t, uint64((600-c.want)*(round+1)), b.sw.Queue(1, 3).Dropped)
			assert.Equal(t, uint64((600-c.want)*(round+1)), b.sw.Drops(switching.DropEgress))
			b.conserved()
			b.resume(1, 3)
			b.runAll()
		}
	}
}

// A lossless queue is never limited at egress (SONiC's buffer model).
func TestLosslessQueueIsNotLimited(t *testing.T) {
	c := defaults(2)
	c.Groups[3].Threshold.Static = 1 << 40
	c.Queues[3].Limit = switching.Threshold{Static: 1000}
	b := newTestbed(t, &c)
	b.pause(1, 3)
	b.receive(0, 1, 3, 9000, 1000)
	assert.Equal(t, 1000, b.sw.Waiting(1, 3))
	assert.Empty(t, b.drops)
}
