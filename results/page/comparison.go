package page

import (
	"html/template"
	"strings"

	"rocesim/results"
	"rocesim/results/compare"
)

// Comparison makes the page of two configurations: what is better or worse in
// B, the fields of the scenario that differ, every metric, and charts of the
// first run of each side over each other. a and b are those runs; nil leaves the
// charts out.
func Comparison(c *compare.Comparison, a, b *results.Run) (*Document, error) {
	v := comparisonView{A: c.A.Text(), B: c.B.Text(), Sentence: c.Sentence(), Method: c.MethodText(), Warnings: c.Warnings, Changes: c.Changes}
	v.grade(c.Count(compare.Worse), c.Count(compare.Better), c.Count(compare.Different))
	v.reserve(c)
	lead, err := Fill("comparison_lead.html", v)
	if err != nil {
		return nil, err
	}
	d := &Document{Title: c.A.Name + " and " + c.B.Name, Kind: "Comparison", Lead: lead, Styles: []string{Asset("comparison.css")}}
	changes, err := Fill("comparison_changes.html", v)
	if err != nil {
		return nil, err
	}
	d.Sections = append(d.Sections, Section{"configuration", "What was changed", changes})
	t := metricTable(c)
	body, err := t.Body()
	if err != nil {
		return nil, err
	}
	rest, err := Fill("comparison_rest.html", restOf(c))
	if err != nil {
		return nil, err
	}
	d.Sections = append(d.Sections, Section{"metrics", "Metrics", rangesOf(c) + body + rest})
	d.Data = append(d.Data, t.Data())
	if a == nil || b == nil {
		return d, nil
	}
	html, part, err := Charts(overlayCharts(a, b)...)
	if err != nil {
		return nil, err
	}
	if html != "" {
		note := template.HTML(`<p>Blue and unbroken is A, vermilion and dashed is B: the first run of each.</p>`)
		part.Sections = append(part.Sections, Section{"charts", "Both over each other", note + html})
	}
	d.Add(part)
	return d, nil
}

// comparisonView is what the templates of a comparison are filled with.
type comparisonView struct {
	A, B, Sentence, Method string
	Grade, Icon, Word      string
	Warnings               []string
	Changes                []compare.Change
}

// grade sums up the verdicts in one word.
func (v *comparisonView) grade(worse, better, different int) {
	switch {
	case worse > 0 && better > 0:
		v.Grade, v.Icon, v.Word = "warn", "\u21c5", "B is better in some and worse in others"
	case worse > 0:
		v.Grade, v.Icon, v.Word = "bad", "\u25bc", "B is worse"
	case better > 0:
		v.Grade, v.Icon, v.Word = "ok", "\u25b2", "B is better"
	case different > 0:
		v.Grade, v.Icon, v.Word = "warn", "\u2260", "B is different, neither better nor worse"
	default:
		v.Grade, v.Icon, v.Word = "", "=", "A and B are the same"
	}
}

// reserve takes the certainty out of a grade that no test stands behind.
func (v *comparisonView) reserve(c *compare.Comparison) {
	if c.Caveat == "" {
		return
	}
	v.Word += ", in one run of each and without a test"
	if v.Grade != "" {
		v.Grade = "warn"
	}
}

// verdictWord is the verdict of a row with its sign, so that it needs no colour.
func verdictWord(c *compare.Comparison, r *compare.Row) string {
	text := c.VerdictText(r)
	switch r.Verdict {
	case compare.Better:
		return "\u25b2 " + text
	case compare.Worse:
		return "\u25bc " + text
	case compare.Different:
		return "\u2260 " + text
	case compare.Same:
		return "= " + text
	}
	return text
}

// rowGrade is the colour of a metric's row.
func rowGrade(v compare.Verdict) string {
	return map[compare.Verdict]string{compare.Better: "ok", compare.Worse: "bad", compare.Different: "warn"}[v]
}

// metricTable has the metrics that differ in some run, those with a verdict
// first; a narrow screen shows the verdict beside the name.
func metricTable(c *compare.Comparison) *Table {
	t := &Table{ID: "metrics-table", Caption: "Metrics of A and B", Narrow: true, First: 100, Columns: []Column{
		{Name: "metric", Doc: "as expect clauses name it"},
		{Name: "verdict", Doc: "of B: better, worse, different (neither direction is better), or same"},
		{Name: "change", Doc: "of B from A, as a part of A; the difference itself where A is 0"},
		{Name: "A", Doc: "mean of the runs of A"}, {Name: "B", Doc: "mean of the runs of B"},
	}}
	tested := c.Method == compare.Paired || c.Method == compare.Welch
	if tested {
		t.Columns = append(t.Columns, Column{Name: c.Confidence() + " interval", Doc: "where the change lies with this confidence, for this metric alone"},
			Column{Name: "p", Doc: "the chance of such a change between equal configurations, with regard to all metrics tested (Holm)"})
	}
	t.Columns = append(t.Columns, Column{Name: "meaning", Doc: "what it measures, and which direction is better", Wrap: true})
	for _, verdict := range []compare.Verdict{compare.Worse, compare.Better, compare.Different, compare.NoValue, compare.Same} {
		for i := range c.Rows {
			if r := &c.Rows[i]; r.Verdict == verdict && !r.Absent() && !r.IsEqual() {
				t.Rows, t.Grades = append(t.Rows, metricRow(c, r, tested)), append(t.Grades, rowGrade(r.Verdict))
			}
		}
	}
	return t
}

func metricRow(c *compare.Comparison, r *compare.Row, tested bool) []string {
	doc := ""
	if s, err := results.ParseSubject(r.Metric); err == nil {
		doc = s.Info().Doc + "; " + betterWords(results.BetterDirection(s.Metric))
	}
	cells := c.Cells(r)
	row := []string{r.Metric, verdictWord(c, r), cells.Change, cells.A, cells.B}
	if tested {
		row = append(row, cells.Interval, cells.P)
	}
	return append(row, doc)
}

// restView names the metrics that the table leaves out.
type restView struct{ Equal, Absent string }

func restOf(c *compare.Comparison) restView {
	var equal, absent []string
	for i := range c.Rows {
		switch r := &c.Rows[i]; {
		case r.Absent():
			absent = append(absent, r.Metric)
		case r.IsEqual():
			equal = append(equal, r.Metric)
		}
	}
	return restView{strings.Join(equal, ", "), strings.Join(absent, ", ")}
}
