package report

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"rocesim/results"
)

// Cell is one value of a Heatmap.
type Cell struct {
	// Value is NaN if there is none.
	Value float64
	// Half is half the width of the confidence interval, NaN if unknown.
	Half float64
	// Note says why there is no value, or what else is to be known.
	Note string
	// Marked draws a frame.
	Marked bool
}

// Heatmap returns a plot of a value over two axes. cells[y][x] belong to the
// places of the axes.
func Heatmap(c Captions, x, y Axis, cells [][]Cell) *Plot {
	p := newPlot(c.Name, c.Title, c.Subtitle, x.Label, y.Label)
	low, high := cellRange(cells)
	var fills, frames boxes
	var texts labels
	for row := range cells {
		for col, cell := range cells[row] {
			at := box{float64(col) - 0.5, float64(col) + 0.5, float64(row) - 0.5, float64(row) + 0.5, gridInk()}
			style := textStyle(tickSize, ink())
			if !math.IsNaN(cell.Value) {
				share := position(cell.Value, low, high)
				at.fill = heat(share)
				if share > 0.55 {
					style.Color = color.White
				}
			}
			fills = append(fills, at)
			texts = append(texts, cellTexts(c.Unit, cell, float64(col), float64(row), style, len(cells[row]))...)
			if cell.Marked {
				frames = append(frames, at)
			}
		}
	}
	p.plot.Add(fills, outlines{frames, draw.LineStyle{Color: colour(1), Width: 3}}, texts)
	p.plot.X.Tick.Marker, p.plot.Y.Tick.Marker = placeTicks(x), placeTicks(y)
	p.plot.X.Tick.Length, p.plot.Y.Tick.Length = 0, 0
	p.plot.X.Min, p.plot.X.Max = -0.5, float64(len(x.Places))-0.5
	p.plot.Y.Min, p.plot.Y.Max = -0.5, float64(len(y.Places))-0.5
	if high > low {
		for _, share := range []float64{0, 0.25, 0.5, 0.75, 1} {
			p.entry(cellNumber(c.Unit, valueAt(share, low, high)), swatch{heat(share)})
		}
	}
	if len(frames) > 0 {
		p.entry("recommended", frameThumb{draw.LineStyle{Color: colour(1), Width: 3}})
	}
	return p
}

// cellRange is the range of the values there are.
func cellRange(cells [][]Cell) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, row := range cells {
		for _, cell := range row {
			if !math.IsNaN(cell.Value) {
				low, high = min(low, cell.Value), max(high, cell.Value)
			}
		}
	}
	return low, high
}

// wideRange is the ratio from which shades follow the logarithm of a value.
const wideRange = 30

// position is where a value lies between low, 0, and high, 1.
func position(v, low, high float64) float64 {
	switch {
	case high <= low:
		return 0.3
	case low > 0 && high/low > wideRange:
		return math.Log(v/low) / math.Log(high/low)
	}
	return (v - low) / (high - low)
}

// valueAt is the reverse of position.
func valueAt(share, low, high float64) float64 {
	if low > 0 && high/low > wideRange {
		return low * math.Pow(high/low, share)
	}
	return low + share*(high-low)
}

// heat is a shade from near white to dark blue.
func heat(share float64) color.RGBA {
	light, dark := color.RGBA{0xee, 0xf5, 0xfb, 0xff}, color.RGBA{0x08, 0x30, 0x6b, 0xff}
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + share*(float64(b)-float64(a)))) }
	return color.RGBA{mix(light.R, dark.R), mix(light.G, dark.G), mix(light.B, dark.B), 0xff}
}

// mostCellTexts is how many columns still have room for numbers.
const mostCellTexts = 14

func cellTexts(unit results.Unit, cell Cell, x, y float64, style text.Style, columns int) labels {
	if columns > mostCellTexts {
		return nil
	}
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	small := style
	small.Font.Size = tickSize - 2
	var texts labels
	add := func(text string, style text.Style) {
		texts = append(texts, label{x: x, y: y, text: text, style: style})
	}
	if !math.IsNaN(cell.Value) {
		add(cellNumber(unit, cell.Value), style)
		if cell.Half > 0 {
			add("±"+unit.Format(cell.Half), small)
		}
	}
	if cell.Note != "" {
		add(cell.Note, small)
	}
	for i := range texts { // one below the other, around the middle
		texts[i].dy = cellLine * (vg.Length(len(texts)-1)/2 - vg.Length(i))
	}
	return texts
}

// cellLine is the distance of lines in a cell, in points.
const cellLine vg.Length = 16

// cellNumber prints a value; nothing has no unit.
func cellNumber(unit results.Unit, value float64) string {
	if value == 0 {
		return "0"
	}
	return unit.Format(value)
}
