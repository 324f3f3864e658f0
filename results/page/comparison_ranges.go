package page

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"rocesim/results/compare"
)

// The drawing of changes: a row for each metric, names at the left.
const (
	rangesRow    = 22.0
	rangesMargin = 16.0
	maxRanges    = 30
)

// ranges is a drawing of changes of a width with room for names.
type ranges struct {
	class       string
	width, left float64
	letters     int // of a name
	ticks       int
	least, most float64 // of what is drawn
}

// rangesOf draws the relative changes of the metrics that differ, each with its
// interval, for wide pages and for phones. The table below it has the same
// numbers.
func rangesOf(c *compare.Comparison) template.HTML {
	var rows []*compare.Row
	limit := 0.01
	for i := range c.Rows {
		r := &c.Rows[i]
		if change, _, _, ok := r.Relative(); ok && r.B.N > 0 && !r.IsEqual() {
			rows = append(rows, r)
			limit = max(limit, 1.25*math.Abs(change))
		}
	}
	if len(rows) == 0 {
		return ""
	}
	slices.SortStableFunc(rows, func(a, b *compare.Row) int { return cmp.Compare(rankOf(a.Verdict), rankOf(b.Verdict)) })
	rows = rows[:min(maxRanges, len(rows))]
	least, most := -0.01, 0.01
	for _, r := range rows { // wider intervals end at the limit
		change, low, high, _ := r.Relative()
		least, most = min(least, change, max(low, -limit)), max(most, change, min(high, limit))
	}
	margin := 0.05 * (most - least)
	wide := ranges{"wide", 900, 250, 34, 8, least - margin, most + margin}
	narrow := ranges{"narrow", 360, 150, 21, 3, least - margin, most + margin}
	return `<div class="ranges">` + wide.draw(c, rows) + narrow.draw(c, rows) + "</div>"
}

func (g *ranges) at(v float64) float64 {
	return g.left + (min(max(v, g.least), g.most)-g.least)/(g.most-g.least)*(g.width-g.left-rangesMargin)
}

func (g *ranges) draw(c *compare.Comparison, rows []*compare.Row) template.HTML {
	bottom := rangesMargin + rangesRow*float64(len(rows))
	var s strings.Builder
	fmt.Fprintf(&s, `<svg class=%q viewBox="0 0 %.0f %.0f" role="img" aria-label="Relative changes of metrics from A to B; the table below has them">`, g.class, g.width, bottom+40)
	for _, v := range ticks(100*g.least, 100*g.most, g.ticks) {
		x := g.at(v / 100)
		fmt.Fprintf(&s, `<path class="rule" d="M%.1f %.1fV%.1f"/><text class="middle faint" x="%.1f" y="%.1f">%s %%</text>`, x, rangesMargin/2, bottom, x, bottom+16, tickText(v))
	}
	fmt.Fprintf(&s, `<path class="zero" d="M%.1f %.1fV%.1f"/><text class="middle" x="%.1f" y="%.1f">change from A to B</text>`,
		g.at(0), rangesMargin/2, bottom, (g.left+g.width-rangesMargin)/2, bottom+34)
	for i, r := range rows {
		y := rangesMargin + rangesRow*(float64(i)+0.5)
		change, low, high, _ := r.Relative()
		fmt.Fprintf(&s, `<text class="end" x="%.1f" y="%.1f">%s</text><g class="%s"><title>%s %s, %s</title><path class="span" d="M%.1f %.1fH%.1f"/><circle cx="%.1f" cy="%.1f" r="5"/></g>`,
			g.left-10, y+4, escape(shortened(r.Metric, g.letters)), classOf(r.Verdict), escape(r.Metric), escape(c.Cells(r).Change), c.VerdictText(r),
			g.at(low), y, g.at(high), g.at(change), y)
	}
	s.WriteString("</svg>")
	return template.HTML(s.String())
}

func rankOf(v compare.Verdict) int {
	return slices.Index([]compare.Verdict{compare.Worse, compare.Better, compare.Different, compare.NoValue, compare.Same}, v)
}

// classOf is the style of a verdict.
func classOf(v compare.Verdict) string {
	if v == compare.NoValue {
		return "same"
	}
	return string(v)
}
