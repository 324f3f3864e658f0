package fabric_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/fabric"
	"rocesim/fabric/packet"
	"rocesim/sim"
)

// The wire is busy for preamble, frame and gap; the last bit leaves before the
// gap (IEEE 802.3). 4158 bytes at 100 Gb/s: 334.24 ns and 333.28 ns (V-5
// counts 4166 bytes).
func TestTransmitTimes(t *testing.T) {
	for rate, ps := range map[sim.Rate]sim.Time{10 * sim.Gbps: 800, 100 * sim.Gbps: 80, 400 * sim.Gbps: 20, 1600 * sim.Gbps: 5} {
		b := newCable(t, fabric.LinkConfig{}, fabric.PortConfig{Rate: rate})
		assert.Equal(t, rate, b.port.Rate())
		assert.Equal(t, 20, b.port.Overhead())
		assert.Zero(t, b.port.Busy())
		b.port.Transmit(1000, frame(4158))
		assert.Equal(t, 1000+4178*ps, b.port.Busy())
		b.port.Transmit(b.port.Busy(), frame(64))
		assert.Equal(t, 1000+(4178+84)*ps, b.port.Busy())
		b.run(sim.Millisecond)
		assert.Equal(t, []sim.Time{1000 + 4166*ps, 1000 + (4178+72)*ps}, b.times())
	}
}

// At 2880 Gb/s a byte lasts 25/9 ps: a train of back-to-back frames still ends
// where all its bytes do.
func TestTrainAtARateWithoutWholePicoseconds(t *testing.T) {
	b := newCable(t, fabric.LinkConfig{}, fabric.PortConfig{Rate: 2880 * sim.Gbps})
	for range 9000 {
		b.port.Transmit(b.port.Busy(), frame(4158))
		b.run(b.port.Busy())
	}
	assert.Equal(t, sim.Time(9000*4178*25/9), b.port.Busy())
}

// A slow clock lengthens each frame by its error: 100 ppm of 334.24 ns are
// 33.424 ps a frame.
func TestClockError(t *testing.T) {
	for _, ppb := range []int{0, 1000, 50_000, 100_000} {
		b := newCable(t, fabric.LinkConfig{}, fabric.PortConfig{SlowPPB: ppb})
		const n = 10_000
		for range n {
			b.port.Transmit(b.port.Busy(), frame(4158))
			b.run(b.port.Busy())
		}
		nominal := n * 4178 * 80.0
		assert.InDelta(t, float64(ppb), (float64(b.port.Busy())/nominal-1)*1e9, 1.0/334_240*1e9, "at most a picosecond a frame is lost to rounding")
	}
}

// Whatever the clock error, jitter and sizes, packets keep their order, no
// frame begins before the one before it has left, and jitter moves arrivals by
// no more than itself.
func TestOrderUnderJitter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rate := rapid.SampledFrom([]sim.Rate{10 * sim.Gbps, 100 * sim.Gbps, 400 * sim.Gbps}).Draw(rt, "rate")
		b := newCable(t, fabric.LinkConfig{Propagation: 100}, fabric.PortConfig{
			Rate: rate, SlowPPB: rapid.IntRange(0, 100_000).Draw(rt, "ppb"),
		})
		shortest := int(rate.TxTimeCeil(84))
		var sent []*packet.Packet
		var earliest []sim.Time
		for range rapid.IntRange(1, 100).Draw(rt, "frames") {
			p := frame(rapid.IntRange(64, 9218).Draw(rt, "size"))
			now := b.port.Busy() + sim.Time(rapid.IntRange(0, 1000).Draw(rt, "idle"))
			jitter := sim.Time(rapid.IntRange(0, shortest-1).Draw(rt, "jitter"))
			b.run(now)
			b.port.TransmitLate(now, p, jitter)
			require.GreaterOrEqual(rt, b.port.Busy(), now+rate.TxTimeCeil(int64(p.Frame)+20))
			sent, earliest = append(sent, p), append(earliest, now+rate.TxTimeCeil(int64(p.Frame)+8)+100)
		}
		b.run(sim.Second)
		require.Len(rt, b.far.got, len(sent))
		for i, a := range b.far.got {
			require.Same(rt, sent[i], a.p)
			require.GreaterOrEqual(rt, a.at, earliest[i])
			slow := rate.TxTimeCeil(int64(sent[i].Frame)+20) / 10_000 // 100 ppm
			require.LessOrEqual(rt, a.at, earliest[i]+slow+1+sim.Time(shortest))
		}
	})
}

// A pause frame waits for the frame on the wire, but for no other: it goes out
// ahead of queued data (IEEE 802.3 Annex 31D). It occupies 84 bytes.
func TestPauseFrameWaitsForTheWire(t *testing.T) {
	b := newCable(t, fabric.LinkConfig{Propagation: 50 * sim.Nanosecond, Response: 200 * sim.Nanosecond}, fabric.PortConfig{})
	b.port.SendPause(0, xoff(3, 100))
	assert.Equal(t, sim.Time(84*80), b.port.Busy())
	b.run(sim.Microsecond)
	b.port.Transmit(sim.Microsecond, frame(4158))
	free := b.port.Busy()
	b.run(sim.Microsecond + 10_000)
	b.port.SendPause(sim.Microsecond+10_000, xoff(3, 0))
	assert.Equal(t, free+84*80, b.port.Busy())
	b.run(sim.Millisecond)
	require.Len(t, b.far.pauses, 2)
	assert.Equal(t, sim.Time(72*80+250_000), b.far.pauses[0].at, "preamble and frame; the gap is not waited for")
	assert.Equal(t, free+72*80+250_000, b.far.pauses[1].at)
	s := b.port.Stats()
	assert.Equal(t, uint64(2), s.Sent[3])
	assert.Equal(t, uint64(1), s.Xoff[3])
	assert.Zero(t, s.Sent[4])
}

// A frame that names several priorities is one on the wire and counts for each of
// them, as the counters of ports have it (SAI_PORT_STAT_PFC_n_TX_PKTS).
func TestPauseFrameOfSeveralPriorities(t *testing.T) {
	b := newCable(t, fabric.LinkConfig{}, fabric.PortConfig{})
	b.port.SendPause(0, packet.Pause{Vector: 1<<3 | 1<<4, Quanta: 100})
	assert.Equal(t, sim.Time(84*80), b.port.Busy())
	assert.Equal(t, uint64(1), b.port.PausesSent())
	s := b.port.Stats()
	for _, n := range []int{3, 4} {
		assert.Equal(t, uint64(1), s.Sent[n])
		assert.Equal(t, uint64(1), s.Xoff[n])
	}
	b.run(sim.Millisecond)
	require.Len(t, b.far.pauses, 1)
}

// V-9: 1000 quanta pause for 5.12 us at 100 Gb/s, 1.28 us at 400 Gb/s;
// 65,535 for 335.54 us at 100 Gb/s.
func TestPauseExpires(t *testing.T) {
	for _, c := range []struct {
		rate   sim.Rate
		quanta uint16
		want   sim.Time
	}{
		{100 * sim.Gbps, 1000, 5_120_000}, {400 * sim.Gbps, 1000, 1_280_000}, {100 * sim.Gbps, 65_535, 335_539_200},
	} {
		b := newCable(t, fabric.LinkConfig{}, fabric.PortConfig{Rate: c.rate})
		const at = 7 * sim.Microsecond
		assert.False(t, b.port.ApplyPause(at, xoff(3, c.quanta)))
		assert.Equal(t, uint8(1<<3), b.port.Blocked(at))
		assert.Equal(t, at+c.want, b.port.Expiry(0xFF))
		assert.Equal(t, sim.Never, b.port.Expiry(0xFF&^(1<<3)))
		assert.Equal(t, uint8(1<<3), b.port.Blocked(at+c.want-1))
		assert.Zero(t, b.port.Blocked(at+c.want))
		assert.Equal(t, c.want, b.port.Stats().Paused[3], "paused until it expired")
		assert.Equal(t, sim.Never, b.port.Expiry(0xFF))
	}
}

// XON (quanta 0) resumes at once; a second XOFF sets the timer anew (IEEE
// 802.1Qbb: the last frame counts), also to a shorter time.
func TestResumeAndRefresh(t *testing.T) {
	b := newCable(t, fabric.LinkConfig{}, fabric.PortConfig{})
	const us = sim.Microsecond
	b.port.ApplyPause(0, xoff(3, 1000))
	b.port.ApplyPause(2*us, xoff(3, 1000))
	assert.Equal(t, 2*us+5_120_000, b.port.Expiry(0xFF))
	b.port.ApplyPause(3*us, xoff(3, 100))
	assert.Equal(t, 3*us+512_000, b.port.Expiry(0xFF))
	assert.True(t, b.port.ApplyPause(3*us+1000, xoff(3, 0)))
	assert.Zero(t, b.port.Blocked(3*us+1000))
	assert.False(t, b.port.ApplyPause(4*us, xoff(3, 0)), "nothing was paused")
	s := b.port.Stats()
	assert.Equal(t, uint64(5), s.Received[3])
	assert.Equal(t, uint64(3), s.ReceivedXoff[3])
	assert.Equal(t, uint64(1), s.Transitions[3])
	assert.Equal(t, 3*us+1000, s.Paused[3])
}

// An XOFF that comes after the last one has expired begins a second pause.
func TestPauseAfterExpiryIsANewPause(t *testing.T) {
	b := newCable(t, fabric.LinkConfig{}, fabric.PortConfig{})
	b.port.ApplyPause(0, xoff(3, 100))
	b.port.ApplyPause(sim.Microsecond, xoff(3, 100))
	s := b.port.Stats()
	assert.Equal(t, uint64(2), s.Transitions[3])
	assert.Equal(t, sim.Time(512_000), s.Paused[3])
	assert.Equal(t, sim.Time(512_000+100_000), b.port.PausedTime(sim.Microsecond+100_000, 3), "the pause under way counts")
	assert.Equal(t, sim.Time(2*512_000), b.port.PausedTime(sim.Second, 3), "but not beyond its end")
}

// One frame may speak of several priorities; those that the port does not obey
// are counted only.
func TestVectorAndPrioritiesNotObeyed(t *testing.T) {
	b := newCable(t, fabric.LinkConfig{}, fabric.PortConfig{})
	b.port.ApplyPause(0, packet.Pause{Vector: 1<<3 | 1<<4 | 1<<6, Quanta: 10})
	assert.Equal(t, uint8(1<<3|1<<4), b.port.Blocked(0))
	s := b.port.Stats()
	assert.Equal(t, uint64(1), s.ReceivedXoff[6])
	assert.Zero(t, s.Transitions[6])
	assert.True(t, b.port.ApplyPause(1, packet.Pause{Vector: 1<<4 | 1<<6}))
	assert.Equal(t, uint8(1<<3), b.port.Blocked(1))
	assert.Zero(t, b.port.Blocked(sim.Second), "the other one expires")
}

func TestInfinitePause(t *testing.T) {
	b := newCable(t, fabric.LinkConfig{}, fabric.PortConfig{Infinite: true})
	b.port.ApplyPause(0, xoff(3, 1))
	assert.Equal(t, sim.Never, b.port.Expiry(0xFF))
	assert.Equal(t, uint8(1<<3), b.port.Blocked(60*sim.Second))
	assert.True(t, b.port.ApplyPause(61*sim.Second, xoff(3, 0)))
	assert.Equal(t, 61*sim.Second, b.port.Stats().Paused[3])
}

// The observer hears of each change once, at the instant it took effect, also
// of an expiry that nobody looked at in time.
func TestObserver(t *testing.T) {
	type change struct {
		at       sim.Time
		priority int
		paused   bool
	}
	var got []change
	b := newCable(t, fabric.LinkConfig{}, fabric.PortConfig{})
	b.port.Observe(func(at sim.Time, priority int, paused bool) { got = append(got, change{at, priority, paused}) })
	b.port.ApplyPause(10, xoff(3, 1))
	b.port.ApplyPause(20, xoff(4, 1))
	b.port.ApplyPause(30, xoff(4, 0))
	b.port.Blocked(sim.Second)
	assert.Equal(t, []change{{10, 3, true}, {20, 4, true}, {30, 4, false}, {10 + 5120, 3, false}}, got)
}

// Paused time under any sequence of frames equals what a model says that looks
// at the last frame only.
func TestPausedTimeProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newCable(t, fabric.LinkConfig{}, fabric.PortConfig{})
		var now, until, paused sim.Time // until: end of the pause, 0 if none
		for range rapid.IntRange(1, 50).Draw(rt, "frames") {
			wait := sim.Time(rapid.IntRange(0, 20_000).Draw(rt, "wait"))
			paused += max(0, min(now+wait, until)-now)
			now += wait
			quanta := uint16(rapid.IntRange(0, 3).Draw(rt, "quanta"))
			b.port.ApplyPause(now, xoff(3, quanta))
			until = now + sim.Time(quanta)*5120
			require.Equal(rt, until > now, b.port.Blocked(now) != 0)
			require.Equal(rt, paused, b.port.PausedTime(now, 3))
		}
		require.Equal(rt, paused+until-now, b.port.PausedTime(sim.Second, 3))
	})
}

// The quantum of a rate without whole picoseconds is rounded up, by less than
// a picosecond a quantum.
func TestPauseAtOddRates(t *testing.T) {
	b := newCable(t, fabric.LinkConfig{}, fabric.PortConfig{Rate: 2880 * sim.Gbps})
	b.port.ApplyPause(0, xoff(3, 65_535))
	exact, _ := new(big.Rat).SetFrac64(65_535*512*1000, 2880).Float64()
	assert.InDelta(t, exact, float64(b.port.Expiry(0xFF)), 65_535)
}
