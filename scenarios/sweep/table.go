package sweep

import (
	"math"
	"strconv"
	"strings"

	"rocesim/results"
	"rocesim/scenarios/grid"
)

// kind is what the cells of a column are.
type kind uint8

const (
	word  kind = iota
	real       // a number or nothing
	whole      // a whole number
)

// column is one column of a table: its name ends in the unit.
type column struct {
	name string
	kind kind
	cell func(i int) string
}

// table is a rectangle of texts with named columns.
type table struct {
	columns []column
	rows    int
}

// runTable has one row for each run.
func (o *Outcome) runTable() table {
	t := table{rows: len(o.rows)}
	at := func(i int) *setting { return &o.settings[o.rows[i].setting] }
	t.columns = append(t.columns, o.settingColumns(at)...)
	t.columns = append(t.columns,
		column{"seed", whole, func(i int) string {
			return strconv.FormatUint(o.sources[at(i).source].seeds[o.rows[i].seed], 10)
		}},
		column{"stop", word, func(i int) string { return o.stop(&o.rows[i]) }},
		column{"expectations_unmet", real, func(i int) string {
			if o.rows[i].values == nil {
				return ""
			}
			return strconv.Itoa(len(o.rows[i].unmet))
		}},
		column{"fingerprint", word, func(i int) string { return o.rows[i].fingerprint }},
	)
	for k, c := range o.columns {
		_, scale := c.Info().Unit.Column()
		t.columns = append(t.columns, column{columnName(c, ""), real, func(i int) string {
			if o.rows[i].values == nil {
				return ""
			}
			return number(o.rows[i].values[k] / scale)
		}})
	}
	t.columns = append(t.columns,
		column{"error", word, func(i int) string {
			if text := at(i).invalid; text != "" {
				return text
			}
			return o.rows[i].failure
		}},
		column{"run", word, func(i int) string {
			return o.runName(at(i), o.rows[i].seed)
		}},
	)
	return t
}

// stop says how a run ended.
func (o *Outcome) stop(r *row) string {
	switch {
	case o.settings[r.setting].invalid != "":
		return "invalid"
	case !r.done:
		return "missing"
	case r.failure != "":
		return "failed"
	}
	return r.stop
}

// settingColumns are the scenario and the axes. An axis whose values carry
// units has a second column with the same as plain numbers.
func (o *Outcome) settingColumns(at func(i int) *setting) []column {
	all := []column{{"scenario", word, func(i int) string { return o.sources[at(i).source].base.Name }}}
	for k, a := range o.Grid.Axes() {
		text := func(i int) string { return o.Grid.Values(at(i).combination)[k].Text }
		quantities, kind := a.Quantities()
		if kind == grid.Number && allPlain(a) {
			all = append(all, column{a.Path, real, text})
			continue
		}
		all = append(all, column{a.Path, word, text})
		if quantities == nil {
			continue
		}
		suffix, scale := axisUnit(kind)
		numbers := map[string]string{} // a column has far more cells than an axis values
		for place, q := range quantities {
			numbers[a.Values[place].Text] = number(q.Float() / scale)
		}
		all = append(all, column{a.Path + suffix, real, func(i int) string { return numbers[text(i)] }})
	}
	return all
}

// allPlain reports whether values are numbers that any reader understands.
func allPlain(a grid.Axis) bool {
	for _, v := range a.Values {
		if _, err := strconv.ParseFloat(v.Text, 64); err != nil {
			return false
		}
	}
	return true
}

// axisUnit is the ending of a column of numbers, and how many base units one
// of it is.
func axisUnit(k grid.Kind) (suffix string, scale float64) {
	switch k {
	case grid.Time:
		return "_us", 1e6
	case grid.Rate:
		return "_gbps", 1e9
	case grid.Size:
		return "_bytes", 1
	case grid.Length:
		return "_m", 1e3
	}
	return "_value", 1
}

// columnName is a metric with its unit before the labels, and what it is of:
// "fct.p99_us_mean{workload=storage}".
func columnName(s results.Subject, of string) string {
	name, labels, found := strings.Cut(s.String(), "{")
	ending, _ := s.Info().Unit.Column()
	name += ending + of
	if found {
		name += "{" + strings.ReplaceAll(labels, ",", " ")
	}
	return name
}

// number prints a number in full; nothing if there is none.
func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
