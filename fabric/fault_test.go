package fabric_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/fabric"
	"rocesim/fabric/packet"
	"rocesim/sim"
)

// lost is a packet that a link lost; its memory may be in use again.
type lost struct {
	at    sim.Time
	p     *packet.Packet
	kind  packet.Kind
	cause fabric.LossCause
}

// faultyCable is a cable with a fault; packets come from a pool.
type faultyCable struct {
	*cable
	pool  packet.Pool
	fault *fabric.Fault
	lost  []lost
}

func newFaultyCable(t testing.TB, link fabric.LinkConfig) *faultyCable {
	c := &faultyCable{cable: newCable(t, link, fabric.PortConfig{})}
	c.fault = fabric.NewFault(&c.links[0], &c.pauses[0], &c.pool, 64, func(now sim.Time, p *packet.Packet, cause fabric.LossCause) {
		c.lost = append(c.lost, lost{now, p, p.Kind, cause})
	})
	return c
}

func (c *faultyCable) frame(kind packet.Kind, size int) *packet.Packet {
	p := c.pool.Get()
	*p = packet.Packet{Kind: kind, Frame: uint16(size)}
	return p
}

// send puts n frames on the wire back to back, letting time pass, and waits
// until all have arrived or are lost.
func (c *faultyCable) send(kind packet.Kind, size, n int) {
	for range n {
		c.run(c.port.Busy())
		c.port.Transmit(c.port.Busy(), c.frame(kind, size))
	}
	c.run(c.port.Busy() + sim.Microsecond)
}

func stream() *sim.Stream { return sim.NewStream(1, "loss") }

// What is on the wire when a link fails is lost, what is sent while it is down
// is lost, and what was sent then is lost too if the link is back before it
// would have arrived. All that comes after arrives.
func TestDownLosesWhatIsOnTheWire(t *testing.T) {
	const us = sim.Microsecond
	c := newFaultyCable(t, fabric.LinkConfig{Propagation: 10 * us})
	send := func(at sim.Time) *packet.Packet {
		c.run(at)
		p := c.frame(packet.Data, 64)
		c.links[0].Send(p, at, at)
		return p
	}
	early := send(0)
	onTheWire := send(us)
	c.run(10 * us)
	require.Len(t, c.far.got, 1)
	assert.Same(t, early, c.far.got[0].p)

	c.fault.Down(10*us, fabric.LossDown)
	assert.True(t, c.fault.IsDown())
	assert.Equal(t, []lost{{10 * us, onTheWire, packet.Data, fabric.LossDown}}, c.lost)
	assert.Zero(t, c.links[0].InFlight())
	whileDown := send(11 * us)
	c.run(30 * us)
	assert.Equal(t, lost{21 * us, whileDown, packet.Data, fabric.LossDown}, c.lost[1], "noticed where it would have arrived")
	sentDown := send(31 * us)
	c.fault.Up(32*us, fabric.LossDown)
	assert.Equal(t, lost{32 * us, sentDown, packet.Data, fabric.LossDown}, c.lost[2])
	after := send(33 * us)
	c.run(60 * us)
	require.Len(t, c.far.got, 2)
	assert.Same(t, after, c.far.got[1].p)
	assert.Equal(t, uint64(3), c.fault.Stats().Packets[fabric.LossDown][packet.Data])
	assert.Equal(t, 2, c.pool.InUse(), "lost packets are back in the pool")
}

// A link that is down for two reasons comes back when both are gone; a restart
// names the loss.
func TestTwoReasonsToBeDown(t *testing.T) {
	c := newFaultyCable(t, fabric.LinkConfig{})
	c.fault.Down(0, fabric.LossDown)
	c.send(packet.Data, 64, 1)
	c.fault.Down(c.engine.Now(), fabric.LossReboot)
	c.send(packet.Data, 64, 1)
	c.fault.Up(c.engine.Now(), fabric.LossReboot)
	c.send(packet.Data, 64, 1)
	assert.True(t, c.fault.IsDown())
	c.fault.Up(c.engine.Now(), fabric.LossDown)
	c.send(packet.Data, 64, 1)
	assert.False(t, c.fault.IsDown())
	require.Len(t, c.lost, 3)
	assert.Equal(t, "link down", c.lost[0].cause.String())
	assert.Equal(t, "switch reboot", c.lost[1].cause.String())
	assert.Equal(t, "link down", c.lost[2].cause.String())
	assert.Len(t, c.far.got, 1)
}

// Pause frames under way are lost with the link, and those sent while it is
// down.
func TestDownLosesPauseFrames(t *testing.T) {
	c := newFaultyCable(t, fabric.LinkConfig{Propagation: 1000})
	c.pauses[0].Send(xoff(3, 1), 0)
	c.fault.Down(500, fabric.LossDown)
	c.pauses[0].Send(xoff(3, 2), 600)
	c.run(5000)
	c.fault.Up(5000, fabric.LossDown)
	c.pauses[0].Send(xoff(3, 3), 5000)
	c.run(10_000)
	require.Len(t, c.far.pauses, 1)
	assert.Equal(t, uint16(3), c.far.pauses[0].pause.Quanta)
	assert.Equal(t, uint64(2), c.fault.Stats().Pauses[fabric.LossDown])
}

// Every N-th frame of a kind is lost, the first after N-1 have passed; others
// do not count.
func TestEveryNth(t *testing.T) {
	c := newFaultyCable(t, fabric.LinkConfig{})
	end := c.fault.Lose(fabric.Loss{Frames: fabric.DataFrames, Every: 4})
	for range 12 {
		c.send(packet.Data, 1000, 1)
		c.send(packet.Ack, 66, 1)
	}
	assert.Len(t, c.far.got, 24-3)
	require.Len(t, c.lost, 3)
	for _, l := range c.lost {
		assert.Equal(t, packet.Data, l.kind)
		assert.Equal(t, fabric.LossInjected, l.cause)
	}
	end()
	c.send(packet.Data, 1000, 8)
	assert.Len(t, c.lost, 3, "the loss has ended")
}

// A loss concerns the kinds of frames it names.
func TestLossByKind(t *testing.T) {
	all := []packet.Kind{packet.Data, packet.Ack, packet.Nak, packet.CNP, packet.Datagram}
	for _, tc := range []struct {
		name   string
		frames fabric.Frames
		lost   []packet.Kind
		pauses int
	}{
		{"data", fabric.DataFrames, []packet.Kind{packet.Data, packet.Datagram}, 0},
		{"acks", fabric.AckFrames, []packet.Kind{packet.Ack, packet.Nak}, 0},
		{"CNPs", fabric.CNPFrames, []packet.Kind{packet.CNP}, 0},
		{"pauses", fabric.PauseFrames, nil, 1},
		{"all", fabric.AllFrames, all, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := newFaultyCable(t, fabric.LinkConfig{})
			c.fault.Lose(fabric.Loss{Frames: tc.frames, Probability: 1, Random: stream()})
			for _, k := range all {
				c.send(k, 100, 1)
			}
			c.port.SendPause(c.engine.Now(), xoff(3, 1))
			c.run(c.port.Busy() + sim.Microsecond)
			var kinds []packet.Kind
			for _, l := range c.lost {
				kinds = append(kinds, l.kind)
			}
			assert.Equal(t, tc.lost, kinds)
			assert.Len(t, c.far.got, len(all)-len(tc.lost))
			assert.Len(t, c.far.pauses, 1-tc.pauses)
		})
	}
}

// Random losses have the probability asked for, bit errors that of at least one
// wrong bit in the frame: 1-(1-p)^(8*size), computed here by repeated
// multiplication. 40,000 frames, five standard deviations.
func TestProbabilities(t *testing.T) {
	anyWrong := func(ber float64, bytes int) float64 {
		right := 1.0
		for range 8 * bytes {
			right *= 1 - ber
		}
		return 1 - right
	}
	for _, tc := range []struct {
		name  string
		loss  fabric.Loss
		size  int
		want  float64
		cause fabric.LossCause
	}{
		{"half", fabric.Loss{Probability: 0.5}, 100, 0.5, fabric.LossInjected},
		{"one in a hundred", fabric.Loss{Probability: 0.01}, 100, 0.01, fabric.LossInjected},
		{"bit errors, small frames", fabric.Loss{BitErrors: 1e-5}, 64, anyWrong(1e-5, 64), fabric.LossBitError},
		{"bit errors, large frames", fabric.Loss{BitErrors: 1e-5}, 4158, anyWrong(1e-5, 4158), fabric.LossBitError},
		{"every bit wrong", fabric.Loss{BitErrors: 1}, 64, 1, fabric.LossBitError},
	} {
		t.Run(tc.name, func(t *testing.T) {
			const n = 40_000
			c := newFaultyCable(t, fabric.LinkConfig{})
			tc.loss.Frames, tc.loss.Random = fabric.AllFrames, stream()
			c.fault.Lose(tc.loss)
			c.send(packet.Data, tc.size, n)
			deviation := math.Sqrt(n * tc.want * (1 - tc.want))
			assert.InDelta(t, n*tc.want, float64(len(c.lost)), 5*deviation)
			for _, l := range c.lost {
				require.Equal(t, tc.cause, l.cause)
			}
		})
	}
}

// A frame that a cut-through switch holds is looked at once, when its header
// comes.
func TestHeldFrameIsLookedAtOnce(t *testing.T) {
	c := newFaultyCable(t, fabric.LinkConfig{Propagation: 10})
	c.fault.Lose(fabric.Loss{Frames: fabric.AllFrames, Every: 2})
	c.far.reply = func(now sim.Time, p *packet.Packet) {
		if p.Flags&packet.Held == 0 {
			p.Flags |= packet.Held
			c.links[0].Hold(p, now+5)
		}
	}
	c.links[0].Send(c.frame(packet.Data, 64), 0, 0)
	c.run(sim.Microsecond)
	assert.Len(t, c.far.got, 2)
	assert.Empty(t, c.lost)
}

// Whatever happens to a link, each packet arrives or is lost, once, in order,
// and the pool knows.
func TestFaultsConservePackets(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := newFaultyCable(t, fabric.LinkConfig{Propagation: sim.Time(rapid.IntRange(0, 100).Draw(rt, "delay"))})
		var ends []func()
		var now sim.Time
		sent := 0
		for range rapid.IntRange(1, 100).Draw(rt, "steps") {
			now += sim.Time(rapid.IntRange(0, 60).Draw(rt, "wait"))
			c.run(now)
			switch rapid.IntRange(0, 6).Draw(rt, "what") {
			case 0:
				c.fault.Down(now, rapid.SampledFrom([]fabric.LossCause{fabric.LossDown, fabric.LossReboot}).Draw(rt, "cause"))
			case 1:
				c.fault.Up(now, rapid.SampledFrom([]fabric.LossCause{fabric.LossDown, fabric.LossReboot}).Draw(rt, "cause"))
			case 2:
				ends = append(ends, c.fault.Lose(fabric.Loss{Frames: fabric.AllFrames, Every: rapid.IntRange(1, 4).Draw(rt, "every")}))
			case 3:
				if len(ends) > 0 {
					ends[0]()
					ends = ends[1:]
				}
			default:
				p := c.frame(packet.Data, 64)
				p.Conn = uint32(sent)
				sent++
				c.links[0].Send(p, now, now+1)
			}
			require.Equal(rt, sent, len(c.far.got)+len(c.lost)+c.links[0].InFlight())
			require.Equal(rt, len(c.far.got)+c.links[0].InFlight(), c.pool.InUse())
		}
		c.run(sim.Second)
		require.Equal(rt, sent, len(c.far.got)+len(c.lost))
		for i := 1; i < len(c.far.got); i++ {
			require.Less(rt, c.far.got[i-1].p.Conn, c.far.got[i].p.Conn)
		}
		require.Equal(rt, len(c.far.got), c.pool.InUse())
	})
}

// A degraded lane serialises frames and pause quanta at its own rate from the
// next frame on.
func TestSetRate(t *testing.T) {
	c := newCable(t, fabric.LinkConfig{}, fabric.PortConfig{})
	c.port.Transmit(0, frame(4158))
	assert.Equal(t, sim.Time(4178*80), c.port.Busy())
	c.port.SetRate(25 * sim.Gbps)
	assert.Equal(t, 25*sim.Gbps, c.port.Rate())
	c.run(c.port.Busy())
	c.port.Transmit(c.port.Busy(), frame(4158))
	assert.Equal(t, sim.Time(4178*80+4178*320), c.port.Busy())
	c.run(sim.Millisecond)
	assert.Equal(t, []sim.Time{4166 * 80, 4178*80 + 4166*320}, c.times())
	c.port.ApplyPause(sim.Millisecond, xoff(3, 100))
	assert.Equal(t, sim.Millisecond+100*512*40, c.port.Expiry(0xFF), "512 bit times at 25 Gb/s are 20.48 ns")
}

// A failed link takes the peer's pauses with it, and they count until then.
func TestForgetPauses(t *testing.T) {
	c := newCable(t, fabric.LinkConfig{}, fabric.PortConfig{Infinite: true})
	c.port.ApplyPause(100, packet.Pause{Vector: 1<<3 | 1<<4, Quanta: 1})
	c.port.ForgetPauses(700)
	assert.Zero(t, c.port.Blocked(700))
	assert.Equal(t, sim.Time(600), c.port.Stats().Paused[3])
	assert.Equal(t, sim.Time(600), c.port.Stats().Paused[4])
}
