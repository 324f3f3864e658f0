package page

import (
	"cmp"
	"fmt"
	"slices"

	"rocesim/results"
)

// How many charts of a kind a comparison has.
const (
	maxOverlaidWorkloads = 4
	maxOverlaidQueues    = 3
	maxOverlaidRates     = 3
)

// overlay is the two runs of a comparison, A first.
type overlay [2]*results.Run

// overlayCharts draws both runs over each other: completion times of each
// workload, the deepest queues, and goodput.
func overlayCharts(a, b *results.Run) []*Chart {
	o := overlay{a, b}
	all := o.completion()
	all = append(all, o.series("queue", "Queue depth of ", results.QueueSeries, maxOverlaidQueues, Axis{Label: "Egress queue", Unit: Bytes}, queueName)...)
	rateName := func(s *results.Series) string { return s.Name }
	return append(all, o.series("rate", "Payload delivered of ", results.RateSeries, maxOverlaidRates, Axis{Label: "Goodput", Unit: Gigabits}, rateName)...)
}

// line is the curve of a side in its colour.
func (o *overlay) line(side int, l Line) Line {
	l.Name = [...]string{"A", "B"}[side] + l.Name
	l.Colour, l.Dashed = side+1, side == 1
	return l
}

// completion draws the distribution of completion times of the workloads that
// both runs have.
func (o *overlay) completion() []*Chart {
	times := [2]map[string][]Line{{}, {}}
	for side, run := range o {
		for w, sorted := range byWorkload(run, (*results.FlowRow).FCT) {
			if len(sorted) > 0 {
				l := stepsOf(sorted)
				l.Name = fmt.Sprintf(" (%s flows)", results.Count.Format(float64(len(sorted))))
				times[side][run.Workloads[w].Name] = []Line{o.line(side, l)}
			}
		}
	}
	var all []*Chart
	for _, w := range o[0].Workloads {
		lines := slices.Concat(times[0][w.Name], times[1][w.Name])
		if len(lines) == 0 || len(all) == maxOverlaidWorkloads {
			continue
		}
		all = append(all, &Chart{ID: fmt.Sprintf("fct-%d", len(all)+1), Title: "Flow completion time of " + w.Name, Lines: lines,
			Caption: "The share of flows that completed within a time.",
			X:       Axis{Label: "Flow completion time", Unit: Microseconds, Log: true}, Y: Axis{Label: "Flows completed", Unit: Percent, From: "0", To: "100"}})
	}
	return all
}

// series draws the sampled series of a kind that are highest on either side, a
// chart each.
func (o *overlay) series(id, title string, kind results.SeriesKind, most int, y Axis, name func(*results.Series) string) []*Chart {
	type peak struct {
		name   string
		height float64
	}
	var peaks []peak
	found := [2]map[string]*results.Series{{}, {}}
	for side, run := range o {
		for i := range run.Series {
			s := &run.Series[i]
			if s.Kind != kind || len(s.Values) == 0 {
				continue
			}
			found[side][name(s)] = s
			peaks = append(peaks, peak{name(s), slices.Max(s.Values)})
		}
	}
	slices.SortStableFunc(peaks, func(a, b peak) int { return cmp.Compare(b.height, a.height) })
	var all []*Chart
	drawn := map[string]bool{}
	end := micros(max(o[0].Manifest.SimulatedTime, o[1].Manifest.SimulatedTime))
	for _, p := range peaks {
		if drawn[p.name] || len(all) == most || p.height == 0 {
			continue
		}
		drawn[p.name] = true
		c := &Chart{ID: fmt.Sprintf("%s-%d", id, len(all)+1), Title: title + p.name, Linked: true, Y: y,
			X: Axis{Label: "Simulated time", Unit: Microseconds, From: "0", To: end}}
		for side := range o {
			if s := found[side][p.name]; s != nil {
				c.Lines = append(c.Lines, o.line(side, Line{Places: placesOf(s), Values: valuesOf(s)}))
			} else {
				c.Caption += fmt.Sprintf(" Not sampled in %s.", [...]string{"A", "B"}[side])
			}
		}
		all = append(all, c)
	}
	return all
}
