package page

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A still is a drawing of the whole chart, for paper and where scripts do not
// run. Colours are classes of chart.css, so it follows the theme.
const (
	stillTop    = 12.0
	stillBottom = 42.0 // room for ticks and the axis' label
	stillRight  = 12.0
	rowHeight   = 18.0
)

// stillSize is how large a still is and what it has room for. Text is 11 of its
// units high whatever the width of the page.
type stillSize struct {
	class                string
	width, height        float64
	left, leftOfRows     float64 // room for names on the vertical axis
	letters              int     // of the name of a row
	acrossTicks, upTicks int
	points               int // of a line, more than can be told apart
}

// wideStill is for paper and screens.
func wideStill() stillSize { return stillSize{"wide", 760, 260, 64, 220, 34, 8, 5, 300} }

// narrowStill is for phones.
func narrowStill() stillSize { return stillSize{"narrow", 360, 240, 56, 140, 21, 4, 5, 150} }

// frame maps values to places of a still.
type frame struct {
	left, right, top, bottom float64
	x0, x1, y0, y1           float64
	logX                     bool
	size                     stillSize
}

func (f *frame) x(v float64) float64 {
	if f.logX {
		return f.left + (f.right-f.left)*math.Log(v/f.x0)/math.Log(f.x1/f.x0)
	}
	return f.left + (f.right-f.left)*(v-f.x0)/(f.x1-f.x0)
}

func (f *frame) y(v float64) float64 { return f.bottom - (f.bottom-f.top)*(v-f.y0)/(f.y1-f.y0) }

// still draws the chart.
func (c *Chart) still(size stillSize) template.HTML {
	f := c.frame(size)
	s := &strings.Builder{}
	fmt.Fprintf(s, `<svg class="still %s" viewBox="0 0 %.0f %.0f" aria-hidden="true" focusable="false">`, size.class, size.width, f.bottom+stillBottom)
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
func (c *Chart) frame(size stillSize) frame {
	f := frame{left: size.left, right: size.width - stillRight, top: stillTop, bottom: size.height - stillBottom, logX: c.X.Log, size: size}
	f.x0, f.x1 = c.spanX()
	f.y0, f.y1 = c.spanY()
	if len(c.Rows) > 0 {
		f.left = size.leftOfRows
		f.bottom = f.top + rowHeight*float64(len(c.Rows))
	}
	return f
}

// spanY is the range of the vertical axis, never empty.
func (c *Chart) spanY() (from, to float64) {
	if c.Y.To != "" {
		return c.Y.From.float(), c.Y.To.float()
	}
	low, high := math.Inf(1), c.top()
	for i := range c.Lines {
		low = min(low, c.extent(&c.Lines[i]).least)
	}
	if c.Y.Fit && low >= fitFrom*high && low < high {
		return low - 0.06*(high-low), high + 0.06*(high-low)
	}
	to = high
	for _, l := range c.Levels {
		if v := l.Value.float(); v <= 2*high {
			to = max(to, v)
		}
	}
	if to <= 0 {
		return 0, 1
	}
	return 0, 1.05 * to
}

// fitFrom is the share of the greatest value from which the least lets an axis
// begin near it.
const fitFrom = 0.3

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
	at := ticks(f.x0/scale.Size, f.x1/scale.Size, f.size.acrossTicks)
	if f.logX {
		at = logTicks(f.x0/scale.Size, f.x1/scale.Size)
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
	for _, v := range ticks(f.y0/scale.Size, f.y1/scale.Size, f.size.upTicks) {
		y := f.y(v * scale.Size)
		fmt.Fprintf(s, `<path class="rule" d="M%.1f %.1fH%.1f"/><text class="end" x="%.1f" y="%.1f">%s</text>`,
			f.left, y, f.right, f.left-6, y+4, tickText(v))
	}
	name := c.Y.name(scale)
	if f.y0 > 0 {
		name += ", not from 0"
	}
	fmt.Fprintf(s, `<text class="middle name" transform="translate(14 %.1f) rotate(-90)">%s</text>`, (f.top+f.bottom)/2, escape(name))
	var drawn [][]point
	for i := range c.Lines {
		l := &c.Lines[i]
		colour, dash := l.look(i)
		if l.Dots {
			dash = 0
		}
		points, shade := c.points(l, f)
		drawn = append(drawn, points)
		if shade != nil {
			fmt.Fprintf(s, `<path class="shade m%d" d="%sZ"/>`, colour, path(shade, false))
		}
		fmt.Fprintf(s, `<path class="line s%d d%d" d="%s"/>`, colour, dash, path(points, l.Dots))
	}
	c.stillLevels(s, f, drawn)
}

// points returns where a line goes, and the outline of its shade, nil if it has
// none: of more values than can be told apart the mean of each group, in a shade
// from the lowest to the highest. Dots and steps have the lowest and highest of
// each group, and steps their corners.
func (c *Chart) points(l *Line, f *frame) (line, shade []point) {
	places := c.placesOf(l)
	if l.Dots || l.Step {
		return l.marks(places, f), nil
	}
	n := len(l.Values)
	groups := min(n, f.size.points)
	var top, bottom []point
	for g := range groups {
		from, to := g*n/groups, (g+1)*n/groups
		if e := l.extent(places, from, to); e.n > 0 {
			x := f.x((places[from].float() + places[to-1].float()) / 2)
			line = append(line, point{x, f.y(e.mean)})
			top, bottom = append(top, point{x, f.y(e.most)}), append(bottom, point{x, f.y(e.least)})
		}
	}
	if n <= groups {
		return line, nil
	}
	slices.Reverse(bottom)
	return line, append(top, bottom...)
}

// marks returns the dots or the corners of steps of a line.
func (l *Line) marks(places Numbers, f *frame) []point {
	var all []point
	for _, i := range thin(l.Values, f.size.points) {
		if l.Values[i] == "" {
			continue
		}
		p := point{f.x(places[i].float()), f.y(l.Values[i].float())}
		if n := len(all); l.Step && n > 0 && !l.Dots {
			all = append(all, point{p.x, all[n-1].y})
		}
		all = append(all, p)
	}
	return all
}

// path is an outline through points, or dots at them.
func path(points []point, dots bool) string {
	var b []byte
	for i, p := range points {
		command := byte('L')
		if i == 0 || dots {
			command = 'M'
		}
		b = strconv.AppendFloat(append(b, command), math.Round(p.x*10)/10, 'f', -1, 64)
		b = strconv.AppendFloat(append(b, ' '), math.Round(p.y*10)/10, 'f', -1, 64)
		if dots {
			b = append(b, "h.1"...)
		}
	}
	return string(b)
}

// stillRows draws the bars of a timeline.
func (c *Chart) stillRows(s *strings.Builder, f *frame) {
	for i, r := range c.Rows {
		y := f.top + rowHeight*float64(i)
		fmt.Fprintf(s, `<text class="end" x="%.1f" y="%.1f">%s</text>`, f.left-6, y+rowHeight-5, escape(shortened(r.Name, f.size.letters)))
		r.stillStrip(s, f, c.Places, y)
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

// stillStrip draws the shades of a row, of more values than can be told apart
// their means.
func (r *Row) stillStrip(s *strings.Builder, f *frame, places Numbers, y float64) {
	n := len(r.Values)
	groups := min(n, f.size.points)
	for g := range groups {
		from, to := g*n/groups, (g+1)*n/groups
		sum := 0.0
		for _, v := range r.Values[from:to] {
			sum += v.float()
		}
		left := f.left
		if from > 0 {
			left = f.x(places[from-1].float())
		}
		if sum > 0 {
			fmt.Fprintf(s, `<rect class="strip" x="%.1f" y="%.1f" width="%.1f" height="%.0f" fill-opacity="%.2f"/>`,
				left, y+2, f.x(places[to-1].float())-left, rowHeight-4, shade(sum/float64(to-from)))
		}
	}
}

// shade is how opaque a share is drawn: the least is told from none.
func shade(share float64) float64 { return 0.1 + 0.9*min(share, 1) }

// shortened cuts a name to a number of letters.
func shortened(name string, letters int) string {
	if r := []rune(name); len(r) > letters {
		return string(r[:letters-1]) + "\u2026"
	}
	return name
}

func escape(text string) string { return template.HTMLEscapeString(text) }
