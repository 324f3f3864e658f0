package nic_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/cc"
	"rocesim/fabric/packet"
	"rocesim/nic"
	"rocesim/sim"
)

// A pause stops its priority after the frame on the wire; others go on; XON
// resumes at once.
func TestPauseStopsItsPriority(t *testing.T) {
	b := newTestbed(t, 2, func(_ int, c *nic.Config) { c.PFC, c.AckEvery = 1<<3|1<<4, 0 })
	b.post(b.connect(0, 1, nil), 1<<20)
	b.post(b.nics.Connect(nic.ConnectionConfig{Src: 0, Dst: 1, DSCP: 32}), 1<<20)
	b.run(10)
	b.pause(0, 1<<3, packet.MaxQuanta)
	b.run(10 * us)
	prios := func() (n [8]int) {
		for _, p := range b.from(0, packet.Data) {
			n[p.DSCP>>3]++
		}
		return n
	}
	assert.Equal(t, [8]int{3: 1, 4: int(10*us/fullTime) - 1}, prios())
	b.pause(0, 1<<4, packet.MaxQuanta)
	b.run(20 * us)
	before := len(b.wire)
	b.run(30 * us)
	assert.Len(t, b.wire, before, "both paused")
	require.Len(t, b.nics.Unfinished(b.now), 2)
	assert.True(t, b.nics.Unfinished(b.now)[0].Paused)
	b.pause(0, 1<<3, 0)
	b.run(30*us + fullTime)
	data := b.from(0, packet.Data)
	assert.Equal(t, 30*us, starts(data)[len(data)-1])
	assert.Equal(t, uint8(26), data[len(data)-1].DSCP)
	assert.False(t, b.nics.Unfinished(b.now)[0].Paused)
}

// V-9: without a refresh the NIC goes on when the quanta have passed:
// 65,535 at 100 Gb/s are 335.54 us.
func TestPauseRunsOut(t *testing.T) {
	b := newTestbed(t, 2, nil)
	b.pause(0, 1<<3, packet.MaxQuanta)
	b.post(b.connect(0, 1, nil), 4096)
	b.run(sim.Second)
	assert.Equal(t, []sim.Time{335_539_200}, starts(b.from(0, packet.Data)))
	assert.Equal(t, sim.Time(335_539_200), b.nics.NIC(0).PausedTime(b.now, 3))
}

// A pause of a priority that the NIC does not obey changes nothing.
func TestPauseOfALossyPriority(t *testing.T) {
	b := newTestbed(t, 2, func(_ int, c *nic.Config) { c.PFC = 1 << 4 })
	b.pause(0, 1<<3, packet.MaxQuanta)
	b.post(b.connect(0, 1, nil), 4096)
	b.run(us)
	assert.Len(t, b.from(0, packet.Data), 1)
}

// ACKs have the class of their data, so a pause of it holds them; CNPs have
// their own. Other simulators let ACKs pass.
func TestPauseHoldsAcksNotCNPs(t *testing.T) {
	for _, unpaused := range []bool{false, true} {
		b := newTestbed(t, 2, func(_ int, c *nic.Config) { c.AcksUnpaused = unpaused })
		b.mark()
		b.pause(1, 1<<3, 1000)
		b.post(b.connect(0, 1, nil), 4096)
		b.run(2 * us)
		assert.Len(t, b.from(1, packet.CNP), 1)
		if unpaused {
			assert.Len(t, b.from(1, packet.Ack), 1)
			continue
		}
		assert.Empty(t, b.from(1, packet.Ack))
		assert.Equal(t, 1, b.nics.ControlWaiting())
		b.run(sim.Millisecond)
		assert.Equal(t, []sim.Time{5120 * ns}, starts(b.from(1, packet.Ack)), "when the pause is over")
		assert.Zero(t, b.nics.ControlWaiting())
	}
}

// A switch that moves data to another class moves no ACKs: an adapter sends them
// with the code point of its own queue pair. So the queue that an ACK waits in, the
// pause that holds it and the counter that counts it are of one priority, also where
// the two adapters map the code point differently.
func TestAcksOfMovedData(t *testing.T) {
	b := newTestbed(t, 2, func(i int, c *nic.Config) {
		c.PFC = 1<<3 | 1<<4 | 1<<5
		if i == 1 {
			c.DSCPToPriority[26] = 5
		}
	})
	b.pass = func(_ sim.Time, _ int, p *packet.Packet) bool {
		if p.Kind == packet.Data {
			p.DSCP = 34 // of priority 4
		}
		return true
	}
	b.pause(1, 1<<3|1<<4, packet.MaxQuanta)
	b.post(b.connect(0, 1, nil), 2*4096)
	b.run(10 * us)
	acks := b.from(1, packet.Ack)
	require.Len(t, acks, 2, "neither pause is of their priority")
	assert.Equal(t, uint8(26), acks[0].DSCP)
	assert.Equal(t, uint8(5), acks[0].PCP)
	s := b.nics.NIC(1).Stats()
	assert.Equal(t, nic.Traffic{Packets: 2, Bytes: 2 * full}, s.Rx[4])
	assert.Equal(t, nic.Traffic{Packets: 2, Bytes: 2 * 66}, s.Tx[5])

	b.pause(1, 1<<5, packet.MaxQuanta)
	b.post(b.connect(0, 1, nil), 4096)
	b.run(20 * us)
	assert.Len(t, b.from(1, packet.Ack), 2, "this one is")
}

// CNPs are held if their priority is paused, without holding ACKs.
func TestPauseOfTheCNPPriority(t *testing.T) {
	b := newTestbed(t, 2, func(_ int, c *nic.Config) { c.PFC = 0xFF })
	b.mark()
	b.pause(1, 1<<6, 1000)
	b.post(b.connect(0, 1, nil), 4096)
	b.run(2 * us)
	assert.Len(t, b.from(1, packet.Ack), 1)
	assert.Empty(t, b.from(1, packet.CNP))
	b.run(sim.Millisecond)
	assert.Equal(t, []sim.Time{5120 * ns}, starts(b.from(1, packet.CNP)))
}

// A paced queue pair that fell due during a pause goes on at its end, once.
func TestPausedPacedQueuePair(t *testing.T) {
	b := newTestbed(t, 2, nil)
	b.post(b.connect(0, 1, cc.NewFixed(50*sim.Gbps)), 4*4096)
	b.run(10)
	b.pause(0, 1<<3, 1000)
	b.run(sim.Millisecond)
	resumed := sim.Time(10 + 5120*ns)
	assert.Equal(t, append([]sim.Time{0}, every(resumed, 2*fullTime, 3)...), starts(b.from(0, packet.Data)))
}

// What the port sends is counted by priority, with frame bytes.
func TestTrafficCounters(t *testing.T) {
	b := newTestbed(t, 2, nil)
	b.post(b.connect(0, 1, nil), 3*4096)
	b.run(sim.Millisecond)
	s, r := b.nics.NIC(0).Stats(), b.nics.NIC(1).Stats()
	assert.Equal(t, nic.Traffic{Packets: 3, Bytes: 3 * full}, s.Tx[3])
	assert.Equal(t, nic.Traffic{Packets: 3, Bytes: 3 * full}, r.Rx[3])
	assert.Equal(t, nic.Traffic{Packets: 3, Bytes: 3 * 66}, r.Tx[3])
	assert.Equal(t, nic.Traffic{Packets: 3, Bytes: 3 * 66}, s.Rx[3])
	assert.Equal(t, 2, b.nics.Len())
	assert.Equal(t, 1, b.nics.Connections())
}
