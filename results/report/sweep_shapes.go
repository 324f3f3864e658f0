package report

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// outlines draws the frames of rectangles.
type outlines struct {
	boxes boxes
	style draw.LineStyle
}

// Plot implements plot.Plotter.
func (o outlines) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	inset := o.style.Width / 2
	for _, b := range o.boxes {
		left, right, bottom, top := x(b.x0)+inset, x(b.x1)-inset, y(b.y0)+inset, y(b.y1)-inset
		c.StrokeLines(o.style, []vg.Point{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: top}, {X: left, Y: bottom - inset}})
	}
}

// frameThumb is the legend thumbnail of outlines.
type frameThumb struct{ style draw.LineStyle }

// Thumbnail implements plot.Thumbnailer.
func (f frameThumb) Thumbnail(c *draw.Canvas) {
	r := draw.Crop(*c, 6, -6, 3, -3)
	c.StrokeLines(f.style, []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}, r.Min})
}

// bar is a value with the half of its confidence interval, NaN if unknown.
type bar struct{ x, y, half float64 }

// errorBars draws values as dots, and intervals as vertical lines with caps.
type errorBars struct {
	at    []bar
	style draw.LineStyle
	// aside moves them, so that those of several lines stand side by side.
	aside vg.Length
	// marker chooses the shape of the dots, for lines that nothing joins: there
	// are more of them than colours.
	marker int
}

// Sizes in points.
const (
	capWidth  vg.Length = 7
	dotRadius vg.Length = 3
)

// Plot implements plot.Plotter.
func (e errorBars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, b := range e.at {
		at := x(b.x) + e.aside
		c.DrawGlyph(e.dot(), vg.Point{X: at, Y: y(b.y)})
		if !(b.half > 0) {
			continue
		}
		low, high := y(b.y-b.half), y(b.y+b.half)
		c.StrokeLine2(e.style, at, low, at, high)
		c.StrokeLine2(e.style, at-capWidth/2, low, at+capWidth/2, low)
		c.StrokeLine2(e.style, at-capWidth/2, high, at+capWidth/2, high)
	}
}

func (e errorBars) dot() draw.GlyphStyle {
	shapes := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}}
	shape := e.marker % len(shapes)
	radius := dotRadius
	if shape > 0 {
		radius = 1.2 * dotRadius // of the same weight as a disc
	}
	return draw.GlyphStyle{Color: e.style.Color, Radius: radius, Shape: shapes[shape]}
}

// Thumbnail implements plot.Thumbnailer.
func (e errorBars) Thumbnail(c *draw.Canvas) { c.DrawGlyph(e.dot(), c.Center()) }
