package report

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"rocesim/results"
)

// Captions are the texts around a plot. The values drawn are of Unit.
type Captions struct {
	// Name is that of the file; Value names what is drawn, as "fct.p99".
	Name, Title, Subtitle, Value string
	Unit                         results.Unit
}

// Axis names a horizontal or vertical axis and its places, with their numbers
// if they are numbers.
type Axis struct {
	Label   string
	Places  []string
	Numbers []float64 // nil, or one for each place
}

func placeTicks(a Axis) namedTicks {
	var ticks namedTicks
	stride := max(1, len(a.Places)/20)
	for i, name := range a.Places {
		if i%stride == 0 {
			ticks = append(ticks, plot.Tick{Value: float64(i), Label: shorten(name)})
		}
	}
	return ticks
}

// TrendPoint is a value at a place of the horizontal axis.
type TrendPoint struct {
	Place       int
	Value, Half float64 // Half is NaN if unknown
}

// Trend is one line of Trends.
type Trend struct {
	Name   string
	Points []TrendPoint
}

// Trends returns a plot of a value over one axis, a line for each setting of
// others, with error bars. Of many lines those spread evenly are drawn. Places
// that are words have no order, so nothing joins them.
func Trends(c Captions, x Axis, lines []Trend) *Plot {
	low, high := trendRange(lines)
	scale := axisUnit(c.Unit, high)
	p := newPlot(c.Name, c.Title, c.Subtitle, x.Label, withUnit(c.Value, scale.name))
	p.grid(true, true)
	at := p.horizontal(x)
	shown := spread(len(lines), maxCurves)
	for n, k := range shown {
		points, bars := lines[k].points(at, scale)
		bars.style = draw.LineStyle{Color: colour(n), Width: 1.25}
		bars.aside = 3 * (vg.Length(n) - vg.Length(len(shown)-1)/2)
		var thumbs []plot.Thumbnailer
		if x.Numbers != nil {
			line := &plotter.Line{XYs: points, LineStyle: lineStyle(n)}
			p.plot.Add(line)
			thumbs = append(thumbs, line)
		} else {
			bars.aside *= min(18, wordsRoom/vg.Length(len(x.Places)*len(shown))) / 3
			bars.marker = n
		}
		p.plot.Add(bars)
		thumbs = append(thumbs, bars)
		if len(lines) > 1 {
			p.entry(shorten(lines[k].Name), thumbs...)
		}
	}
	if len(shown) < len(lines) {
		p.entry(fmt.Sprintf("%d of %d drawn", len(shown), len(lines)))
	}
	p.plot.Y.Min, p.plot.Y.Max = verticalRange(low/scale.size, high/scale.size)
	return p
}

// wordsRoom is the width over which the lines of all places that are words are
// spread, in points.
const wordsRoom vg.Length = 600

// points places the values of a line.
func (t *Trend) points(at func(place int) float64, scale unit) (plotter.XYs, errorBars) {
	var points plotter.XYs
	var bars errorBars
	for _, v := range t.Points {
		points = append(points, plotter.XY{X: at(v.Place), Y: v.Value / scale.size})
		bars.at = append(bars.at, bar{at(v.Place), v.Value / scale.size, v.Half / scale.size})
	}
	return points, bars
}

// trendRange is the range of values with their error bars.
func trendRange(lines []Trend) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, l := range lines {
		for _, t := range l.Points {
			half := t.Half
			if math.IsNaN(half) {
				half = 0
			}
			low, high = min(low, t.Value-half), max(high, t.Value+half)
		}
	}
	return low, high
}

// verticalRange begins at 0 unless all values are far from it.
func verticalRange(low, high float64) (float64, float64) {
	if low >= 0 && low < 0.6*high || low == high {
		return min(low, 0), niceTop(high)
	}
	step := niceStep(high-low, usualTicks)
	return math.Floor(low/step-0.25) * step, math.Ceil(high/step+0.25) * step
}

// horizontal sets up the axis and returns where a place lies on it.
func (p *Plot) horizontal(x Axis) func(place int) float64 {
	if x.Numbers == nil {
		p.plot.X.Tick.Marker = placeTicks(x)
		p.plot.X.Min, p.plot.X.Max = -0.3, float64(len(x.Places))-0.7
		return func(place int) float64 { return float64(place) }
	}
	low, high := slices.Min(x.Numbers), slices.Max(x.Numbers)
	var ticks namedTicks
	stride := max(1, len(x.Numbers)/12)
	for i, v := range x.Numbers {
		if i%stride == 0 {
			ticks = append(ticks, plot.Tick{Value: v, Label: x.Places[i]})
		}
	}
	p.plot.X.Tick.Marker = ticks
	margin := (high - low) * 0.03
	p.plot.X.Min, p.plot.X.Max = low-margin, high+margin
	if low > 0 && high/low >= 8 {
		p.plot.X.Scale = plot.LogScale{}
		p.plot.X.Min, p.plot.X.Max = low/math.Pow(high/low, 0.03), high*math.Pow(high/low, 0.03)
		p.plot.X.Label.Text += " (log scale)"
	}
	return func(place int) float64 { return x.Numbers[place] }
}

// spread chooses at most k of n places, evenly and with both ends.
func spread(n, k int) []int {
	var places []int
	for i := range min(n, k) {
		if n <= k {
			places = append(places, i)
			continue
		}
		places = append(places, i*(n-1)/(k-1))
	}
	return places
}

// axisUnit chooses the unit in which an axis up to high reads best.
func axisUnit(u results.Unit, high float64) unit {
	switch u {
	case results.Duration:
		return timeUnit(high)
	case results.Size:
		return sizeUnit(high)
	case results.DataRate:
		return unit{"Gb/s", 1e9}
	}
	return unit{"", 1}
}

func withUnit(name, unit string) string {
	if unit == "" {
		return name
	}
	return name + " (" + unit + ")"
}
