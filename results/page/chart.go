package page

import (
	"encoding/json"
	"fmt"
	"html/template"

	"rocesim/results"
	"rocesim/sim"
)

// Chart is an interactive chart: lines over a common axis, or rows of bars
// along it. Every number is text, with the digits of the CSV file that it comes
// from.
type Chart struct {
	// ID is a word in lower case that no other chart of the page has.
	ID, Title string
	// Caption says what is drawn, of how many, and whether values were left out.
	Caption string
	X, Y    Axis
	// Linked charts zoom together, and show the time that the page's slider has.
	// Their X is simulated time in us.
	Linked bool
	// Places are where the values of lines are; a line may have its own.
	Places Numbers
	Lines  []Line
	Levels []Level
	// Rows make a timeline: bars or strips instead of lines. Y is that of their
	// shares.
	Rows []Row
}

// Axis is an axis of a Chart.
type Axis struct {
	// Label names what is measured, without its unit.
	Label string
	Unit  Unit
	// Log asks for a logarithmic scale.
	Log bool
	// Fit begins the axis near the least value if 0 is far from all; others begin
	// at 0.
	Fit bool
	// From and To bound the axis; empty is as far as the values go.
	From, To Number
}

// Line is one curve.
type Line struct {
	Name string
	// Places are empty if they are the chart's.
	Places, Values Numbers
	// Step draws a staircase, as distributions have.
	Step bool
	// Dots draws points that are not joined.
	Dots bool
	// Colour is 1 to 7, Dashed draws dashes; Colour 0 chooses both by the line's place.
	Colour int
	Dashed bool
}

// Level is a threshold, drawn across the chart with its name.
type Level struct {
	Name  string
	Value Number
}

// Row is one row of a timeline.
type Row struct {
	// Name says what the row is about, Note what is said at its end.
	Name, Note string
	Bars       []Bar
	// Values make a strip of shades instead of bars: one for each place of the
	// chart, the part of the time since the place before, of 1.
	Values Numbers
}

// Bar is a time on a row. Share is the part of it, in percent, for which
// something held; empty is all of it.
type Bar struct{ From, To, Share Number }

// Number is a number as text, as CSV files have it; empty is no value.
type Number string

// MarshalJSON writes the digits as they are.
func (n Number) MarshalJSON() ([]byte, error) {
	if n == "" {
		return []byte("null"), nil
	}
	return []byte(n), nil
}

// float returns the value, 0 if there is none.
func (n Number) float() float64 {
	v, _ := json.Number(n).Float64()
	return v
}

// Numbers are values in order.
type Numbers []Number

// MarshalJSON writes the digits as they are. It is much quicker than one call
// for each would be.
func (n Numbers) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, v := range n {
		if i > 0 {
			b = append(b, ',')
		}
		if v == "" {
			v = "null"
		}
		b = append(b, v...)
	}
	return append(b, ']'), nil
}

// micros returns a time with the digits of CSV files.
func micros(t sim.Time) Number { return Number(results.MicrosText(t)) }

// Charts returns figures for the body of a section, and the part with their
// data, scripts and styles. Without scripts, and on paper, a figure shows a
// still of the whole chart.
func Charts(charts ...*Chart) (template.HTML, Part, error) {
	part := Part{Scripts: ChartScripts(), Styles: ChartStyles()}
	var all template.HTML
	for _, c := range charts {
		wire := c.wire()
		html, err := Fill("figure.html", figureView{Chart: c, Stills: c.still(wideStill()) + c.still(narrowStill()), Keys: wire.Lines, Summary: c.summary(), Aria: c.sentence(), Levels: c.levelTexts()})
		if err != nil {
			return "", Part{}, fmt.Errorf("chart %s: %w", c.ID, err)
		}
		all += html
		part.Data = append(part.Data, Data{ID: "chart-" + c.ID, Value: wire})
	}
	return all, part, nil
}

// ChartScripts are the scripts that charts need. A page is a copy of uPlot, so
// its licence goes with it.
func ChartScripts() []string {
	return []string{Asset("uplot/uPlot.iife.min.js") + "\n/*!\n" + Asset("uplot/LICENSE") + "*/\n", Asset("chart_format.js"), Asset("chart_line.js"), Asset("chart.js"), Asset("chart_zoom.js")}
}

// ChartStyles are the style sheets that charts need.
func ChartStyles() []string { return []string{Asset("uplot/uPlot.min.css"), Asset("chart.css")} }

// figureView is what the template of a figure is filled with.
type figureView struct {
	*Chart
	Stills  template.HTML
	Keys    []wireLine
	Summary []lineSummary
	Aria    string
	Levels  []string
}

// wireChart is a chart as chart.js reads it.
type wireChart struct {
	Title  string     `json:"title"`
	X      wireAxis   `json:"x"`
	Y      wireAxis   `json:"y"`
	Linked bool       `json:"linked"`
	Places Numbers    `json:"places"`
	Lines  []wireLine `json:"lines,omitempty"`
	Levels []wireMark `json:"levels,omitempty"`
	Rows   []wireRow  `json:"rows,omitempty"`
}

type wireAxis struct {
	Label  string  `json:"label"`
	Scales []Scale `json:"scales"`
	Log    bool    `json:"log"`
	Fit    bool    `json:"fit,omitempty"`
	From   Number  `json:"from"`
	To     Number  `json:"to"`
}

type wireLine struct {
	Name   string  `json:"name"`
	Places Numbers `json:"places,omitempty"`
	Values Numbers `json:"values"`
	Step   bool    `json:"step,omitempty"`
	Dots   bool    `json:"dots,omitempty"`
	Colour int     `json:"colour"`
	Dash   int     `json:"dash"`
}

type wireMark struct {
	Name  string `json:"name"`
	Value Number `json:"value"`
	Shown bool   `json:"shown"`
}

type wireRow struct {
	Name string     `json:"name"`
	Note string     `json:"note"`
	Bars []wireSpan `json:"bars"`
	// Values are those of Row.
	Values Numbers `json:"values,omitempty"`
}

// wireSpan is from, to and, if it is not all, share.
type wireSpan []Number

func (c *Chart) wire() wireChart {
	w := wireChart{Title: c.Title, X: c.X.wire(), Y: c.Y.wire(), Linked: c.Linked, Places: c.Places}
	for i := range c.Lines {
		l := &c.Lines[i]
		colour, dash := l.look(i)
		w.Lines = append(w.Lines, wireLine{l.Name, l.Places, l.Values, l.Step, l.Dots, colour, dash})
	}
	top := c.top()
	for _, l := range c.Levels {
		w.Levels = append(w.Levels, wireMark{l.Name, l.Value, l.Value.float() <= 2*top})
	}
	for _, r := range c.Rows {
		row := wireRow{Name: r.Name, Note: r.Note, Values: r.Values}
		for _, b := range r.Bars {
			span := wireSpan{b.From, b.To}
			if b.Share != "" {
				span = append(span, b.Share)
			}
			row.Bars = append(row.Bars, span)
		}
		w.Rows = append(w.Rows, row)
	}
	return w
}

func (a *Axis) wire() wireAxis { return wireAxis{a.Label, a.Unit.scales(), a.Log, a.Fit, a.From, a.To} }

// colours and dashes are how many the style sheet has.
const (
	colours = 7
	dashes  = 6
)

// look returns the colour, from 1, and the dashes, from 0, of the i-th line: as
// in the plots of the run directory.
func (l *Line) look(i int) (colour, dash int) {
	if l.Colour == 0 {
		return 1 + i%colours, i % dashes
	}
	if l.Dashed {
		return l.Colour, 1
	}
	return l.Colour, 0
}
