package workload

import "rocesim/sim"

// Latency sends small messages periodically, one at a time for each pair, from
// a random phase on. A probe that is due while the one before is under way is
// skipped and counted, so that probes do not measure each other.
type Latency struct {
	Common
	Pairs []Pair
	// Bytes per probe.
	Bytes int64
	// Every is the time between two probes of a pair.
	Every sim.Time
	// Start and Stop bound the probes; Stop 0 is without end.
	Start, Stop sim.Time
}

// Validate checks the entry.
func (l Latency) Validate(h Hosts) error {
	k := newChecker(h, l.Common)
	k.pairs("pairs", l.Pairs)
	k.bytes("bytes", l.Bytes)
	k.positive("every", l.Every)
	k.window(l.Start, l.Stop)
	k.connections("pairs", len(l.Pairs))
	return k.err()
}

// Bounded reports whether the probes end.
func (l Latency) Bounded() bool { return l.Stop > 0 }

func (l Latency) start(s *source) generator {
	g := &latency{source: s, Latency: l}
	s.follows = true
	g.lanes = s.connectAll(l.Pairs, 1)
	g.busy = make([]bool, len(g.lanes))
	random := s.stream("phase")
	for i := range g.lanes {
		g.schedule(l.Start+random.Time(l.Every), l.Stop, int32(len(g.lanes)+i))
	}
	return g
}

// latency is the running entry. Of n lanes, tokens below n are completions,
// the others are due probes.
type latency struct {
	*source
	Latency
	lanes []lane
	busy  []bool
}

func (g *latency) wake(now sim.Time, token int32) {
	i := int(token) - len(g.lanes)
	if i < 0 {
		g.busy[token] = false
		return
	}
	if g.busy[i] {
		g.progress.Skipped++
	} else {
		g.busy[i] = true
		g.post(now, g.lanes[i], g.Bytes, int32(i), -1)
	}
	g.schedule(now+g.Every, g.Stop, token)
}
