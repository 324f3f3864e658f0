package report

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"rocesim/results"
)

// Overlay is one run of each side of a comparison, to be drawn over each
// other: A in blue, B in vermilion and dashed.
type Overlay struct {
	A, B         *results.Run
	NameA, NameB string
}

// side is one of the two with the way to draw it.
type side struct {
	letter, name string
	run          *results.Run
	index        int
}

func (o *Overlay) sides() []side {
	return []side{{"A", o.NameA, o.A, 0}, {"B", o.NameB, o.B, 1}}
}

// subtitle says which runs are drawn.
func (o *Overlay) subtitle() string {
	return fmt.Sprintf("A: %s, seed %d; B: %s, seed %d", shorten(o.NameA), o.A.Manifest.Seed, shorten(o.NameB), o.B.Manifest.Seed)
}

// Plots returns the plots that the runs have data for: fct_cdf,
// slowdown_by_size and queue_depth.
func (o *Overlay) Plots() []*Plot {
	var plots []*Plot
	for _, p := range []*Plot{o.fctCDF(), o.slowdownBySize(), o.queueDepth()} {
		if p != nil {
			plots = append(plots, p)
		}
	}
	return plots
}

// Write draws the plots into the directory plots below dir, as Write does.
func (o *Overlay) Write(dir string, formats []string) error {
	return WritePlots(dir, o.Plots(), formats)
}

// overlaid is one panel: a quantity that both sides have.
type overlaid struct {
	name   string
	values [2][]float64
}

// workloads returns the completion times of each workload by name, those with
// most flows if there are many.
func (o *Overlay) workloads() []overlaid {
	var all []overlaid
	for _, s := range o.sides() {
		for i := range s.run.Flows {
			f := &s.run.Flows[i]
			if f.FCT() <= 0 {
				continue
			}
			name := s.run.Workloads[f.Workload].Name
			at := slices.IndexFunc(all, func(w overlaid) bool { return w.name == name })
			if at < 0 {
				at = len(all)
				all = append(all, overlaid{name: name})
			}
			all[at].values[s.index] = append(all[at].values[s.index], float64(f.FCT()))
		}
	}
	slices.SortStableFunc(all, func(a, b overlaid) int {
		return len(b.values[0]) + len(b.values[1]) - len(a.values[0]) - len(a.values[1])
	})
	return all[:min(maxPanels, len(all))]
}

func (o *Overlay) fctCDF() *Plot {
	panels := o.workloads()
	if len(panels) == 0 {
		return nil
	}
	low, high := math.Inf(1), 0.0
	for _, w := range panels {
		for _, values := range w.values {
			slices.Sort(values)
			if len(values) > 0 {
				low, high = min(low, values[0]), max(high, values[len(values)-1])
			}
		}
	}
	scale := timeUnit(math.Sqrt(low*high) * 20)
	p := newPlot("fct_cdf", "Flow completion time, A and B", o.subtitle(),
		fmt.Sprintf("flow completion time (%s, log scale)", scale.name), "flows completed (%)")
	p.plot.X.Min, p.plot.X.Max = logRange(low/scale.size, high/scale.size)
	for i, w := range panels {
		panel := p.panelAt(i)
		panel.X.Scale, panel.X.Tick.Marker = plot.LogScale{}, logTicks{}
		panel.Y.Min, panel.Y.Max = 0, 100
		if len(panels) > 1 {
			panel.Y.Label.Text = shorten(w.name) + "\ncompleted (%)"
		}
		addGrid(panel, true, true)
		for _, s := range o.sides() {
			values := w.values[s.index]
			if len(values) == 0 {
				p.entry(fmt.Sprintf("%s, %s:\nno flow finished", s.letter, w.name))
				continue
			}
			name := fmt.Sprintf("%s, %s\nn = %s\np50 %s, p99 %s", s.letter, shorten(w.name), group(fmt.Sprint(len(values))),
				results.Duration.Format(results.Percentile(values, 0.5)), results.Duration.Format(results.Percentile(values, 0.99)))
			p.lineOn(panel, name, cdf(values, scale.size), lineStyle(s.index), plotter.PostStep)
		}
	}
	return p
}

// panelAt returns the i-th panel, made if it is the next.
func (p *Plot) panelAt(i int) *plot.Plot {
	if i == 0 {
		return p.plot
	}
	return p.panel()
}

// slowdownBySize draws median and tail of both sides over the size of flows.
func (o *Overlay) slowdownBySize() *Plot {
	p := newPlot("slowdown_by_size", "Slowdown by flow size, A and B", o.subtitle()+
		"; slowdown = completion time / that on an idle fabric", "flow size", "slowdown (1 is ideal, log scale)")
	rows := [2][]results.BucketSummary{results.SlowdownBySize(o.A), results.SlowdownBySize(o.B)}
	ticks, place := bucketTicks(rows)
	if len(ticks) == 0 {
		return nil
	}
	p.grid(false, true)
	low, high := 1.0, 2.0
	for _, s := range o.sides() {
		var median, tail []vg.Point
		for i, row := range rows[s.index][1:] {
			if d := row.Slowdown; d.N > 0 {
				median = append(median, vg.Point{X: vg.Length(place[i]), Y: vg.Length(d.P50)})
				tail = append(tail, vg.Point{X: vg.Length(place[i]), Y: vg.Length(d.P99)})
				low, high = min(low, d.P50), max(high, d.P99)
			}
		}
		p.series(s.letter+", p99", tail, s.index, draw.PyramidGlyph{})
		p.series(s.letter+", p50 (median)", median, s.index, draw.CircleGlyph{})
	}
	p.plot.X.Tick.Marker = ticks
	p.plot.X.Min, p.plot.X.Max = -0.5, float64(len(ticks))-0.5
	p.plot.Y.Scale, p.plot.Y.Tick.Marker = plot.LogScale{}, logTicks{}
	_, top := logRange(low, high*1.15)
	p.plot.Y.Min, p.plot.Y.Max = low*0.8, top
	p.plot.Add(level{1, markStyle(0)})
	p.entry("ideal", level{1, markStyle(0)})
	return p
}

// bucketTicks labels the sizes that either side has, and returns the place of
// each bucket on the axis.
func bucketTicks(rows [2][]results.BucketSummary) (namedTicks, []float64) {
	var ticks namedTicks
	buckets := results.Buckets()
	place := make([]float64, len(buckets))
	for i, bucket := range buckets {
		nA, nB := rows[0][i+1].Slowdown.N, rows[1][i+1].Slowdown.N
		if nA+nB == 0 {
			continue
		}
		place[i] = float64(len(ticks))
		label := fmt.Sprintf("%s\nn = %s", bucketLabel(bucket), group(fmt.Sprint(nA)))
		if nA != nB {
			label += " / " + group(fmt.Sprint(nB))
		}
		ticks = append(ticks, plot.Tick{Value: place[i], Label: label})
	}
	return ticks, place
}

// queueDepth draws the queues that are deepest on either side, a panel each.
func (o *Overlay) queueDepth() *Plot {
	names := o.deepest()
	if len(names) == 0 {
		return nil
	}
	span := float64(max(o.A.Manifest.SimulatedTime, o.B.Manifest.SimulatedTime))
	time := timeUnit(span)
	p := newPlot("queue_depth", "Queue depth, A and B", o.subtitle()+"; the queues that are deepest on either side",
		fmt.Sprintf("simulated time (%s)", time.name), "")
	p.plot.X.Min, p.plot.X.Max = 0, span/time.size
	shown := map[string]bool{} // levels in the legend: panels share them
	for i, name := range names {
		panel := p.panelAt(i)
		addGrid(panel, true, true)
		top := 1.0
		for _, s := range o.sides() {
			if q := queueSeries(s.run, name); q != nil {
				top = max(top, slices.Max(q.Values))
			}
		}
		size := sizeUnit(top)
		panel.Y.Label.Text = fmt.Sprintf("%s\n(%s)", name, size.name)
		for _, s := range o.sides() {
			if q := queueSeries(s.run, name); q != nil {
				p.drawQueue(panel, s.letter, s.index, q, time, size)
				p.drawLevels(panel, s.letter, s.index, q, size, shown)
			} else {
				p.entry(fmt.Sprintf("%s, %s:\nnot sampled", s.letter, shorten(name)))
			}
		}
		panel.Y.Min, panel.Y.Max = 0, niceTop(top*1.04/size.size)
	}
	return p
}

// drawQueue draws the samples of a queue of one side.
func (p *Plot) drawQueue(panel *plot.Plot, letter string, index int, q *results.Series, time, size unit) {
	name := fmt.Sprintf("%s, %s\npeak %s", letter, shorten(q.Name), results.Size.Format(slices.Max(q.Values)))
	p.lineOn(panel, name, thinPeaks(points(q, time.size, size.size)), lineStyle(index), plotter.NoStep)
}

// drawLevels draws what a queue of one side is compared with, but what is far
// above the plot.
func (p *Plot) drawLevels(panel *plot.Plot, letter string, index int, q *results.Series, size unit, shown map[string]bool) {
	for i, m := range q.Marks {
		if m.Value > 2*slices.Max(q.Values) {
			continue
		}
		style := draw.LineStyle{Color: faded(index), Width: 1.5, Dashes: markStyle(i + 2*index).Dashes}
		panel.Add(level{m.Value / size.size, style})
		if text := fmt.Sprintf("%s, %s %s", letter, m.Label, results.Size.Format(m.Value)); !shown[text] {
			shown[text] = true
			p.entry(text, level{0, style})
		}
	}
}

// faded is the colour of a side for its levels.
func faded(index int) color.Color {
	c := colour(index)
	c.R, c.G, c.B = c.R/2+0x60, c.G/2+0x60, c.B/2+0x60
	return c
}

// queueSeries returns the samples of a queue, or nil.
func queueSeries(run *results.Run, name string) *results.Series {
	for i := range run.Series {
		if s := &run.Series[i]; s.Kind == results.QueueSeries && s.Name == name && len(s.Values) > 0 {
			return s
		}
	}
	return nil
}

// deepest names the queues with the highest peaks of both sides.
func (o *Overlay) deepest() []string {
	type peak struct {
		name string
		size float64
	}
	var peaks []peak
	for _, s := range o.sides() {
		for _, q := range seriesOf(s.run, results.QueueSeries, maxQueues, slices.Max[[]float64]) {
			peaks = append(peaks, peak{q.Name, slices.Max(q.Values)})
		}
	}
	slices.SortStableFunc(peaks, func(a, b peak) int {
		switch {
		case a.size > b.size:
			return -1
		case a.size < b.size:
			return 1
		}
		return 0
	})
	var names []string
	for _, q := range peaks {
		if !slices.Contains(names, q.name) && len(names) < maxPanels {
			names = append(names, q.name)
		}
	}
	return names
}
