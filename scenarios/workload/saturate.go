package workload

import "rocesim/sim"

// Burst makes a saturating sender pause: Messages are sent, and when all are
// complete the sender waits for Pause.
type Burst struct {
	// Messages of one burst; 0 is without pauses.
	Messages int
	Pause    sim.Time
}

// Saturate keeps every queue pair busy as a bandwidth benchmark does: Depth
// messages are outstanding, and each completion is followed by the next
// message.
type Saturate struct {
	Common
	Pairs []Pair
	// Bytes per message.
	Bytes int64
	// Depth is the number of messages outstanding on a queue pair; 0 is 1.
	Depth int
	// QPs is the number of queue pairs of each pair; 0 is 1.
	QPs int
	// Gap is the time from a completion to the message that follows: what the
	// host needs to notice and to post.
	Gap   sim.Time
	Burst Burst
	// Messages ends a queue pair after that many; 0 is without end.
	Messages int
	// Start and Stop bound the posting; Stop 0 is without end.
	Start, Stop sim.Time
}

// Validate checks the entry.
func (c Saturate) Validate(h Hosts) error {
	k := newChecker(h, c.Common)
	k.pairs("pairs", c.Pairs)
	k.bytes("bytes", c.Bytes)
	k.count("depth", c.Depth)
	k.count("qps", c.QPs)
	k.count("messages", c.Messages)
	k.count("burst.messages", c.Burst.Messages)
	k.span("burst.pause", c.Burst.Pause)
	if c.Burst.Messages == 0 && c.Burst.Pause != 0 {
		k.add("burst.messages", "is 0, so there is nothing to pause after; give the length of a burst")
	}
	k.span("gap", c.Gap)
	k.window(c.Start, c.Stop)
	k.connections("pairs", len(c.Pairs), c.QPs)
	return k.err()
}

// Bounded reports whether the posting ends.
func (c Saturate) Bounded() bool { return c.Messages > 0 || c.Stop > 0 }

func (c Saturate) start(s *source) generator {
	g := &saturate{source: s, Saturate: c}
	s.follows = true
	g.lanes = s.connectAll(c.Pairs, atLeastOne(c.QPs))
	g.senders = make([]saturator, len(g.lanes))
	for i := range g.lanes {
		s.agenda.push(c.Start, g.burstToken(int32(i)))
	}
	return g
}

// saturate is the running entry. Of n lanes, tokens below n are completions,
// those below 2n post one message after a gap, those below 3n begin a burst
// (or the whole, where there are no bursts).
type saturate struct {
	*source
	Saturate
	lanes   []lane
	senders []saturator
}

// saturator counts messages of one queue pair.
type saturator struct {
	open    int // claimed and not completed; some may wait for their gap
	inBurst int // claimed in this burst
	total   int // claimed
	burst   int32
}

func (g *saturate) gapToken(lane int32) int32   { return lane + int32(len(g.lanes)) }
func (g *saturate) burstToken(lane int32) int32 { return lane + 2*int32(len(g.lanes)) }

func (g *saturate) wake(now sim.Time, token int32) {
	n := int32(len(g.lanes))
	i := token % n
	x := &g.senders[i]
	switch token / n {
	case 0:
		x.open--
		g.next(now, i)
	case 1:
		g.send(now, i)
	default:
		x.inBurst = 0
		for range atLeastOne(g.Depth) {
			if g.take(x) {
				g.send(now, i)
			}
		}
	}
}

// take claims one message of the burst and of the total, if any is left.
func (g *saturate) take(x *saturator) bool {
	if g.Messages > 0 && x.total >= g.Messages || g.Burst.Messages > 0 && x.inBurst >= g.Burst.Messages {
		return false
	}
	x.open++
	x.inBurst++
	x.total++
	return true
}

// next follows up a completion on lane i: with a message after the gap, or
// with a burst after the pause when this one is through.
func (g *saturate) next(now sim.Time, i int32) {
	x := &g.senders[i]
	if g.take(x) {
		if g.Gap == 0 {
			g.send(now, i)
		} else {
			g.schedule(now+g.Gap, g.Stop, g.gapToken(i))
		}
		return
	}
	if x.open == 0 && g.Burst.Messages > 0 && (g.Messages == 0 || x.total < g.Messages) {
		x.burst++
		g.schedule(now+g.Burst.Pause, g.Stop, g.burstToken(i))
	}
}

func (g *saturate) send(now sim.Time, i int32) {
	if ended(now, g.Stop) {
		return
	}
	group := int32(-1)
	if g.Burst.Messages > 0 {
		group = g.senders[i].burst
	}
	g.post(now, g.lanes[i], g.Bytes, i, group)
}
