package compare

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"rocesim/results"
)

// WriteText writes the comparison for a person.
func (c *Comparison) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "A: %s\nB: %s\n%s\n", c.A.Text(), c.B.Text(), c.MethodText())
	for _, warning := range c.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", warning)
	}
	b.WriteString("\nConfiguration, A -> B:\n" + changesText(c.Changes) + "\n")
	c.writeRows(&b)
	fmt.Fprintf(&b, "\n%s\n", c.Sentence())
	_, err := io.WriteString(w, b.String())
	return err
}

// Text names the side with its number of runs and their seeds.
func (s *SideInfo) Text() string {
	return fmt.Sprintf("%s (%s, %s)", s.Name, results.Plural(len(s.Seeds), "run"), seedsText(s.Seeds))
}

// seedsText lists seeds, consecutive ones as a range. Preconditions: not
// empty, ascending.
func seedsText(seeds []uint64) string {
	n := len(seeds)
	switch {
	case n == 1:
		return fmt.Sprintf("seed %d", seeds[0])
	case seeds[n-1]-seeds[0] == uint64(n-1):
		return fmt.Sprintf("seeds %d to %d", seeds[0], seeds[n-1])
	}
	return "seeds " + strings.Trim(strings.ReplaceAll(fmt.Sprint(seeds), " ", ", "), "[]")
}

// MethodText says how verdicts were found.
func (c *Comparison) MethodText() string {
	ignored := fmt.Sprintf("Changes up to %s count as none.", percent(c.Ignore))
	test := "Paired t-test on equal seeds"
	switch c.Method {
	case Values:
		return capital(noTest) + ". " + ignored
	case Exact:
		return "No seed changes a run, so that no difference is chance. " + ignored
	case Welch:
		test = "Welch's t-test on different seeds"
	}
	return fmt.Sprintf("%s, level %s for all %s together (Holm). %s", test, percent(c.Level),
		results.Plural(c.Tested, "metric that varies", "metrics that vary"), ignored)
}

func changesText(changes []Change) string {
	if len(changes) == 0 {
		return "  no difference\n"
	}
	const most = 40
	var b strings.Builder
	for i, change := range changes {
		if i == most {
			fmt.Fprintf(&b, "  and %s\n", results.Plural(len(changes)-most, "other field"))
			break
		}
		fmt.Fprintf(&b, "  %s: %s -> %s\n", change.Field, orAbsent(change.A), orAbsent(change.B))
	}
	return b.String()
}

func orAbsent(text string) string {
	if text == "" {
		return "(absent)"
	}
	return text
}

// writeRows writes a table of the metrics that are not the same number in all
// runs, and names the others below.
func (c *Comparison) writeRows(b *strings.Builder) {
	var rows []*Row
	var equal, absent []string
	for i := range c.Rows {
		r := &c.Rows[i]
		switch {
		case r.Absent():
			absent = append(absent, r.Metric)
		case r.IsEqual():
			equal = append(equal, r.Metric)
		default:
			rows = append(rows, r)
		}
	}
	c.writeTable(b, rows)
	for _, rest := range []struct {
		what  string
		names []string
	}{{"Equal in all runs", equal}, {"Without a value in any run", absent}} {
		if len(rest.names) > 0 {
			fmt.Fprintf(b, "\n%s: %s.\n", rest.what, strings.Join(rest.names, ", "))
		}
	}
}

func (c *Comparison) writeTable(b *strings.Builder, rows []*Row) {
	if len(rows) == 0 {
		b.WriteString("No metric differs in any run.\n")
		return
	}
	table := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "metric\tA\tB\tchange")
	if c.hasTest() {
		fmt.Fprintf(table, "\t%s interval\tp", c.Confidence())
	}
	fmt.Fprint(table, "\tverdict\n")
	for _, r := range rows {
		c.writeRow(table, r)
	}
	table.Flush() // to memory, which does not fail
}

// IsEqual reports whether all runs of both sides have the same value, or the
// runs of each seed have.
func (r *Row) IsEqual() bool {
	return r.A.N == r.A.Runs && r.B.N == r.B.Runs && (r.identical || r.A.Min == r.A.Max && r.B.Min == r.B.Max && r.A.Min == r.B.Min)
}

func (c *Comparison) writeRow(w io.Writer, r *Row) {
	cells := c.Cells(r)
	fmt.Fprintf(w, "%s\t%s\t%s\t%s", r.Metric, cells.A, cells.B, cells.Change)
	if c.hasTest() {
		fmt.Fprintf(w, "\t%s\t%s", cells.Interval, cells.P)
	}
	fmt.Fprintf(w, "\t%s\n", c.VerdictText(r))
}

// Cells are the numbers of a row for a person, each with its unit; "-" is
// nothing known.
type Cells struct{ A, B, Change, Interval, P string }

// Cells returns what the text of the comparison says about a row. Interval and
// P are empty where nothing was tested.
func (c *Comparison) Cells(r *Row) Cells {
	cells := Cells{A: r.A.text(r.unit), B: r.B.text(r.unit), Change: r.change()}
	if c.hasTest() {
		cells.Interval, cells.P = r.interval(), pText(r.AdjustedP)
	}
	return cells
}

// Confidence is that of the intervals, in words: "99 %".
func (c *Comparison) Confidence() string { return percent(1 - c.Level) }

// text is the mean, with the number of runs that have a value if not all do.
func (l *Level) text(unit results.Unit) string {
	switch {
	case l.N == 0:
		return "-"
	case l.N < l.Runs:
		return fmt.Sprintf("%s (%d of %d runs)", unit.Format(l.Mean), l.N, l.Runs)
	}
	return unit.Format(l.Mean)
}

// change is the difference: relative, or as it is where A is 0.
func (r *Row) change() string {
	if r.A.N == 0 || r.B.N == 0 {
		return "-"
	}
	if d, _, _, ok := r.Relative(); ok {
		return signed(percentNumber(d)) + " %"
	}
	return signed(r.unit.Format(r.Difference))
}

func (r *Row) interval() string {
	if r.P == nil {
		return "-"
	}
	if _, low, high, ok := r.Relative(); ok {
		return fmt.Sprintf("%s to %s %%", signed(percentNumber(low)), signed(percentNumber(high)))
	}
	return fmt.Sprintf("%s to %s", signed(r.unit.Format(r.Low)), signed(r.unit.Format(r.High)))
}

func pText(p *float64) string {
	switch {
	case p == nil:
		return "-"
	case *p < 0.001:
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", *p)
}

func percentNumber(ratio float64) string { return fmt.Sprintf("%.2f", 100*ratio) }

func percent(ratio float64) string { return results.Ratio.Format(100*ratio) + " %" }

// signed puts a plus before a positive number.
func signed(number string) string {
	if strings.HasPrefix(number, "-") {
		return number
	}
	return "+" + number
}

// Sentence sums up the verdicts.
func (c *Comparison) Sentence() string {
	var parts []string
	for _, v := range []Verdict{Worse, Better, Different} {
		if n := c.Count(v); n > 0 {
			parts = append(parts, fmt.Sprintf("%s in %s", v, c.names(v)))
		}
	}
	if len(parts) == 0 {
		return "B is the same as A: no difference was found that matters." + c.reserve()
	}
	return "B is " + strings.Join(parts, "; ") + "." + c.reserve()
}

// reserve is the caveat as a further sentence.
func (c *Comparison) reserve() string {
	if c.Caveat == "" {
		return ""
	}
	return " This is " + c.Caveat + "."
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// names lists the metrics of a verdict, the first few if there are many.
func (c *Comparison) names(v Verdict) string {
	const most = 4
	var names []string
	for i := range c.Rows {
		if c.Rows[i].Verdict == v {
			names = append(names, c.Rows[i].Metric)
		}
	}
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	first := slices.Clone(names[:most-1])
	return fmt.Sprintf("%s and %d other metrics", strings.Join(first, ", "), len(names)-len(first))
}
