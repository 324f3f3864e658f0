package packet_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/fabric/packet"
	"rocesim/sim"
)

// V-1 and InfiniBand Annex A17: a middle packet of RoCEv2 over IPv4 is PMTU + 62 bytes in
// the frame and PMTU + 82 on the wire; IPv6 adds 20, a VLAN tag 4; RoCEv1 is
// PMTU + 94 on the wire. ACK and CNP are 86 and 98 bytes on the wire (106 and
// 118 over IPv6), a pause frame 84.
func TestFrameSizes(t *testing.T) {
	v4 := packet.RoCEv2()
	for _, c := range []struct {
		name           string
		f              packet.Framing
		data, ack, cnp int // on the wire; data without payload
	}{
		{"RoCEv2 over IPv4", v4, 82, 86, 98},
		{"over IPv6", v4.IPv6(), 102, 106, 118},
		{"with a VLAN tag", v4.Tagged(), 86, 90, 102},
		{"over IPv6 with a VLAN tag", v4.IPv6().Tagged(), 106, 110, 122},
		{"RoCEv1", v4.RoCEv1(), 94, 98, 110},
	} {
		for _, mtu := range []int{256, 512, 1024, 2048, 4096} {
			assert.Equal(t, mtu+c.data, c.f.Wire(c.f.Frame(mtu, false)), "%s, MTU %d", c.name, mtu)
			assert.Equal(t, mtu+c.data+16, c.f.Wire(c.f.Frame(mtu, true)), "%s: the first packet has a RETH", c.name)
		}
		assert.Equal(t, c.ack, c.f.Wire(c.f.Ack), c.name)
		assert.Equal(t, c.cnp, c.f.Wire(c.f.CNP), c.name)
		assert.Equal(t, 84, c.f.Wire(c.f.PFC), "%s: PFC frames carry no tag", c.name)
	}
	assert.Equal(t, 4158, v4.Frame(4096, false), "docs/accuracy.md, V-4")
	assert.Equal(t, 66, v4.Ack)
	assert.Equal(t, 78, v4.CNP)
}

// A datagram (UD SEND) carries a DETH of 8 bytes (InfiniBand Annex A17): 70 bytes around
// the payload, over any network.
func TestDatagramFrame(t *testing.T) {
	assert.Equal(t, 1024+70, packet.RoCEv2().DatagramFrame(1024))
	assert.Equal(t, 1024+94, packet.RoCEv2().IPv6().Tagged().DatagramFrame(1024))
	assert.Equal(t, 4+70, packet.RoCEv2().DatagramFrame(1))
	assert.Equal(t, 70, packet.RoCEv2().DatagramFrame(0))
}

// Payload is padded to four bytes (PadCnt of the BTH), and no frame is shorter
// than 64 bytes (IEEE 802.3).
func TestPaddingAndMinimum(t *testing.T) {
	v4 := packet.RoCEv2()
	for payload, want := range map[int]int{0: 64, 1: 66, 2: 66, 3: 66, 4: 66, 5: 70, 1023: 1086, 1024: 1086, 1025: 1090} {
		assert.Equal(t, want, v4.Frame(payload, false), "payload %d", payload)
	}
	assert.Equal(t, 78, v4.Frame(0, true), "an empty WRITE has a RETH")
	unpadded := v4
	unpadded.Pad = 1
	assert.Equal(t, 67, unpadded.Frame(5, false))
}

// docs/accuracy.md, V-4: M / (M + n*82 + 16) for messages of one full packet and of 64 KiB.
func TestEfficiency(t *testing.T) {
	v4 := packet.RoCEv2()
	eff := func(f packet.Framing, n int64, mtu int) float64 { return float64(n) / float64(f.MessageWire(n, mtu)) }
	for mtu, want := range map[int]float64{256: 0.72316, 512: 0.83934, 1024: 0.91266, 2048: 0.95433, 4096: 0.97663} {
		assert.InDelta(t, want, eff(v4, int64(mtu), mtu), 5e-6, "WRITE only, MTU %d", mtu)
	}
	for mtu, want := range map[int]float64{256: 0.75740, 512: 0.86195, 1024: 0.92586, 2048: 0.96150, 4096: 0.98037} {
		middle := float64(mtu) / float64(v4.Wire(v4.Frame(mtu, false)))
		assert.InDelta(t, want, middle, 5e-6, "middle packet, MTU %d", mtu)
	}
	const long = 1 << 40
	assert.InDelta(t, 0.97570, eff(v4.IPv6(), long, 4096), 5e-6)
	assert.InDelta(t, 0.97944, eff(v4.Tagged(), long, 4096), 5e-6)
	assert.InDelta(t, 0.97757, eff(v4.RoCEv1(), long, 4096), 5e-6)
	assert.InDelta(t, 0.92565, eff(v4, 1<<16, 1024), 5e-6)
	assert.InDelta(t, 0.98014, eff(v4, 1<<16, 4096), 5e-6)
}

// V-2: a 64 KiB WRITE is 66,864 bytes on the wire in 16 packets of 4096,
// 70,800 in 64 packets of 1024.
func TestMessageWire(t *testing.T) {
	v4 := packet.RoCEv2()
	assert.Equal(t, int64(66_864), v4.MessageWire(1<<16, 4096))
	assert.Equal(t, int64(16), packet.Packets(1<<16, 4096))
	assert.Equal(t, int64(70_800), v4.MessageWire(1<<16, 1024))
	assert.Equal(t, int64(64), packet.Packets(1<<16, 1024))
	assert.Equal(t, int64(98), v4.MessageWire(0, 4096), "an empty message is one packet with RETH")
	assert.Equal(t, int64(1), packet.Packets(0, 4096))
}

// MessageWire is the sum over the packets that a requester cuts.
func TestMessageWireIsTheSumOfItsPackets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom([]packet.Framing{
			packet.RoCEv2(), packet.RoCEv2().IPv6(), packet.RoCEv2().Tagged(), packet.RoCEv2().RoCEv1(),
		}).Draw(t, "framing")
		mtu := rapid.IntRange(1, 4096).Draw(t, "mtu")
		n := rapid.Int64Range(0, 100_000).Draw(t, "bytes")
		var sum, packets int64
		for rest, first := n, true; first || rest > 0; first = false {
			payload := min(rest, int64(mtu))
			rest -= payload
			packets++
			sum += int64(f.Wire(f.Frame(int(payload), first)))
		}
		require.Equal(t, packets, packet.Packets(n, mtu))
		require.Equal(t, sum, f.MessageWire(n, mtu))
	})
}

// IEEE 802.3 Annex 31D: 65,535 quanta of 512 bit times.
func TestQuantaTime(t *testing.T) {
	for rate, micros := range map[sim.Rate]float64{
		10 * sim.Gbps: 3355.4, 40 * sim.Gbps: 838.8, 100 * sim.Gbps: 335.5, 200 * sim.Gbps: 167.8, 400 * sim.Gbps: 83.9, 800 * sim.Gbps: 41.9,
	} {
		assert.InDelta(t, micros, packet.QuantaTime(packet.MaxQuanta, rate).Micros(), 0.05, "%v", rate)
	}
	// V-9: 1000 quanta are 5.12 us at 100 Gb/s and 1.28 us at 400 Gb/s.
	assert.Equal(t, 5120*sim.Nanosecond, packet.QuantaTime(1000, 100*sim.Gbps))
	assert.Equal(t, 1280*sim.Nanosecond, packet.QuantaTime(1000, 400*sim.Gbps))
	assert.Equal(t, 335_539_200*sim.Picosecond, packet.QuantaTime(packet.MaxQuanta, 100*sim.Gbps))
	assert.Equal(t, 5120*sim.Picosecond, packet.QuantaTime(1, 100*sim.Gbps))
	assert.Zero(t, packet.QuantaTime(0, 100*sim.Gbps))
}
