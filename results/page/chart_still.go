package page

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
)

// A still is a drawing of the whole chart, for paper and where scripts do not
// run. Colours are classes of chart.css, so it follows the theme.
const (
	stillWidth  = 760.0
	stillHeight = 260.0
	stillTop    = 12.0
	stillBottom = 42.0 // room for ticks and the axis' label
	stillRight  = 12.0
	rowHeight   = 18.0
	textHeight  = 13.0
	maxStill    = 300 // points of a line, more than can be told apart
)

// frame maps values to places of a still.
type frame struct {
	left, right, top, bottom float64
	x0, x1, y0, y1           float64
	logX                     bool
}

func (f *frame) x(v float64) float64 {
	if f.logX {
		return f.left + (f.right-f.left)*math.Log(v/f.x0)/math.Log(f.x1/f.x0)
	}
	return f.left + (f.right-f.left)*(v-f.x0)/(f.x1-f.x0)
}

func (f *frame) y(v float64) float64 { return f.bottom - (f.bottom-f.top)*(v-f.y0)/(f.y1-f.y0) }

// still draws the chart.
func (c *Chart) still() template.HTML {
	f := c.frame()
	s := &strings.Builder{}
	fmt.Fprintf(s, `<svg class="still" viewBox="0 0 %.0f %.0f" aria-hidden="true" focusable="false">`, stillWidth, f.bottom+stillBottom)
	c.stillX(s, &f)
	if len(c.Rows) > 0 {
		c.stillRows(s, &f)
	} else {
		c.stillLines(s, &f)
	}
	s.WriteString("</svg>")
	return template.HTML(s.String())
}

// frame chooses the ranges of the axes. Values begin at 0 unless the axis says
// otherwise.
func (c *Chart) frame() frame {
	f := frame{left: 64, right: stillWidth - stillRight, top: stillTop, bottom: stillHeight - stillBottom, logX: c.X.Log}
	f.x0, f.x1 = c.spanX()
	f.y1 = c.Y.To.float()
	if c.Y.To == "" {
		f.y1 = c.top()
		for _, l := range c.Levels {
			if v := l.Value.float(); v <= 2*c.top() {
				f.y1 = max(f.y1, v)
			}
		}
		f.y1 *= 1.05
	}
	if f.y1 <= 0 {
		f.y1 = 1
	}
	if len(c.Rows) > 0 {
		f.left = 220
		f.bottom = f.top + rowHeight*float64(len(c.Rows))
	}
	return f
}

// spanX is the range of the horizontal axis, never empty.
func (c *Chart) spanX() (from, to float64) {
	from, to = math.Inf(1), math.Inf(-1)
	see := func(places Numbers) {
		if len(places) > 0 {
			from, to = min(from, places[0].float()), max(to, places[len(places)-1].float())
		}
	}
	see(c.Places)
	for i := range c.Lines {
		see(c.Lines[i].Places)
	}
	if c.X.From != "" {
		from = c.X.From.float()
	}
	if c.X.To != "" {
		to = c.X.To.float()
	}
	switch {
	case math.IsInf(from, 0) || math.IsInf(to, 0):
		return 0, 1
	case c.X.Log:
		return from / 1.1, to * 1.1
	case to <= from:
		return from, from + 1
	}
	return from, to
}

// stillX draws the horizontal axis with its grid.
func (c *Chart) stillX(s *strings.Builder, f *frame) {
	scale := c.X.Unit.scale(f.x1)
	at := ticks(f.x0/scale.Size, f.x1/scale.Size, 8)
	if f.logX {
		at = decades(f.x0/scale.Size, f.x1/scale.Size)
	}
	for _, v := range at {
		x := f.x(v * scale.Size)
		fmt.Fprintf(s, `<path class="rule" d="M%.1f %.1fV%.1f"/><text class="middle" x="%.1f" y="%.1f">%s</text>`,
			x, f.top, f.bottom, x, f.bottom+15, tickText(v))
	}
	fmt.Fprintf(s, `<text class="middle name" x="%.1f" y="%.1f">%s</text>`, (f.left+f.right)/2, f.bottom+34, escape(c.X.name(scale)))
}

// name is the axis' label with the unit that it is shown in.
func (a *Axis) name(scale Scale) string {
	name := scale.Name
	if a.Log {
		name = strings.TrimPrefix(name+", log scale", ", ")
	}
	if name == "" {
		return a.Label
	}
	return fmt.Sprintf("%s (%s)", a.Label, name)
}

// stillLines draws the vertical axis, levels and lines.
func (c *Chart) stillLines(s *strings.Builder, f *frame) {
	scale := c.Y.Unit.scale(f.y1)
	for _, v := range ticks(f.y0/scale.Size, f.y1/scale.Size, 5) {
		y := f.y(v * scale.Size)
		fmt.Fprintf(s, `<path class="rule" d="M%.1f %.1fH%.1f"/><text class="end" x="%.1f" y="%.1f">%s</text>`,
			f.left, y, f.right, f.left-6, y+4, tickText(v))
	}
	middle := (f.top + f.bottom) / 2
	fmt.Fprintf(s, `<text class="middle name" transform="translate(14 %.1f) rotate(-90)">%s</text>`, middle, escape(c.Y.name(scale)))
	above := f.bottom
	for _, l := range c.Levels {
		if y := f.y(l.Value.float()); y >= f.top {
			above = min(y-4, above-textHeight) // names of levels that are near each other are stacked
			fmt.Fprintf(s, `<path class="level" d="M%.1f %.1fH%.1f"/><text class="end" x="%.1f" y="%.1f">%s</text>`,
				f.left, y, f.right, f.right-4, above, escape(l.Name))
		}
	}
	for i := range c.Lines {
		l := &c.Lines[i]
		colour, dash := l.look(i)
		if l.Dots {
			dash = 0
		}
		fmt.Fprintf(s, `<path class="line s%d d%d" d="%s"/>`, colour, dash, c.path(l, f))
	}
}

// path is the outline of a line: of many points the lowest and highest of each
// group.
func (c *Chart) path(l *Line, f *frame) string {
	places := l.Places
	if places == nil {
		places = c.Places
	}
	var b []byte
	command := byte('M')
	last := 0.0
	for _, i := range thin([]Numbers{l.Values}, maxStill) {
		if l.Values[i] == "" {
			continue
		}
		x, y := f.x(places[i].float()), f.y(l.Values[i].float())
		if l.Step && command == 'L' {
			b = appendPoint(b, 'L', x, last)
		}
		b = appendPoint(b, command, x, y)
		if l.Dots {
			b = append(b, "h.1"...)
		} else {
			command = 'L'
		}
		last = y
	}
	return string(b)
}

func appendPoint(b []byte, command byte, x, y float64) []byte {
	b = strconv.AppendFloat(append(b, command), math.Round(x*10)/10, 'f', -1, 64)
	return strconv.AppendFloat(append(b, ' '), math.Round(y*10)/10, 'f', -1, 64)
}

// stillRows draws the bars of a timeline.
func (c *Chart) stillRows(s *strings.Builder, f *frame) {
	for i, r := range c.Rows {
		y := f.top + rowHeight*float64(i)
		fmt.Fprintf(s, `<text class="end" x="%.1f" y="%.1f">%s</text>`, f.left-6, y+rowHeight-5, escape(r.Name))
		for _, b := range r.Bars {
			share := 100.0
			if b.Share != "" {
				share = b.Share.float()
			}
			x := f.x(b.From.float())
			fmt.Fprintf(s, `<rect class="bar" x="%.1f" y="%.1f" width="%.1f" height="%.0f" fill-opacity="%.2f"/>`,
				x, y+3, max(0.5, f.x(b.To.float())-x), rowHeight-6, 0.25+0.75*share/100)
		}
	}
}

func escape(text string) string { return template.HTMLEscapeString(text) }
