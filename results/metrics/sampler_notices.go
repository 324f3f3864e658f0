package metrics

import (
	"cmp"
	"slices"

	"rocesim/results"
)

// maxNoticeNICs is how many NICs have a series of their own, of CNPs sent and
// of CNPs handled.
const maxNoticeNICs = 8

// noticeSampler follows the CNPs that NICs send and handle.
type noticeSampler struct {
	c       *Collector
	sent    []counts // by NIC, the sum last
	handled []counts
}

func newNoticeSampler(c *Collector) *noticeSampler {
	n := c.m.NICs.Len() + 1
	return &noticeSampler{c: c, sent: make([]counts, n), handled: make([]counts, n)}
}

// keep appends value number n.
func (s *noticeSampler) keep(n int) {
	all := s.c.m.NICs.Len()
	sent, handled := int64(0), int64(0)
	for i := range all {
		out, in := s.c.m.NICs.NIC(i).CNPs()
		s.sent[i].add(int64(out), n)
		s.handled[i].add(int64(in), n)
		sent, handled = sent+int64(out), handled+int64(in)
	}
	s.sent[all].add(sent, n)
	s.handled[all].add(handled, n)
}

func (s *noticeSampler) halve() {
	for _, all := range [][]counts{s.sent, s.handled} {
		for i := range all {
			all[i].values = halve(all[i].values, sum)
		}
	}
}

// series returns the sums and the NICs with most.
func (s *noticeSampler) series() []results.Series {
	return append(s.most(results.CNPSentSeries, s.sent), s.most(results.CNPHandledSeries, s.handled)...)
}

func (s *noticeSampler) most(kind results.SeriesKind, all []counts) []results.Series {
	var nics []int
	for i := range len(all) - 1 {
		if all[i].values != nil {
			nics = append(nics, i)
		}
	}
	if len(nics) == 0 {
		return nil
	}
	slices.SortStableFunc(nics, func(a, b int) int { return cmp.Compare(all[b].last, all[a].last) })
	out := []results.Series{{Kind: kind, Name: results.AllNICs, Port: -1, Values: wide(all[len(all)-1].values)}}
	for _, i := range nics[:min(len(nics), maxNoticeNICs)] {
		out = append(out, results.Series{Kind: kind, Name: s.c.m.Spec.Graph.Endpoints[i].Name, Port: -1, Values: wide(all[i].values)})
	}
	return out
}
