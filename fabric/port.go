package fabric

import (
	"math/bits"

	"rocesim/fabric/packet"
	"rocesim/sim"
)

// Priorities of a port (IEEE 802.1Q).
const Priorities = 8

// Port is the sending half of a port: when its wire is free, and which
// priorities its peer has paused.
type Port struct {
	link        *Link
	pauses      *PauseChannel
	busy        sim.Time
	gapTime     sim.Time
	slow        sim.Time // how much slower the clock runs, in 2^-slowBits
	overhead    int      // preamble and gap in bytes
	paused      uint8
	infinite    bool
	obeys       uint8
	ser         sim.Serializer
	quantum     sim.Time // length of one pause quantum
	pauseFrame  int      // wire bytes
	pausedUntil [Priorities]sim.Time
	pausedSince [Priorities]sim.Time

	// Stats are the port's pause counters.
	Stats PauseStats
	// OnPause, if not nil, is called when a priority becomes paused or resumed
	// (at the instant it takes effect, or expires).
	OnPause func(at sim.Time, priority int, paused bool)
}

// slowBits is the resolution of a port's clock error: 2^-30 is 0.001 ppm.
const slowBits = 30

// PauseStats count pause frames and paused time by priority.
type PauseStats struct {
	// Sent and Received are XOFF and XON frames together
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
		link:       c.Link,
		pauses:     c.Pauses,
		gapTime:    c.Rate.TxTimeCeil(int64(c.Framing.Gap)),
		slow:       sim.Time(c.SlowPPB) << slowBits / 1_000_000_000,
		overhead:   c.Framing.Preamble + c.Framing.Gap,
		infinite:   c.Infinite,
		obeys:      c.Obeys,
		ser:        sim.NewSerializer(c.Rate, c.Quantum),
		quantum:    packet.QuantaTime(1, c.Rate),
		pauseFrame: c.Framing.Wire(c.Framing.PFC),
	}
}

// Rate returns the port's rate.
func (p *Port) Rate() sim.Rate { return p.ser.Rate() }

// Overhead returns the bytes that preamble and gap add to each frame.
func (p *Port) Overhead() int { return p.overhead }

// Busy returns when the wire is free.
func (p *Port) Busy() sim.Time { return p.busy }

// Transmit puts k on the wire at now. Preconditions: the wire is free. The gap
// behind the frame keeps the port busy but does not delay the last bit.
func (p *Port) Transmit(now sim.Time, k *packet.Packet) { p.TransmitLate(now, k, 0) }

// TransmitLate is Transmit with the packet delivered late by jitter, as if its
// cable were longer. Preconditions: jitter is shorter than the shortest frame,
// so that packets stay in order.
func (p *Port) TransmitLate(now sim.Time, k *packet.Packet, jitter sim.Time) {
	t := p.ser.Time(int(k.Frame) + p.overhead)
	p.busy = now + t + t*p.slow>>slowBits
	p.link.Send(k, now+jitter, p.busy-p.gapTime+jitter)
}

// SendPause sends a pause frame: at once, or behind the frame on the wire.
func (p *Port) SendPause(now sim.Time, f packet.Pause) {
	start := max(now, p.busy)
	p.busy = start + p.ser.Time(p.pauseFrame)
	p.pauses.Send(f, p.busy-p.gapTime)
	for v := f.Vector; v != 0; v &= v - 1 {
		n := bits.TrailingZeros8(v)
		p.Stats.Sent[n]++
		if f.Quanta > 0 {
			p.Stats.Xoff[n]++
		}
	}
}

// ApplyPause obeys a received frame. It reports whether a priority resumed,
// so that the port may have something to send now.
func (p *Port) ApplyPause(now sim.Time, f packet.Pause) (resumed bool) {
	p.Blocked(now) // settles pauses that have expired
	for v := f.Vector; v != 0; v &= v - 1 {
		n := bits.TrailingZeros8(v)
		p.Stats.Received[n]++
		if f.Quanta > 0 {
			p.Stats.ReceivedXoff[n]++
		}
		bit := uint8(1) << n
		if p.obeys&bit == 0 {
			continue
		}
		switch {
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
	if p.paused&(1<<n) == 0 {
		p.paused |= 1 << n
		p.pausedSince[n] = now
		p.Stats.Transitions[n]++
		if p.OnPause != nil {
			p.OnPause(now, n, true)
		}
	}
	p.pausedUntil[n] = now + sim.Time(quanta)*p.quantum
	if p.infinite {
		p.pausedUntil[n] = sim.Never
	}
}

func (p *Port) resume(at sim.Time, n int) {
	p.paused &^= 1 << n
	p.Stats.Paused[n] += at - p.pausedSince[n]
	if p.OnPause != nil {
		p.OnPause(at, n, false)
	}
}

// Blocked returns the priorities that are paused at now, as a bit vector.
func (p *Port) Blocked(now sim.Time) uint8 {
	if p.paused == 0 {
		return 0
	}
	for v := p.paused; v != 0; v &= v - 1 {
		n := bits.TrailingZeros8(v)
		if p.pausedUntil[n] <= now {
			p.resume(p.pausedUntil[n], n)
		}
	}
	return p.paused
}

// Expiry returns when the first of the given priorities' pauses runs out.
func (p *Port) Expiry(priorities uint8) sim.Time {
	t := sim.Never
	for v := priorities & p.paused; v != 0; v &= v - 1 {
		t = min(t, p.pausedUntil[bits.TrailingZeros8(v)])
	}
	return t
}

// PausedTime returns for how long priority n was paused until now, the pause
// under way included.
func (p *Port) PausedTime(now sim.Time, n int) sim.Time {
	t := p.Stats.Paused[n]
	if p.paused&(1<<n) != 0 {
		t += min(now, p.pausedUntil[n]) - p.pausedSince[n]
	}
	return t
}
