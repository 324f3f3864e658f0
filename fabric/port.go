package fabric

import (
	"math/bits"

	"rocesim/fabric/packet"
	"rocesim/sim"
)

// Priorities of a port (IEEE 802.1Q).
const Priorities = 8

// Port is the sending half of a port: when its wire is free, and which
// priorities its peer has paused. What every packet needs leaves room in a cache
// line for what a switch adds; the rest stands apart.
type Port struct {
	link     *Link
	busy     sim.Time
	perByte  sim.Time // 0: ask pfc.ser
	gapTime  sim.Time
	pfc      *pauseState
	slow     int32  // how much slower the clock runs, in 2^-slowBits
	overhead uint16 // preamble and gap in bytes
	paused   uint8  // priorities
}

// pauseState is what a port needs when it is paused or pauses its peer.
type pauseState struct {
	channel  *PauseChannel
	ser      sim.Serializer
	frame    int      // wire bytes of a pause frame
	quantum  sim.Time // length of one pause quantum
	rate     sim.Rate
	gap      int64    // bytes
	unit     sim.Time // serialisation times are floored to it
	infinite bool
	obeys    uint8
	until    [Priorities]sim.Time
	since    [Priorities]sim.Time
	frames   uint64 // pause frames sent
	stats    PauseStats
	observe  func(at sim.Time, priority int, paused bool)
}

// slowBits is the resolution of a port's clock error: 2^-30 is 0.001 ppm.
const slowBits = 30

// PauseStats count pause frames and paused time by priority.
type PauseStats struct {
	// Sent and Received are XOFF and XON frames together, a frame that names
	// several priorities in each of them
	// (SAI_PORT_STAT_PFC_n_TX_PKTS, ..._RX_PKTS); Xoff and ReceivedXoff are the
	// XOFF frames among them.
	Sent, Received, Xoff, ReceivedXoff [Priorities]uint64
	// Transitions counts changes from not paused to paused
	// (rx_prioN_pause_transition).
	Transitions [Priorities]uint64
	// Paused is for how long transmission was paused
	// (rx_prioN_pause_duration), without the pause under way.
	Paused [Priorities]sim.Time
}

// PortConfig describes the sending half of a port.
type PortConfig struct {
	Link    *Link
	Pauses  *PauseChannel
	Rate    sim.Rate
	Framing packet.Framing
	// Quantum floors serialisation times; 1 ps is exact.
	Quantum sim.Time
	// SlowPPB is how much slower than nominal the port's clock runs, in parts
	// per 10^9 (IEEE 802.3 allows 100 ppm either way).
	SlowPPB int
	// Infinite makes received pauses last until XON.
	Infinite bool
	// Obeys has bit n set if a pause of priority n is obeyed.
	Obeys uint8
}

// Init makes p ready for use.
func (p *Port) Init(c PortConfig) {
	*p = Port{
		link:     c.Link,
		slow:     int32(sim.Time(c.SlowPPB) << slowBits / 1_000_000_000),
		overhead: uint16(c.Framing.Preamble + c.Framing.Gap),
		pfc: &pauseState{
			channel:  c.Pauses,
			frame:    c.Framing.Wire(c.Framing.PFC),
			gap:      int64(c.Framing.Gap),
			unit:     c.Quantum,
			infinite: c.Infinite,
			obeys:    c.Obeys,
		},
	}
	p.SetRate(c.Rate)
}

// SetRate makes the port send at rate r from the next frame on (a link that
// lost some of its lanes). Pauses under way keep their length.
func (p *Port) SetRate(r sim.Rate) {
	p.pfc.ser = sim.NewSerializer(r, p.pfc.unit)
	p.perByte = p.pfc.ser.PerByte()
	p.gapTime = r.TxTimeCeil(p.pfc.gap)
	p.pfc.quantum = packet.QuantaTime(1, r)
	p.pfc.rate = r
}

// Rate returns the port's rate.
func (p *Port) Rate() sim.Rate { return p.pfc.rate }

// Stats returns the port's pause counters.
func (p *Port) Stats() PauseStats { return p.pfc.stats }

// PausesSent returns how many pause frames the port has put on the wire.
func (p *Port) PausesSent() uint64 { return p.pfc.frames }

// Observe has f called when a priority becomes paused or resumed (at the instant
// it takes effect, or expires).
func (p *Port) Observe(f func(at sim.Time, priority int, paused bool)) { p.pfc.observe = f }

// Overhead returns the bytes that preamble and gap add to each frame.
func (p *Port) Overhead() int { return int(p.overhead) }

// Busy returns when the wire is free.
func (p *Port) Busy() sim.Time { return p.busy }

// Transmit puts k on the wire at now. Preconditions: the wire is free. The gap
// behind the frame keeps the port busy but does not delay the last bit.
func (p *Port) Transmit(now sim.Time, k *packet.Packet) { p.TransmitLate(now, k, 0) }

// TransmitLate is Transmit with the packet delivered late by jitter, as if its
// cable were longer. Preconditions: jitter is shorter than the shortest frame,
// so that packets stay in order.
func (p *Port) TransmitLate(now sim.Time, k *packet.Packet, jitter sim.Time) {
	t := p.last(int(k.Frame) + int(p.overhead))
	p.busy = now + t + t*sim.Time(p.slow)>>slowBits
	p.link.Send(k, now+jitter, p.busy-p.gapTime+jitter)
}

// last returns how long the next n bytes last on the wire.
func (p *Port) last(n int) sim.Time {
	if p.perByte > 0 {
		return sim.Time(n) * p.perByte
	}
	return p.pfc.ser.Time(n)
}

// SendPause sends a pause frame: at once, or behind the frame on the wire.
func (p *Port) SendPause(now sim.Time, f packet.Pause) {
	c := p.pfc
	start := max(now, p.busy)
	p.busy = start + p.last(c.frame)
	c.channel.Send(f, p.busy-p.gapTime)
	c.frames++
	for v := f.Vector; v != 0; v &= v - 1 {
		n := bits.TrailingZeros8(v)
		c.stats.Sent[n]++
		if f.Quanta > 0 {
			c.stats.Xoff[n]++
		}
	}
}

// ApplyPause obeys a received frame. It reports whether a priority resumed,
// so that the port may have something to send now.
func (p *Port) ApplyPause(now sim.Time, f packet.Pause) (resumed bool) {
	p.Blocked(now) // settles pauses that have expired
	c := p.pfc
	for v := f.Vector; v != 0; v &= v - 1 {
		n := bits.TrailingZeros8(v)
		c.stats.Received[n]++
		if f.Quanta > 0 {
			c.stats.ReceivedXoff[n]++
		}
		bit := uint8(1) << n
		switch {
		case c.obeys&bit == 0: // not a lossless priority here
		case f.Quanta > 0:
			p.pause(now, n, f.Quanta)
		case p.paused&bit != 0:
			p.resume(now, n)
			resumed = true
		}
	}
	return resumed
}

func (p *Port) pause(now sim.Time, n int, quanta uint16) {
	c := p.pfc
	if p.paused&(1<<n) == 0 {
		p.paused |= 1 << n
		c.since[n] = now
		c.stats.Transitions[n]++
		if c.observe != nil {
			c.observe(now, n, true)
		}
	}
	c.until[n] = now + sim.Time(quanta)*c.quantum
	if c.infinite {
		c.until[n] = sim.Never
	}
}

func (p *Port) resume(at sim.Time, n int) {
	c := p.pfc
	p.paused &^= 1 << n
	c.stats.Paused[n] += at - c.since[n]
	if c.observe != nil {
		c.observe(at, n, false)
	}
}

// ForgetPauses resumes all priorities: a link that fails takes its peer's
// pauses with it.
func (p *Port) ForgetPauses(now sim.Time) {
	for v := p.Blocked(now); v != 0; v &= v - 1 {
		p.resume(now, bits.TrailingZeros8(v))
	}
}

// Blocked returns the priorities that are paused at now, as a bit vector.
func (p *Port) Blocked(now sim.Time) uint8 {
	if p.paused != 0 {
		p.expire(now)
	}
	return p.paused
}

func (p *Port) expire(now sim.Time) {
	for v := p.paused; v != 0; v &= v - 1 {
		n := bits.TrailingZeros8(v)
		if p.pfc.until[n] <= now {
			p.resume(p.pfc.until[n], n)
		}
	}
}

// PausedAt is Blocked for those who only look: pauses that have run out stay
// to be settled by the port itself.
func (p *Port) PausedAt(now sim.Time) uint8 {
	paused := p.paused
	for v := paused; v != 0; v &= v - 1 {
		if n := bits.TrailingZeros8(v); p.pfc.until[n] <= now {
			paused &^= 1 << n
		}
	}
	return paused
}

// Expiry returns when the first of the given priorities' pauses runs out.
func (p *Port) Expiry(priorities uint8) sim.Time {
	t := sim.Never
	for v := priorities & p.paused; v != 0; v &= v - 1 {
		t = min(t, p.pfc.until[bits.TrailingZeros8(v)])
	}
	return t
}

// PausedTime returns for how long priority n was paused until now, the pause
// under way included.
func (p *Port) PausedTime(now sim.Time, n int) sim.Time {
	c := p.pfc
	t := c.stats.Paused[n]
	if p.paused&(1<<n) != 0 {
		t += min(now, c.until[n]) - c.since[n]
	}
	return t
}
