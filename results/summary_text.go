package results

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"rocesim/sim"
)

// TextWidth is the greatest number of columns that WriteText uses, unless one
// word is longer.
const TextWidth = 100

// WriteText writes the summary for a terminal or a text file: what was asked,
// whether the fabric was lossless, what PFC and ECN did, a line a workload,
// slowdown by size, and the expectations.
func WriteText(w io.Writer, s *Summary) error {
	t := &textWriter{}
	t.head(s)
	t.fabric(s)
	t.why(s)
	t.storms(s)
	t.workloads(s)
	t.slowdown(s)
	t.latency(s)
	t.expectations(s)
	_, err := io.WriteString(w, t.out.String())
	return err
}

type textWriter struct{ out strings.Builder }

func (t *textWriter) line(format string, args ...any) {
	t.out.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

// labelled writes text behind a label, wrapped and indented.
func (t *textWriter) labelled(label, text string) {
	const indent = 10
	for i, line := range Wrap(text, TextWidth-indent) {
		if i > 0 {
			label = ""
		}
		t.line("%-*s%s", indent, label, line)
	}
}

// Wrap breaks text at blanks into lines of at most width bytes. A number stays
// with its unit.
func Wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range unbreakable(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// unbreakable splits text at blanks, but for those between a number and its
// unit.
func unbreakable(text string) []string {
	var words []string
	for _, word := range strings.Fields(text) {
		last := len(words) - 1
		if last >= 0 && isDigit(words[last][len(words[last])-1]) && beginsWithUnit(word) {
			words[last] += " " + word
			continue
		}
		words = append(words, word)
	}
	return words
}

// beginsWithUnit reports whether a word is a unit as Format writes them, with or
// without punctuation behind it.
func beginsWithUnit(word string) bool {
	letters := strings.IndexFunc(word, func(r rune) bool { return r != '%' && !unicode.IsLetter(r) })
	if letters >= 0 {
		word = word[:letters]
	}
	for _, u := range []Unit{Duration, DataRate, Size, Ratio} {
		if word != "" && slices.ContainsFunc(u.suffixes(), func(s suffix) bool { return s.text == word }) {
			return true
		}
	}
	return word == "TB"
}

func (t *textWriter) head(s *Summary) {
	for _, l := range Wrap(fmt.Sprintf("%s: %s simulated, %s, seed %d, fingerprint %s",
		s.Name, formatTime(micros(s.SimulatedUs)), s.Stop, s.Seed, s.Fingerprint), TextWidth) {
		t.line("%s", l)
	}
	if s.Question != "" {
		for _, l := range Wrap(s.Question, TextWidth) {
			t.line("%s", l)
		}
	}
	if s.Partial {
		t.line("PARTIAL RESULTS: the run was %s before its end", s.Stop)
	}
	if s.Stall != "" {
		t.labelled("stall", s.Stall)
	}
	for _, d := range s.Deadlocks {
		t.labelled("deadlock", strings.TrimPrefix(d, "deadlock "))
	}
	t.line("")
	for _, l := range Wrap(s.Verdict.Text, TextWidth) {
		t.line("%s", l)
	}
	t.line("")
}

func micros(us float64) sim.Time { return sim.Time(round(us*1e6, 1)) }

func (t *textWriter) fabric(s *Summary) {
	if s.Verdict.LossyText != "" {
		t.labelled("drops", s.Verdict.LossyText)
	}
	t.labelled("PFC", s.PFC.sentence())
	t.labelled("ECN", fmt.Sprintf("%s marked; %s sent, %s handled", Plural(s.ECN.MarkedPackets, "packet"),
		Plural(s.ECN.CNPSent, "CNP"), thousands(s.ECN.CNPHandled)))
	if r := s.Recovery; r != (Recovery{}) {
		t.labelled("recovery", fmt.Sprintf("%s sent again, %s out of sequence, %s, %s failed",
			Plural(r.Retransmitted, "packet"), thousands(r.OutOfSequence), Plural(r.AckTimeouts, "time-out"),
			Plural(r.RetriesExceeded, "queue pair")))
	}
	if s.Fabric.PeakQueueAt != "" {
		t.labelled("queue", fmt.Sprintf("deepest %s at %s", Size.Format(float64(s.Fabric.PeakQueueBytes)), s.Fabric.PeakQueueAt))
	}
	if s.Fabric.MaxUtilisationAt != "" {
		t.labelled("links", fmt.Sprintf("busiest %s used, %s", percent(s.Fabric.MaxUtilisation), s.Fabric.MaxUtilisationAt))
	}
	t.labelled("flows", fmt.Sprintf("%s of %s finished, %s of payload delivered", thousands(int64(s.FinishedFlows)),
		thousands(int64(s.Flows)), DataRate.Format(s.GoodputGbps*1e9)))
	for _, note := range s.Notes {
		t.labelled("note", note)
	}
}

func (t *textWriter) why(s *Summary) {
	for i := range s.Why {
		label := ""
		if i == 0 {
			label = "why"
		}
		t.labelled(label, s.Why[i].What)
	}
}

// nameWidth is the width of a workload's name in tables; longer ones are cut.
const nameWidth = 18

func (t *textWriter) workloads(s *Summary) {
	if len(s.Workloads) == 0 {
		return
	}
	t.line("")
	t.line("%-*s %9s %9s %10s %9s %9s %9s %9s %9s", nameWidth, "workload", "flows", "finished", "goodput",
		"FCT mean", "p50", "p99", "p99.9", "max")
	for i := range s.Workloads {
		w := &s.Workloads[i]
		t.line("%-*s %9d %9d %10s %s", nameWidth, shorten(w.Name, nameWidth), w.Flows, w.Finished,
			shortRate(w.GoodputGbps), timeColumns(w.FCTUs))
		if w.LatencyUs != nil {
			t.line("%-*s %9s %9s %10s %s", nameWidth, "  one-way latency", "", "", "", timeColumns(*w.LatencyUs))
		}
	}
}

// timeColumns prints mean, p50, p99, p99.9 and max of times in microseconds.
func timeColumns(d Distribution) string {
	var columns []string
	for _, us := range []float64{d.Mean, d.P50, d.P99, d.P999, d.Max} {
		text := "-"
		if d.N > 0 {
			text = shortTime(us)
		}
		columns = append(columns, fmt.Sprintf("%9s", text))
	}
	return strings.Join(columns, " ")
}

// shortTime prints microseconds without a blank: "12.3us".
func shortTime(us float64) string {
	return strings.ReplaceAll(formatTime(micros(us)), " ", "")
}

func shortRate(gbps float64) string {
	return strings.ReplaceAll(DataRate.Format(gbps*1e9), " ", "")
}

func shorten(text string, width int) string {
	if len(text) <= width {
		return text
	}
	return text[:width-2] + ".."
}

func (t *textWriter) slowdown(s *Summary) {
	if len(s.Slowdown) == 0 || s.Slowdown[0].Slowdown.N == 0 {
		return
	}
	t.line("")
	t.line("%-*s %9s %9s %10s %9s %9s %9s %9s", nameWidth, "slowdown by bytes", "flows", "mean", "p50", "p95", "p99", "p99.9", "max")
	for _, b := range s.Slowdown {
		d := b.Slowdown
		if d.N > 0 {
			t.line("%-*s %9d %9.2f %10.2f %9.2f %9.2f %9.2f %9.2f", nameWidth, b.Bytes, d.N, d.Mean, d.P50, d.P95, d.P99, d.P999, d.Max)
		}
	}
}

func (t *textWriter) latency(s *Summary) {
	for _, g := range s.Latency {
		t.line("")
		t.line("latency of %s on an idle fabric: %s ns", g.Path, formatNs(g.TotalNs))
		parts := g.Parts
		if len(parts) > maxParts {
			parts = byKind(parts)
		}
		for _, p := range parts {
			t.line("  %-8s %10s ns  %s", p.Kind, formatNs(p.Ns), p.Component)
		}
	}
}

// maxParts is how many parts of a latency are listed; more are summed up by
// kind, as latency.csv has them all.
const maxParts = 8

// byKind sums up parts by kind, in the order in which kinds first occur.
func byKind(parts []LatencyPartValue) []LatencyPartValue {
	var kinds []LatencyPartValue
	counts := map[string]int64{}
	for _, p := range parts {
		place := slices.IndexFunc(kinds, func(k LatencyPartValue) bool { return k.Kind == p.Kind })
		if place < 0 {
			place = len(kinds)
			kinds = append(kinds, LatencyPartValue{Kind: p.Kind})
		}
		counts[p.Kind]++
		kinds[place].Ns += p.Ns
		kinds[place].Component = "in " + Plural(counts[p.Kind], "part")
	}
	return kinds
}

func formatNs(ns float64) string { return fmt.Sprintf("%.1f", ns) }

func (t *textWriter) expectations(s *Summary) {
	if len(s.Expectations) == 0 {
		return
	}
	t.line("")
	t.line("expectations: %d of %d ok", len(s.Expectations)-Failed(s.Expectations), len(s.Expectations))
	for _, o := range s.Expectations {
		mark := "ok"
		if !o.OK {
			mark = "FAILED"
		}
		text := strings.TrimSuffix(strings.TrimSuffix(o.Text, ": ok"), ": FAILED")
		t.labelled("  "+mark, text)
	}
}
