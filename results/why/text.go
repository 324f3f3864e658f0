package why

import (
	"fmt"
	"io"
	"strings"

	"rocesim/results"
)

// Report is all that is known about why a run went as it did.
type Report struct {
	Name     string            `json:"name"`
	Findings []results.Finding `json:"findings"`
	Levels   []Level           `json:"levels"`
}

// NewReport explains a run.
func NewReport(run *results.Run) *Report {
	return &Report{Name: run.Manifest.Name, Findings: Explain(run), Levels: Levels(run)}
}

// WriteText writes the report for a person: the findings, and then the first
// rows levels; all if rows is negative.
func (r *Report) WriteText(w io.Writer, rows int) error {
	var out strings.Builder
	results.WriteFindings(&out, r.Findings)
	if rows < 0 || rows > len(r.Levels) {
		rows = len(r.Levels)
	}
	if rows > 0 {
		writeLevels(&out, r.Levels[:rows])
		if rest := len(r.Levels) - rows; rest > 0 {
			fmt.Fprintf(&out, "and %s more; --all shows them\n", plural(int64(rest), "row"))
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// portWidth is the width of a port's name in the table.
const portWidth = 22

func writeLevels(out *strings.Builder, levels []Level) {
	row := func(columns ...any) {
		line := fmt.Sprintf("%-*s %4s %9s %9s %9s %7s %9s %9s %9s %9s %7s %6s %7s", append([]any{portWidth}, columns...)...)
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	out.WriteString("\nPeaks against thresholds, the nearest to trouble first:\n\n")
	row("", "", "egress", "", "", "", "ingress", "", "headroom", "", "", "", "")
	row("port", "prio", "peak", "Kmin", "Kmax", "marks", "peak", "XOFF", "peak", "size", "XOFFs", "paused", "drops")
	for i := range levels {
		l := &levels[i]
		priority := fmt.Sprint(l.Priority)
		if !l.Lossless {
			priority += "*"
		}
		row(l.Port, priority, short(l.PeakQueue), short(l.Kmin), short(l.Kmax), count(l.MarkedPackets),
			short(l.PeakShared), short(l.XoffMin), short(l.PeakHeadroom), short(l.Headroom), count(l.XoffFrames),
			strings.ReplaceAll(percent(l.Paused), " ", ""), count(l.Drops))
	}
	for i := range levels {
		if !levels[i].Lossless {
			out.WriteString("* lossy class\n")
			return
		}
	}
}

// short prints a size in a table; 0 is a dash.
func short(bytes int64) string {
	if bytes == 0 {
		return "-"
	}
	return strings.ReplaceAll(size(bytes), " ", "")
}
