package tune

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"rocesim/results/report"
	"rocesim/scenarios/grid"
	"rocesim/scenarios/sweep"
)

// Write writes the path, the summary, the scenario with the best setting and
// plots into the directory of the search. formats are those of plots, png and
// svg; without any none are drawn.
func (o *Outcome) Write(dir string, formats []string) error {
	if err := o.write(dir, formats); err != nil {
		return fmt.Errorf("%s: no results written, though finished runs are kept: %w", dir, err)
	}
	return nil
}

func (o *Outcome) write(dir string, formats []string) error {
	table, err := o.csv()
	if err != nil {
		return err
	}
	if err := sweep.WriteFile(filepath.Join(dir, "path.csv"), table); err != nil {
		return err
	}
	if err := sweep.WriteFile(filepath.Join(dir, "summary.txt"), []byte(o.Summary())); err != nil {
		return err
	}
	var best *Trial
	if o.Best >= 0 {
		best = o.Trials[o.Best]
		text, err := o.bestText()
		if err != nil {
			return err
		}
		if err := sweep.WriteFile(filepath.Join(dir, "best.yaml"), text); err != nil {
			return err
		}
	}
	if len(formats) > 0 && best != nil {
		if err := report.WritePlots(dir, o.plots(), formats); err != nil {
			return err
		}
	}
	how := "finished"
	if o.Interrupted {
		how = "interrupted"
	}
	m := o.state(how, best)
	if best != nil {
		m.Verdict, m.Improved = o.verdict(), o.Improved()
	}
	// What was interrupted before its first setting has nothing for a page.
	if err := m.write(dir); err != nil || !o.base.Output.Report || len(o.Trials) == 0 {
		return err
	}
	return WritePage(dir)
}

// bestText is the scenario with the best setting, every value filled in.
func (o *Outcome) bestText() ([]byte, error) {
	var sets []string
	for i, v := range o.Trials[o.Best].Values {
		if o.Best > 0 { // the scenario as it is has them
			sets = append(sets, o.Params[i].Path+"="+v)
		}
	}
	sc, err := o.parse(sets)
	if err != nil {
		return nil, err
	}
	sc.Tune, sc.Sweep = nil, nil
	return sc.Resolved(), nil
}

// csv is a table of all trials in order.
func (o *Outcome) csv() ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	header := []string{"setting", "phase"}
	for i := range o.Params {
		header = append(header, o.Params[i].Path)
	}
	for i := range o.Goals {
		m := o.Goals[i].Objective.Metric
		header = append(header, sweep.ColumnName(m, "_mean"), sweep.ColumnName(m, "_ci95"))
	}
	header = append(header, "cost", "violation", "best_so_far", "error")
	rows := [][]string{header}
	better := o.improvements()
	for i, t := range o.Trials {
		row := append([]string{strconv.Itoa(i), t.Phase}, t.Values...)
		for k := range o.Goals {
			row = append(row, o.cells(t, k)...)
		}
		row = append(row, plain(t.Cost), plain(t.Violation), strconv.FormatBool(slices.Contains(better, i)), t.Failure)
		rows = append(rows, row)
	}
	if err := w.WriteAll(rows); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// cells are mean and interval of a goal's metric, in the unit of the column.
func (o *Outcome) cells(t *Trial, goal int) []string {
	m := o.Goals[goal].Objective.Metric
	var all []float64
	for _, r := range t.results {
		all = append(all, valueOf(r.Record, m))
	}
	e := sweep.NewEstimate(all)
	_, scale := m.Info().Unit.Column()
	return []string{plain(e.Mean / scale), plain(e.Half / scale)}
}

// plain prints a number in full; nothing if there is none.
func plain(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// size says how many settings were tried, and with how many seeds each.
func (o *Outcome) size() string {
	text := fmt.Sprintf("%d settings x %d seeds", len(o.Trials), len(o.seeds))
	if len(o.seeds) == 1 {
		return strings.TrimSuffix(text, "s")
	}
	return text
}

// plots are one of the path and one for each parameter.
func (o *Outcome) plots() []*report.Plot {
	name, unit := o.goalWords()
	title := fmt.Sprintf("%s: %s by setting tried", o.base.Name, name)
	verdict, _, _ := strings.Cut(o.verdict(), ";") // the page is not wider
	subtitle := o.size() + "; " + verdict
	c := report.Captions{Name: "path", Title: title, Subtitle: subtitle, Value: name, Unit: unit}
	points := make([]report.TrialPoint, len(o.Trials))
	better := o.improvements()
	for i, t := range o.Trials {
		points[i] = report.TrialPoint{
			Number: i, Value: o.shown(t), Met: t.Violation == 0,
			Better: slices.Contains(better, i), Best: i == o.Best, Searched: t.Phase == "search",
		}
	}
	all := []*report.Plot{report.SearchPath(c, points)}
	for i := range o.Params {
		c := c
		c.Name = "param_" + fileName(o.Params[i].Path)
		c.Title = fmt.Sprintf("%s: %s by %s", o.base.Name, name, o.Params[i].Path)
		if o.Influence != nil {
			c.Subtitle = fmt.Sprintf("%s; it explains %.0f %% of how settings rank, alone and together with others", o.size(), 100*o.Influence[i])
		}
		axis, at := o.axis(i)
		for k := range points {
			points[k].At = at(o.Trials[k].Values[i])
		}
		all = append(all, report.SearchParam(c, axis, points))
	}
	return all
}

// axis is that of a parameter, and where a value lies on it: NaN if nowhere.
func (o *Outcome) axis(i int) (report.Axis, func(string) float64) {
	p := &o.Params[i]
	axis := report.Axis{Label: p.Path}
	if p.List != nil {
		for _, v := range p.List {
			axis.Places = append(axis.Places, v.Text)
		}
		return axis, func(text string) float64 {
			if place, ok := p.Place(text); ok {
				return math.Floor(place * float64(len(p.List)))
			}
			return math.NaN()
		}
	}
	const marks = 6
	for k := range marks + 1 {
		text := p.At(float64(k) / marks)
		if v, _ := number(text); !slices.Contains(axis.Numbers, v) {
			axis.Places, axis.Numbers = append(axis.Places, text), append(axis.Numbers, v)
		}
	}
	_, kind := grid.Axis{Values: []grid.Value{{Text: p.Low}}}.Quantities()
	return axis, func(text string) float64 {
		if _, other := (grid.Axis{Values: []grid.Value{{Text: text}}}).Quantities(); other != kind {
			return math.NaN()
		}
		v, _ := number(text)
		return v
	}
}

// fileName replaces what a file name should not have.
func fileName(path string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(".[]{}=/ ", r) {
			return '_'
		}
		return r
	}, path)
}
