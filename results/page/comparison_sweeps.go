package page

import (
	"fmt"
	"strings"

	"rocesim/results/compare"
)

// SweepComparison makes the page of two sweeps that were compared setting by
// setting.
func SweepComparison(c *compare.SweepComparison) (*Document, error) {
	v := comparisonView{A: c.A, B: c.B, Sentence: c.Sentence(), Method: c.MethodText(), Warnings: c.Warnings, Changes: c.Changes}
	t := &Table{ID: "settings-table", Caption: "Settings of both sweeps", Narrow: true, First: 100, Columns: []Column{
		{Name: "setting", Doc: "its values"},
		{Name: "worse", Doc: "metrics in which B is worse, by how much", Wrap: true},
		{Name: "better", Doc: "metrics in which B is better, by how much", Wrap: true},
		{Name: "different", Doc: "metrics that differ and of which neither direction is better", Wrap: true},
	}}
	worse, better, different := 0, 0, 0
	for i := range c.Settings {
		s := &c.Settings[i]
		worse, better, different = worse+s.Count(compare.Worse), better+s.Count(compare.Better), different+s.Count(compare.Different)
		t.Rows = append(t.Rows, []string{s.Setting, changedIn(s, compare.Worse), changedIn(s, compare.Better), changedIn(s, compare.Different)})
	}
	v.grade(worse, better, different)
	if len(c.Settings) > 0 {
		v.reserve(c.Settings[0].Comparison)
	}
	d := &Document{Title: c.A + " and " + c.B, Kind: "Comparison of sweeps", Styles: []string{Asset("comparison.css")}}
	var err error
	if d.Lead, err = Fill("comparison_lead.html", v); err != nil {
		return nil, err
	}
	changes, err := Fill("comparison_changes.html", v)
	if err != nil {
		return nil, err
	}
	d.Sections = []Section{{"configuration", "What was changed in all settings", changes}}
	part, err := sidesOf(c)
	if err != nil {
		return nil, err
	}
	d.Add(part)
	body, err := t.Body()
	d.Add(Part{Sections: []Section{{"settings", "Settings", body}}, Data: []Data{t.Data()}})
	return d, err
}

// changedIn lists the metrics with a verdict and their changes.
func changedIn(s *compare.SettingComparison, v compare.Verdict) string {
	var parts []string
	for i := range s.Rows {
		if r := &s.Rows[i]; r.Verdict == v {
			parts = append(parts, fmt.Sprintf("%s %s", r.Metric, s.Cells(r).Change))
		}
	}
	return strings.Join(parts, ", ")
}
