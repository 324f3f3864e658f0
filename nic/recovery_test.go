package nic_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/fabric/packet"
	"rocesim/nic"
	"rocesim/nic/rc"
	"rocesim/sim"
)

// loseOnce loses the first data packet that is number i of its connection.
func (b *testbed) loseOnce(i int) {
	lost := false
	b.lose(func(p *packet.Packet) bool {
		drop := !lost && p.Kind == packet.Data && p.PSN.Diff(b.wire[0].PSN) == i
		lost = lost || drop
		return drop
	})
}

// Selective repeat end to end (IRN): the third of eight packets is lost, and
// alone sent again, as soon as the NAK that the fourth raises has come. Those
// behind the gap raise a NAK each, which names them.
func TestSelectiveRepeat(t *testing.T) {
	b := newTestbed(t, 2, func(_ int, c *nic.Config) {
		c.AckLatency, c.Recovery = 2*fullTime, rc.SelectiveRepeat
	})
	b.loseOnce(2)
	conn := b.connect(0, 1, nil)
	b.post(conn, 8*4096)
	b.run(90 * us)
	data := b.from(0, packet.Data)
	assert.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 2, 7}, psns(data))
	naks := b.from(1, packet.Nak)
	require.Len(t, naks, 4)
	for i, p := range naks {
		assert.Equal(t, data[2].PSN, p.PSN)
		assert.Equal(t, data[3+i].PSN, packet.PSN(p.Msg))
	}
	acks := b.from(1, packet.Ack)
	require.Len(t, acks, 4, "of 0 and 1, of 2 to 6 and of 7")
	assert.Equal(t, data[6].PSN, acks[2].PSN)
	assert.Equal(t, []ended{{data[8].at, 0}}, b.delivered)
	assert.Len(t, b.completed, 1)
	assert.Equal(t, int64(8*4096), b.nics.ReceivedBytes(conn))
	s, r := b.nics.NIC(0).Stats(), b.nics.NIC(1).Stats()
	assert.Equal(t, uint64(1), s.Retransmitted)
	assert.Equal(t, uint64(4), s.NaksReceived)
	assert.Equal(t, uint64(4), r.OutOfSequence)
	assert.Equal(t, uint64(8), b.nics.DeliveredPackets())
	assert.Zero(t, b.pool.InUse())
}

// With selective repeat every packet says where it belongs: it has a RETH.
func TestSelectiveRepeatHasRETHs(t *testing.T) {
	b := newFramed(t, 2, packet.RoCEv2(), func(_ int, c *nic.Config) { c.Recovery = rc.SelectiveRepeat })
	b.post(b.connect(0, 1, nil), 3*4096)
	b.run(sim.Millisecond)
	for _, p := range b.from(0, packet.Data) {
		assert.Equal(t, uint16(full+packet.RETH), p.Frame)
	}
}

// Go-back-0 end to end: the same loss throws away what had come of the message.
// Its payload counts when all of it has come, once.
func TestGoBack0(t *testing.T) {
	b := newTestbed(t, 2, func(_ int, c *nic.Config) {
		c.AckLatency, c.Recovery = 2*fullTime, rc.GoBack0
	})
	b.loseOnce(4)
	conn := b.connect(0, 1, nil)
	b.post(conn, 2*4096)
	b.post(conn, 6*4096)
	b.run(8 * fullTime)
	assert.Equal(t, int64(2*4096), b.nics.ReceivedBytes(conn), "of the second message nothing counts yet")
	b.run(sim.Millisecond)
	assert.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 6, 7}, psns(b.from(0, packet.Data)))
	naks := b.from(1, packet.Nak)
	require.Len(t, naks, 1)
	assert.Equal(t, 2, naks[0].PSN.Diff(b.wire[0].PSN), "the start of the message")
	assert.Len(t, b.delivered, 2)
	assert.Len(t, b.completed, 2)
	assert.Equal(t, int64(8*4096), b.nics.ReceivedBytes(conn))
	assert.Equal(t, uint64(8*4096), b.nics.NIC(1).Stats().Delivered)
	assert.Equal(t, int64(8*4096), b.nics.Tally(0))
}

// A connection does what both of its NICs can do.
func TestRecoveryOfDifferentNICs(t *testing.T) {
	for _, c := range []struct {
		src, dst rc.Recovery
		want     []int
	}{
		{rc.SelectiveRepeat, rc.GoBackN, []int{0, 1, 2, 3, 4, 2, 3, 4, 5}},
		{rc.GoBackN, rc.SelectiveRepeat, []int{0, 1, 2, 3, 4, 2, 3, 4, 5}},
		{rc.SelectiveRepeat, rc.GoBack0, []int{0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 5}},
	} {
		b := newTestbed(t, 2, func(i int, k *nic.Config) { k.Recovery = []rc.Recovery{c.src, c.dst}[i] })
		b.loseOnce(2)
		b.post(b.connect(0, 1, nil), 6*4096)
		b.run(sim.Millisecond)
		assert.Equal(t, c.want, psns(b.from(0, packet.Data)), "%v to %v", c.src, c.dst)
		assert.Len(t, b.completed, 1)
	}
}

// The time-outs of selective repeat (IRN, section 3.1): the low one while fewer
// than three packets are outstanding, from the last progress on, to the
// picosecond.
func TestSelectiveTimeouts(t *testing.T) {
	const low, high = 100 * us, 320 * us
	for _, c := range []struct {
		lost, packets int // the last packets of a message, all of its packets
		want          sim.Time
	}{
		{1, 10, low}, {2, 10, low}, {3, 10, high}, {10, 10, high},
	} {
		b := newTestbed(t, 2, func(_ int, k *nic.Config) {
			k.Recovery, k.RTOLow, k.RTOHigh, k.RetryCount = rc.SelectiveRepeat, low, high, 7
		})
		sent := 0
		b.lose(func(p *packet.Packet) bool {
			if p.Kind == packet.Data {
				sent++
			}
			return p.Kind == packet.Data && sent > c.packets-c.lost && sent <= c.packets
		})
		b.post(b.connect(0, 1, nil), int64(c.packets)*4096)
		b.run(low / 2)
		w := b.nics.Unfinished(b.now)
		b.run(10 * sim.Millisecond)
		data, acks := b.from(0, packet.Data), b.from(1, packet.Ack)
		var progress sim.Time
		if c.lost < c.packets {
			progress = acks[c.packets-c.lost-1].at
		}
		require.Greater(t, len(data), c.packets)
		assert.Equal(t, progress+c.want, starts(data)[c.packets], "%d lost", c.lost)
		assert.Equal(t, progress+c.want, w[0].Retry)
		assert.Len(t, b.completed, 1)
	}
}

// A dead peer fails the queue pair after retry_count+1 time-outs with selective
// repeat, too; its messages are flushed in order.
func TestSelectiveRetryExhaustion(t *testing.T) {
	b := newTestbed(t, 2, func(_ int, k *nic.Config) {
		k.Recovery, k.RTOLow, k.RTOHigh, k.RetryCount = rc.SelectiveRepeat, 100*us, 320*us, 3
	})
	b.lose(func(*packet.Packet) bool { return true })
	conn := b.connect(0, 1, nil)
	b.post(conn, 20*4096)
	b.post(conn, 100)
	b.run(sim.Second)
	assert.Equal(t, []ended{{4 * 320 * us, 0}, {4 * 320 * us, 1}}, b.failed)
	assert.Len(t, b.from(0, packet.Data), 21+3, "the oldest packet is tried again")
	assert.True(t, b.engine.Idle())
}

// A window bounds what is outstanding, so a queue pair sends a window per round
// trip (IRN's BDP-FC): here one of 4 packets in 3 us and the time of an ACK.
func TestWindowOfTransport(t *testing.T) {
	for _, how := range []rc.Recovery{rc.GoBackN, rc.GoBack0, rc.SelectiveRepeat} {
		b := newTestbed(t, 2, func(_ int, k *nic.Config) {
			k.Recovery, k.Window, k.AckLatency = how, 4*4096+4095, 3*us
		})
		conn := b.connect(0, 1, nil)
		b.post(conn, 40*4096)
		b.run(2 * us)
		assert.Equal(t, []nic.Waiting{{Conn: conn, Dst: 1, Unacked: 4 * 4096, Window: true, Retry: sim.Never}}, b.nics.Unfinished(b.now))
		b.run(sim.Millisecond)
		data, acks := b.from(0, packet.Data), b.from(1, packet.Ack)
		require.Len(t, data, 40)
		for i, start := range starts(data)[4:] {
			assert.GreaterOrEqual(t, start, acks[i].at, "%v: packet %d", how, i+4)
		}
		assert.Equal(t, acks[0].at, starts(data)[4], "%v", how)
	}
}
