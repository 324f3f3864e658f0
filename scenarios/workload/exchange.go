package workload

import (
	"fmt"

	"rocesim/sim"
)

// Repeat says how often an exchange runs. A round begins when the one before
// is complete and Gap, the time in which an application would compute, is
// over.
type Repeat struct {
	Start sim.Time
	// Rounds is how often; 0 is once, or until Stop if that is given.
	Rounds int
	// Stop is when no message is posted any more; 0 is never.
	Stop sim.Time
	Gap  sim.Time
	// Barrier lets all senders wait for the slowest before the next round, as
	// synchronous training does; otherwise each goes on when its own messages
	// are complete.
	Barrier bool
}

func (r Repeat) check(k *checker) {
	k.window(r.Start, r.Stop)
	k.count("rounds", r.Rounds)
	k.span("gap", r.Gap)
}

// over reports whether round (counted from 0) is one too many.
func (r Repeat) over(round int32) bool {
	last := r.Rounds
	if last == 0 && r.Stop == 0 {
		last = 1
	}
	return last > 0 && int(round) >= last
}

// Permutation lets every host send to one other, so that every host also
// receives from one: full load without incast. The partners are a seeded
// derangement, the same in every round.
type Permutation struct {
	Common
	Repeat
	Hosts []int
	// Bytes per flow.
	Bytes int64
	// Partners is the number of derangements: how many hosts each one sends
	// to at once; 0 is 1.
	Partners int
	// QPs is the number of flows to each partner; 0 is 1.
	QPs int
}

// Validate checks the entry.
func (p Permutation) Validate(h Hosts) error {
	k := newChecker(h, p.Common)
	k.list("hosts", p.Hosts, 2)
	k.bytes("bytes", p.Bytes)
	k.count("partners", p.Partners)
	k.count("qps", p.QPs)
	p.check(k)
	k.connections("hosts", len(p.Hosts), p.Partners, p.QPs)
	return k.err()
}

// Bounded returns true: rounds or Stop end it.
func (p Permutation) Bounded() bool { return true }

func (p Permutation) start(s *source) generator {
	steps := atLeastOne(p.Partners)
	partners := make([][]int, steps)
	for i := range partners {
		partners[i] = derangement(s.stream(fmt.Sprintf("partners%d", i)), len(p.Hosts))
	}
	return newExchange(s, exchange{
		Repeat: p.Repeat, bytes: p.Bytes, steps: steps, window: steps, qps: atLeastOne(p.QPs),
	}, p.Hosts, func(sender, step int) int { return partners[step][sender] })
}

// derangement draws a permutation of n without fixed point, each with equal
// probability: permutations are drawn until one fits, e = 2.7 times on
// average. Preconditions: n > 1.
func derangement(random *sim.Stream, n int) []int {
	for {
		p := random.Perm(n)
		fixed := false
		for i, v := range p {
			fixed = fixed || i == v
		}
		if !fixed {
			return p
		}
	}
}

// AllToAll lets every host send to every other: the shuffle of an expert layer
// or of a distributed sort. Sender i takes its peers in the order i+1, i+2, …
// so that at no step two senders turn to the same receiver.
type AllToAll struct {
	Common
	Repeat
	Hosts []int
	// Bytes per flow.
	Bytes int64
	// QPs is the number of flows to each peer; 0 is 1.
	QPs int
	// Window is how many peers a sender serves at once; 0 is all.
	Window int
}

// Validate checks the entry.
func (a AllToAll) Validate(h Hosts) error {
	k := newChecker(h, a.Common)
	k.list("hosts", a.Hosts, 2)
	k.bytes("bytes", a.Bytes)
	k.count("qps", a.QPs)
	k.count("window", a.Window)
	a.check(k)
	k.connections("hosts", len(a.Hosts), len(a.Hosts)-1, a.QPs)
	return k.err()
}

// Bounded returns true: rounds or Stop end it.
func (a AllToAll) Bounded() bool { return true }

func (a AllToAll) start(s *source) generator {
	n := len(a.Hosts)
	window := n - 1
	if a.Window > 0 {
		window = min(a.Window, window)
	}
	return newExchange(s, exchange{
		Repeat: a.Repeat, bytes: a.Bytes, steps: n - 1, window: window, qps: atLeastOne(a.QPs),
	}, a.Hosts, func(sender, step int) int { return (sender + step + 1) % n })
}

// exchange is the running form of both: senders that go through steps, each a
// few flows to one peer, with at most window steps under way. Tokens below
// len(lanes) are completions of that lane; behind them, one per sender begins
// its next round.
type exchange struct {
	*source
	Repeat
	bytes              int64
	steps, window, qps int
	lanes              []lane  // by sender, step, queue pair
	open               []int32 // flows not completed, by sender and step
	senders            []exchanger
	arrived            int // senders at the barrier
}

// exchanger is the state of one sender within its round.
type exchanger struct{ round, next, active, done int32 }

func newExchange(s *source, g exchange, hosts []int, peer func(sender, step int) int) generator {
	g.source = s
	g.follows = true
	g.senders = make([]exchanger, len(hosts))
	g.open = make([]int32, len(hosts)*g.steps)
	for i, host := range hosts {
		pairs := make([]Pair, g.steps)
		for step := range pairs {
			pairs[step] = Pair{Src: host, Dst: hosts[peer(i, step)]}
		}
		g.lanes = append(g.lanes, s.connectAll(pairs, g.qps)...)
	}
	for i := range hosts {
		g.plan(g.Start, i)
	}
	return &g
}

// plan schedules the next round of sender, unless there is none left.
func (g *exchange) plan(at sim.Time, sender int) {
	if !g.over(g.senders[sender].round) {
		g.schedule(at, g.Stop, int32(len(g.lanes)+sender))
	}
}

func (g *exchange) wake(now sim.Time, token int32) {
	if int(token) >= len(g.lanes) {
		g.begin(now, int(token)-len(g.lanes))
		return
	}
	step := int(token) / g.qps
	sender := step / g.steps
	g.open[step]--
	if g.open[step] > 0 {
		return
	}
	x := &g.senders[sender]
	x.active--
	x.done++
	if int(x.done) == g.steps {
		g.finish(now, sender)
		return
	}
	g.fill(now, sender)
}

// begin starts a round of sender.
func (g *exchange) begin(now sim.Time, sender int) {
	x := &g.senders[sender]
	x.next, x.done = 0, 0
	g.fill(now, sender)
}

// fill posts steps of sender until its window is full.
func (g *exchange) fill(now sim.Time, sender int) {
	x := &g.senders[sender]
	for int(x.active) < g.window && int(x.next) < g.steps && !ended(now, g.Stop) {
		step := sender*g.steps + int(x.next)
		x.next++
		x.active++
		g.open[step] = int32(g.qps)
		for i := step * g.qps; i < (step+1)*g.qps; i++ {
			g.post(now, g.lanes[i], g.bytes, int32(i), x.round)
		}
	}
}

// finish ends the round of sender and plans the next.
func (g *exchange) finish(now sim.Time, sender int) {
	g.senders[sender].round++
	if !g.Barrier {
		g.plan(now+g.Gap, sender)
		return
	}
	g.arrived++
	if g.arrived < len(g.senders) {
		return
	}
	g.arrived = 0
	for i := range g.senders {
		g.plan(now+g.Gap, i)
	}
}
