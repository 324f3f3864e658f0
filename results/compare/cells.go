package compare

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

// MethodText says how verdicts were found.
func (c *Comparison) MethodText() string { return c.method() }

// Confidence is that of the intervals, in words: "99 %".
func (c *Comparison) Confidence() string { return percent(1 - c.Level) }

// Absent reports whether no run of either side has a value.
func (r *Row) Absent() bool { return r.A.N == 0 && r.B.N == 0 }

// MethodText says how verdicts were found.
func (c *SweepComparison) MethodText() string { return c.method() }

// Sentence sums up the verdicts.
func (c *SweepComparison) Sentence() string { return c.sentence() }
