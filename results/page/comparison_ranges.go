package page

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"rocesim/results/compare"
)

// The drawing of changes: a row for each metric, names at the left.
const (
	rangesWidth  = 900.0
	rangesLeft   = 250.0
	rangesRow    = 22.0
	rangesMargin = 16.0
	maxRanges    = 30
)

// rangesOf draws the relative changes of the metrics that differ, each with its
// interval. The table below it has the same numbers.
func rangesOf(c *compare.Comparison) template.HTML {
	var rows []*compare.Row
	least, most := -0.01, 0.01
	for i := range c.Rows {
		r := &c.Rows[i]
		if change, _, _, ok := r.Relative(); ok && r.B.N > 0 && !r.IsEqual() {
			rows = append(rows, r)
			least, most = min(least, change), max(most, change)
		}
	}
	if len(rows) == 0 {
		return ""
	}
	slices.SortStableFunc(rows, func(a, b *compare.Row) int { return cmp.Compare(rankOf(a.Verdict), rankOf(b.Verdict)) })
	rows = rows[:min(maxRanges, len(rows))]
	margin := 0.12 * (most - least)
	least, most = least-margin, most+margin // wider intervals end there
	bottom := rangesMargin + rangesRow*float64(len(rows))
	at := func(v float64) float64 {
		return rangesLeft + (min(max(v, least), most)-least)/(most-least)*(rangesWidth-rangesLeft-rangesMargin)
	}
	var s strings.Builder
	fmt.Fprintf(&s, `<div class="ranges"><svg viewBox="0 0 %.0f %.0f" role="img" aria-label="Relative changes of metrics from A to B; the table below has them">`, rangesWidth, bottom+40)
	for _, v := range ticks(100*least, 100*most, 8) {
		x := at(v / 100)
		fmt.Fprintf(&s, `<path class="rule" d="M%.1f %.1fV%.1f"/><text class="middle faint" x="%.1f" y="%.1f">%s %%</text>`, x, rangesMargin/2, bottom, x, bottom+16, tickText(v))
	}
	fmt.Fprintf(&s, `<path class="zero" d="M%.1f %.1fV%.1f"/><text class="middle" x="%.1f" y="%.1f">change from A to B</text>`,
		at(0), rangesMargin/2, bottom, (rangesLeft+rangesWidth-rangesMargin)/2, bottom+34)
	for i, r := range rows {
		y := rangesMargin + rangesRow*(float64(i)+0.5)
		change, low, high, _ := r.Relative()
		fmt.Fprintf(&s, `<text class="end" x="%.1f" y="%.1f">%s</text><g class="%s"><title>%s %s, %s</title><path class="span" d="M%.1f %.1fH%.1f"/><circle cx="%.1f" cy="%.1f" r="5"/></g>`,
			rangesLeft-10, y+4, escape(r.Metric), classOf(r.Verdict), escape(r.Metric), escape(c.Cells(r).Change), r.Verdict,
			at(low), y, at(high), at(change), y)
	}
	s.WriteString("</svg></div>")
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
