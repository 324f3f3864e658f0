package page

import (
	"rocesim/results"
	"rocesim/results/compare"
)

// sides is the grid that two sweeps share, with the side as its first axis: A and
// B are seen over each other by the scripts of a sweep.
type sides struct {
	of      *compare.SweepComparison
	per     int            // settings of each side
	metrics []*compare.Row // a row of each metric that has a value
	places  map[string]int // of metrics in these
	wire    sweepWire
	rows    [][]string
}

// sidesTable is the ID of the values of both sides, mostSides how many settings a
// page can hold.
const (
	sidesTable = "sides-data"
	mostSides  = 20_000
)

// sidesOf draws both sides over the axes. It is empty without axes, as in
// comparisons of earlier versions, and if the page would be too large.
func sidesOf(c *compare.SweepComparison) (Part, error) {
	g := sides{of: c, per: 1}
	g.collect()
	for _, a := range c.Axes {
		g.per = min(g.per*len(a.Values), mostSides+1)
	}
	if len(c.Axes) == 0 || len(g.metrics) == 0 || g.per > mostSides {
		return Part{}, nil
	}
	g.describe()
	g.fill()
	body, err := Fill("comparison_sides.html", g.wire)
	return Part{
		Sections: []Section{{"sides", "Both over the grid", body}},
		Data: []Data{{"sweep-data", g.wire}, {sidesTable, struct {
			Rows [][]string `json:"rows"`
		}{g.rows}}},
		Scripts: gridScripts(), Styles: append(ChartStyles(), Asset("sweep.css")),
	}, err
}

// collect lists the metrics; the one that is seen first has changed somewhere.
func (g *sides) collect() {
	g.places = map[string]int{}
	changed := -1
	for i := range g.of.Settings {
		for k := range g.of.Settings[i].Rows {
			r := &g.of.Settings[i].Rows[k]
			if r.Absent() {
				continue
			}
			place, known := g.places[r.Metric]
			if !known {
				place = len(g.metrics)
				g.places[r.Metric], g.metrics = place, append(g.metrics, r)
			}
			if r.Verdict != compare.Same && r.Verdict != compare.NoValue && (changed < 0 || place < changed) {
				changed = place
			}
		}
	}
	g.wire.Metric = max(0, changed)
}

// describe fills in axes and metrics. The first column of a row is empty: nothing
// is recommended here, and no expectation is looked at.
func (g *sides) describe() {
	g.wire.Table, g.wire.Scenarios = sidesTable, []string{""}
	g.wire.Dimensions = []SweepDimension{{Name: "side", Short: "side", Places: []string{"A", "B"}}}
	for _, a := range g.of.Axes {
		g.wire.Dimensions = append(g.wire.Dimensions, SweepDimension{a.Name, a.Short, a.Values, a.Numbers})
	}
	for i := range g.of.Settings {
		s := &g.of.Settings[i]
		g.wire.Seeds = max(g.wire.Seeds, len(s.A.Seeds), len(s.B.Seeds))
	}
	for i, r := range g.metrics {
		m := metricWire{Name: r.Metric, Mean: 1 + 2*i, Half: 2 + 2*i}
		if s, err := results.ParseSubject(r.Metric); err == nil {
			m.Doc, m.Scales, m.Better = s.Info().Doc, scalesOf(s.Info().Unit), betterWords(results.BetterDirection(s.Metric))
		}
		g.wire.Metrics = append(g.wire.Metrics, m)
	}
}

// fill makes the rows: all settings of A, then all of B, the last axis changing
// fastest.
func (g *sides) fill() {
	g.rows = make([][]string, 2*g.per)
	g.wire.Notes = map[int]string{}
	for i := range g.rows {
		g.rows[i] = make([]string, 1+2*len(g.metrics))
		g.wire.Notes[i] = "no setting of both"
	}
	for i := range g.of.Settings {
		s := &g.of.Settings[i]
		row := 0
		for k, place := range s.Places {
			row = row*len(g.of.Axes[k].Values) + place
		}
		for k := range s.Rows {
			r := &s.Rows[k]
			if column, known := g.places[r.Metric]; known {
				g.put(row, column, r.Metric, &r.A)
				g.put(g.per+row, column, r.Metric, &r.B)
			}
		}
	}
}

// put writes the mean of a side and half the width of its interval.
func (g *sides) put(row, column int, metric string, l *compare.Level) {
	delete(g.wire.Notes, row)
	s, err := results.ParseSubject(metric)
	if l.N == 0 || err != nil {
		return
	}
	_, scale := s.Info().Unit.Column()
	g.rows[row][1+2*column] = results.FloatText(l.Mean / scale)
	if half := l.HalfWidth(); half > 0 {
		g.rows[row][2+2*column] = results.FloatText(half / scale)
	}
}
