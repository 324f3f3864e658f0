package sweep

import (
	"fmt"
	"math"
	"strings"

	"rocesim/results"
	"rocesim/results/report"
	"rocesim/scenarios/grid"
)

// plots draws each metric of each scenario over the grid, and the Pareto
// front.
func (o *Outcome) plots() []*report.Plot {
	var all []*report.Plot
	for source := range o.sources {
		d := &drawing{Outcome: o, source: source, best: -1}
		if len(o.sources) > 1 {
			d.prefix = o.sources[source].base.Name + "_"
		}
		if a, ok := o.advise(source); ok {
			d.best = a.Best
		}
		for n := range o.Grid {
			if o.Grid[n].Len() > 1 {
				d.moving = append(d.moving, n)
			}
		}
		all = append(all, d.plots()...)
	}
	return all
}

// drawing draws one scenario.
type drawing struct {
	*Outcome
	source int
	best   int // the recommended setting, or -1
	prefix string
	moving []int // dimensions with more than one place
}

func (d *drawing) plots() []*report.Plot {
	var all []*report.Plot
	for _, m := range d.metricsOf(d.source) {
		if !d.any(m) || len(d.moving) == 0 {
			continue
		}
		if len(d.moving) > 1 {
			all = append(all, d.heatmap(m))
		}
		all = append(all, d.trends(m))
	}
	if d.knowsPareto() {
		if p := d.paretoPlot(); p != nil {
			all = append(all, p)
		}
	}
	return all
}

func (d *drawing) knowsPareto() bool {
	return d.sources[d.source].knows(d.Pareto[0]) && d.sources[d.source].knows(d.Pareto[1])
}

// any reports whether a setting has a value of a metric.
func (d *drawing) any(m results.Subject) bool {
	for i := range d.settings {
		if d.settings[i].source == d.source && d.estimate(i, m).N > 0 {
			return true
		}
	}
	return false
}

// fileName makes a metric the name of a file.
func fileName(m results.Subject) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, m.String()), "_")
}

func (d *drawing) captions(kind, title string, m results.Subject) report.Captions {
	return report.Captions{
		Name: d.prefix + kind + "_" + fileName(m), Title: title, Value: m.String(), Unit: m.Info().Unit,
		Subtitle: d.subtitle(" with 95 % confidence interval"),
	}
}

// subtitle says what is drawn; spread is what is drawn beside means.
func (d *drawing) subtitle(spread string) string {
	of := &d.sources[d.source]
	if len(of.seeds) == 1 {
		return of.base.Name + ": one seed"
	}
	return fmt.Sprintf("%s: mean of %d seeds%s", of.base.Name, len(of.seeds), spread)
}

// axis describes a dimension for a plot: by its numbers if it is a single axis
// of numbers, else by its words.
func (d *drawing) axis(dimension int) report.Axis {
	dim := d.Grid[dimension]
	axis := report.Axis{Label: dim.Name()}
	for place := range dim.Len() {
		var words []string
		for _, a := range dim {
			words = append(words, a.Values[place].Text)
		}
		axis.Places = append(axis.Places, strings.Join(words, " / "))
	}
	quantities, kind := dim[0].Quantities()
	if len(dim) == 1 && kind != grid.Words {
		for _, q := range quantities {
			axis.Numbers = append(axis.Numbers, q.Float())
		}
	}
	return axis
}

// heatmap draws a metric over the first two dimensions that move; the others
// stand where the recommended setting has them.
func (d *drawing) heatmap(m results.Subject) *report.Plot {
	y, x := d.moving[0], d.moving[1]
	c := d.captions("heatmap", title(m)+" over two axes", m)
	held := d.held()
	for _, n := range d.moving[2:] {
		c.Subtitle += ", " + d.place(n, held[n])
	}
	cells := make([][]report.Cell, d.Grid[y].Len())
	for row := range cells {
		cells[row] = make([]report.Cell, d.Grid[x].Len())
		for col := range cells[row] {
			places := append([]int(nil), held...)
			places[y], places[x] = row, col
			cells[row][col] = d.cell(d.at(places), m)
		}
	}
	return report.Heatmap(c, d.axis(x), d.axis(y), cells)
}

func (d *drawing) cell(settingIndex int, m results.Subject) report.Cell {
	e := d.estimate(settingIndex, m)
	cell := report.Cell{Value: e.Mean, Half: e.Half, Marked: settingIndex == d.best}
	if n := d.unmet(settingIndex); n > 0 {
		cell.Note = fmt.Sprintf("%d of %d unmet", n, len(d.runs(settingIndex)))
	}
	if e.N == 0 {
		cell.Note = "no data"
		for _, r := range d.runs(settingIndex) {
			if stop := d.stop(&r); stop == "invalid" || stop == "failed" || stop == "missing" {
				cell.Note = stop
			}
		}
	}
	return cell
}

// held is where the dimensions stand that a plot does not show.
func (d *drawing) held() []int {
	if d.best < 0 {
		return make([]int, len(d.Grid))
	}
	return d.Grid.Places(d.settings[d.best].combination)
}

// at is the setting at a place of each dimension.
func (d *drawing) at(places []int) int {
	combination := 0
	for n, place := range places {
		combination = combination*d.Grid[n].Len() + place
	}
	return d.source*len(d.settings)/len(d.sources) + combination
}

// place words one place of a dimension.
func (d *drawing) place(dimension, place int) string {
	var words []string
	for _, a := range d.Grid[dimension] {
		words = append(words, d.short(a.Path)+"="+a.Values[place].Text)
	}
	return strings.Join(words, ", ")
}

// longest is the dimension with most places, the last of several.
func (d *drawing) longest() int {
	best := d.moving[0]
	for _, n := range d.moving {
		if d.Grid[n].Len() >= d.Grid[best].Len() {
			best = n
		}
	}
	return best
}

// trends draws a metric over the longest dimension, a line for each combination
// of the others.
func (d *drawing) trends(m results.Subject) *report.Plot {
	x := d.longest()
	c := d.captions("line", title(m), m)
	var lines []report.Trend
	for i := range d.settings {
		places := d.Grid.Places(d.settings[i].combination)
		if d.settings[i].source != d.source || places[x] != 0 {
			continue
		}
		var name []string
		for _, n := range d.moving {
			if n != x {
				name = append(name, d.place(n, places[n]))
			}
		}
		line := report.Trend{Name: strings.Join(name, "\n")}
		for place := range d.Grid[x].Len() {
			places[x] = place
			if e := d.estimate(d.at(places), m); e.N > 0 {
				line.Points = append(line.Points, report.TrendPoint{Place: place, Value: e.Mean, Half: e.Half})
			}
		}
		if len(line.Points) > 0 {
			lines = append(lines, line)
		}
	}
	return report.Trends(c, d.axis(x), lines)
}

// paretoPlot draws all fit settings by the two metrics that are traded.
func (d *drawing) paretoPlot() *report.Plot {
	onFront := map[int]bool{}
	for _, i := range d.front(d.source) {
		onFront[i] = true
	}
	var points []report.FrontPoint
	for i := range d.settings {
		if d.settings[i].source != d.source || !d.fit(i) {
			continue
		}
		x, y := d.estimate(i, d.Pareto[0]).Mean, d.estimate(i, d.Pareto[1]).Mean
		if math.IsNaN(x) || math.IsNaN(y) {
			continue
		}
		points = append(points, report.FrontPoint{X: x, Y: y, Name: d.words(&d.settings[i]), Best: onFront[i], Marked: i == d.best})
	}
	if len(points) < 2 {
		return nil
	}
	c := d.captions("pareto", fmt.Sprintf("%s against %s", d.Pareto[1], d.Pareto[0]), d.Pareto[1])
	c.Name, c.Subtitle = d.prefix+"pareto", d.subtitle("")
	return report.Front(c, report.Captions{Value: d.Pareto[0].String(), Unit: d.Pareto[0].Info().Unit}, points)
}

// title begins with what the metric is.
func title(m results.Subject) string {
	doc := m.Info().Doc
	if cut, _, found := strings.Cut(doc, ","); found {
		doc = cut
	}
	return strings.ToUpper(doc[:1]) + doc[1:] + ": " + m.String()
}
