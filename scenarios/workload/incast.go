package workload

import "rocesim/sim"

// Incast lets every sender send to every receiver at one instant, once or
// periodically: the read of a striped file, the end of a map phase. Rounds
// follow the clock; a round that starts before the last one is through queues
// behind it on the same connections.
type Incast struct {
	Common
	// Senders and Receivers are hosts; no host is both.
	Senders, Receivers []int
	// Bytes per flow.
	Bytes int64
	// QPs is the number of flows from a sender to a receiver; 0 is 1.
	QPs int
	// Start is the first round's instant, Every the time between rounds; 0 is
	// a single round.
	Start, Every sim.Time
	// Rounds and Stop end a periodic incast; 0 is without end.
	Rounds int
	Stop   sim.Time
	// Spread delays each flow of a round by a random time below it, as
	// requests do that do not leave their client at one instant.
	Spread sim.Time
}

// Validate checks the entry.
func (c Incast) Validate(h Hosts) error {
	k := newChecker(h, c.Common)
	k.list("senders", c.Senders, 1)
	k.list("receivers", c.Receivers, 1)
	sends := map[int]bool{}
	for _, s := range c.Senders {
		sends[s] = true
	}
	for _, r := range c.Receivers {
		if sends[r] {
			k.add("receivers", "host %s is also a sender; a host cannot send to itself", k.name(r))
		}
	}
	k.bytes("bytes", c.Bytes)
	k.count("qps", c.QPs)
	k.count("rounds", c.Rounds)
	k.span("every", c.Every)
	k.span("spread", c.Spread)
	k.window(c.Start, c.Stop)
	if c.Every == 0 && c.Rounds > 1 {
		k.add("rounds", "%d rounds need the time between them (every)", c.Rounds)
	}
	if c.Every != 0 && c.Spread > c.Every {
		k.add("spread", "%v is longer than a round (every %v)", c.Spread, c.Every)
	}
	k.connections("senders", len(c.Senders), len(c.Receivers), c.QPs)
	return k.err()
}

// Bounded reports whether the rounds end.
func (c Incast) Bounded() bool { return c.Every == 0 || c.Rounds > 0 || c.Stop > 0 }

func (c Incast) start(s *source) generator {
	g := &incast{source: s, Incast: c, random: s.stream("spread")}
	for _, dst := range c.Receivers {
		for _, src := range c.Senders {
			g.lanes = append(g.lanes, s.connectAll([]Pair{{Src: src, Dst: dst}}, atLeastOne(c.QPs))...)
		}
	}
	g.rounds = make([]int32, len(g.lanes))
	for i := range g.lanes {
		g.plan(int32(i))
	}
	return g
}

// incast keeps a round number for each lane; token is the lane.
type incast struct {
	*source
	Incast
	random *sim.Stream
	lanes  []lane
	rounds []int32
}

// plan asks for a wake-up at the next round of a lane, if there is one.
func (g *incast) plan(token int32) {
	round := g.rounds[token]
	last := g.Rounds
	if g.Every == 0 {
		last = 1
	}
	if last > 0 && int(round) >= last {
		return
	}
	g.schedule(g.Start+sim.Time(round)*g.Every+g.random.Time(g.Spread), g.Stop, token)
}

func (g *incast) wake(now sim.Time, token int32) {
	g.post(now, g.lanes[token], g.Bytes, token, g.rounds[token])
	g.rounds[token]++
	g.plan(token)
}
