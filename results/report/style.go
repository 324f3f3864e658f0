package report

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The page is 1600 x 900 pixels at 96 dots per inch; vg counts in points, 72
// per inch.
const (
	pageWidth  vg.Length = 1200
	pageHeight vg.Length = 675
)

// Text sizes in points.
const (
	titleSize    vg.Length = 20
	subtitleSize vg.Length = 13
	labelSize    vg.Length = 14
	tickSize     vg.Length = 12
)

// Greys of text, of axes and of grid lines.
func ink() color.Color     { return color.Gray{Y: 0x20} }
func faint() color.Color   { return color.Gray{Y: 0x60} }
func gridInk() color.Color { return color.Gray{Y: 0xdd} }

// palette is the colour-blind safe palette of Okabe and Ito (2008), without
// its yellow, which does not show on white.
func palette() []color.RGBA {
	return []color.RGBA{
		{0x00, 0x72, 0xb2, 0xff}, // blue
		{0xd5, 0x5e, 0x00, 0xff}, // vermilion
		{0x00, 0x9e, 0x73, 0xff}, // bluish green
		{0xe6, 0x9f, 0x00, 0xff}, // orange
		{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
		{0x56, 0xb4, 0xe9, 0xff}, // sky blue
		{0x00, 0x00, 0x00, 0xff}, // black
	}
}

// colour returns the i-th colour of the palette, which repeats.
func colour(i int) color.RGBA {
	p := palette()
	return p[i%len(p)]
}

// lineStyle returns the i-th way to draw a curve: colour and dashes together,
// so that curves differ on a grey printer too.
func lineStyle(i int) draw.LineStyle {
	dashes := [][]vg.Length{nil, {9, 4}, {3, 3}, {12, 4, 3, 4}, {18, 5}, {6, 3, 2, 3, 2, 3}}
	return draw.LineStyle{Color: colour(i), Width: 2, Dashes: dashes[i%len(dashes)]}
}

// markStyle returns the i-th way to draw a level.
func markStyle(i int) draw.LineStyle {
	dashes := [][]vg.Length{{4, 4}, {10, 4}, {2, 3}, {10, 3, 2, 3}}
	return draw.LineStyle{Color: faint(), Width: 1.5, Dashes: dashes[i%len(dashes)]}
}

// textStyle is upright sans serif text in the given size.
func textStyle(size vg.Length, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		Handler: text.Plain{Fonts: font.DefaultCache},
	}
}

// styleAxis sets fonts and lines of an axis. X is centred below, Y beside it.
func styleAxis(a *plot.Axis, label string) {
	a.Label.Text = label
	a.Label.TextStyle.Font = textStyle(labelSize, ink()).Font
	a.Label.TextStyle.Color = ink()
	a.Label.Padding = 8
	a.Tick.Label.Font = textStyle(tickSize, ink()).Font
	a.Tick.Label.Color = ink()
	a.LineStyle.Color = faint()
	a.Tick.LineStyle.Color = faint()
	a.Padding = 0
}
