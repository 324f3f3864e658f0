package report

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// FrontPoint is one setting of Front.
type FrontPoint struct {
	X, Y float64
	Name string
	// Best marks settings of the Pareto front, Marked the recommended one.
	Best, Marked bool
}

// maxNumbered is how many settings of a front the legend can name.
const maxNumbered = 10

// Front returns a plot of settings by two metrics, and the line of those that
// no other one beats in both: its points are numbered, and the legend names
// them. c is about the vertical metric, x about the other one.
func Front(c, x Captions, points []FrontPoint) *Plot {
	highX, highY := 0.0, 0.0
	for _, f := range points {
		highX, highY = max(highX, f.X), max(highY, f.Y)
	}
	unitX, unitY := axisUnit(x.Unit, highX), axisUnit(c.Unit, highY)
	p := newPlot(c.Name, c.Title, c.Subtitle, withUnit(x.Value, unitX.name), withUnit(c.Value, unitY.name))
	p.grid(true, true)
	ordered := slices.Clone(points)
	slices.SortStableFunc(ordered, func(a, b FrontPoint) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(b.Y, a.Y)) })
	var others, best, marked plotter.XYs
	var names []string
	lowX, lowY := math.Inf(1), math.Inf(1)
	for _, f := range ordered {
		at := plotter.XY{X: f.X / unitX.size, Y: f.Y / unitY.size}
		lowX, lowY = min(lowX, at.X), min(lowY, at.Y)
		if f.Best {
			best, names = append(best, at), append(names, f.Name)
		} else {
			others = append(others, at)
		}
		if f.Marked {
			marked = append(marked, at)
		}
	}
	p.dots("other settings", others, color.Gray{Y: 0xa0}, 3)
	p.dots("recommended", marked, colour(1), 8)
	p.plot.Add(&plotter.Line{XYs: best, LineStyle: lineStyle(0)})
	p.dots("Pareto front", best, colour(0), 4.5)
	p.numbered(best, names)
	p.plot.X.Min, p.plot.X.Max = verticalRange(lowX, highX/unitX.size)
	p.plot.Y.Min, p.plot.Y.Max = verticalRange(lowY, highY/unitY.size)
	return p
}

// dots draws points of one kind and their legend entry.
func (p *Plot) dots(name string, points plotter.XYs, c color.Color, radius vg.Length) {
	if len(points) == 0 {
		return
	}
	s := &plotter.Scatter{XYs: points, GlyphStyle: draw.GlyphStyle{Color: c, Radius: radius, Shape: draw.CircleGlyph{}}}
	p.plot.Add(s)
	p.entry(name, s)
}

// numbered writes numbers at points, and in the legend what they are; points
// at one place share a label.
func (p *Plot) numbered(points plotter.XYs, names []string) {
	var texts labels
	style := textStyle(tickSize, ink())
	for i, at := range points {
		if i == maxNumbered {
			p.entry(fmt.Sprintf("and %d more", len(points)-i))
			break
		}
		if i > 0 && points[i-1] == at {
			texts[len(texts)-1].text += fmt.Sprintf(", %d", i+1)
		} else {
			texts = append(texts, label{x: at.X, y: at.Y, dx: 7, dy: 5, text: fmt.Sprint(i + 1), style: style, halo: true})
		}
		p.entry(fmt.Sprintf("%d  %s", i+1, strings.ReplaceAll(names[i], ", ", "\n    ")))
	}
	p.plot.Add(texts)
}
