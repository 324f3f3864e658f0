package page

import (
	"fmt"
	"strings"

	"rocesim/results"
)

// lineSummary is one row of the table under a chart.
type lineSummary struct{ Name, Least, Mean, Most, At string }

// extent is what the values of a line span.
type extent struct {
	n                     int
	least, mean, most, at float64
}

// placesOf are those of a line.
func (c *Chart) placesOf(l *Line) Numbers {
	if l.Places == nil {
		return c.Places
	}
	return l.Places
}

// extent is what the whole line spans.
func (c *Chart) extent(l *Line) extent { return l.extent(c.placesOf(l), 0, len(l.Values)) }

// extent finds least, mean and most of the values from one place up to another;
// at is where the most is first.
func (l *Line) extent(places Numbers, from, to int) extent {
	var e extent
	for i := from; i < to; i++ {
		if l.Values[i] == "" {
			continue
		}
		value := l.Values[i].float()
		if e.n == 0 || value > e.most {
			e.most, e.at = value, places[i].float()
		}
		if e.n == 0 || value < e.least {
			e.least = value
		}
		e.mean += value
		e.n++
	}
	e.mean /= float64(max(e.n, 1))
	return e
}

// summary returns the rows of the table.
func (c *Chart) summary() []lineSummary {
	var rows []lineSummary
	for i := range c.Lines {
		e := c.extent(&c.Lines[i])
		if e.n == 0 {
			continue
		}
		rows = append(rows, lineSummary{c.Lines[i].Name, c.Y.Unit.format(e.least), c.Y.Unit.format(e.mean),
			c.Y.Unit.format(e.most), c.X.Unit.format(e.at)})
	}
	return rows
}

// top is the highest value of all lines.
func (c *Chart) top() float64 {
	top := 0.0
	for i := range c.Lines {
		top = max(top, c.extent(&c.Lines[i]).most)
	}
	return top
}

// sentence says what the chart shows to those who do not see it.
func (c *Chart) sentence() string {
	if len(c.Rows) > 0 && c.Rows[0].Values != nil {
		return fmt.Sprintf("%s: %s, the darker the more; the first is %s, %s.", c.Title, results.Plural(len(c.Rows), "strip"), c.Rows[0].Name, c.Rows[0].Note)
	}
	if len(c.Rows) > 0 {
		return fmt.Sprintf("%s: a timeline of %s; the longest is %s, %s.", c.Title, results.Plural(len(c.Rows), "row"), c.Rows[0].Name, c.Rows[0].Note)
	}
	if len(c.Lines) == 0 {
		return c.Title + ": nothing to draw."
	}
	highest, lowest, from := extent{}, extent{}, 0
	for i := range c.Lines {
		e := c.extent(&c.Lines[i])
		if i == 0 || e.most > highest.most {
			highest, from = e, i
		}
		if i == 0 || e.least < lowest.least {
			lowest = e
		}
	}
	if c.X.Log {
		return fmt.Sprintf("%s: %s over %s on a logarithmic scale.", c.Title, results.Plural(len(c.Lines), "line"), strings.ToLower(c.X.Label))
	}
	return fmt.Sprintf("%s: %s: %s from %s to %s; the highest is %s at %s.", c.Title, results.Plural(len(c.Lines), "line"), strings.ToLower(c.Y.Label),
		c.Y.Unit.format(lowest.least), c.Y.Unit.format(highest.most), c.Lines[from].Name, c.X.Unit.format(highest.at))
}

// levelTexts name the levels with their values.
func (c *Chart) levelTexts() []string {
	top := c.top()
	var texts []string
	for _, l := range c.Levels {
		text := l.Name + " " + c.Y.Unit.format(l.Value.float())
		if l.Value.float() > 2*top {
			text += " (above the chart)"
		}
		texts = append(texts, text)
	}
	return texts
}
