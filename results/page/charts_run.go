package page

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"

	"rocesim/results"
)

// maxLines is how many lines of a kind are drawn: the style sheet's colours.
const maxLines = colours

// RunCharts returns the charts of a run over time, and those of its flows and
// probes.
func RunCharts(run *results.Run) (Part, error) {
	over, err := timeSection(run)
	if err != nil {
		return Part{}, err
	}
	flows, err := flowSection(run)
	if err != nil {
		return Part{}, err
	}
	both := Document{}
	both.Add(over)
	both.Add(flows)
	return Part{Sections: both.Sections, Data: both.Data, Scripts: both.Scripts, Styles: both.Styles}, nil
}

// timeSection is what happened when.
func timeSection(run *results.Run) (Part, error) {
	var charts []*Chart
	charts = append(charts, queueChart(run))
	charts = append(charts, pauseCharts(run)...)
	charts = append(charts, markChart(run), noticeChart(run))
	charts = append(charts, controlCharts(run)...)
	charts = append(charts, rateCharts(run)...)
	charts = append(charts, useChart(run))
	charts = slices.DeleteFunc(charts, func(c *Chart) bool { return c == nil })
	body, part, err := Charts(charts...)
	if err != nil {
		return Part{}, err
	}
	marks, err := markTables(run)
	if err != nil {
		return Part{}, err
	}
	part.Sections = []Section{{ID: "time", Title: "Over time", Body: timeHint(len(charts)) + quietText(run) + body + marks}}
	return part, nil
}

// timeHint says how charts are used, if there are any.
func timeHint(charts int) template.HTML {
	if charts == 0 {
		return `<p>The run has no time series: <code>output.sample</code> of its scenario is 0.</p>`
	}
	return `<p class="faint small hint">Drag to zoom, double-click to see all; the charts of this section zoom together. A click sets the time
of the <a href="#topology">drawing of the network</a>. Buttons show and hide lines. The keyboard works too: arrows, plus, minus, 0.
Where there are more values than pixels, a line is their mean, in a shade from the lowest to the highest: zoom in to see each.</p>`
}

// picked says which of all things are drawn: "all 3 queues", "the 2 of 9 queues
// that marked most".
func picked(n, all int, one, many, which string) string {
	switch {
	case all == 1:
		return "the only " + one
	case n == all:
		return fmt.Sprintf("all %d %s", all, many)
	case which == "":
		return fmt.Sprintf("%d of %d %s", n, all, many)
	}
	return fmt.Sprintf("the %d of %d %s %s", n, all, many, which)
}

// base is a chart over simulated time.
func base(run *results.Run, id, title, caption string, y Axis) *Chart {
	return &Chart{ID: id, Title: title, Caption: caption, Linked: true, Y: y,
		X: Axis{Label: "Simulated time", Unit: Microseconds, From: "0", To: micros(run.Manifest.SimulatedTime)}}
}

// seriesOf returns the series of one kind with the greatest rank first, at
// most n, and how many there are.
func seriesOf(run *results.Run, kind results.SeriesKind, n int, rank func([]float64) float64) (chosen []*results.Series, all int) {
	chosen = results.RankedSeries(run, kind, rank)
	return chosen[:min(n, len(chosen))], len(chosen)
}

// addSeries makes lines of series.
func (c *Chart) addSeries(series []*results.Series, name func(*results.Series) string) {
	for i, s := range series {
		l := Line{Name: name(s), Values: valuesOf(s)}
		first := series[0]
		switch {
		case i == 0:
			c.Places = placesOf(s)
		case len(s.Values) != len(first.Values) || s.Start != first.Start || s.Step != first.Step:
			l.Places = placesOf(s)
		}
		c.Lines = append(c.Lines, l)
	}
}

func valuesOf(s *results.Series) Numbers {
	values := make(Numbers, len(s.Values))
	for i := range values {
		values[i] = Number(s.ValueText(i))
	}
	return values
}

func placesOf(s *results.Series) Numbers {
	places := make(Numbers, len(s.Values))
	for i := range places {
		places[i] = micros(s.At(i))
	}
	return places
}

// queueName names a queue with its priority.
func queueName(s *results.Series) string { return fmt.Sprintf("%s priority %d", s.Name, s.Priority) }

// queueChart draws the deepest sampled queues with the levels that they are
// compared with.
func queueChart(run *results.Run) *Chart {
	chosen, all := seriesOf(run, results.QueueSeries, maxLines, slices.Max[[]float64])
	if len(chosen) == 0 {
		return nil
	}
	c := base(run, "queues", "Queue depth", fmt.Sprintf("Depth of %s, named node:port>peer; series/queues.csv.",
		picked(len(chosen), all, "sampled egress queue", "sampled egress queues", "that grew deepest")),
		Axis{Label: "Egress queue", Unit: Bytes})
	c.addSeries(chosen, queueName)
	for _, s := range chosen {
		for _, m := range s.Marks {
			l := Level{m.Label, Number(results.FloatText(m.Value))}
			if !slices.Contains(c.Levels, l) {
				c.Levels = append(c.Levels, l)
			}
		}
	}
	if lowest := results.LowestXoff(run, chosen[0]); lowest > 0 {
		node := run.Nodes[run.Ports[chosen[0].Port].Node]
		c.Levels = append(c.Levels, Level{"lowest XOFF of an ingress port of " + node, Number(fmt.Sprint(lowest))})
	}
	slices.SortStableFunc(c.Levels, func(a, b Level) int { return cmp.Compare(a.Value.float(), b.Value.float()) })
	return c
}

// rateCharts draw the payload delivered, workloads and flows of one magnitude
// in one chart.
func rateCharts(run *results.Run) []*Chart {
	chosen, all := seriesOf(run, results.RateSeries, maxLines, results.Mean)
	var charts []*Chart
	for i, members := range results.ByMagnitude(results.DistinctSeries(chosen), maxPanels) {
		c := base(run, "rates", "Payload delivered", fmt.Sprintf("Means over %s of %s; series/rates.csv.",
			results.Duration.Format(float64(members[0].Step)), picked(len(members), all, "sampled workload", "sampled workloads and flows", "")), Axis{Label: "Goodput", Unit: Gigabits})
		if len(members) == 1 {
			c.Title += ": " + members[0].Name
		} else if i > 0 {
			c.Title += ": the smaller ones"
		}
		if i > 0 {
			c.ID = fmt.Sprintf("rates-%d", i+1)
		}
		c.addSeries(members, func(s *results.Series) string { return s.Name })
		charts = append(charts, c)
	}
	return charts
}

// maxPanels is into how many charts rates are divided.
const maxPanels = 3
