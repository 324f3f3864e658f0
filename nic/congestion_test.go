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

// free is a control that neither paces nor bounds what is in flight.
type free struct{ line sim.Rate }

func (free) Sent(sim.Time, int) sim.Time { return 0 }
func (free) OnCNP(sim.Time)              {}
func (free) OnAck(sim.Time, cc.Ack)      {}
func (f free) Rate(sim.Time) sim.Rate    { return f.line }
func (free) Window() int64               { return 0 }

// reaction is a reaction point that writes down what it hears and changes
// nothing (V-25: RP reaction disabled).
type reaction struct {
	free
	cnps []sim.Time
	acks []cc.Ack
	at   []sim.Time // of the acks
}

func (r *reaction) OnCNP(now sim.Time) { r.cnps = append(r.cnps, now) }

func (r *reaction) OnAck(now sim.Time, a cc.Ack) {
	r.acks, r.at = append(r.acks, a), append(r.at, now)
}

// V-25: with all packets marked a flow gets one CNP per interval,
// quantised by the packet spacing s: 1/(ceil(N/s)*s), for 50 us 20,000 a second
// ± 0.5 %, for 4 us 249.3 k at MTU 4096 and 245.7 k at 1024.
func TestCNPRate(t *testing.T) {
	for _, c := range []struct {
		mtu      int
		interval sim.Time
		want     float64 // per second
	}{
		{4096, 50 * us, 20_000}, {1024, 50 * us, 20_000}, {4096, 4 * us, 249_300}, {1024, 4 * us, 245_700},
	} {
		b := newTestbed(t, 2, func(_ int, k *nic.Config) { k.MTU, k.CNPInterval, k.AckEvery = c.mtu, c.interval, 0 })
		b.mark()
		r := &reaction{}
		b.post(b.connect(0, 1, r), 1<<30)
		b.run(10 * sim.Millisecond)
		cnps := b.from(1, packet.CNP)
		spacing := sim.Time(c.mtu+82) * perByte
		step := (c.interval + spacing - 1) / spacing * spacing
		first := cnps[0].at
		for i, p := range cnps {
			assert.Equal(t, first+sim.Time(i)*step, p.at)
			assert.Equal(t, p.at, r.cnps[i])
		}
		assert.InDelta(t, c.want, 1/step.Seconds(), c.want*0.005)
		assert.InDelta(t, c.want, float64(len(cnps))/0.01, c.want*0.005)
		s := b.nics.NIC(1).Stats()
		assert.Equal(t, uint64(len(cnps)), s.CNPSent)
		assert.InDelta(t, float64(10*sim.Millisecond/spacing), float64(s.Marked), 1)
		assert.InDelta(t, float64(len(cnps)), float64(b.nics.NIC(0).Stats().CNPHandled), 1)
	}
}

// InfiniBand Annex A17.9.3: a CNP has a frame of 78 bytes, a priority of its own (DSCP 48), and
// leaves CNPDelay after the last bit of the marked packet. The first marked
// packet is answered at once (DCQCN 3.1), whatever came before it.
func TestCNPFieldsAndDelay(t *testing.T) {
	b := newTestbed(t, 2, func(_ int, c *nic.Config) { c.CNPDelay, c.AckEvery = 700*ns, 0 })
	b.pass = func(_ sim.Time, _ int, p *packet.Packet) bool {
		if p.Kind == packet.Data && p.Payload == 1000 {
			p.Flags |= packet.CE
		}
		return true
	}
	conn := b.connect(0, 1, nil)
	b.post(conn, 3*4096+1000)
	b.run(sim.Millisecond)
	cnps, data := b.from(1, packet.CNP), b.from(0, packet.Data)
	require.Len(t, cnps, 1)
	p := cnps[0]
	assert.Equal(t, data[3].at+700*ns, starts(cnps)[0])
	assert.Equal(t, uint16(78), p.Frame)
	assert.Equal(t, uint8(48), p.DSCP)
	assert.Equal(t, uint32(2), p.Entropy, "it takes the way of the flow's answers")
	assert.Equal(t, uint32(0), p.Dst)
	assert.Zero(t, p.Flags&packet.ECT, "a CNP is not marked")
	assert.Equal(t, uint64(1), b.nics.NIC(0).Stats().CNPIgnored, "no reaction point")
	assert.Equal(t, nic.Traffic{Packets: 1, Bytes: 78}, b.nics.NIC(1).Stats().Tx[6])
	assert.Equal(t, nic.Traffic{Packets: 1, Bytes: 78}, b.nics.NIC(0).Stats().Rx[6])
}

// The interval is kept per queue pair, per source NIC, or per port: of two
// queue pairs of NIC 0 and one of NIC 1 that all send marked packets for five
// intervals, each, each source, or only one gets its CNPs.
func TestCNPScope(t *testing.T) {
	for scope, streams := range map[nic.CNPScope]int{nic.PerQP: 3, nic.PerSource: 2, nic.PerPort: 1} {
		b := newTestbed(t, 3, func(_ int, c *nic.Config) { c.CNPScope, c.AckEvery = scope, 0 })
		b.mark()
		for _, src := range []int{0, 0, 1} {
			b.post(b.connect(src, 2, nil), 1<<30)
		}
		b.run(240 * us)
		assert.Len(t, b.from(2, packet.CNP), 5*streams, "scope %d", scope)
	}
}

// Interval 0 answers every marked packet.
func TestCNPWithoutInterval(t *testing.T) {
	b := newTestbed(t, 2, func(_ int, c *nic.Config) { c.CNPInterval = 0 })
	b.mark()
	b.post(b.connect(0, 1, nil), 20*4096)
	b.run(sim.Millisecond)
	assert.Len(t, b.from(1, packet.CNP), 20)
}

// Other simulators put the notification on the ACK: no CNP, no interval. With
// coalesced ACKs one mark among the packets is enough.
func TestEchoedNotification(t *testing.T) {
	for ackEvery, want := range map[int][]bool{1: {true, false, false, true, false, false, true, false}, 4: {true, true}} {
		b := newTestbed(t, 2, func(_ int, c *nic.Config) { c.EchoCNP, c.AckEvery = true, ackEvery })
		count := 0
		b.pass = func(_ sim.Time, _ int, p *packet.Packet) bool {
			if p.Kind == packet.Data {
				if count%3 == 0 {
					p.Flags |= packet.CE
				}
				count++
			}
			return true
		}
		r := &reaction{}
		b.post(b.connect(0, 1, r), 8*4096)
		b.run(sim.Millisecond)
		assert.Empty(t, b.from(1, packet.CNP))
		var echo []bool
		told := 0
		for _, a := range r.acks {
			echo = append(echo, a.Echo)
			if a.Echo {
				told++
			}
		}
		assert.Equal(t, want, echo)
		assert.Len(t, r.cnps, told)
		assert.Equal(t, uint64(told), b.nics.NIC(0).Stats().CNPHandled)
	}
}

// The feedback of an ACK: the time since the acknowledged packet was sent and
// the payload newly acknowledged.
func TestAckFeedback(t *testing.T) {
	b := newTestbed(t, 2, func(_ int, c *nic.Config) { c.AckEvery, c.AckLatency = 2, 100*ns })
	r := &reaction{}
	b.post(b.connect(0, 1, r), 4*4096+100)
	b.run(sim.Millisecond)
	const rtt = (full+8)*perByte + 100*ns + (66+8)*perByte
	assert.Equal(t, []cc.Ack{{RTT: rtt, Bytes: 2 * 4096}, {RTT: rtt, Bytes: 2 * 4096}, {RTT: rtt - 3996*perByte, Bytes: 100}}, r.acks)
}

// Marked datagrams are counted and not answered.
func TestMarkedDatagrams(t *testing.T) {
	b := newTestbed(t, 2, nil)
	b.pass = func(_ sim.Time, _ int, p *packet.Packet) bool { p.Flags |= packet.CE; return true }
	b.post(b.nics.Connect(nic.ConnectionConfig{Src: 0, Dst: 1, DSCP: 26, Unreliable: true}), 3*4096)
	b.run(sim.Millisecond)
	assert.Equal(t, uint64(3), b.nics.NIC(1).Stats().Marked)
	assert.Empty(t, b.from(1, packet.CNP))
}
