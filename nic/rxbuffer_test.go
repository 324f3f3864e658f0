package nic_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/fabric/packet"
	"rocesim/nic"
	"rocesim/sim"
)

// drainByte is how long a byte takes at 40 Gb/s.
const drainByte = 200 * sim.Picosecond

// slow gives NIC 1 a receive buffer.
func slow(r nic.ReceiveConfig) func(i int, c *nic.Config) {
	return func(i int, c *nic.Config) {
		if i == 1 {
			c.Receive = &r
		}
	}
}

// Two frames of 4158 bytes that arrive together fill 8316 bytes: XOFF at 8000,
// at once; XON when 4316 bytes have drained at 40 Gb/s, 863.2 ns later, to the
// picosecond.
func TestReceiveBufferPausesAndResumes(t *testing.T) {
	b := newTestbed(t, 2, slow(nic.ReceiveConfig{Buffer: 20_000, Xoff: 8_000, Xon: 4_000, Drain: 40 * sim.Gbps}))
	conn := b.connect(0, 1, nil)
	var held []*packet.Packet
	b.pass = func(_ sim.Time, _ int, p *packet.Packet) bool {
		if p.Kind == packet.Data {
			held = append(held, p)
			return false
		}
		return true
	}
	b.post(conn, 2*4096)
	b.run(us)
	require.Len(t, held, 2)
	for _, p := range held {
		b.hand(b.now, p)
	}
	n := b.nics.NIC(1)
	level, peak := n.ReceiveBuffer(b.now)
	assert.EqualValues(t, 2*full, level)
	assert.EqualValues(t, 2*full, peak)
	b.run(10 * us)
	xoff, xon := b.pauseTimes(1 << 3)
	assert.Equal(t, []sim.Time{us + pauseTime}, xoff)
	assert.Equal(t, []sim.Time{us + 4316*drainByte + pauseTime}, xon)
	assert.Equal(t, 4316*drainByte, n.HeldTime(b.now, 3))
	level, peak = n.ReceiveBuffer(b.now)
	assert.Zero(t, level)
	assert.EqualValues(t, 2*full, peak)
}

// What waits in the buffer is delivered and acknowledged when it has drained.
func TestReceiveBufferDelays(t *testing.T) {
	change := slow(nic.ReceiveConfig{Buffer: 1 << 20, Xoff: 1 << 19, Xon: 1 << 18, Drain: 40 * sim.Gbps})
	b := newTestbed(t, 2, func(i int, c *nic.Config) {
		change(i, c)
		c.RxLatency, c.AckLatency = 300*ns, 100*ns
	})
	conn := b.connect(0, 1, nil)
	b.post(conn, 3*4096)
	b.run(ms)
	arrived := starts(b.from(0, packet.Data))[0] + (full+8)*perByte
	drained := arrived + 3*full*drainByte
	assert.Equal(t, []ended{{drained + 300*ns, 0}}, b.delivered)
	acks := starts(b.from(1, packet.Ack))
	assert.Equal(t, every(arrived+full*drainByte+100*ns, full*drainByte, 3), acks)
}

// A frame that finds the buffer full is dropped and counted; go-back-N gets it
// through in the end.
func TestReceiveBufferOverflows(t *testing.T) {
	change := slow(nic.ReceiveConfig{Buffer: 10_000, Xoff: 9_000, Xon: 1_000, Drain: 40 * sim.Gbps})
	b := newTestbed(t, 2, func(i int, c *nic.Config) {
		change(i, c)
		c.Timeout, c.RetryCount, c.NakInterval = ms, 100, 10*us
	})
	b.post(b.connect(0, 1, nil), 20*4096) // the harness does not stop the sender
	b.run(100 * ms)
	n := b.nics.NIC(1)
	assert.Positive(t, n.Stats().OutOfBuffer)
	assert.Len(t, b.completed, 1)
	assert.EqualValues(t, 20*4096, n.Stats().Delivered)
	_, peak := n.ReceiveBuffer(b.now)
	assert.LessOrEqual(t, peak, int64(10_000))
	assert.EqualValues(t, len(b.from(0, packet.Data)), uint64(20)+n.Stats().OutOfBuffer+n.Stats().OutOfSequence+n.Stats().Duplicates)
}

// A dead host takes what fits and answers nothing; the NIC pauses its switch
// until its watchdog acts, and drops from then on.
func TestDeadHost(t *testing.T) {
	change := slow(nic.ReceiveConfig{Buffer: 10_000, Xoff: 4_000, Xon: 1_000})
	b := newTestbed(t, 2, func(i int, c *nic.Config) { change(i, c); c.StuckAfter = 100 * ms })
	b.post(b.connect(0, 1, nil), 4*4096)
	b.run(300 * ms)
	n := b.nics.NIC(1)
	assert.EqualValues(t, 2, n.Stats().OutOfBuffer, "2 of 4 frames do not fit")
	assert.Empty(t, b.from(1, packet.Ack))
	assert.Empty(t, b.delivered)
	xoff, xon := b.pauseTimes(1 << 3)
	first := starts(b.from(0, packet.Data))[0] + (full+8)*perByte
	assert.Equal(t, first+pauseTime, xoff[0])
	assert.Equal(t, []sim.Time{first + 100*ms + pauseTime}, xon)
	assert.EqualValues(t, 1, n.Stats().StormErrors)
}

// A host that is only slow is none of the watchdog's business: 1 Mb/s takes 33 ms
// a frame.
func TestNICWatchdogIgnoresSlowHosts(t *testing.T) {
	change := slow(nic.ReceiveConfig{Buffer: 100_000, Xoff: 8_000, Xon: 0, Drain: sim.Mbps})
	b := newTestbed(t, 2, func(i int, c *nic.Config) { change(i, c); c.StuckAfter = 10 * ms })
	b.post(b.connect(0, 1, nil), 2*4096)
	b.run(sim.Second)
	assert.Zero(t, b.nics.NIC(1).Stats().StormErrors)
	assert.InDelta(t, 66.5, b.nics.NIC(1).HeldTime(b.now, 3).Seconds()*1e3, 0.1, "ms paused")
	assert.True(t, len(b.delivered) == 1)
}

// Each address translation that misses stops the drain: with a miss of 1 us for
// every frame, which takes 831.6 ns at 40 Gb/s, frames drain every 1831.6 ns.
func TestTranslationMisses(t *testing.T) {
	r := nic.ReceiveConfig{Buffer: 1 << 20, Xoff: 1 << 19, Xon: 1 << 18, Drain: 40 * sim.Gbps, MissProbability: 1 << 32, MissDelay: us}
	b := newTestbed(t, 2, slow(r))
	b.post(b.connect(0, 1, nil), 10*4096)
	b.run(ms)
	acks := starts(b.from(1, packet.Ack))
	assert.Equal(t, every(acks[0], us+full*drainByte, 10), acks)
}
