package why

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"rocesim/results"
)

// Report is all that is known about why a run went as it did.
type Report struct {
	Name     string            `json:"name"`
	Findings []results.Finding `json:"findings"`
	Levels   []Level           `json:"levels"`

	frame int64 // the largest one: a queue that held no more is no queue
}

// NewReport explains a run.
func NewReport(run *results.Run) *Report {
	return &Report{Name: run.Manifest.Name, Findings: Explain(run), Levels: Levels(run), frame: run.Manifest.LargestFrame}
}

// WriteText writes the report for a person: the findings, and then the first
// rows of each table of levels; all if rows is negative.
func (r *Report) WriteText(w io.Writer, rows int) error {
	var out strings.Builder
	results.WriteFindings(&out, r.Findings)
	writeTable(&out, "Egress queues against ECN thresholds, the deepest first", egressColumns(), r.egress(), rows)
	writeTable(&out, "Ingress priority groups against XOFF and headroom, the nearest first", ingressColumns(), r.ingress(), rows)
	_, err := io.WriteString(w, out.String())
	return err
}

// egress returns the levels whose queue filled or was paused, the deepest
// first; ingress those whose priority group filled, in their order.
func (r *Report) egress() []Level {
	var rows []Level
	for _, l := range r.Levels {
		if l.PeakQueue > r.frame || l.Paused > 0 {
			rows = append(rows, l)
		}
	}
	slices.SortStableFunc(rows, func(a, b Level) int { return cmp.Compare(b.PeakQueue, a.PeakQueue) })
	return rows
}

func (r *Report) ingress() []Level {
	var rows []Level
	for _, l := range r.Levels {
		if l.PeakShared > r.frame || l.XoffFrames+l.Drops > 0 {
			rows = append(rows, l)
		}
	}
	return rows
}

// tableColumn is a column of a table of levels.
type tableColumn struct {
	head string
	text func(l *Level) string
}

func egressColumns() []tableColumn {
	return []tableColumn{
		{"deepest", func(l *Level) string { return short(l.PeakQueue) }},
		{"Kmin", func(l *Level) string { return short(l.Kmin) }},
		{"Kmax", func(l *Level) string { return short(l.Kmax) }},
		{"marked", func(l *Level) string { return orDash(l.MarkedPackets, count(l.MarkedPackets)) }},
		{"paused", func(l *Level) string {
			if l.Paused == 0 {
				return "-"
			}
			return strings.ReplaceAll(percent(l.Paused), " ", "")
		}},
	}
}

func ingressColumns() []tableColumn {
	return []tableColumn{
		{"peak", func(l *Level) string { return short(l.PeakShared) }},
		{"XOFF", func(l *Level) string { return short(l.XoffMin) }},
		{"headroom", func(l *Level) string { return short(l.PeakHeadroom) }},
		{"of", func(l *Level) string { return short(l.Headroom) }},
		{"needed", func(l *Level) string { return short(l.HeadroomNeed) }},
		{"XOFFs", func(l *Level) string { return orDash(l.XoffFrames, count(l.XoffFrames)) }},
		{"drops", func(l *Level) string { return orDash(l.Drops, count(l.Drops)) }},
	}
}

// portWidth is the width of a port's name in a table.
const portWidth = 24

// writeTable writes the first rows levels; all if rows is negative.
func writeTable(out *strings.Builder, title string, columns []tableColumn, levels []Level, rows int) {
	if len(levels) == 0 {
		return
	}
	hidden, lossy := 0, false
	if rows >= 0 && rows < len(levels) {
		levels, hidden = levels[:rows], len(levels)-rows
	}
	fmt.Fprintf(out, "\n%s:\n%-*s %4s", title, portWidth, "port", "prio")
	for _, c := range columns {
		fmt.Fprintf(out, " %9s", c.head)
	}
	out.WriteString("\n")
	for i := range levels {
		l := &levels[i]
		priority := fmt.Sprint(l.Priority)
		if !l.Lossless {
			priority += "*"
			lossy = true
		}
		fmt.Fprintf(out, "%-*s %4s", portWidth, l.Port, priority)
		for _, c := range columns {
			fmt.Fprintf(out, " %9s", c.text(l))
		}
		out.WriteString("\n")
	}
	if lossy {
		out.WriteString("* a lossy class\n")
	}
	if hidden > 0 {
		fmt.Fprintf(out, "and %s more; --all shows them\n", results.Plural(hidden, "row"))
	}
}

func orDash(n int64, text string) string {
	if n == 0 {
		return "-"
	}
	return text
}

// short prints a size in a table; 0 is a dash.
func short(bytes int64) string {
	return orDash(bytes, strings.ReplaceAll(size(bytes), " ", ""))
}
