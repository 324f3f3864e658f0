package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// MetricChange is one metric of a comparison: the relative change from A to B
// and its interval.
type MetricChange struct {
	Name             string
	Value, Low, High float64
	// Verdict is a word that also decides the colour: worse, better, different
	// or anything else.
	Verdict string
}

// Changes draws the changes of metrics as dots with their intervals, in the
// order given; nil if there is none. Intervals that would flatten all others
// end at the edge. Values and intervals are ratios.
func Changes(title, subtitle string, changes []MetricChange) *Plot {
	if len(changes) == 0 {
		return nil
	}
	if all := len(changes); all > maxChanges {
		changes = largestChanges(changes)
		subtitle += fmt.Sprintf("; the largest %d of %d", maxChanges, all)
	}
	p := newPlot("changes", title, subtitle, "change from A to B (%)", "")
	p.grid(true, false)
	limit := changeLimit(changes)
	var ticks namedTicks
	var marks []changeMark
	var seen []string
	for i, c := range changes {
		y := float64(len(changes) - i)
		ticks = append(ticks, plot.Tick{Value: y, Label: c.Name})
		style := changeStyle(c.Verdict)
		marks = append(marks, changeMark{c, y, limit, style})
		if !slices.Contains(seen, c.Verdict) {
			seen = append(seen, c.Verdict)
			p.entry(c.Verdict, glyphs{style: style})
		}
	}
	p.rows(ticks)
	p.plot.X.Min, p.plot.X.Max = -100*limit, 100*limit
	p.plot.Add(noChange{})
	for _, m := range marks {
		p.plot.Add(m)
	}
	return p
}

// maxChanges is how many rows one plot can hold and still be read.
const maxChanges = 40

// largestChanges returns the largest maxChanges, in their order.
func largestChanges(changes []MetricChange) []MetricChange {
	order := make([]int, len(changes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(math.Abs(changes[k].Value), math.Abs(changes[i].Value)) })
	order = order[:maxChanges]
	slices.Sort(order)
	var largest []MetricChange
	for _, i := range order {
		largest = append(largest, changes[i])
	}
	return largest
}

// changeLimit is the end of the axis: room for every value, and for intervals
// up to three times as wide as the largest value, but 1 % at least.
func changeLimit(changes []MetricChange) float64 {
	value, interval := 0.01, 0.01
	for _, c := range changes {
		value = max(value, math.Abs(c.Value))
		interval = max(interval, math.Abs(c.Low), math.Abs(c.High))
	}
	return niceTop(100*1.05*max(value, min(interval, 3*value))) / 100
}

func changeStyle(verdict string) draw.GlyphStyle {
	style := draw.GlyphStyle{Color: faint(), Radius: 4, Shape: draw.CircleGlyph{}}
	switch verdict {
	case "worse":
		style.Color, style.Shape, style.Radius = colour(1), draw.PyramidGlyph{}, 6
	case "better":
		style.Color, style.Shape, style.Radius = colour(2), draw.BoxGlyph{}, 5
	case "different":
		style.Color, style.Radius = colour(0), 5
	}
	return style
}

// changeMark draws one change.
type changeMark struct {
	MetricChange
	y, limit float64
	style    draw.GlyphStyle
}

// Plot implements plot.Plotter.
func (m changeMark) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	at := func(v float64) vg.Length { return x(100 * min(max(v, -m.limit), m.limit)) }
	line := draw.LineStyle{Color: m.style.Color, Width: 2}
	c.StrokeLine2(line, at(m.Low), y(m.y), at(m.High), y(m.y))
	for _, end := range []float64{m.Low, m.High} {
		if math.Abs(end) <= m.limit && m.Low < m.High {
			c.StrokeLine2(line, at(end), y(m.y)-4, at(end), y(m.y)+4)
		}
	}
	c.DrawGlyph(m.style, vg.Point{X: at(m.Value), Y: y(m.y)})
	m.label().Plot(c, p)
}

// label is the value in figures, right of the interval or left of it where the
// plot ends; none where the interval fills the plot.
func (m changeMark) label() labels {
	text := label{x: 100 * min(max(m.High, m.Value), m.limit), y: m.y, dx: 6, dy: 2,
		text: fmt.Sprintf("%+.1f %%", 100*m.Value), style: textStyle(tickSize, faint()), halo: true}
	text.style.YAlign = draw.YCenter
	if max(m.High, m.Value) > 0.85*m.limit {
		text.x, text.dx, text.style.XAlign = 100*max(min(m.Low, m.Value), -m.limit), -6, draw.XRight
		if m.Low < -0.85*m.limit {
			return nil
		}
	}
	return labels{text}
}

// noChange is the vertical line at 0.
type noChange struct{}

// Plot implements plot.Plotter.
func (noChange) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	c.StrokeLine2(draw.LineStyle{Color: faint(), Width: 1}, x(0), c.Min.Y, x(0), c.Max.Y)
}
