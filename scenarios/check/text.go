package check

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"rocesim/results"
	"rocesim/results/compare"
)

// WriteText writes one report: a line, and below it what is not as it should
// be.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-5s  %s: %s\n", r.Status(), r.Path, r.headline())
	for _, line := range r.details() {
		fmt.Fprintf(&b, "       %s\n", line)
	}
	if len(r.Drifts) > 0 {
		r.writeDrifts(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// headline counts.
func (r *Report) headline() string {
	if r.Err != nil {
		return "not tested"
	}
	parts := []string{"no expectations"}
	if n := len(r.Outcomes); n > 0 {
		parts[0] = fmt.Sprintf("%d of %s met", n-results.Failed(r.Outcomes), plural(n, "expectation"))
	}
	switch {
	case r.Updated:
		parts = append(parts, fmt.Sprintf("%s written to %s", plural(r.Compared, "metric"), r.Baseline))
	case r.Baseline == "":
		parts = append(parts, "no baseline")
	case len(r.Drifts) == 0:
		parts = append(parts, fmt.Sprintf("%s as in the baseline", plural(r.Compared, "metric")))
	default:
		parts = append(parts, fmt.Sprintf("%d of %s not as in the baseline", len(r.Drifts), plural(r.Compared, "metric")))
	}
	return strings.Join(parts, ", ")
}

// details are the sentences below the headline.
func (r *Report) details() []string {
	var lines []string
	if r.Err != nil {
		lines = append(lines, strings.Split(r.Err.Error(), "\n")...)
	}
	if r.Fatal != "" {
		lines = append(lines, r.Fatal)
	}
	for _, o := range r.Outcomes {
		if !o.OK {
			lines = append(lines, o.Text)
		}
	}
	events := r.otherEvents()
	if r.NewConfiguration && (events != "" || len(r.Drifts) > 0) { // or else there is nothing to explain
		lines = append(lines, "the scenario, or a default or preset that it uses, is not that of the baseline")
	}
	if events != "" {
		lines = append(lines, events)
	}
	return lines
}

// otherEvents tells of other events under the same configuration, which
// only another version of rocesim can bring.
func (r *Report) otherEvents() string {
	if r.FingerprintWas == r.FingerprintIs {
		return ""
	}
	return fmt.Sprintf("the events are not those of the baseline: fingerprint %s -> %s", r.FingerprintWas, r.FingerprintIs)
}

func (r *Report) writeDrifts(b *strings.Builder) {
	table := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "       metric\tbaseline\tnow\tchange\ttolerance\tverdict\n")
	for i := range r.Drifts {
		d := &r.Drifts[i]
		mark := ""
		if r.fails(d) {
			mark = ": FAILED"
		}
		fmt.Fprintf(table, "       %s\t%s\t%s\t%s\t%s\t%s%s\n", d.Metric, d.Unit.Format(d.Was), d.now(), d.Change(), d.Tolerance, d.Verdict, mark)
	}
	table.Flush() // to memory, which does not fail
}

func (d *Drift) now() string {
	if !d.HasValue {
		return "-"
	}
	return d.Unit.Format(d.Is)
}

// Change is the change in words, relative unless the baseline has 0.
func (d *Drift) Change() string {
	switch {
	case !d.HasValue:
		return "-"
	case d.Was == 0:
		return "from 0"
	}
	return fmt.Sprintf("%+.2f %%", 100*(d.Is-d.Was)/d.Was)
}

// sentence is one drift on one line.
func (d *Drift) sentence() string {
	if d.Verdict == compare.NoValue {
		return fmt.Sprintf("%s has no value; it was %s", d.Metric, d.Unit.Format(d.Was))
	}
	return fmt.Sprintf("%s is %s: %s -> %s (%s, tolerance %s)", d.Metric, d.Verdict, d.Unit.Format(d.Was), d.now(), d.Change(), d.Tolerance)
}

// Total counts reports by status.
type Total struct{ Passed, Failed, Broken int }

// Add counts a report.
func (t *Total) Add(r *Report) {
	switch r.Status() {
	case Passed:
		t.Passed++
	case Failed:
		t.Failed++
	default:
		t.Broken++
	}
}

// String says it in a sentence.
func (t *Total) String() string {
	text := fmt.Sprintf("%s: %d ok, %d failed", plural(t.Passed+t.Failed+t.Broken, "scenario"), t.Passed, t.Failed)
	if t.Broken > 0 {
		text += fmt.Sprintf(", %d could not be tested", t.Broken)
	}
	return text
}

func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}
