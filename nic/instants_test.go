package nic_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/fabric/packet"
	"rocesim/nic"
	"rocesim/sim"
)

// One message of one packet, part by part: TxLatency from posting to the first
// bit, the frame, RxLatency to memory; AckLatency from the last bit to the ACK's
// first, the ACK, RxLatency to the completion.
func TestInstantsOfOneMessage(t *testing.T) {
	b := newTestbed(t, 2, func(i int, c *nic.Config) {
		k := sim.Time(i + 1)
		c.TxLatency, c.RxLatency, c.AckLatency = k*400*ns, k*300*ns, k*100*ns
	})
	conn := b.connect(0, 1, nil)
	b.run(us)
	b.post(conn, 4096)
	b.run(sim.Millisecond)
	const (
		first  = us + 400*ns
		last   = first + (full+8)*perByte
		ackOut = last + 200*ns
		ackIn  = ackOut + (66+8)*perByte
	)
	data, acks := b.from(0, packet.Data), b.from(1, packet.Ack)
	require.Len(t, data, 1)
	require.Len(t, acks, 1)
	assert.Equal(t, last, data[0].at)
	assert.Equal(t, ackIn, acks[0].at)
	assert.Equal(t, []ended{{last + 600*ns, 0}}, b.delivered)
	assert.Equal(t, []ended{{ackIn + 300*ns, 0}}, b.completed)
	assert.Equal(t, data[0].PSN, acks[0].PSN)
	assert.Zero(t, b.pool.InUse())
	assert.True(t, b.engine.Idle())
}

// The latency of posting is hidden while the queue pair is busy: the second
// message follows the first on the wire.
func TestPostingLatencyIsForIdleQueuePairs(t *testing.T) {
	b := newTestbed(t, 2, func(_ int, c *nic.Config) { c.TxLatency = 400 * ns })
	conn := b.connect(0, 1, nil)
	b.post(conn, 3*4096)
	b.run(500 * ns)
	b.post(conn, 4096)
	b.run(10 * us)
	b.post(conn, 4096)
	b.run(20 * us)
	assert.Equal(t, append(every(400*ns, fullTime, 4), 10*us+400*ns), starts(b.from(0, packet.Data)))
}

// What a data packet says (InfiniBand Architecture Volume 1, 9.7): consecutive sequence numbers, First and
// Last at the ends of the message, payload up to the MTU and the rest in the
// last packet; ECN-capable, with the queue pair's DSCP and hash. Its ACK has the
// same class and the hash of the way back.
func TestFieldsOfPackets(t *testing.T) {
	b := newTestbed(t, 2, nil)
	conn := b.connect(0, 1, nil)
	b.post(conn, 2*4096+100)
	b.run(sim.Millisecond)
	data, acks := b.from(0, packet.Data), b.from(1, packet.Ack)
	require.Len(t, data, 3)
	assert.Equal(t, []int{0, 1, 2}, psns(data))
	flags := []uint8{packet.ECT | packet.First | packet.AckReq, packet.ECT | packet.AckReq, packet.ECT | packet.Last | packet.AckReq}
	for i, p := range data {
		assert.Equal(t, flags[i], p.Flags)
		assert.Equal(t, uint8(26), p.DSCP)
		assert.Equal(t, uint32(1), p.Entropy)
		assert.Equal(t, []uint16{4096, 4096, 100}[i], p.Payload)
		assert.Equal(t, []uint16{full, full, 162}[i], p.Frame)
		assert.Equal(t, uint8(64), p.TTL)
	}
	for i, p := range acks {
		assert.Equal(t, uint8(26), p.DSCP)
		assert.Equal(t, uint32(2), p.Entropy)
		assert.Equal(t, uint16(66), p.Frame)
		assert.Equal(t, data[i].PSN, p.PSN)
		assert.Equal(t, uint32(0), p.Dst)
	}
	assert.Equal(t, int64(2*4096+100), b.nics.ReceivedBytes(conn))
}

// The first packet of a WRITE carries a RETH of 16 bytes (InfiniBand Architecture Volume 1); for
// out-of-order placement all do.
func TestRETH(t *testing.T) {
	for outOfOrder, want := range map[bool][]uint16{false: {full + 16, full, 62 + 100}, true: {full + 16, full + 16, 62 + 16 + 100}} {
		b := newFramed(t, 2, packet.RoCEv2(), func(_ int, c *nic.Config) { c.OutOfOrder = outOfOrder })
		b.post(b.connect(0, 1, nil), 2*4096+100)
		b.run(sim.Millisecond)
		var frames []uint16
		for _, p := range b.from(0, packet.Data) {
			frames = append(frames, p.Frame)
		}
		assert.Equal(t, want, frames)
	}
}

// A SEND has no RETH (InfiniBand Architecture Volume 1); the tag of all its packets has the priority of
// the queue pair.
func TestSend(t *testing.T) {
	b := newFramed(t, 2, packet.RoCEv2(), nil)
	b.post(b.nics.Connect(nic.ConnectionConfig{Src: 0, Dst: 1, DSCP: 26, Send: true}), 4096+100)
	b.run(sim.Millisecond)
	data := b.from(0, packet.Data)
	require.Len(t, data, 2)
	assert.Equal(t, []uint16{full, 162}, []uint16{data[0].Frame, data[1].Frame})
	for _, p := range b.wire {
		assert.Equal(t, uint8(3), p.PCP)
	}
}

// A message without payload is one packet of the least size.
func TestEmptyMessage(t *testing.T) {
	b := newTestbed(t, 2, nil)
	b.post(b.connect(0, 1, nil), 0)
	b.run(sim.Millisecond)
	data := b.from(0, packet.Data)
	require.Len(t, data, 1)
	assert.Equal(t, uint16(64), data[0].Frame)
	assert.Len(t, b.completed, 1)
}

// ACKs within a message are coalesced by AckEvery; the last packet is always
// acknowledged, and one ACK completes all that came before.
func TestAckCoalescing(t *testing.T) {
	for ackEvery, want := range map[int][]int{
		0: {9}, 1: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 4: {3, 7, 9}, 5: {4, 9}, 16: {9},
	} {
		b := newTestbed(t, 2, func(_ int, c *nic.Config) { c.AckEvery = ackEvery })
		b.post(b.connect(0, 1, nil), 10*4096)
		b.run(sim.Millisecond)
		first := b.from(0, packet.Data)[0].PSN
		var got []int
		for _, a := range b.from(1, packet.Ack) {
			got = append(got, a.PSN.Diff(first))
		}
		assert.Equal(t, want, got, "every %d", ackEvery)
		assert.Len(t, b.completed, 1)
		assert.Empty(t, b.nics.Unfinished(b.now))
	}
}

// An unreliable message is not answered: it completes when its last packet has
// left, and is delivered if all arrives.
func TestDatagrams(t *testing.T) {
	b := newTestbed(t, 2, func(_ int, c *nic.Config) { c.Timeout, c.RetryCount, c.OutOfOrder = us, 1, true })
	conn := b.nics.Connect(nic.ConnectionConfig{Src: 0, Dst: 1, DSCP: 26, Unreliable: true, Tally: 2})
	assert.True(t, b.nics.Unreliable(conn))
	b.post(conn, 4096)
	b.run(10 * us)
	b.lose(func(*packet.Packet) bool { return true })
	b.post(conn, 4096)
	b.run(sim.Second)
	assert.Len(t, b.wire, 2, "no answers, no repetitions")
	assert.Equal(t, packet.Datagram, b.wire[0].Kind)
	const frame = full + packet.DETH
	assert.Equal(t, []ended{{(frame + 20) * perByte, 0}, {10*us + (frame+20)*perByte, 1}}, b.completed)
	assert.Equal(t, []ended{{(frame + 8) * perByte, 0}}, b.delivered)
	assert.Equal(t, int64(4096), b.nics.Tally(2))
	assert.Zero(t, b.nics.Tally(1))
	assert.Zero(t, b.nics.Tally(7), "no such tally")
	assert.Empty(t, b.nics.Unfinished(b.now))
}

// Jitter delays each packet by less than its bound and differs between NICs;
// with the same seed it is the same. A slow clock stretches a train.
func TestJitterAndClock(t *testing.T) {
	arrivals := func(seed uint64, jitter sim.Time, ppm int) []sim.Time {
		b := newTestbed(t, 2, func(_ int, c *nic.Config) { c.Seed, c.Jitter, c.ClockPPM = seed, jitter, ppm })
		b.post(b.connect(0, 1, nil), 100*4096)
		b.run(sim.Millisecond)
		return starts(b.from(0, packet.Data))
	}
	exact := arrivals(1, 0, 0)
	jittered := arrivals(1, 5*ns, 0)
	different := 0
	for i, at := range jittered {
		assert.GreaterOrEqual(t, at, exact[i])
		assert.Less(t, at, exact[i]+5*ns)
		if at > exact[i]+2*ns {
			different++
		}
	}
	assert.Greater(t, different, 30, "of 100 packets 60 should be late by more than 2 of 5 ns")
	assert.Equal(t, jittered, arrivals(1, 5*ns, 0))
	assert.NotEqual(t, jittered, arrivals(2, 5*ns, 0))
	slow := arrivals(1, 0, 100)
	assert.Greater(t, slow[99], exact[99])
	assert.Less(t, slow[99], exact[99]+exact[99]/10_000+100, "100 ppm at most")
}
