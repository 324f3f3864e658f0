package results

import (
	"cmp"
	"slices"

	"rocesim/sim"
)

// PortPauses are all pauses of one priority of a port.
type PortPauses struct {
	Port     int32
	Priority uint8
	// Total is for how long it was not allowed to send.
	Total sim.Time
	// Pauses are in the order of the run's.
	Pauses []Pause
}

// PausesByPort groups the pauses of a run by port and priority, the longest
// paused first, and of equal ones that which was paused first.
func PausesByPort(run *Run) []PortPauses {
	type key struct {
		port     int32
		priority uint8
	}
	places := map[key]int{}
	var all []PortPauses
	for _, p := range run.Pauses {
		k := key{p.Port, p.Priority}
		place, ok := places[k]
		if !ok {
			place = len(all)
			places[k] = place
			all = append(all, PortPauses{Port: p.Port, Priority: p.Priority})
		}
		all[place].Pauses = append(all[place].Pauses, p)
		all[place].Total += p.To - p.From
	}
	slices.SortStableFunc(all, func(a, b PortPauses) int { return cmp.Compare(b.Total, a.Total) })
	return all
}

// RankedSeries returns the series of a kind that have values, those of the
// highest rank first; of equals the first of the run stays first.
func RankedSeries(run *Run, kind SeriesKind, rank func(values []float64) float64) []*Series {
	type ranked struct {
		series *Series
		rank   float64
	}
	var all []ranked
	for i := range run.Series {
		if s := &run.Series[i]; s.Kind == kind && len(s.Values) > 0 {
			all = append(all, ranked{s, rank(s.Values)})
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(b.rank, a.rank) })
	series := make([]*Series, len(all))
	for i := range all {
		series[i] = all[i].series
	}
	return series
}

// DistinctSeries leaves out series that repeat an earlier one, as the only flow
// of a workload repeats the workload's.
func DistinctSeries(series []*Series) []*Series {
	var kept []*Series
	for _, s := range series {
		if !slices.ContainsFunc(kept, func(k *Series) bool { return slices.Equal(k.Values, s.Values) }) {
			kept = append(kept, s)
		}
	}
	return kept
}

// flattened is how many times smaller a curve is than the largest of its panel
// when it cannot be told from the axis any more.
const flattened = 20

// ByMagnitude divides series, of which the largest come first and none is
// empty, into at most so many panels that none is flattened to the axis by one
// beside it.
func ByMagnitude(series []*Series, panels int) [][]*Series {
	var divided [][]*Series
	head := 0.0
	for _, s := range series {
		if len(divided) == 0 || len(divided) < panels && slices.Max(s.Values) < head/flattened {
			divided = append(divided, nil)
			head = slices.Max(s.Values)
		}
		divided[len(divided)-1] = append(divided[len(divided)-1], s)
	}
	return divided
}

// LowestXoff returns the lowest XOFF threshold in bytes seen on the switch of a
// queue; 0 if there is none. It bounds what each ingress port has in the buffer,
// not the queue, but a queue that one port fills reaches it at that depth.
func LowestXoff(run *Run, queue *Series) int64 {
	node, lowest := run.Ports[queue.Port].Node, int64(0)
	for i := range run.Queues {
		q := &run.Queues[i]
		if q.Priority == queue.Priority && q.XoffMin > 0 && run.Ports[q.Port].Node == node && (lowest == 0 || q.XoffMin < lowest) {
			lowest = q.XoffMin
		}
	}
	return lowest
}

// ControlRates are the series of rates that congestion control left, the slowest
// first: of workloads that it slowed down, of those that it did not, and of
// single flows.
type ControlRates struct{ Slowed, Free, Flows []*Series }

// ControlRatesOf divides the series of a run.
func ControlRatesOf(run *Run) ControlRates {
	var r ControlRates
	for _, s := range RankedSeries(run, ControlSeries, func(values []float64) float64 { return -knownMean(values) }) {
		switch {
		case !slices.ContainsFunc(run.Workloads, func(w Workload) bool { return w.Name == s.Name }):
			r.Flows = append(r.Flows, s)
		case slices.Max(s.High) == lowestKnown(s.Low):
			r.Free = append(r.Free, s)
		default:
			r.Slowed = append(r.Slowed, s)
		}
	}
	return r
}

// lowestKnown is the least rate that is one: 0 says that there was nothing to
// send.
func lowestKnown(rates []float64) float64 {
	least := 0.0
	for _, v := range rates {
		if v > 0 && (least == 0 || v < least) {
			least = v
		}
	}
	return least
}

// knownMean is the mean of the rates that are one.
func knownMean(rates []float64) float64 {
	n := 0
	for _, v := range rates {
		if v > 0 {
			n++
		}
	}
	return Sum(rates) / float64(max(n, 1))
}
