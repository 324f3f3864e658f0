package nic_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/fabric/packet"
	"rocesim/nic"
	"rocesim/nic/rc"
	"rocesim/sim"
)

// Go-back-N end to end (InfiniBand Architecture Volume 1, 9.7): the third of eight packets is lost. The
// fourth raises a NAK that names it; what was sent meanwhile is discarded; the
// requester goes back and sends the rest again.
func TestGoBackN(t *testing.T) {
	b := newTestbed(t, 2, func(_ int, c *nic.Config) { c.AckLatency = 2 * fullTime })
	lost := false
	b.lose(func(p *packet.Packet) bool {
		third := p.Kind == packet.Data && p.PSN.Diff(b.wire[0].PSN) == 2
		drop := third && !lost
		lost = lost || third
		return drop
	})
	conn := b.connect(0, 1, nil)
	b.post(conn, 8*4096)
	b.run(sim.Millisecond)
	// The NAK leaves two packet times after packet 3 arrived, while packet 5 is
	// on the wire, and arrives while 6 is.
	data := b.from(0, packet.Data)
	assert.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 2, 3, 4, 5, 6, 7}, psns(data))
	for i, p := range data {
		assert.Equal(t, i >= 7 && i < 12, p.Flags&packet.Retransmit != 0, "packet %d", i)
	}
	naks := b.from(1, packet.Nak)
	require.Len(t, naks, 1, "one NAK for one gap")
	assert.Equal(t, data[2].PSN, naks[0].PSN)
	assert.Equal(t, []ended{{data[12].at, 0}}, b.delivered)
	assert.Len(t, b.completed, 1)
	assert.Equal(t, uint32(5), b.nics.Retransmitted(conn))
	assert.Equal(t, int64(8*4096), b.nics.ReceivedBytes(conn))
	s, r := b.nics.NIC(0).Stats(), b.nics.NIC(1).Stats()
	assert.Equal(t, uint64(5), s.Retransmitted)
	assert.Equal(t, uint64(1), s.NaksReceived)
	assert.Equal(t, uint64(1), r.NaksSent)
	assert.Equal(t, uint64(4), r.OutOfSequence, "packets 3 to 6")
	assert.Equal(t, uint64(8*4096), r.Delivered)
	assert.Equal(t, uint64(8), b.nics.DeliveredPackets())
	assert.Zero(t, b.pool.InUse())
}

// swap is a pass that exchanges data packets i and i+1 on the wire.
func (b *testbed) swap(i int) {
	var kept *packet.Packet
	n := 0
	b.pass = func(now sim.Time, _ int, p *packet.Packet) bool {
		if p.Kind != packet.Data {
			return true
		}
		n++
		switch {
		case n == i+1:
			kept = p
			return false
		case n == i+2:
			b.hand(now, p)
			b.hand(now, kept)
			return false
		}
		return true
	}
}

// Reordering is a gap to a responder that takes packets in order only. Packet
// 3 comes before 2 and is discarded with a NAK for 2; when 2 is there, 4 shows
// that 3 is missing, and it is asked for in turn.
func TestReorderingCostsNaks(t *testing.T) {
	b := newTestbed(t, 2, nil)
	b.swap(2)
	b.post(b.connect(0, 1, nil), 8*4096)
	b.run(sim.Millisecond)
	var naks []int
	for _, p := range b.from(1, packet.Nak) {
		naks = append(naks, p.PSN.Diff(b.wire[0].PSN))
	}
	assert.Equal(t, []int{2, 3}, naks)
	assert.Len(t, b.completed, 1)
	assert.Len(t, b.delivered, 1)
	assert.NotZero(t, b.nics.NIC(1).Stats().Duplicates)
}

// A responder with a reorder window takes them as they come: no NAK, nothing
// sent twice.
func TestOutOfOrderResponder(t *testing.T) {
	b := newTestbed(t, 2, func(_ int, c *nic.Config) { c.OutOfOrder = true })
	b.swap(2)
	conn := b.connect(0, 1, nil)
	for range 3 {
		b.post(conn, 3*4096)
	}
	b.run(sim.Millisecond)
	assert.Empty(t, b.from(1, packet.Nak))
	assert.Len(t, b.from(0, packet.Data), 9)
	// Packet 2 ends message 0 and comes after packet 3.
	var order []uint32
	for _, e := range b.delivered {
		order = append(order, e.msg)
	}
	assert.Equal(t, []uint32{0, 1, 2}, order)
	assert.Len(t, b.completed, 3)
	assert.Equal(t, int64(9*4096), b.nics.ReceivedBytes(conn))
}

// The packet that was sent again is lost, too. A strict responder stays silent
// until the time-out; one that repeats its NAK after an interval needs none
// (InfiniBand Architecture Volume 1, 9.7).
func TestNakInterval(t *testing.T) {
	for _, c := range []struct {
		interval sim.Time
		naks     int
		timeouts uint64
	}{
		{0, 1, 1}, {10 * us, 2, 0},
	} {
		b := newTestbed(t, 2, func(_ int, k *nic.Config) { k.NakInterval, k.Timeout, k.RetryCount = c.interval, 200*us, 7 })
		losses := 2
		b.lose(func(p *packet.Packet) bool {
			if p.Kind == packet.Data && p.PSN.Diff(b.wire[0].PSN) == 2 && losses > 0 {
				losses--
				return true
			}
			return false
		})
		b.post(b.connect(0, 1, nil), 100*4096)
		b.run(sim.Millisecond)
		assert.Len(t, b.from(1, packet.Nak), c.naks, "interval %v", c.interval)
		assert.Equal(t, c.timeouts, b.nics.NIC(0).Stats().Timeouts)
		require.Len(t, b.completed, 1)
		assert.Equal(t, c.interval == 0, b.completed[0].at > 200*us)
	}
}

// V-45: with time-out code 14 (67.109 ms) and 7 retries a dead peer
// fails the queue pair after 8 * 67.109 = 536.87 ms. All its messages fail, in
// order, and later ones at once.
func TestRetryExhaustion(t *testing.T) {
	const timeout = 4096 * sim.Nanosecond << 14
	b := newTestbed(t, 2, func(_ int, c *nic.Config) { c.Timeout, c.RetryCount, c.TxLatency = timeout, 7, 400*ns })
	b.lose(func(*packet.Packet) bool { return true })
	conn := b.connect(0, 1, nil)
	b.post(conn, 4096)
	b.post(conn, 100)
	b.run(2 * sim.Second)
	assert.Equal(t, []ended{{400*ns + 8*timeout, 0}, {400*ns + 8*timeout, 1}}, b.failed)
	assert.InDelta(t, 536.87e-3, b.failed[0].at.Seconds(), 1e-5)
	data := b.from(0, packet.Data)
	assert.Len(t, data, 16, "eight attempts at both packets")
	first := slices.DeleteFunc(data, func(s sent) bool { return s.Payload == 100 })
	assert.Equal(t, every(400*ns, timeout, 8), starts(first))
	s := b.nics.NIC(0).Stats()
	assert.Equal(t, uint64(8), s.Timeouts)
	assert.Equal(t, uint64(1), s.RetriesExceeded)
	assert.Equal(t, uint64(14), s.Retransmitted)
	b.post(conn, 1)
	assert.Equal(t, ended{2 * sim.Second, 2}, b.failed[2])
	assert.Empty(t, b.nics.Unfinished(b.now), "what failed is not waited for")
	assert.True(t, b.engine.Idle())
}

// Progress resets the count: with every second packet lost nothing but the
// eighth time-out in a row would fail the queue pair.
func TestProgressResetsRetries(t *testing.T) {
	b := newTestbed(t, 2, func(_ int, c *nic.Config) { c.Timeout, c.RetryCount = 100*us, 1 })
	n := 0
	b.lose(func(p *packet.Packet) bool { n++; return p.Kind == packet.Data && n%3 == 1 })
	conn := b.connect(0, 1, nil)
	for range 10 {
		b.post(conn, 4096)
	}
	b.run(sim.Second)
	assert.Empty(t, b.failed)
	assert.Len(t, b.completed, 10)
}

// Without a time-out a lost last packet waits for ever; with one the timer runs
// from the last acknowledgement.
func TestTimeoutCountsFromProgress(t *testing.T) {
	b := newTestbed(t, 2, func(_ int, c *nic.Config) { c.Timeout, c.RetryCount = 100*us, 7 })
	lost := false
	b.lose(func(p *packet.Packet) bool {
		last := p.Kind == packet.Data && p.Flags&packet.Last != 0
		drop := last && !lost
		lost = lost || last
		return drop
	})
	b.post(b.connect(0, 1, nil), 10*4096)
	b.run(sim.Millisecond)
	data, acks := b.from(0, packet.Data), b.from(1, packet.Ack)
	require.Len(t, data, 11)
	assert.Equal(t, acks[8].at+100*us, starts(data)[10])
	assert.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9}, psns(data), "only what is not acknowledged")

	silent := newTestbed(t, 2, nil)
	silent.lose(func(p *packet.Packet) bool { return true })
	conn := silent.connect(0, 1, nil)
	silent.post(conn, 4096)
	silent.run(10 * sim.Second)
	assert.Len(t, silent.wire, 1)
	assert.Equal(t, []nic.Waiting{{Conn: conn, Dst: 1, Unacked: 4096, Retry: sim.Never}}, silent.nics.Unfinished(silent.now))
}

// A lost ACK is made up for by the next one, or, if it was the last, by a
// time-out and a duplicate that is acknowledged again and not delivered twice.
func TestLostAck(t *testing.T) {
	b := newTestbed(t, 2, func(_ int, c *nic.Config) { c.Timeout, c.RetryCount = 100*us, 7 })
	acks := 0
	b.lose(func(p *packet.Packet) bool {
		if p.Kind != packet.Ack {
			return false
		}
		acks++
		return acks == 1 || acks == 3
	})
	b.post(b.connect(0, 1, nil), 3*4096)
	b.run(sim.Millisecond)
	assert.Len(t, b.delivered, 1)
	require.Len(t, b.completed, 1)
	assert.Greater(t, b.completed[0].at, 100*us)
	assert.Equal(t, uint64(1), b.nics.NIC(1).Stats().Duplicates)
	assert.Equal(t, uint64(1), b.nics.NIC(0).Stats().Retransmitted)
}

// Many queue pairs share one timer: each is repeated at its own time.
func TestTimersOfManyQueuePairs(t *testing.T) {
	b := newTestbed(t, 2, func(_ int, c *nic.Config) { c.Timeout, c.RetryCount = 50*us, 0 })
	b.lose(func(*packet.Packet) bool { return true })
	var want []ended
	for i := range 20 {
		at := sim.Time(i*7%20) * us
		want = append(want, ended{at + 50*us, uint32(i)})
	}
	slices.SortFunc(want, func(a, c ended) int { return int(a.at - c.at) })
	for i, w := range want {
		b.run(w.at - 50*us)
		conn := b.connect(0, 1, nil)
		want[i].msg = b.post(conn, 64)
	}
	b.run(sim.Millisecond)
	assert.Equal(t, want, b.failed)
}

// Whatever is lost, repeated or delayed, on queue pairs of either kind, every
// message is delivered once and in order, completes after its delivery, and no
// packet is left over.
func TestReliabilityProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		outOfOrder := rapid.Bool().Draw(rt, "out of order")
		recovery := rapid.SampledFrom([]rc.Recovery{rc.GoBackN, rc.GoBack0, rc.SelectiveRepeat})
		both := recovery.Draw(rt, "recovery")
		b := newTestbed(t, 2, func(i int, c *nic.Config) {
			c.Timeout, c.RetryCount, c.OutOfOrder = 100*us, 1000, outOfOrder
			c.RTOLow, c.RTOHigh = 20*us, 50*us
			c.Window = rapid.Int64Range(0, 5*4096).Draw(rt, "window")
			if c.Recovery = both; rapid.IntRange(0, 9).Draw(rt, "other kind of NIC") == 0 {
				c.Recovery = recovery.Draw(rt, "its recovery")
			}
			c.NakInterval = sim.Time(rapid.IntRange(0, 20).Draw(rt, "nak interval")) * us
			c.AckEvery = rapid.IntRange(0, 4).Draw(rt, "ack every")
		})
		fate := rapid.IntRange(0, 19)
		var kept []*packet.Packet
		b.pass = func(now sim.Time, _ int, p *packet.Packet) bool {
			switch fate.Draw(rt, "fate") {
			case 0:
				b.pool.Put(p)
				return false
			case 1:
				twin := b.pool.Get()
				*twin = *p
				b.hand(now, twin)
			case 2:
				kept = append(kept, p)
				return false
			case 3:
				for _, k := range kept {
					b.hand(now, k)
				}
				kept = nil
			}
			return true
		}
		posted := map[int][]uint32{}
		of := map[uint32]int{}
		for range rapid.IntRange(1, 3).Draw(rt, "queue pairs") {
			conn := b.connect(0, 1, nil)
			for range rapid.IntRange(1, 4).Draw(rt, "messages") {
				msg := b.post(conn, rapid.Int64Range(0, 5*4096).Draw(rt, "bytes"))
				posted[conn] = append(posted[conn], msg)
				of[msg] = conn
			}
		}
		b.run(5 * sim.Millisecond)
		b.pass = nil
		for _, k := range kept {
			b.hand(b.now, k)
		}
		b.run(sim.Second)
		require.Empty(rt, b.failed)
		delivered, completed := map[int][]uint32{}, map[int][]uint32{}
		at := map[uint32]sim.Time{}
		for _, e := range b.delivered {
			delivered[of[e.msg]] = append(delivered[of[e.msg]], e.msg)
			at[e.msg] = e.at
		}
		for _, e := range b.completed {
			completed[of[e.msg]] = append(completed[of[e.msg]], e.msg)
			require.Greater(rt, e.at, at[e.msg])
		}
		require.Equal(rt, posted, delivered)
		require.Equal(rt, posted, completed)
		require.Zero(rt, b.pool.InUse())
		require.True(rt, b.engine.Idle())
	})
}
