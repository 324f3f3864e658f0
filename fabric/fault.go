package fabric

import (
	"math"

	"rocesim/fabric/packet"
	"rocesim/sim"
)

// LossCause says why a frame that was sent did not arrive.
type LossCause uint8

// Causes of loss on a link.
const (
	LossDown     LossCause = iota // the link was down
	LossReboot                    // a switch at one of its ends was restarting
	LossInjected                  // asked for: at random or every N-th frame
	LossBitError                  // a bit was wrong, so the frame check failed (IEEE 802.3, 3.2.9)
	LossCauses                    // their number
)

// String returns the cause in words.
func (c LossCause) String() string {
	return [...]string{"link down", "switch reboot", "loss", "bit error"}[c]
}

// Frames is a set of kinds of frames.
type Frames uint8

// Kinds of frames.
const (
	DataFrames  Frames = 1 << iota // data and datagrams
	AckFrames                      // ACKs and NAKs
	CNPFrames                      // congestion notification packets
	PauseFrames                    // PFC
	AllFrames   = DataFrames | AckFrames | CNPFrames | PauseFrames
)

func framesOf(k packet.Kind) Frames {
	switch k {
	case packet.Ack, packet.Nak:
		return AckFrames
	case packet.CNP:
		return CNPFrames
	default:
		return DataFrames
	}
}

// Loss describes one way in which a link loses frames. One of Probability,
// Every and BitErrors is set.
type Loss struct {
	// Frames are those that it applies to.
	Frames Frames
	// Probability with which a frame is lost, each on its own.
	Probability float64
	// Every loses each N-th of these frames, counted from the beginning of the
	// loss.
	Every int
	// BitErrors is the probability that a bit is wrong; a frame of n bits is
	// lost with probability 1-(1-BitErrors)^n.
	BitErrors float64
	// Random is where chance comes from; not needed for Every.
	Random *sim.Stream
}

// lossRule is a Loss under way.
type lossRule struct {
	Loss
	seen   int
	chance uint64            // Probability
	bySize map[uint16]uint64 // chances of frames by size, of BitErrors
}

// certain is the chance of what always happens: chances are in units of 2^-63.
const certain = 1 << 63

func chanceOf(p float64) uint64 { return uint64(min(max(p, 0), 1) * certain) }

// hits decides whether a frame of some bytes is lost.
func (r *lossRule) hits(bytes uint16) bool {
	if r.Every > 0 {
		if r.seen++; r.seen < r.Every {
			return false
		}
		r.seen = 0
		return true
	}
	chance := r.chance
	if r.BitErrors > 0 {
		chance = r.bitChance(bytes)
	}
	return r.Random.Uint64()>>1 < chance
}

// bitChance is the chance of at least one wrong bit in a frame. Few sizes occur
// in a run, so each is computed once.
func (r *lossRule) bitChance(bytes uint16) uint64 {
	chance, known := r.bySize[bytes]
	if !known {
		chance = chanceOf(-math.Expm1(8 * float64(bytes) * math.Log1p(-r.BitErrors)))
		r.bySize[bytes] = chance
	}
	return chance
}

// LossStats count what a link has lost.
type LossStats struct {
	// Packets lost by cause and packet.Kind, Pauses by cause.
	Packets [LossCauses][packet.Kinds]uint64
	Pauses  [LossCauses]uint64
}

// Fault is what may be wrong with one direction of a link and with the pause
// channel beside it. A link without a fault pays nothing for the possibility.
//
// Frames are lost where they would have arrived. A cut-through switch that has
// begun to send on a frame whose end is damaged would send its beginning with a
// false check sequence; here the whole frame is lost on the damaged link.
type Fault struct {
	link    *Link
	channel *PauseChannel
	pkts    *packet.Pool
	pause   uint16 // size of a pause frame in bytes
	broken  uint8  // bit n is set if LossCause n keeps the link down
	rules   []*lossRule
	stats   LossStats
	observe func(now sim.Time, p *packet.Packet, c LossCause)
}

// NewFault returns the fault of a link, none being there yet. pause is the size
// of a pause frame in bytes. observe, if not nil, is called before a lost packet
// is recycled.
func NewFault(l *Link, c *PauseChannel, pkts *packet.Pool, pause int, observe func(now sim.Time, p *packet.Packet, c LossCause)) *Fault {
	return &Fault{link: l, channel: c, pkts: pkts, pause: uint16(pause), observe: observe}
}

// Down takes the link out of service for a cause, LossDown or LossReboot: what
// is on the wire is lost, and what is sent from now on.
func (f *Fault) Down(now sim.Time, c LossCause) {
	f.broken |= 1 << c
	f.attach()
	f.clear(now, f.cause())
}

// Up ends what Down began. The link stays down while another cause holds. What
// was sent before is lost although it would arrive later.
func (f *Fault) Up(now sim.Time, c LossCause) {
	f.clear(now, f.cause())
	f.broken &^= 1 << c
	f.attach()
}

// IsDown reports whether the link is out of service.
func (f *Fault) IsDown() bool { return f.broken != 0 }

// cause is why the link is down: a restarting switch explains more than a link.
func (f *Fault) cause() LossCause {
	if f.broken&(1<<LossReboot) != 0 {
		return LossReboot
	}
	return LossDown
}

// Lose begins a loss. The function that it returns ends it.
func (f *Fault) Lose(l Loss) (end func()) {
	r := &lossRule{Loss: l, chance: chanceOf(l.Probability), bySize: map[uint16]uint64{}}
	f.rules = append(f.rules, r)
	f.attach()
	return func() {
		kept := f.rules[:0]
		for _, other := range f.rules {
			if other != r {
				kept = append(kept, other)
			}
		}
		f.rules = kept
		f.attach()
	}
}

// Stats returns what was lost so far.
func (f *Fault) Stats() LossStats { return f.stats }

// attach makes link and pause channel ask the fault as long as it is one.
func (f *Fault) attach() {
	if f.broken != 0 || len(f.rules) > 0 {
		f.link.lossy(f)
		f.channel.fault = f
		return
	}
	f.link.lossy(nil)
	f.channel.fault = nil
}

// clear loses everything that is on the wire.
func (f *Fault) clear(now sim.Time, c LossCause) {
	for !f.link.inFlight.empty() {
		f.lost(now, f.link.inFlight.pop(), c)
	}
	f.link.wire.engine.Disarm(f.link.id)
	f.stats.Pauses[c] += uint64(f.channel.clear())
}

// loses decides whether p, which would arrive now, is lost, and recycles it if
// so.
func (f *Fault) loses(now sim.Time, p *packet.Packet) bool {
	if f.broken != 0 {
		f.lost(now, p, f.cause())
		return true
	}
	if p.Flags&packet.Held != 0 { // it was looked at when its header came
		return false
	}
	if c, hit := f.struck(framesOf(p.Kind), p.Frame); hit {
		f.lost(now, p, c)
		return true
	}
	return false
}

// losesPause decides the same for a pause frame.
func (f *Fault) losesPause() bool {
	c, hit := f.cause(), f.broken != 0
	if !hit {
		c, hit = f.struck(PauseFrames, f.pause)
	}
	if hit {
		f.stats.Pauses[c]++
	}
	return hit
}

// struck asks the losses under way about one frame.
func (f *Fault) struck(kind Frames, bytes uint16) (LossCause, bool) {
	for _, r := range f.rules {
		if r.Frames&kind == 0 || !r.hits(bytes) {
			continue
		}
		if r.BitErrors > 0 {
			return LossBitError, true
		}
		return LossInjected, true
	}
	return 0, false
}

func (f *Fault) lost(now sim.Time, p *packet.Packet, c LossCause) {
	f.stats.Packets[c][p.Kind]++
	if f.observe != nil {
		f.observe(now, p, c)
	}
	f.pkts.Put(p)
}
