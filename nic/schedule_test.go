package nic_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/cc"
	"rocesim/fabric/packet"
	"rocesim/nic"
	"rocesim/sim"
)

// Queue pairs take turns packet by packet, or message by message.
func TestRoundRobin(t *testing.T) {
	for _, c := range []struct {
		perMessage bool
		want       []int
	}{
		{false, []int{0, 1, 2, 0, 1, 2, 0, 2, 2}},
		{true, []int{0, 0, 0, 1, 1, 2, 2, 2, 2}},
	} {
		b := newTestbed(t, 2, func(_ int, k *nic.Config) { k.PerMessage = c.perMessage })
		b.pause(0, 1<<3, 1)
		for _, packets := range []int64{3, 2, 4} {
			b.post(b.connect(0, 1, nil), packets*4096)
		}
		b.run(sim.Millisecond)
		assert.Equal(t, c.want, conns(b.from(0, packet.Data)))
	}
}

// Priorities take turns as well, whatever the number of their queue pairs.
func TestRoundRobinOverPriorities(t *testing.T) {
	b := newTestbed(t, 2, func(_ int, c *nic.Config) { c.PFC = 0xFF })
	b.pause(0, 0xFF, 1)
	for _, dscp := range []uint8{8, 8, 26, 26, 40} {
		b.post(b.nics.Connect(nic.ConnectionConfig{Src: 0, Dst: 1, DSCP: dscp}), 4*4096)
	}
	b.run(sim.Millisecond)
	var got []int
	for _, p := range b.from(0, packet.Data) {
		got = append(got, int(p.DSCP>>3))
	}
	assert.Equal(t, []int{1, 3, 5, 1, 3, 5, 1, 3, 5, 1, 3, 5, 1, 3, 1, 3, 1, 3, 1, 3}, got)
}

// Whatever the messages, while queue pairs have work none gets ahead of another
// by more than one packet, and the wire is never idle.
func TestRoundRobinIsFair(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newTestbed(t, 2, nil)
		b.pause(0, 1<<3, 1)
		left := map[int]int{}
		total := 0
		for range rapid.IntRange(1, 8).Draw(rt, "queue pairs") {
			conn := b.connect(0, 1, nil)
			for range rapid.IntRange(1, 3).Draw(rt, "messages") {
				n := rapid.IntRange(1, 10).Draw(rt, "packets")
				b.post(conn, int64(n)*4096)
				left[conn] += n
				total += n
			}
		}
		b.run(sim.Millisecond)
		data := b.from(0, packet.Data)
		require.Equal(rt, every(5120, fullTime, total), starts(data), "from the end of the pause on, back to back")
		served := map[int]int{}
		for _, conn := range conns(data) {
			served[conn]++
			left[conn]--
			for other, n := range left {
				require.True(rt, n == 0 || served[other] >= served[conn]-1, "%d is %d packets behind", other, served[conn]-served[other])
			}
		}
	})
}

// A queue pair with a rate sends a packet every wire time at that rate: 4178
// bytes at 25 Gb/s are 1336.96 ns. Two of them share the port undisturbed.
func TestPacing(t *testing.T) {
	b := newTestbed(t, 2, nil)
	for range 2 {
		b.post(b.connect(0, 1, cc.NewFixed(25*sim.Gbps)), 50*4096)
	}
	b.run(sim.Millisecond)
	data := b.from(0, packet.Data)
	byConn := func(conn uint32) (out []sent) {
		return slices.DeleteFunc(slices.Clone(data), func(s sent) bool { return s.Conn != conn })
	}
	assert.Equal(t, every(0, 4*fullTime, 50), starts(byConn(0)))
	assert.Equal(t, every(fullTime, 4*fullTime, 50), starts(byConn(1)), "starts behind the first one's packet")
	assert.Equal(t, 25*sim.Gbps, b.nics.Rate(b.now, 0))
	assert.Equal(t, rate100, b.nics.Rate(b.now, b.connect(0, 1, nil)), "without control: line rate")
}

// Paced queue pairs leave the rest of the wire to the others.
func TestPacedAndUnpacedShare(t *testing.T) {
	b := newTestbed(t, 2, nil)
	b.post(b.connect(0, 1, cc.NewFixed(25*sim.Gbps)), 1<<30)
	b.post(b.connect(0, 1, nil), 1<<30)
	b.run(sim.Millisecond)
	count := [2]float64{}
	for _, c := range conns(b.from(0, packet.Data)) {
		count[c]++
	}
	slots := float64(sim.Millisecond) / fullTime
	assert.InDelta(t, 0.25*slots, count[0], 2)
	assert.InDelta(t, 0.75*slots, count[1], 2)
}

// Limits of the adapter, each with the packet spacing that it should give.
func TestLimits(t *testing.T) {
	small := sim.Time(64+20) * perByte
	for _, c := range []struct {
		name   string
		change func(*nic.Config)
		bytes  int64
		qps    int
		step   sim.Time
	}{
		{"none", func(*nic.Config) {}, 2, 1, 86 * perByte},
		// 200 million packets a second (ConnectX-5, data-sheet knowledge) do not bind at
		// 100 Gb/s with 86-byte frames; 100 million do.
		{"packet rate that does not bind", func(c *nic.Config) { c.PacketInterval = 5 * ns }, 2, 1, 86 * perByte},
		{"packet rate", func(c *nic.Config) { c.PacketInterval = 10 * ns }, 2, 1, 10 * ns},
		{"packet rate over queue pairs", func(c *nic.Config) { c.PacketInterval = 10 * ns }, 2, 3, 10 * ns},
		{"message rate of the port", func(c *nic.Config) { c.MessageInterval = 20 * ns }, 2, 1, 20 * ns},
		{"message rate of the port over queue pairs", func(c *nic.Config) { c.MessageInterval = 20 * ns }, 2, 4, 20 * ns},
		// 2.5 million messages a second from one queue pair (data-sheet knowledge).
		{"message rate of a queue pair", func(c *nic.Config) { c.QPMessageInterval = 400 * ns }, 2, 1, 400 * ns},
		// 50 Gb/s of payload: 4096 bytes in 655.36 ns.
		{"PCIe", func(c *nic.Config) { c.PCIe = 50 * sim.Gbps }, 4096, 1, 4096 * 160},
		{"PCIe that does not bind", func(c *nic.Config) { c.PCIe = 110 * sim.Gbps }, 4096, 1, fullTime},
	} {
		assert.Less(t, small, 10*ns)
		b := newTestbed(t, 2, func(_ int, k *nic.Config) { k.AckEvery = 0; c.change(k) })
		b.pause(0, 1<<3, 1)
		for qp := range c.qps {
			conn := b.connect(0, 1, nil)
			for i := qp; i < 60; i += c.qps {
				b.post(conn, c.bytes)
			}
		}
		b.run(sim.Millisecond)
		assert.Equal(t, every(5120, c.step, 60), starts(b.from(0, packet.Data)), c.name)
	}
}

// The message rate of one queue pair does not bind several.
func TestMessageRateIsPerQueuePair(t *testing.T) {
	b := newTestbed(t, 2, func(_ int, c *nic.Config) { c.QPMessageInterval = 400 * ns })
	for range 4 {
		conn := b.connect(0, 1, nil)
		for range 25 {
			b.post(conn, 2)
		}
	}
	b.run(sim.Millisecond)
	data := b.from(0, packet.Data)
	require.Len(t, data, 100)
	assert.InDelta(t, float64(24*400*ns), float64(data[99].at), float64(100*ns), "four messages every 400 ns")
}

// A message of many packets passes the limits of the message rate but is held
// by the one after it.
func TestMessageRateCountsFromFirstPackets(t *testing.T) {
	b := newTestbed(t, 2, func(_ int, c *nic.Config) { c.MessageInterval = 2 * us })
	conn := b.connect(0, 1, nil)
	b.post(conn, 3*4096)
	b.post(conn, 4096)
	b.run(sim.Millisecond)
	assert.Equal(t, append(every(0, fullTime, 3), 2*us), starts(b.from(0, packet.Data)))
}

// In the host, CNPs go before ACKs and ACKs before data.
func TestControlGoesBeforeData(t *testing.T) {
	b := newTestbed(t, 2, nil)
	b.mark()
	b.post(b.connect(1, 0, nil), 100*4096)
	b.post(b.connect(0, 1, nil), 4096)
	b.run(2 * us)
	var kinds []packet.Kind
	for _, s := range b.wire {
		if s.src == 1 {
			kinds = append(kinds, s.Kind)
		}
	}
	// The packet from NIC 0 is there when NIC 1's first ends.
	assert.Equal(t, []packet.Kind{packet.Data, packet.CNP, packet.Ack, packet.Data}, kinds[:4])
}

// windowed is a control with a window and no pacing.
type windowed struct {
	free
	window int64
}

func (w windowed) Window() int64 { return w.window }

// With a window, no more than it is in flight, to the last packet begun.
func TestWindow(t *testing.T) {
	b := newTestbed(t, 2, func(_ int, c *nic.Config) { c.AckLatency = 10 * us })
	conn := b.connect(0, 1, windowed{free{rate100}, 2 * 4096})
	b.post(conn, 6*4096)
	b.run(sim.Millisecond)
	data := b.from(0, packet.Data)
	require.Len(t, data, 6)
	trip := sim.Time(full+8)*perByte + 10*us + 74*perByte
	assert.Equal(t, []sim.Time{0, fullTime, trip, trip + fullTime, 2 * trip, 2*trip + fullTime}, starts(data))
	assert.Len(t, b.completed, 1)
}
