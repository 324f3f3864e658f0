package switching_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"rocesim/fabric/packet"
	"rocesim/sim"
	switching "rocesim/switch"
)

// percent is a probability in the unit of REDProfile.Pmax.
func percent(p float64) uint64 { return uint64(math.Round(p / 100 * (1 << 32))) }

// redBed is a switch of two ports whose priority 3 has the profile.
func redBed(t *testing.T, profile switching.REDProfile) *testbed {
	t.Helper()
	c := defaults(2)
	c.Groups[3].Threshold.Static = 1 << 40
	c.Queues[3].RED = &profile
	return newTestbed(t, &c)
}

// slot is how long a frame of 1000 bytes keeps the wire busy.
const slot = (1000 + wireExtra) * psPerByte

// fill leaves frames of 1000 bytes waiting behind one that starts to leave at 0.
func (b *testbed) fill(waiting int) { b.receive(0, 1, 3, 1000, waiting+1) }

// steady sends n more frames, each of which comes just before one leaves, and
// returns how many were marked.
func (b *testbed) steady(n int) int {
	b.t.Helper()
	before := b.sw.Queue(1, 3).Marked
	for range n {
		b.run(b.now + slot - 1)
		b.receive(0, 1, 3, 1000, 1)
		b.run(b.now + 1)
		b.sinks[1].packets = b.sinks[1].packets[:0]
	}
	return int(b.sw.Queue(1, 3).Marked - before)
}

// V-24: with Kmin 5 KB, Kmax 200 KB and Pmax 1 % a queue of 100 KB marks
// 0.48718 % of the packets: of a million 4872 ± 210 (3 sigma).
func TestREDProbability(t *testing.T) {
	b := redBed(t, switching.REDProfile{Kmin: 5000, Kmax: 200_000, Pmax: percent(1), MarkOnly: true})
	b.fill(100)
	assert.InDelta(t, 4872, b.steady(1_000_000), 210)
	assert.Equal(t, int64(100_000), b.sw.QueueBytes(1, 3))
}

// The probability along the line, at both ends and beyond. The queue counted
// is that behind the departing packet. Tolerance: 4 sigma.
func TestREDCurve(t *testing.T) {
	const n = 40_000
	for _, c := range []struct {
		name    string
		waiting int // frames of 1000 bytes behind the departing one
		p       float64
		cap     bool
		weight  uint8
	}{
		{name: "empty", waiting: 0, p: 0},
		{name: "at Kmin", waiting: 5, p: 0},
		{name: "just above Kmin", waiting: 6, p: 0.2 * 1 / 195},
		{name: "half way", waiting: 102, p: 0.2 * 97 / 195},
		{name: "at Kmax", waiting: 200, p: 0.2},
		{name: "above Kmax", waiting: 201, p: 1},
		{name: "above Kmax, capped", waiting: 201, p: 0.2, cap: true},
		{name: "far above Kmax, capped", waiting: 400, p: 0.2, cap: true},
		{name: "averaged over a constant queue", waiting: 102, p: 0.2 * 97 / 195, weight: 3},
	} {
		b := redBed(t, switching.REDProfile{
			Kmin: 5000, Kmax: 200_000, Pmax: percent(20), CapAtPmax: c.cap, Weight: c.weight, MarkOnly: true,
		})
		b.fill(c.waiting)
		b.steady(200) // lets the average settle
		assert.InDelta(t, c.p*n, b.steady(n), 4*math.Sqrt(c.p*(1-c.p)*n), c.name)
	}
}

// Where the queue is measured decides with a step at 2500 bytes: at dequeue
// without the departing packet, with it, or at enqueue. Five frames of 1000
// bytes; the first leaves at once.
func TestWhereTheQueueIsMeasured(t *testing.T) {
	step := switching.REDProfile{Kmin: 2500, Kmax: 2500, Pmax: percent(100), MarkOnly: true}
	for _, c := range []struct {
		name                string
		enqueue, withDepart bool
		want                []bool
	}{
		// Lengths met: 0, 3000, 2000, 1000, 0.
		{"at dequeue", false, false, []bool{false, true, false, false, false}},
		// 1000, 4000, 3000, 2000, 1000.
		{"at dequeue with the departing", false, true, []bool{false, true, true, false, false}},
		// 0, 0, 1000, 2000, 3000.
		{"at enqueue", true, false, []bool{false, false, false, false, true}},
	} {
		p := step
		p.AtEnqueue, p.WithDeparting = c.enqueue, c.withDepart
		b := redBed(t, p)
		b.receive(0, 1, 3, 1000, 5)
		b.runAll()
		var marked []bool
		for _, a := range b.sinks[1].packets {
			marked = append(marked, a.Flags&packet.CE != 0)
		}
		assert.Equal(t, c.want, marked, c.name)
	}
}

// avg += (q-avg)/2^w: with w = 4 and a constant queue of 100 KB the average
// passes 50 KB at the 11th packet, for 1-(15/16)^n > 1/2 from n = 10.74 on.
func TestREDAverage(t *testing.T) {
	b := redBed(t, switching.REDProfile{Kmin: 50_000, Kmax: 50_000, Pmax: percent(100), Weight: 4, MarkOnly: true})
	b.pause(1, 3)
	b.fill(100)
	b.resume(1, 3) // the first leaves: 100 KB behind it
	for n := 1; n < 30; n++ {
		assert.Equal(t, n >= 11, b.sw.Queue(1, 3).Marked > 0, "packet %d", n)
		b.steady(1)
	}
}

// Only ECN-capable packets are marked (RFC 3168); others are dropped in their
// stead unless the profile marks only.
func TestPacketsThatCannotBeMarked(t *testing.T) {
	for _, markOnly := range []bool{true, false} {
		c := defaults(2)
		c.Queues[1].RED = &switching.REDProfile{Kmin: 1000, Kmax: 1000, Pmax: percent(100), MarkOnly: markOnly}
		b := newTestbed(t, &c)
		for i := range 10 {
			p := b.frame(1, 1, 1000)
			if i%2 == 1 {
				p.Flags = 0
			}
			b.sw.Receive(b.now, 0, p)
		}
		b.runAll()
		marked := 0
		for _, a := range b.sinks[1].packets {
			if a.Flags&packet.CE != 0 {
				marked++
				assert.NotZero(t, a.Flags&packet.ECT)
			}
		}
		q := b.sw.Queue(1, 1)
		assert.Equal(t, uint64(marked), q.Marked)
		assert.NotZero(t, marked)
		if markOnly {
			assert.Len(t, b.sinks[1].packets, 10)
			assert.Zero(t, q.Dropped)
			continue
		}
		// The frames that wait are 0, 0 and 1000 bytes when the 2nd and 4th
		// come; from the 4th on each one without ECT finds more than 1000.
		assert.Equal(t, uint64(4), q.Dropped)
		assert.Equal(t, uint64(4), b.sw.Drops(switching.DropWRED))
		assert.Equal(t, uint64(4), b.sw.Group(0, 1).Drops[switching.DropWRED])
		b.conserved()
	}
}

// Marks do not depend on what other switches do, only on the seed.
func TestMarksDependOnTheSeed(t *testing.T) {
	marks := func(seed uint64) []bool {
		c := defaults(2)
		c.Seed = seed
		c.Queues[3].RED = &switching.REDProfile{Kmax: 2000, Pmax: percent(100), MarkOnly: true, WithDeparting: true}
		c.Groups[3].Threshold.Static = 1 << 40
		b := newTestbed(t, &c)
		var out []bool
		for range 200 {
			b.receive(0, 1, 3, 1000, 1)
			b.run(b.now + sim.Microsecond)
			out = append(out, b.sinks[1].packets[len(b.sinks[1].packets)-1].Flags&packet.CE != 0)
		}
		return out
	}
	assert.Equal(t, marks(1), marks(1))
	assert.NotEqual(t, marks(1), marks(2))
}

// Lossless queues of a port may have a profile of their own, for thresholds
// depend on speed; lossy ones keep theirs, and a queue without one gets none.
func TestProfileOfOnePort(t *testing.T) {
	c := defaults(2)
	own := &switching.REDProfile{Kmin: 1, Kmax: 2}
	c.Queues[3].RED = &switching.REDProfile{Kmin: 10, Kmax: 20}
	c.Queues[1].RED, c.Queues[1].Lossy = &switching.REDProfile{Kmin: 100, Kmax: 200}, true
	c.Ports[1].RED = own
	b := newTestbed(t, &c)
	assert.Equal(t, int64(10), b.sw.REDProfile(0, 3).Kmin)
	assert.Same(t, own, b.sw.REDProfile(1, 3))
	assert.Equal(t, int64(100), b.sw.REDProfile(1, 1).Kmin)
	assert.Nil(t, b.sw.REDProfile(1, 4))
}
