package report

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"rocesim/results"
	"rocesim/sim"
)

// Limits of what the plot of congestion control shows.
const (
	maxMarking = 4
	maxSlowed  = 2
)

// controlPlot is the plot of congestion control while its panels are made.
type controlPlot struct {
	*Plot
	run    *results.Run
	time   unit
	panels int
	curves int
}

// congestionControl draws marks, the notifications that follow from them, and
// the rates that these leave below each other; nil if there was no
// notification and no mark.
func congestionControl(run *results.Run) *Plot {
	marks := seriesOf(run, results.MarkSeries, maxMarking, results.Sum)
	sent := named(seriesOf(run, results.CNPSentSeries, len(run.Series), results.Sum), results.AllNICs)
	handled := named(seriesOf(run, results.CNPHandledSeries, len(run.Series), results.Sum), results.AllNICs)
	if len(marks)+len(sent)+len(handled) == 0 {
		return nil
	}
	span := float64(run.Manifest.SimulatedTime)
	time := timeUnit(span)
	p := &controlPlot{run: run, time: time}
	p.Plot = newPlot("congestion_control", "Congestion control", "", fmt.Sprintf("simulated time (%s)", time.name), "")
	p.plot.X.Min, p.plot.X.Max = 0, span/time.size
	step := sim.Time(0)
	for _, s := range slices.Concat(marks, sent, handled) {
		step = s.Step
	}
	p.subtitle = fmt.Sprintf("%s: packets marked and notifications in each %s, and what the queue pairs with data to send may send",
		run.Manifest.Name, results.Duration.Format(float64(step)))
	p.counts("packets marked", marks, func(s *results.Series) string { return shorten(s.Name) + " marks" })
	p.counts("CNPs", append(sent, handled...), noticeName)
	slowed := results.ControlRatesOf(run).Slowed
	p.rates(slowed[:min(maxSlowed, len(slowed))])
	return p.Plot
}

// next returns the panel to draw in, below those before it.
func (p *controlPlot) next(label string) *plot.Plot {
	panel := p.plot
	if p.panels > 0 {
		panel = p.panel()
	}
	p.panels++
	panel.Y.Label.Text = label
	addGrid(panel, true, true)
	return panel
}

// counts draws what was counted in each step, if anything was.
func (p *controlPlot) counts(label string, series []*results.Series, name func(*results.Series) string) {
	if len(series) == 0 {
		return
	}
	panel, top := p.next(label), 0.0
	for _, s := range series {
		top = max(top, slices.Max(s.Values))
		p.curve(panel, fmt.Sprintf("%s\n%s in all", name(s), results.Count.Format(results.Sum(s.Values))), points(s, p.time.size, 1), lineStyle(p.curves))
		p.curves++
	}
	panel.Y.Min, panel.Y.Max = 0, niceTop(top*1.04)
}

// rates draws mean, lowest and highest rate of workloads, if there are any.
func (p *controlPlot) rates(series []*results.Series) {
	if len(series) == 0 {
		return
	}
	panel, top := p.next("rate (Gb/s)"), 0.0
	for _, s := range series {
		top = max(top, slices.Max(s.High)/1e9)
		for i, bound := range []struct {
			name   string
			values []float64
		}{{"mean", s.Values}, {"slowest", s.Low}, {"fastest", s.High}} {
			line := *s
			line.Values = bound.values
			xys := slices.DeleteFunc(points(&line, p.time.size, 1e9), func(at plotter.XY) bool { return at.Y == 0 }) // 0 is no value
			style := lineStyle(i)
			style.Color = colour(p.curves)
			p.curve(panel, shorten(s.Name)+" "+bound.name, xys, style)
		}
		p.curves++
	}
	panel.Y.Min, panel.Y.Max = 0, niceTop(top*1.04)
}

func (p *controlPlot) curve(panel *plot.Plot, name string, xys plotter.XYs, style draw.LineStyle) {
	p.lineOn(panel, name, thinPeaks(xys), style, plotter.NoStep)
}

func noticeName(s *results.Series) string {
	if s.Kind == results.CNPSentSeries {
		return "CNPs sent"
	}
	return "CNPs handled"
}

// named returns the series with a name.
func named(series []*results.Series, name string) []*results.Series {
	return slices.DeleteFunc(series, func(s *results.Series) bool { return s.Name != name })
}
