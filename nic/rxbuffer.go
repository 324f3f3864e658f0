package nic

import (
	"rocesim/fabric/packet"
	"rocesim/sim"
)

// ReceiveConfig is a receive buffer that the host empties more slowly than the
// wire fills it. All sizes are in frame bytes.
type ReceiveConfig struct {
	// Buffer is its size; what does not fit is dropped. Above Xoff the NIC
	// pauses its lossless priorities, at Xon it resumes them.
	Buffer, Xoff, Xon int64
	// Drain is the rate at which it empties; 0 is a dead host.
	Drain sim.Rate
	// HiccupEvery is the time from one standstill of the host to the next,
	// HiccupFor how long one lasts; 0 has none. The first one's instant is
	// drawn per NIC.
	HiccupEvery, HiccupFor sim.Time
	// MissProbability, in units of 2^-32, is how often a packet's translation
	// (MTT or MPT) is not in the NIC's cache; each miss stops the drain for
	// MissDelay.
	MissProbability uint64
	MissDelay       sim.Time
}

// rxBuffer is a NIC's receive buffer as a fluid: it empties at a constant rate
// while the host serves, and stands still during hiccups and cache misses. A
// miss stops the drain when its packet arrives rather than when it is served:
// the sums are the same, and the future stays known.
//
// Levels are kept as the time that draining them takes, so nothing is rounded
// along the way.
type rxBuffer struct {
	config *ReceiveConfig
	random *sim.Stream
	phase  sim.Time // where in HiccupEvery hiccups begin

	at    sim.Time // of the values below
	level sim.Time // time that draining the content takes
	stall sim.Time // standstill due before the drain goes on

	size, xoff, xon sim.Time // levels
	peak            sim.Time
}

func newRxBuffer(cfg *Config) *rxBuffer {
	c := cfg.Receive
	if c == nil {
		return nil
	}
	b := &rxBuffer{config: c, random: sim.NewStream(cfg.Seed, "nic/"+cfg.Name+"/receive")}
	b.phase = b.random.Time(c.HiccupEvery)
	b.size, b.xoff, b.xon = b.drainTime(c.Buffer), b.drainTime(c.Xoff), b.drainTime(c.Xon)
	return b
}

// deadRate measures the content of a buffer that never drains: a byte is 1 ps.
const deadRate = 8000 * sim.Gbps

// drainTime is how long draining n bytes takes.
func (b *rxBuffer) drainTime(n int64) sim.Time {
	if b.config.Drain == 0 {
		return deadRate.TxTimeCeil(n)
	}
	return b.config.Drain.TxTimeCeil(n)
}

// bytes is the inverse of drainTime.
func (b *rxBuffer) bytes(level sim.Time) int64 {
	perKiB := b.drainTime(1 << 10)
	return int64(level/perKiB)<<10 + int64(level%perKiB<<10/perKiB)
}

// served returns for how much of the time until t the host has served.
func (b *rxBuffer) served(t sim.Time) sim.Time {
	c := b.config
	switch {
	case c.Drain == 0:
		return 0
	case c.HiccupEvery == 0:
		return t
	}
	x := t - b.phase + c.HiccupEvery // a hiccup begins whenever this is a multiple
	return x/c.HiccupEvery*(c.HiccupEvery-c.HiccupFor) + max(0, x%c.HiccupEvery-c.HiccupFor)
}

// when is the inverse of served: the first instant until which the host has
// served for s.
func (b *rxBuffer) when(s sim.Time) sim.Time {
	c := b.config
	switch {
	case c.Drain == 0:
		return sim.Never
	case c.HiccupEvery == 0:
		return s
	}
	open := c.HiccupEvery - c.HiccupFor
	x := s / open * c.HiccupEvery
	if rest := s % open; rest > 0 {
		x += c.HiccupFor + rest
	}
	return x + b.phase - c.HiccupEvery
}

// settle brings the level to now.
func (b *rxBuffer) settle(now sim.Time) {
	s := b.served(now) - b.served(b.at)
	b.at = now
	stood := min(s, b.stall)
	b.stall -= stood
	b.level = max(0, b.level-(s-stood))
}

// admit takes a frame in and returns after how long it has drained, Never if it
// never does. It returns false if there is no room.
func (b *rxBuffer) admit(now sim.Time, frame int64) (sim.Time, bool) {
	b.settle(now)
	t := b.drainTime(frame)
	if b.level+t > b.size {
		return 0, false
	}
	b.level += t
	b.peak = max(b.peak, b.level)
	if c := b.config; c.MissProbability > 0 && uint64(b.random.Uint32()) < c.MissProbability {
		b.stall += c.MissDelay
	}
	done := b.when(b.served(now) + b.stall + b.level)
	if done == sim.Never {
		return sim.Never, true
	}
	return done - now, true
}

// resumesAt returns when the level will have fallen to xon if nothing more
// comes.
func (b *rxBuffer) resumesAt(now sim.Time) sim.Time {
	b.settle(now)
	if b.level <= b.xon {
		return now
	}
	return b.when(b.served(now) + b.stall + b.level - b.xon)
}

// drains reports whether something in the buffer is on its way to the host.
func (b *rxBuffer) drains(now sim.Time) bool {
	b.settle(now)
	return b.level > 0 && b.config.Drain > 0
}

// accept puts a frame with payload through the receive buffer. It sets n.late,
// which delays what the frame causes, and returns false if the frame goes no
// further: it was dropped, or the host is dead. ACKs and CNPs end in the
// transport engine before the buffer.
func (n *NIC) accept(now sim.Time, p *packet.Packet) bool {
	late, ok := n.rx.admit(now, int64(p.Frame))
	if !ok {
		n.stats.OutOfBuffer++
		return false
	}
	if n.rx.level >= n.rx.xoff && n.pauser.full == 0 {
		n.pauser.full = n.config.PFC
		n.hold(now)
	}
	n.late = late
	return late < sim.Never
}

// ReceiveBuffer returns how much the NIC's receive buffer holds and its peak, in
// bytes; zeros without a buffer.
func (n *NIC) ReceiveBuffer(now sim.Time) (level, peak int64) {
	if n.rx == nil {
		return 0, 0
	}
	n.rx.settle(now)
	return n.rx.bytes(n.rx.level), n.rx.bytes(n.rx.peak)
}
