package workload

import (
	"fmt"
	"math"
	"slices"

	"rocesim/sim"
)

// Poisson starts flows at random: at each source independently, with
// exponential gaps, sizes drawn from a distribution and destinations drawn
// evenly. It is the open-loop load of the data centre transport literature.
type Poisson struct {
	Common
	// Sources and Destinations are hosts; a source never draws itself.
	Sources, Destinations []int
	// Sizes is the distribution of flow sizes.
	Sizes *CDF
	// Load is the mean payload rate of each source as a fraction of the line
	// rate of its NICs together. Headers come on top: at 1000 B a packet the
	// wire is loaded by some 8 % more.
	Load float64
	// Start and Stop bound the arrivals; Stop 0 is without end.
	Start, Stop sim.Time
	// Flows ends the arrivals after that many of all sources; 0 is without
	// end.
	Flows int
	// Reuse keeps one connection per pair of endpoints, on which flows queue;
	// otherwise each flow has its own.
	Reuse bool
}

// Validate checks the entry.
func (p Poisson) Validate(h Hosts) error {
	k := newChecker(h, p.Common)
	k.list("sources", p.Sources, 1)
	k.list("destinations", p.Destinations, 1)
	if len(p.Destinations) == 1 {
		for _, s := range p.Sources {
			if s == p.Destinations[0] {
				k.add("destinations", "host %s would send to itself; another destination is needed", k.name(s))
			}
		}
	}
	if p.Sizes == nil {
		k.add("sizes", "no distribution of flow sizes is given")
	}
	if !(p.Load > 0 && p.Load <= MaxLoad) {
		k.add("load", "%g is out of range; above 0 and up to %d are allowed", p.Load, MaxLoad)
	}
	k.window(p.Start, p.Stop)
	k.count("flows", p.Flows)
	return k.err()
}

// Bounded reports whether the arrivals end.
func (p Poisson) Bounded() bool { return p.Stop > 0 || p.Flows > 0 }

// meanGap returns the mean time between two flows of a host with line rate r.
func (p Poisson) meanGap(r sim.Rate) sim.Time {
	perSecond := p.Load * float64(r) / (8 * p.Sizes.Mean())
	return sim.Time(math.Round(float64(sim.Second) / perSecond))
}

func (p Poisson) start(s *source) generator {
	g := &poisson{source: s, Poisson: p, open: map[Pair]lane{}}
	for i, host := range p.Sources {
		a := arrivals{
			random: s.stream(fmt.Sprintf("host%d", host)),
			host:   host,
			self:   slices.Index(p.Destinations, host),
			gap:    p.meanGap(s.hosts[host].Rate),
		}
		g.senders = append(g.senders, a)
		g.plan(p.Start, int32(i))
	}
	return g
}

// poisson draws each flow when it arrives; token is the sender.
type poisson struct {
	*source
	Poisson
	senders []arrivals
	open    map[Pair]lane // by endpoints, for Reuse
	posted  int
}

// arrivals is the arrival process of one host.
type arrivals struct {
	random *sim.Stream
	host   int
	self   int // the host's place among the destinations, or -1
	gap    sim.Time
	flows  int
}

// plan draws the next arrival at a sender.
func (g *poisson) plan(now sim.Time, token int32) {
	a := &g.senders[token]
	g.schedule(now+a.random.Exp(a.gap), g.Stop, token)
}

func (g *poisson) wake(now sim.Time, token int32) {
	a := &g.senders[token]
	pair := Pair{Src: a.host, Dst: g.drawPeer(a)}
	bytes := g.Sizes.Quantile(a.random.Float64())
	g.post(now, g.lane(pair, a.flows), bytes, token, -1)
	a.flows++
	g.posted++
	if g.posted == g.Flows {
		g.agenda = agenda{} // arrivals drawn at other senders come no more
		return
	}
	g.plan(now, token)
}

// drawPeer returns one of the destinations but the sender itself.
func (g *poisson) drawPeer(a *arrivals) int {
	if a.self < 0 {
		return g.Destinations[a.random.Intn(len(g.Destinations))]
	}
	i := a.random.Intn(len(g.Destinations) - 1)
	if i >= a.self {
		i++
	}
	return g.Destinations[i]
}

// lane returns the connection for a source's flow number n. Successive flows
// take the NICs in turn, so that the load spreads over them.
func (g *poisson) lane(p Pair, n int) lane {
	if !g.Reuse {
		return g.connect(p, n, g.class)
	}
	ends := Pair{
		Src: g.hosts.endpoint(p.Src, n, g.nic),
		Dst: g.hosts.endpoint(p.Dst, n, g.nic),
	}
	l, found := g.open[ends]
	if !found {
		l = g.connect(p, n, g.class)
		g.open[ends] = l
	}
	return l
}
