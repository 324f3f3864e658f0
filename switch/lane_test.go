package switching_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/sim"
	switching "rocesim/switch"
)

// inTurns is a switch whose queues serve ingress ports in turn.
func inTurns(ports int) switching.Config {
	c := defaults(ports)
	for n := range c.Queues {
		c.Queues[n].PerIngress = true
	}
	return c
}

// ingressOrder lists where the packets that a port sent had come in.
func (b *testbed) ingressOrder(port int) []int {
	var order []int
	for _, a := range b.sinks[port].packets {
		order = append(order, int(a.In))
	}
	return order
}

// Ports take turns packet by packet, and one whose packets have all left comes
// back behind those that wait.
func TestIngressPortsTakeTurns(t *testing.T) {
	c := inTurns(4)
	b := newTestbed(t, &c)
	b.pause(3, 3)
	b.receive(0, 3, 3, 1000, 4)
	b.receive(2, 3, 3, 250, 2) // turns count packets, whatever their size
	b.receive(1, 3, 3, 1000, 1)
	b.resume(3, 3) // 0, then 2 and 1 follow
	b.run(2 * slot)
	b.receive(1, 3, 3, 1000, 2)
	b.runAll()
	assert.Equal(t, []int{0, 2, 1, 0, 2, 1, 0, 1, 0}, b.ingressOrder(3))

	c = defaults(4)
	b = newTestbed(t, &c)
	b.pause(3, 3)
	b.receive(0, 3, 3, 1000, 2)
	b.receive(2, 3, 3, 1000, 1)
	b.receive(0, 3, 3, 1000, 1)
	b.resume(3, 3)
	b.runAll()
	assert.Equal(t, []int{0, 0, 2, 0}, b.ingressOrder(3), "first in, first out unless told otherwise")
}

// turns is the rule itself, in the plainest form: a port with packets waits in
// line for its turn and goes to the end of the line if it has more.
type turns struct {
	line    []int
	waiting map[int][]uint32 // by ingress port
}

func (m *turns) join(in int, id uint32) {
	if len(m.waiting[in]) == 0 {
		m.line = append(m.line, in)
	}
	m.waiting[in] = append(m.waiting[in], id)
}

func (m *turns) leave() uint32 {
	in := m.line[0]
	m.line = m.line[1:]
	id := m.waiting[in][0]
	if m.waiting[in] = m.waiting[in][1:]; len(m.waiting[in]) > 0 {
		m.line = append(m.line, in)
	}
	return id
}

func (m *turns) len() (n int) {
	for _, ids := range m.waiting {
		n += len(ids)
	}
	return n
}

// Whatever comes in when, packets leave in the order of the rule, all are
// counted while they wait, and the packets of one ingress port stay in order.
func TestTurnsProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		const ports, out = 5, 4
		c := inTurns(ports)
		c.Groups[3].Threshold.Static = 1 << 40
		b := newTestbed(t, &c)
		model := turns{waiting: map[int][]uint32{}}
		var want []uint32
		id := uint32(0)
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			for range rapid.IntRange(0, 4).Draw(rt, "arrivals") {
				in := rapid.IntRange(0, ports-1).Draw(rt, "in")
				p := b.frame(out, 3, 1000)
				p.Msg = id
				model.join(in, id)
				b.sw.Receive(b.now, in, p)
				id++
				if model.len() == 1 && b.sw.Waiting(out, 3) == 0 { // the wire was idle
					want = append(want, model.leave())
				}
			}
			require.NoError(rt, b.sw.CheckConservation())
			require.Equal(rt, model.len(), b.sw.Waiting(out, 3))
			require.Equal(rt, int64(1000*model.len()), b.sw.QueueBytes(out, 3))
			b.run(b.now + slot)
			if model.len() > 0 {
				want = append(want, model.leave())
			}
		}
		for model.len() > 0 {
			want = append(want, model.leave())
		}
		b.runAll()
		var got []uint32
		for _, a := range b.sinks[out].packets {
			got = append(got, a.Msg)
		}
		require.Equal(rt, want, got)
		require.Zero(rt, b.pool.InUse())
	})
}

// The whole queue counts for ECN, however its packets are lined up: with Kmin =
// Kmax = 5000, packets are marked while more than 5000 bytes remain.
func TestTurnsMarkByTheWholeQueue(t *testing.T) {
	c := inTurns(4)
	c.Queues[3].RED = &switching.REDProfile{Kmin: 5000, Kmax: 5000, Pmax: 1 << 32, MarkOnly: true}
	b := newTestbed(t, &c)
	b.pause(3, 3)
	for in := range 3 {
		b.receive(in, 3, 3, 1000, 3)
	}
	b.resume(3, 3)
	b.runAll()
	assert.Equal(t, uint64(3), b.sw.Queue(3, 3).Marked, "8000, 7000 and 6000 bytes remain behind the first three")
	assert.Equal(t, int64(9000), b.sw.Queue(3, 3).Peak)
}

// Deficit round robin between queues goes by the packet whose turn it is.
func TestWeightedSharesInTurns(t *testing.T) {
	c := inTurns(3)
	c.Queues[0].Weight, c.Queues[1].Weight = 2, 1
	b := newTestbed(t, &c)
	for _, q := range []int{0, 1} {
		for in, size := range []int{300, 1500} {
			b.receive(in, 2, q, size, 4_000_000/size)
		}
	}
	b.run(200 * sim.Microsecond) // 2.5 MB of 8: no lane runs dry
	var sum [2][2]float64
	for _, a := range b.sinks[2].packets {
		sum[a.DSCP>>3][a.In] += float64(a.Frame)
	}
	assert.InEpsilon(t, 2, (sum[0][0]+sum[0][1])/(sum[1][0]+sum[1][1]), 0.005)
	for q := range sum {
		assert.InEpsilon(t, 5, sum[q][1]/sum[q][0], 0.01, "ports take turns by packets, of 1500 and 300 bytes")
	}
}

// What waits behind the first packet of a port is seen by the walk over a queue
// and goes with a restart; the queue works as before afterwards.
func TestResetEmptiesLanes(t *testing.T) {
	c := inTurns(4)
	b := newTestbed(t, &c)
	for range 2 {
		b.pause(3, 3)
		b.receive(0, 3, 3, 1000, 60)
		b.receive(1, 3, 3, 1000, 70)
		held := map[int]int64{}
		b.sw.EachWaiting(3, 3, func(in int, group uint8, charge int64) {
			assert.Equal(t, uint8(3), group)
			held[in] += charge
		})
		assert.Equal(t, map[int]int64{0: 60_000, 1: 70_000}, held)
		b.drops = nil
		b.sw.Reset(b.now)
		b.conserved()
		assert.Len(t, b.drops, 130)
		assert.Zero(t, b.sw.Waiting(3, 3))
		assert.Zero(t, b.pool.InUse())
		b.resume(3, 3)
	}
	b.receive(1, 3, 3, 1000, 2)
	b.receive(0, 3, 3, 1000, 2)
	b.runAll()
	assert.Equal(t, []int{1, 1, 0, 0}, b.ingressOrder(3), "the second of port 1 was alone when the first had left")
}

// A watchdog that drops flushes all lanes and counts what it dropped.
func TestWatchdogFlushesLanes(t *testing.T) {
	b := watched(t, func(c *switching.Config) { c.Queues[3].PerIngress = true })
	b.run(50 * ms)
	b.pause(2, 3)
	b.receive(0, 2, 3, 1000, 30)
	b.receive(1, 2, 3, 1000, 40)
	b.storm(2, 3, 410*ms)
	b.conserved()
	assert.Equal(t, uint64(70), b.sw.Drops(switching.DropWatchdog))
	require.Len(t, b.sw.Storms(), 1)
	assert.Equal(t, uint64(70), b.sw.Storms()[0].TxDropped)
	assert.Zero(t, b.sw.Waiting(2, 3))
}
