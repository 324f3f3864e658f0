package derive

import (
	"cmp"
	"math"
	"slices"

	"rocesim/scenarios/workload"
	"rocesim/sim"
	switching "rocesim/switch"
)

// Odds is what becomes of equal flows that a uniform hash puts on equal ways.
type Odds struct {
	Flows, Ways int
	// Busy is the expected number of ways with a flow, MeanMax the expected
	// number of flows on the fullest way.
	Busy, MeanMax float64
	// Collision is the chance that at least two flows share a way.
	Collision float64
	// Slowest is the mean of ideal over slowest: the part of an even share that
	// the flows of the fullest way get, when all are always busy. The slowest
	// ends 1/Slowest times later than with even ways.
	Slowest float64
}

// Spread is how the flows of a workload spread over equal-cost ways at switches
// of one tier with as many ways.
type Spread struct {
	// Tier is that of the switches, 0 the leaves; Ways the equal-cost next hops.
	Tier, Ways int
	// Switches is how many choose among that many ways, Busiest the one with the
	// most flows, an index into Plan.Switches.
	Switches, Busiest int
	// Spray is set if packets take all ways, so that flows cannot collide.
	Spray bool
	// SameSeed is set if a switch of another tier hashes with the same seed: the
	// flows that meet there have hashed alike already, and use few of its ways.
	SameSeed bool
	// Odds are those of the flows at the busiest switch.
	Odds
}

// trials of the expectation of the fullest way: 20,000 with few flows, fewer with
// many, whose relative spread is smaller.
func trials(flows int) int { return max(500, min(20_000, 4_000_000/max(1, flows))) }

// ECMPOdds computes the odds of equal flows on equal ways. Busy and Collision are
// exact, MeanMax and Slowest the mean of seeded trials, good to half a percent.
// Preconditions: both are above 0.
func ECMPOdds(flows, ways int) Odds {
	n, k := float64(flows), float64(ways)
	o := Odds{Flows: flows, Ways: ways, Busy: k * (1 - math.Pow(1-1/k, n)), Collision: collision(flows, ways)}
	random := sim.NewStream(1, "derive/ecmp")
	count := make([]int, ways)
	rounds := trials(flows)
	for range rounds {
		clear(count)
		for range flows {
			count[random.Intn(ways)]++
		}
		fullest := float64(slices.Max(count))
		o.MeanMax += fullest
		o.Slowest += max(1, n/k) / fullest
	}
	o.MeanMax /= float64(rounds)
	o.Slowest = min(1, o.Slowest/float64(rounds))
	return o
}

// collision is the birthday problem.
func collision(flows, ways int) float64 {
	if flows > ways {
		return 1
	}
	apart := 1.0
	for i := range flows {
		apart *= 1 - float64(i)/float64(ways)
	}
	return 1 - apart
}

// Spreads returns how the workload's queue pairs spread, by tier and number of
// ways. Probes are left out; of random flows those count that are under way on
// average.
func (t *Traffic) Spreads() []Spread {
	p := t.Plan
	flows := t.flowsAtSwitches()
	type place struct{ tier, ways int }
	at := map[place]int{}
	var all []Spread
	for _, f := range flows {
		tier := p.Graph.Switches[f.sw].Tier
		i, known := at[place{tier, f.ways}]
		if !known {
			i = len(all)
			at[place{tier, f.ways}] = i
			all = append(all, Spread{Tier: tier, Ways: f.ways, Busiest: f.sw, Spray: sprays(&p.Switches[f.sw]), SameSeed: t.seedElsewhere(f.sw)})
		}
		all[i].Switches++
		if count := int(math.Ceil(f.flows)); count > all[i].Flows {
			all[i].Flows, all[i].Busiest = count, f.sw
		}
	}
	for i := range all {
		all[i].Odds = ECMPOdds(all[i].Flows, all[i].Ways)
	}
	slices.SortFunc(all, func(a, b Spread) int { return cmp.Or(cmp.Compare(a.Tier, b.Tier), cmp.Compare(a.Ways, b.Ways)) })
	return all
}

func sprays(c *switching.Config) bool {
	return c.Routing == switching.SprayRandom || c.Routing == switching.SprayRound
}

// seedElsewhere reports whether a switch of another tier has the hash seed of
// switch sw.
func (n *network) seedElsewhere(sw int) bool {
	for i := range n.Switches {
		if n.Graph.Switches[i].Tier != n.Graph.Switches[sw].Tier && n.Switches[i].HashSeed == n.Switches[sw].HashSeed {
			return true
		}
	}
	return false
}

// choice is how many flows a switch puts on how many ways.
type choice struct {
	sw, ways int
	flows    float64
}

// flowsAtSwitches follows the queue pairs over all their ways, in expectation, and
// counts those that each switch chooses a way for, by number of ways.
func (t *Traffic) flowsAtSwitches() []choice {
	entering := t.entering()
	count := map[[2]int]float64{}
	for _, f := range entering {
		t.follow(f.sw, f.dst, f.flows, len(t.Switches), count)
	}
	var all []choice
	for key, flows := range count {
		all = append(all, choice{key[0], key[1], flows})
	}
	slices.SortFunc(all, func(a, b choice) int { return cmp.Or(cmp.Compare(a.sw, b.sw), cmp.Compare(a.ways, b.ways)) })
	return all
}

// inflow is queue pairs that enter the fabric at one switch for one endpoint.
type inflow struct {
	sw, dst int
	flows   float64
}

func (t *Traffic) entering() []inflow {
	index := map[[2]int]int{}
	var all []inflow
	for i := range t.streams {
		s := &t.streams[i]
		sw := t.Graph.Ports(s.src)[0].Peer.Node - len(t.Graph.Endpoints)
		flows := t.underWay(s)
		if sw < 0 || flows == 0 {
			continue
		}
		at, known := index[[2]int{sw, s.dst}]
		if !known {
			at = len(all)
			index[[2]int{sw, s.dst}] = at
			all = append(all, inflow{sw: sw, dst: s.dst})
		}
		all[at].flows += flows
	}
	return all
}

// follow walks from a switch to an endpoint. Static routes can lead in circles:
// left bounds the way.
func (t *Traffic) follow(sw, dst int, flows float64, left int, count map[[2]int]float64) {
	hops := t.Routes.NextHops(sw, dst)
	if len(hops) == 0 || left == 0 {
		return
	}
	if len(hops) > 1 {
		count[[2]int{sw, len(hops)}] += flows
	}
	for _, port := range hops {
		if peer := t.ports(sw)[port].Peer.Node; t.Graph.IsSwitch(peer) {
			t.follow(peer-len(t.Graph.Endpoints), dst, flows/float64(len(hops)), left-1, count)
		}
	}
}

// underWay is how many flows of a stream there are at one time: its queue pairs, of
// random flows those on average, and none of a probe.
func (t *Traffic) underWay(s *stream) float64 {
	switch t.Workload[s.entry].(type) {
	case workload.Latency:
		return 0
	case workload.Poisson:
		return s.rate / 8 / s.message * t.alone(s)
	}
	return s.pairs
}

// FanIn is the largest number of flows that end at one endpoint, probes left out.
func (t *Traffic) FanIn() int {
	into := make([]float64, len(t.Graph.Endpoints))
	for i := range t.streams {
		s := &t.streams[i]
		into[s.dst] += t.underWay(s)
	}
	return int(math.Ceil(slices.Max(into)))
}
