package report

import (
	"bytes"
	"fmt"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Plot is one drawing, not yet written.
type Plot struct {
	// Name is the file name without extension.
	Name            string
	title, subtitle string
	plot            *plot.Plot
	// below are further panels under plot, with the same horizontal axis.
	below  []*plot.Plot
	legend plot.Legend
	// gutter is kept free right of the plot, for texts beside its rows.
	gutter vg.Length
	// entries counts what the legend holds.
	entries int
}

// newPlot returns an empty plot with a light grid.
func newPlot(name, title, subtitle, xLabel, yLabel string) *Plot {
	p := &Plot{Name: name, title: title, subtitle: subtitle, plot: plot.New(), legend: plot.NewLegend()}
	styleAxis(&p.plot.X, xLabel)
	styleAxis(&p.plot.Y, yLabel)
	p.plot.X.Tick.Marker = linearTicks{}
	p.plot.Y.Tick.Marker = linearTicks{}
	p.legend.TextStyle = textStyle(tickSize, ink())
	p.legend.Top, p.legend.Left = true, true
	p.legend.ThumbnailWidth = 34
	p.legend.Padding = 6
	return p
}

// grid adds grid lines, below what is added later.
func (p *Plot) grid(vertical, horizontal bool) { addGrid(p.plot, vertical, horizontal) }

func addGrid(to *plot.Plot, vertical, horizontal bool) {
	g := plotter.NewGrid()
	g.Vertical = draw.LineStyle{}
	g.Horizontal = draw.LineStyle{}
	if vertical {
		g.Vertical = draw.LineStyle{Color: gridInk(), Width: 0.75}
	}
	if horizontal {
		g.Horizontal = draw.LineStyle{Color: gridInk(), Width: 0.75}
	}
	to.Add(g)
}

// line adds a curve and its legend entry.
func (p *Plot) line(name string, points plotter.XYs, style draw.LineStyle, step plotter.StepKind) {
	p.lineOn(p.plot, name, points, style, step)
}

// lineOn adds a curve to one panel.
func (p *Plot) lineOn(panel *plot.Plot, name string, points plotter.XYs, style draw.LineStyle, step plotter.StepKind) {
	// The points are finite, so the only error NewLine has cannot occur.
	l := &plotter.Line{XYs: points, LineStyle: style, StepStyle: step}
	panel.Add(l)
	p.entry(name, l)
}

// entry adds a line to the legend.
func (p *Plot) entry(name string, thumbs ...plot.Thumbnailer) {
	p.legend.Add(name, thumbs...)
	p.entries++
}

// shorten cuts the middle out of a name that would leave the plot no room:
// names often differ in their last letters only.
func shorten(name string) string {
	const limit = 32
	if r := []rune(name); len(r) > limit {
		return string(r[:limit/2-2]) + "..." + string(r[len(r)-limit/2+1:])
	}
	return name
}

const margin vg.Length = 18

// draw draws title, plot and legend side by side: the legend never covers
// data.
func (p *Plot) draw(c draw.Canvas) {
	c = draw.Crop(c, margin, -margin, margin, -margin)
	title := textStyle(titleSize, ink())
	title.YAlign = draw.YTop
	c.FillText(title, vg.Point{X: c.Min.X, Y: c.Max.Y}, p.title)
	subtitle := textStyle(subtitleSize, faint())
	subtitle.YAlign = draw.YTop
	c.FillText(subtitle, vg.Point{X: c.Min.X, Y: c.Max.Y - titleSize - 8}, p.subtitle)
	c = draw.Crop(c, 0, 0, 0, -(titleSize + subtitleSize + 26))

	legendWidth := vg.Length(0)
	if p.entries > 0 {
		size := p.legend.Rectangle(c).Size()
		legendWidth = size.X + 24
		p.legend.Draw(draw.Crop(c, c.Size().X-size.X, 0, 0, 0))
	}
	p.drawPanels(draw.Crop(c, 0, -(legendWidth + p.gutter), 0, 0))
}

// drawPanels draws the panels below each other, their axes aligned.
func (p *Plot) drawPanels(c draw.Canvas) {
	panels := [][]*plot.Plot{{p.plot}}
	for _, panel := range p.below {
		panels = append(panels, []*plot.Plot{panel})
	}
	tiles := draw.Tiles{Rows: len(panels), Cols: 1, PadY: 14}
	for i, row := range plot.Align(panels, tiles, c) {
		panels[i][0].Draw(row[0])
	}
}

// panel adds an empty panel below, which continues the horizontal axis.
func (p *Plot) panel() *plot.Plot {
	last := p.plot
	if len(p.below) > 0 {
		last = p.below[len(p.below)-1]
	}
	next := plot.New()
	styleAxis(&next.X, last.X.Label.Text)
	styleAxis(&next.Y, last.Y.Label.Text)
	next.X.Tick.Marker = linearTicks{}
	next.X.Min, next.X.Max = last.X.Min, last.X.Max
	last.X.Label.Text = ""
	last.Y.Tick.Marker, next.Y.Tick.Marker = linearTicks{most: 4}, linearTicks{most: 4}
	p.below = append(p.below, next)
	return next
}

// WritePNG writes the plot as an image of 1600 x 900 pixels.
func (p *Plot) WritePNG(w io.Writer) error {
	c := vgimg.NewWith(vgimg.UseWH(pageWidth, pageHeight), vgimg.UseDPI(96))
	p.draw(draw.New(c))
	_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(w)
	return err
}

// WriteSVG writes the plot as vectors. Fonts are not embedded, but named with
// substitutes that every browser has.
func (p *Plot) WriteSVG(w io.Writer) error {
	c := vgsvg.New(pageWidth, pageHeight)
	p.draw(draw.New(c))
	var out bytes.Buffer
	if _, err := c.WriteTo(&out); err != nil {
		return fmt.Errorf("plot %s: %w", p.Name, err)
	}
	text := bytes.ReplaceAll(out.Bytes(), []byte("font-family:Liberation Sans"),
		[]byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif"))
	_, err := w.Write(text)
	return err
}

// minRows is for how many rows a plot of rows has room at least, so that a
// single bar does not fill the page.
const minRows = 7

// rows makes the vertical axis a list of named rows; the first stands at
// len(ticks), the last at 1.
func (p *Plot) rows(ticks namedTicks) {
	p.plot.Y.Tick.Marker = ticks
	p.plot.Y.Tick.Length = 0
	p.plot.Y.Max = float64(len(ticks)) + 0.6
	p.plot.Y.Min = min(0.4, p.plot.Y.Max-minRows)
}
