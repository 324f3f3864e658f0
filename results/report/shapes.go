package report

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// box is a filled rectangle in data coordinates.
type box struct {
	x0, x1, y0, y1 float64
	fill           color.Color
}

// boxes draws filled rectangles, at least a hair wide so that a short event on
// a long axis is seen.
type boxes []box

const hair vg.Length = 0.75 // points; one pixel

// Plot implements plot.Plotter.
func (b boxes) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, r := range b {
		left, right, bottom, top := x(r.x0), x(r.x1), y(r.y0), y(r.y1)
		right = max(right, left+hair)
		c.FillPolygon(r.fill, []vg.Point{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: top}})
	}
}

// swatch is the legend thumbnail of a fill.
type swatch struct{ fill color.Color }

// Thumbnail implements plot.Thumbnailer.
func (s swatch) Thumbnail(c *draw.Canvas) {
	inset := c.Size().Y * 0.1
	r := draw.Crop(*c, 6, -6, inset, -inset)
	c.FillPolygon(s.fill, []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}})
}

// label is text at a place in data coordinates, moved by points.
type label struct {
	x, y   float64
	dx, dy vg.Length
	text   string
	style  text.Style
	// halo clears the ground behind the text, where curves may cross it.
	halo bool
}

// labels draws texts.
type labels []label

// Plot implements plot.Plotter.
func (l labels) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, t := range l {
		at := vg.Point{X: x(t.x) + t.dx, Y: y(t.y) + t.dy}
		if t.halo {
			r := t.style.Rectangle(t.text).Add(at)
			c.FillPolygon(color.White, []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}})
		}
		c.FillText(t.style, at, t.text)
	}
}

// level draws a horizontal line over the whole width.
type level struct {
	y     float64
	style draw.LineStyle
}

// Plot implements plot.Plotter.
func (l level) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	c.StrokeLine2(l.style, c.Min.X, y(l.y), c.Max.X, y(l.y))
}

// Thumbnail implements plot.Thumbnailer.
func (l level) Thumbnail(c *draw.Canvas) {
	middle := c.Center().Y
	c.StrokeLine2(l.style, c.Min.X, middle, c.Max.X, middle)
}

// glyphs draws a marker at each point.
type glyphs struct {
	points []vg.Point // data coordinates
	style  draw.GlyphStyle
}

// Plot implements plot.Plotter.
func (g glyphs) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, at := range g.points {
		c.DrawGlyph(g.style, vg.Point{X: x(float64(at.X)), Y: y(float64(at.Y))})
	}
}

// Thumbnail implements plot.Thumbnailer.
func (g glyphs) Thumbnail(c *draw.Canvas) { c.DrawGlyph(g.style, c.Center()) }
