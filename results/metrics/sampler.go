package metrics

import (
	"fmt"

	"rocesim/results"
	"rocesim/sim"
)

// Bounds of what series hold. A longer run halves its resolution: pairs of
// samples become one, so memory grows neither with simulated time nor, beyond
// maxCells values, with the size of the network.
const (
	maxSamples = 4096
	minSamples = 256
	maxCells   = 1 << 25
)

// maxConnectionSeries is the number of connections up to which each gets rate
// series of its own.
const maxConnectionSeries = 16

// sampler takes queue depths, and differences of counters, at equal steps.
type sampler struct {
	c      *Collector
	step   sim.Time // between kept values
	skip   int      // raw samples to merge into one value
	merged int
	n      int // values kept

	rates   []*track // of workloads
	conns   []*track // of connections
	ports   *portSampler
	notices *noticeSampler
	control *controlSampler
}

func newSampler(c *Collector) *sampler {
	s := &sampler{c: c, step: c.opt.Sample, skip: 1}
	s.ports = newPortSampler(c)
	s.notices = newNoticeSampler(c)
	s.control = newControlSampler(c)
	for range c.opt.Workloads {
		s.rates = append(s.rates, &track{})
	}
	return s
}

// take is called at every sampling instant.
func (s *sampler) take(now sim.Time) {
	s.merged++
	s.ports.look(s.n)
	s.control.look(now)
	if s.merged < s.skip {
		return
	}
	s.merged = 0
	s.keep()
	if s.full() {
		s.halve()
	}
}

// takeMeans stands in for take where nobody reads series: sampling every counter
// of every port is a tenth of a short run.
func (s *sampler) takeMeans(sim.Time) {
	s.ports.taken++
	s.ports.each(func(q *queueTrack, bytes float64) { q.sum += bytes })
}

// full reports whether values must be merged. Their number must be even then.
func (s *sampler) full() bool {
	if s.n%2 == 1 || s.n < minSamples {
		return false
	}
	return s.n >= maxSamples || s.n*s.ports.tracks() >= maxCells
}

// keep appends one value to every series.
func (s *sampler) keep() {
	s.n++
	s.ports.keep(s.n, s.step)
	s.notices.keep(s.n)
	for i, t := range s.rates {
		t.addRate(s.c.m.NICs.Tally(i), s.step)
	}
	s.openConnections()
	for i, t := range s.conns {
		t.addRate(s.c.m.NICs.ReceivedBytes(i), s.step)
	}
	s.control.keep(s.n)
}

// openConnections follows the first connections, as long as there are few.
func (s *sampler) openConnections() {
	n := s.c.m.NICs.Connections()
	if n > maxConnectionSeries {
		s.conns = nil
		return
	}
	for len(s.conns) < n {
		s.conns = append(s.conns, &track{values: make([]float64, s.n-1)})
	}
}

func (s *sampler) halve() {
	s.n /= 2
	s.step *= 2
	s.skip *= 2
	s.ports.halve()
	s.notices.halve()
	s.control.halve()
	for _, t := range append(s.rates, s.conns...) {
		t.values = halve(t.values, mean)
	}
}

// track is the rate at which one counter grows.
type track struct {
	values []float64
	last   int64 // counter at the last kept value
}

// addRate appends the mean rate, in bit/s, of a counter of bytes.
func (t *track) addRate(counter int64, step sim.Time) {
	t.values = append(t.values, float64(counter-t.last)*8/step.Seconds())
	t.last = counter
}

// counts is how much one counter grows in each step. The values are nil until
// it first does. They are short: there are many, of which few are asked for.
type counts struct {
	values []float32
	last   int64
}

// add appends what a counter grew by; n is the number of values with this one.
func (t *counts) add(counter int64, n int) {
	grown := counter - t.last
	if t.values == nil {
		if grown == 0 {
			return
		}
		t.values = zeros(n - 1)
	}
	t.values = append(t.values, float32(grown))
	t.last = counter
}

// zeros returns n values, with room for as many more.
func zeros(n int) []float32 { return make([]float32, n, max(64, 2*n)) }

// number is what values are kept in.
type number interface{ ~float32 | ~float64 }

func halve[T number](v []T, join func(a, b T) T) []T {
	for i := range len(v) / 2 {
		v[i] = join(v[2*i], v[2*i+1])
	}
	return v[:len(v)/2]
}

func mean[T number](a, b T) T { return (a + b) / 2 }

func sum[T number](a, b T) T { return a + b }

func higher[T number](a, b T) T { return max(a, b) }

// wide returns values as results have them.
func wide(values []float32) []float64 {
	all := make([]float64, len(values))
	for i, v := range values {
		all[i] = float64(v)
	}
	return all
}

// series returns all rates, and the ports and NICs at which most happened.
func (s *sampler) series(run *results.Run) []results.Series {
	if s == nil || s.n == 0 {
		return nil
	}
	out := s.ports.queueSeries(run)
	for i, t := range s.rates {
		out = append(out, results.Series{Kind: results.RateSeries, Name: s.c.opt.Workloads[i].Name, Port: -1, Values: t.values})
	}
	if len(s.conns) > 1 {
		for i, t := range s.conns {
			out = append(out, results.Series{Kind: results.RateSeries, Name: s.c.connectionName(i), Port: -1, Values: t.values})
		}
	}
	out = append(out, s.ports.linkSeries(run)...)
	out = append(out, s.ports.markSeries(run)...)
	out = append(out, s.notices.series()...)
	out = append(out, s.control.series(len(s.conns) > 1)...)
	for i := range out {
		out[i].Start, out[i].Step = s.step, s.step
	}
	return out
}

// connectionName names a connection in series.
func (c *Collector) connectionName(i int) string {
	f, g := c.m.Flow(i), c.m.Spec.Graph
	return fmt.Sprintf("flow %d %s>%s", i, g.NodeName(int(f.Src)), g.NodeName(int(f.Dst)))
}
