package report

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// TrialPoint is one setting of a search.
type TrialPoint struct {
	// Number counts the settings, 0 being the scenario as it is; At is the
	// value of a parameter, NaN if it has no place on the axis.
	Number    int
	At, Value float64
	// Met says that it meets every condition, Better that it was better than
	// all before, Best that it is better than all.
	Met, Better, Best bool
	// Searched says that it was chosen by what was known before.
	Searched bool
}

// SearchPath returns a plot of settings in the order in which they were tried,
// and the line of the best so far.
func SearchPath(c Captions, points []TrialPoint) *Plot {
	scale, low, high := searchScale(c, points)
	p := newPlot(c.Name, c.Title, c.Subtitle, "setting, in the order in which they were tried", withUnit(c.Value, scale.name))
	p.grid(true, true)
	p.plot.X.Min, p.plot.X.Max = -0.5, float64(len(points))-0.5
	p.plot.Y.Min, p.plot.Y.Max = low, high
	var best plotter.XYs
	for _, t := range points {
		if t.Better && t.Met {
			best = append(best, plotter.XY{X: float64(t.Number), Y: t.Value / scale.size})
		}
	}
	if len(best) > 0 {
		best = append(best, plotter.XY{X: float64(len(points)) - 0.5, Y: best[len(best)-1].Y})
		p.line("best so far", best, draw.LineStyle{Color: colour(1), Width: 2}, plotter.PostStep)
	}
	p.trials(points, scale, func(t TrialPoint) float64 { return float64(t.Number) })
	return p
}

// SearchParam returns a plot of settings over one parameter.
func SearchParam(c Captions, x Axis, points []TrialPoint) *Plot {
	scale, low, high := searchScale(c, points)
	p := newPlot(c.Name, c.Title, c.Subtitle, x.Label, withUnit(c.Value, scale.name))
	p.grid(true, true)
	p.horizontal(x)
	p.plot.Y.Min, p.plot.Y.Max = low, high
	p.trials(points, scale, func(t TrialPoint) float64 { return t.At })
	return p
}

// searchScale is the unit and the range of the vertical axis: settings that
// meet the conditions decide it, if there are any.
func searchScale(c Captions, points []TrialPoint) (scale unit, low, high float64) {
	for _, all := range []bool{false, true} {
		low, high = math.Inf(1), math.Inf(-1)
		for _, t := range points {
			if (t.Met || all) && !math.IsNaN(t.Value) {
				low, high = min(low, t.Value), max(high, t.Value)
			}
		}
		if low <= high {
			break
		}
	}
	if low > high {
		low, high = 0, 0
	}
	scale = axisUnit(c.Unit, high)
	low, high = verticalRange(low/scale.size, high/scale.size)
	return scale, low, high
}

// trials draws settings as dots, those that lie on the axes.
func (p *Plot) trials(points []TrialPoint, scale unit, at func(TrialPoint) float64) {
	kinds := []struct {
		name   string
		of     func(TrialPoint) bool
		color  color.Color
		radius vg.Length
	}{
		{"misses a condition", func(t TrialPoint) bool { return !t.Met && !t.Best && t.Number > 0 }, colour(3), 3},
		{"spread over the box", func(t TrialPoint) bool { return t.Met && !t.Searched && !t.Best && t.Number > 0 }, color.Gray{Y: 0x90}, 3.5},
		{"searched", func(t TrialPoint) bool { return t.Met && t.Searched && !t.Best && t.Number > 0 }, colour(0), 4},
		{"best", func(t TrialPoint) bool { return t.Best && t.Number > 0 }, colour(1), 7},
		{"the scenario as it is", func(t TrialPoint) bool { return t.Number == 0 }, ink(), 5.5},
	}
	for _, k := range kinds {
		var dots plotter.XYs
		for _, t := range points {
			dot := plotter.XY{X: at(t), Y: t.Value / scale.size}
			inside := dot.X >= p.plot.X.Min && dot.X <= p.plot.X.Max && dot.Y >= p.plot.Y.Min && dot.Y <= p.plot.Y.Max
			if k.of(t) && inside {
				dots = append(dots, dot)
			}
		}
		p.dots(k.name, dots, k.color, k.radius)
	}
}
