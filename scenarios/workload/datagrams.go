package workload

import (
	"slices"

	"rocesim/sim"
)

// RateStep changes the rate of a datagram source.
type RateStep struct {
	// At is when; the messages under way still leave at the old rate.
	At   sim.Time
	Rate sim.Rate
}

// Datagrams sends unreliable datagrams at a constant rate and reacts to
// nothing: not to marks, not to loss. The NIC paces them.
type Datagrams struct {
	Common
	Pairs []Pair
	// Rate of each pair in bits on the wire.
	Rate sim.Rate
	// Bytes per message. A step of the rate takes effect within two messages.
	Bytes int64
	// Start and Stop bound the posting; Stop 0 is without end.
	Start, Stop sim.Time
	// Steps change the rate, in order of time.
	Steps []RateStep
}

// datagramLead is how far ahead of the NIC a source posts, so that the NIC does
// not wait for the next message: longer than any adapter takes from posting to
// the first bit.
const datagramLead = 5 * sim.Microsecond

// Validate checks the entry.
func (d Datagrams) Validate(h Hosts) error {
	k := newChecker(h, d.Common)
	k.pairs("pairs", d.Pairs)
	k.bytes("bytes", d.Bytes)
	k.window(d.Start, d.Stop)
	if d.Rate <= 0 {
		k.add("rate", "%d bit/s is too low; a rate above 0 is needed", int64(d.Rate))
	}
	last := d.Start
	for _, step := range d.Steps {
		if step.Rate <= 0 {
			k.add("steps", "%d bit/s is too low; a rate above 0 is needed", int64(step.Rate))
		}
		if step.At <= last {
			k.add("steps", "%v is not after %v; steps are in order of time and after the start", step.At, last)
		}
		last = step.At
	}
	k.connections("pairs", len(d.Pairs), len(d.Steps)+1)
	return k.err()
}

// Bounded reports whether the posting ends.
func (d Datagrams) Bounded() bool { return d.Stop > 0 }

func (d Datagrams) start(s *source) generator {
	s.follows = true
	s.class.Unreliable = true
	g := &datagrams{source: s, Datagrams: d}
	g.rates = slices.Concat([]RateStep{{d.Start, d.Rate}}, d.Steps)
	g.senders = make([]datagramSender, len(d.Pairs))
	for i := range d.Pairs {
		g.change(i, 0)
		s.agenda.push(d.Start, int32(len(d.Pairs)+i))
	}
	return g
}

// datagrams is the running entry. Of n pairs, tokens below n are messages that
// have left, the others start a pair.
type datagrams struct {
	*source
	Datagrams
	rates   []RateStep // the first is the rate at the start
	senders []datagramSender
}

// datagramSender is the state of one pair.
type datagramSender struct {
	lane lane
	step int // index of the rate in force
	open int // messages that have not left
}

// change opens the connection for a rate: pacing is a property of the queue
// pair.
func (g *datagrams) change(pair, step int) {
	c := g.class
	c.Rate = g.rates[step].Rate
	x := &g.senders[pair]
	x.lane = g.connect(g.Pairs[pair], 0, c)
	x.step = step
}

func (g *datagrams) wake(now sim.Time, token int32) {
	i := int(token) % len(g.Pairs)
	x := &g.senders[i]
	if int(token) < len(g.Pairs) {
		x.open--
	}
	if due := g.dueStep(now, x.step); due != x.step {
		if x.open > 0 {
			return // the two rates must not add up
		}
		g.change(i, due)
	}
	for g.wanted(now, x) {
		x.open++
		g.post(now, x.lane, g.Bytes, int32(i), -1)
	}
}

// wanted reports whether a source posts one more message at now: two are always
// outstanding, more within the lead, but none that would leave after the source
// has stopped or changed its rate.
func (g *datagrams) wanted(now sim.Time, x *datagramSender) bool {
	lead := sim.Time(x.open) * g.rates[x.step].Rate.TxTimeCeil(g.Bytes)
	next := x.step + 1
	switch {
	case ended(now, g.Stop) || x.open >= 2 && lead > datagramLead:
		return false
	case x.open == 0:
		return true
	default:
		return !ended(now+lead, g.Stop) && (next == len(g.rates) || now+lead < g.rates[next].At)
	}
}

// dueStep returns the index of the rate that ought to be in force at now.
func (g *datagrams) dueStep(now sim.Time, step int) int {
	for step+1 < len(g.rates) && g.rates[step+1].At <= now {
		step++
	}
	return step
}
