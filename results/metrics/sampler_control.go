package metrics

import (
	"rocesim/results"
	"rocesim/sim"
)

// maxWatched is how many queue pairs of a workload are looked at: every one
// until there are more, then every second, every fourth and so on.
const maxWatched = 256

// controlSampler follows the rates that congestion control sets.
type controlSampler struct {
	c       *Collector
	known   int       // connections seen so far
	groups  []watched // by workload
	singles []watched // by connection, as long as there are few
}

// watched are the queue pairs of a workload, or one.
type watched struct {
	conns  []int
	all    int // queue pairs that react, of which conns are every stride-th
	stride int

	mean, low, high []float64
	now             spread // of the raw samples being merged
}

// spread sums rates up.
type spread struct {
	n              int
	sum, low, high float64
}

func (s *spread) add(rate float64) {
	if s.n == 0 || rate < s.low {
		s.low = rate
	}
	s.high = max(s.high, rate)
	s.sum += rate
	s.n++
}

func newControlSampler(c *Collector) *controlSampler {
	return &controlSampler{c: c, groups: make([]watched, len(c.opt.Workloads))}
}

// look takes a raw sample of the queue pairs that have data to send.
func (s *controlSampler) look(now sim.Time) {
	for n := s.c.m.NICs.Connections(); s.known < n; s.known++ {
		s.open(s.known)
	}
	for i := range s.groups {
		s.groups[i].look(s.c, now)
	}
	for i := range s.singles {
		s.singles[i].look(s.c, now)
	}
}

// open begins to watch a connection whose rate changes.
func (s *controlSampler) open(conn int) {
	if s.known >= maxConnectionSeries {
		s.singles = nil
	} else {
		s.singles = append(s.singles, watched{})
	}
	if !s.c.m.NICs.Reacts(conn) {
		return
	}
	s.groups[s.c.m.NICs.TallyOf(conn)].add(conn)
	if s.singles != nil {
		s.singles[conn].add(conn)
	}
}

func (w *watched) add(conn int) {
	w.stride = max(w.stride, 1)
	if w.all%w.stride == 0 {
		w.conns = append(w.conns, conn)
	}
	w.all++
	if len(w.conns) <= maxWatched {
		return
	}
	w.stride *= 2
	for i := range (len(w.conns) + 1) / 2 {
		w.conns[i] = w.conns[2*i]
	}
	w.conns = w.conns[:(len(w.conns)+1)/2]
}

func (w *watched) look(c *Collector, now sim.Time) {
	for _, conn := range w.conns {
		if c.m.NICs.Sending(conn) {
			w.now.add(float64(c.m.NICs.Rate(now, conn)))
		}
	}
}

// keep appends value number n.
func (s *controlSampler) keep(n int) {
	for i := range s.groups {
		s.groups[i].keep(n)
	}
	for i := range s.singles {
		s.singles[i].keep(n)
	}
}

func (w *watched) keep(n int) {
	if w.all == 0 {
		return
	}
	for len(w.mean) < n-1 {
		w.append(spread{})
	}
	w.append(w.now)
	w.now = spread{}
}

func (w *watched) append(s spread) {
	w.mean = append(w.mean, s.sum/float64(max(s.n, 1)))
	w.low, w.high = append(w.low, s.low), append(w.high, s.high)
}

func (s *controlSampler) halve() {
	for _, all := range [][]watched{s.groups, s.singles} {
		for i := range all {
			w := &all[i]
			w.mean = halve(w.mean, known(mean[float64]))
			w.low = halve(w.low, known(func(a, b float64) float64 { return min(a, b) }))
			w.high = halve(w.high, known(higher[float64]))
		}
	}
}

// known joins two values of which those that are 0 do not count.
func known(join func(a, b float64) float64) func(a, b float64) float64 {
	return func(a, b float64) float64 {
		if a == 0 || b == 0 {
			return a + b
		}
		return join(a, b)
	}
}

// series returns the rates of workloads and, if asked for, of connections.
func (s *controlSampler) series(singles bool) []results.Series {
	var out []results.Series
	add := func(name string, w *watched) {
		if w.mean != nil {
			out = append(out, results.Series{Kind: results.ControlSeries, Name: name, Port: -1, Values: w.mean, Low: w.low, High: w.high})
		}
	}
	for i := range s.groups {
		add(s.c.opt.Workloads[i].Name, &s.groups[i])
	}
	for i := range s.singles {
		if singles {
			add(s.c.connectionName(i), &s.singles[i])
		}
	}
	return out
}
