package metrics

import (
	"cmp"
	"slices"

	"rocesim/fabric"
	"rocesim/fabric/topo"
	"rocesim/results"
	"rocesim/sim"
	switching "rocesim/switch"
)

// portSampler follows every egress queue of switches, every queue that may mark,
// and every link. Which of them are worth showing is known at the end only.
type portSampler struct {
	c      *Collector
	taken  int
	queues []queueTrack // by portPriority, dense
	marks  []markTrack
	links  []linkTrack // by port
	used   int         // tracks of queues and marks that hold values
}

type queueTrack struct {
	values []float32 // nil until the queue first holds something
	high   float32   // of the raw samples being merged
	sum    float64   // of all raw samples
}

// markTrack is a queue with a marking profile.
type markTrack struct {
	counts
	sw             *switching.Switch
	port, priority int
	index          int32 // of the port
}

// linkTrack is what a port sends in each step, as a part of what it could.
type linkTrack struct {
	values []float32
	last   int64
	end    topo.End // the port
	rate   sim.Rate
}

func newPortSampler(c *Collector) *portSampler {
	s := &portSampler{c: c, queues: make([]queueTrack, c.ports.total*fabric.Priorities)}
	for i, sw := range c.m.Switches {
		for p := range sw.NumPorts() {
			for q := range fabric.Priorities {
				if sw.REDProfile(p, q) != nil {
					s.marks = append(s.marks, markTrack{sw: sw, port: p, priority: q, index: c.ports.of(i, p)})
				}
			}
		}
	}
	g := c.m.Spec.Graph
	for n := range g.NumNodes() {
		for i, ref := range g.Ports(n) {
			s.links = append(s.links, linkTrack{end: topo.End{Node: n, Port: i}, rate: g.Links[ref.Link].Rate})
		}
	}
	return s
}

// tracks is how many lists of values there are.
func (s *portSampler) tracks() int { return s.used + len(s.links) }

// look takes a raw sample of the queues; n values were kept before.
func (s *portSampler) look(n int) {
	s.taken++
	s.each(func(q *queueTrack, bytes float64) { s.seen(q, bytes, n) })
}

// each calls visit for every queue of a switch that holds something.
func (s *portSampler) each(visit func(q *queueTrack, bytes float64)) {
	for i, sw := range s.c.m.Switches {
		for p := range sw.NumPorts() {
			for q := range fabric.Priorities {
				if b := sw.QueueBytes(p, q); b > 0 {
					visit(s.queue(int(s.c.ports.of(i, p)), q), float64(b))
				}
			}
		}
	}
}

func (s *portSampler) queue(port, priority int) *queueTrack {
	return &s.queues[port*fabric.Priorities+priority]
}

func (s *portSampler) seen(q *queueTrack, bytes float64, n int) {
	q.sum += bytes
	q.high = max(q.high, float32(bytes))
	if q.values == nil {
		q.values = zeros(n)
		s.used++
	}
}

// keep appends value number n.
func (s *portSampler) keep(n int, step sim.Time) {
	for i := range s.queues {
		if q := &s.queues[i]; q.values != nil {
			q.values = append(q.values, q.high)
			q.high = 0
		}
	}
	for i := range s.marks {
		m := &s.marks[i]
		before := m.values == nil
		m.add(int64(m.sw.Marked(m.port, m.priority)), n)
		if before && m.values != nil {
			s.used++
		}
	}
	for i := range s.links {
		l := &s.links[i]
		bytes := s.c.wireBytes(l.end)
		l.values = append(l.values, float32(float64(bytes-l.last)*8/(float64(l.rate)*step.Seconds())))
		l.last = bytes
	}
}

func (s *portSampler) halve() {
	for i := range s.queues {
		s.queues[i].values = halve(s.queues[i].values, higher)
	}
	for i := range s.marks {
		s.marks[i].values = halve(s.marks[i].values, sum)
	}
	for i := range s.links {
		s.links[i].values = halve(s.links[i].values, mean)
	}
}

// mean is the mean depth of a queue over the samples taken.
func (s *sampler) mean(port, priority int) float64 {
	if s == nil || s.ports.taken == 0 {
		return 0
	}
	return s.ports.queue(port, priority).sum / float64(s.ports.taken)
}

// queueSeries returns the deepest queues.
func (s *portSampler) queueSeries(run *results.Run) []results.Series {
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
			Values:   wide(s.queue(int(r.Port), int(r.Priority)).values),
			Marks:    r.Marks(),
		})
	}
	return out
}

// markSeries returns the queues that marked most.
func (s *portSampler) markSeries(run *results.Run) []results.Series {
	var marked []*markTrack
	for i := range s.marks {
		if s.marks[i].values != nil {
			marked = append(marked, &s.marks[i])
		}
	}
	slices.SortStableFunc(marked, func(a, b *markTrack) int { return cmp.Compare(b.last, a.last) })
	var out []results.Series
	for _, m := range marked[:min(len(marked), s.c.opt.Queues)] {
		out = append(out, results.Series{Kind: results.MarkSeries, Name: run.PortName(m.index), Port: m.index,
			Priority: uint8(m.priority), Values: wide(m.values)})
	}
	return out
}

// linkSeries returns the busiest links: that of every tier first, so that no
// crowd of equal host links hides the uplinks, then those of all.
func (s *portSampler) linkSeries(run *results.Run) []results.Series {
	order := make([]int, 0, len(s.links))
	for i := range s.links {
		if s.links[i].last > 0 {
			order = append(order, i)
		}
	}
	load := func(i int) float64 { return float64(s.links[i].last) / float64(s.links[i].rate) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(load(b), load(a)) })
	first, rest := make([]int, 0, len(order)), make([]int, 0, len(order))
	seen := map[string]bool{}
	for _, i := range order {
		if tier := run.Ports[i].Tier; !seen[tier] {
			seen[tier] = true
			first = append(first, i)
			continue
		}
		rest = append(rest, i)
	}
	chosen := append(first, rest...)
	var out []results.Series
	for _, i := range chosen[:min(len(chosen), s.c.opt.Queues)] {
		out = append(out, results.Series{Kind: results.UtilisationSeries, Name: run.PortName(int32(i)), Port: int32(i), Values: wide(s.links[i].values)})
	}
	return out
}
