package metrics

import (
	"cmp"
	"fmt"
	"slices"

	"rocesim/fabric"
	"rocesim/results"
	"rocesim/sim"
)

// maxSamples bounds a series. A longer run halves its resolution: pairs of
// samples become one, so memory does not grow with simulated time.
const maxSamples = 4096

// maxConnectionSeries is the number of connections up to which each gets a rate
// series of its own.
const maxConnectionSeries = 16

// sampler takes queue depths and delivered bytes at equal steps.
type sampler struct {
	c      *Collector
	step   sim.Time // between kept values
	skip   int      // raw samples to merge into one value
	merged int
	n      int // values kept
	rates  []*track
	conns  []*track
	queues []queueTrack // by portPriority, dense
	taken  int
}

// track is one sampled quantity.
type track struct {
	values []float64
	last   int64 // counter at the last kept value
}

type queueTrack struct {
	values []float64 // nil until the queue first holds something
	high   float64   // of the raw samples being merged
	sum    float64   // of all raw samples
}

func newSampler(c *Collector) *sampler {
	s := &sampler{c: c, step: c.opt.Sample, skip: 1, queues: make([]queueTrack, c.ports.total*fabric.Priorities)}
	for range c.opt.Workloads {
		s.rates = append(s.rates, &track{})
	}
	return s
}

// take is called at every sampling instant.
func (s *sampler) take(sim.Time) {
	s.taken++
	s.merged++
	keep := s.merged == s.skip
	for i, sw := range s.c.m.Switches {
		for p := range sw.NumPorts() {
			for q := range fabric.Priorities {
				if b := sw.QueueBytes(p, q); b > 0 {
					s.seen(s.queue(int(s.c.ports.of(i, p)), q), float64(b))
				}
			}
		}
	}
	if !keep {
		return
	}
	s.merged = 0
	s.keep()
	if s.n == maxSamples {
		s.halve()
	}
}

func (s *sampler) queue(port, priority int) *queueTrack {
	return &s.queues[port*fabric.Priorities+priority]
}

func (s *sampler) seen(q *queueTrack, bytes float64) {
	q.sum += bytes
	q.high = max(q.high, bytes)
	if q.values == nil {
		q.values = make([]float64, s.n, max(64, s.n*2))
	}
}

// keep appends one value to every series.
func (s *sampler) keep() {
	s.n++
	for i := range s.queues {
		if q := &s.queues[i]; q.values != nil {
			q.values = append(q.values, q.high)
			q.high = 0
		}
	}
	for i, t := range s.rates {
		t.add(s.c.m.NICs.Tally(i), s.step)
	}
	s.openConnections()
	for i, t := range s.conns {
		t.add(s.c.m.NICs.ReceivedBytes(i), s.step)
	}
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

func (t *track) add(counter int64, step sim.Time) {
	t.values = append(t.values, float64(counter-t.last)*8/step.Seconds())
	t.last = counter
}

func (s *sampler) halve() {
	s.n /= 2
	s.step *= 2
	s.skip *= 2
	for i := range s.queues {
		q := &s.queues[i]
		q.values = halve(q.values, func(a, b float64) float64 { return max(a, b) })
	}
	mean := func(a, b float64) float64 { return (a + b) / 2 }
	for _, t := range s.rates {
		t.values = halve(t.values, mean)
	}
	for _, t := range s.conns {
		t.values = halve(t.values, mean)
	}
}

func halve(v []float64, join func(a, b float64) float64) []float64 {
	for i := range len(v) / 2 {
		v[i] = join(v[2*i], v[2*i+1])
	}
	return v[:len(v)/2]
}

// mean is the mean depth of a queue over the samples taken.
func (s *sampler) mean(port, priority int) float64 {
	if s == nil || s.taken == 0 {
		return 0
	}
	return s.queue(port, priority).sum / float64(s.taken)
}

// series returns the deepest queues and all rates.
func (s *sampler) series(run *results.Run) []results.Series {
	if s == nil || s.n == 0 {
		return nil
	}
	out := s.queueSeries(run)
	for i, t := range s.rates {
		out = append(out, s.rate(s.c.opt.Workloads[i].Name, t))
	}
	if len(s.conns) > 1 {
		for i, t := range s.conns {
			f := s.c.m.Flow(i)
			g := s.c.m.Spec.Graph
			out = append(out, s.rate(fmt.Sprintf("flow %d %s>%s", i, g.NodeName(int(f.Src)), g.NodeName(int(f.Dst))), t))
		}
	}
	return out
}

func (s *sampler) rate(name string, t *track) results.Series {
	return results.Series{Kind: results.RateSeries, Name: name, Port: -1, Start: s.step, Step: s.step, Values: t.values}
}

func (s *sampler) queueSeries(run *results.Run) []results.Series {
	var rows []*results.QueueRow
	for i := range run.Queues {
		r := &run.Queues[i]
		if s.queue(int(r.Port), int(r.Priority)).values != nil {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b *results.QueueRow) int { return cmp.Compare(b.PeakQueue, a.PeakQueue) })
	var out []results.Series
	for _, r := range rows[:min(len(rows), s.c.opt.Queues)] {
		out = append(out, results.Series{
			Kind:     results.QueueSeries,
			Name:     run.PortName(r.Port),
			Port:     r.Port,
			Priority: r.Priority,
			Start:    s.step,
			Step:     s.step,
			Values:   s.queue(int(r.Port), int(r.Priority)).values,
			Marks:    r.Marks(),
		})
	}
	return out
}
