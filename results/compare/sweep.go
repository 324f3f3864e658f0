package compare

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"rocesim/results"
)

// Report is a comparison of whatever kind; WriteJSON writes its fields.
type Report interface {
	// WriteText writes it for a person.
	WriteText(w io.Writer) error
	// Fails reports whether B is to be refused; see Comparison.Fails.
	Fails(on Verdict) bool
}

// SweepComparison compares two sweeps setting by setting.
type SweepComparison struct {
	A string `json:"a"`
	B string `json:"b"`
	// Level is that of all settings together; each has its equal part.
	Level float64 `json:"level"`
	// Axes are what settings differ in.
	Axes     []Axis              `json:"axes,omitempty"`
	Settings []SettingComparison `json:"settings"`
	// Changes are the fields of the scenario that differ in every setting.
	Changes  []Change `json:"configuration"`
	Warnings []string `json:"warnings,omitempty"`
}

// Axis is a field, or several that move together, with the values that settings
// of both sweeps have.
type Axis struct {
	// Name is the path, Short the end of it.
	Name   string   `json:"name"`
	Short  string   `json:"short"`
	Values []string `json:"values"`
	// Numbers are the values in the base unit of their kind; nil if they are words.
	Numbers []float64 `json:"numbers,omitempty"`
}

// SettingComparison is one setting of both sweeps.
type SettingComparison struct {
	Setting string `json:"setting"`
	// Places are those of its values on each axis, from 0.
	Places []int `json:"places,omitempty"`
	*Comparison
}

// Fails reports whether B is to be refused in any setting.
func (c *SweepComparison) Fails(on Verdict) bool {
	for i := range c.Settings {
		if c.Settings[i].Fails(on) {
			return true
		}
	}
	return false
}

// WriteText writes a line for each setting, with the metrics that changed.
func (c *SweepComparison) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "A: %s\nB: %s\n%s\n", c.A, c.B, c.MethodText())
	for _, warning := range c.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", warning)
	}
	b.WriteString("\nConfiguration, A -> B, in all settings:\n" + changesText(c.Changes) + "\n")
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "setting\tworse\tbetter\tdifferent\n")
	for i := range c.Settings {
		s := &c.Settings[i]
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", s.Setting, s.changed(Worse), s.changed(Better), s.changed(Different))
	}
	table.Flush() // to memory, which does not fail
	fmt.Fprintf(&b, "\n%s\n", c.Sentence())
	_, err := io.WriteString(w, b.String())
	return err
}

// MethodText says how verdicts were found.
func (c *SweepComparison) MethodText() string {
	n := len(c.Settings)
	if n == 0 {
		return "No setting is in both sweeps."
	}
	if !c.Settings[0].hasTest() {
		return c.Settings[0].MethodText()
	}
	return fmt.Sprintf("Level %s for all metrics of %s together (%s for each setting, Holm within). Changes up to %s count as none.",
		percent(c.Level), results.Plural(n, "setting"), percent(c.Level/float64(n)), percent(c.Settings[0].Ignore))
}

// changed lists the metrics of a verdict with their changes, the first few if
// there are many.
func (c *Comparison) changed(v Verdict) string {
	const most = 3
	var parts []string
	for i := range c.Rows {
		if r := &c.Rows[i]; r.Verdict == v {
			parts = append(parts, r.Metric+" "+r.change())
		}
	}
	if more := len(parts) - most; more > 0 {
		parts = append(parts[:most], fmt.Sprintf("%d more", more))
	}
	if len(parts) == 0 {
		return "-"
	}
	return strings.Join(parts, ", ")
}

// Sentence sums up the verdicts.
func (c *SweepComparison) Sentence() string {
	worse, better := 0, 0
	for i := range c.Settings {
		if c.Settings[i].Count(Worse) > 0 {
			worse++
		}
		if c.Settings[i].Count(Better) > 0 {
			better++
		}
	}
	text := fmt.Sprintf("Of %s B is worse in some metric in %d, better in some metric in %d.",
		results.Plural(len(c.Settings), "setting"), worse, better)
	if len(c.Settings) > 0 {
		text += c.Settings[0].reserve()
	}
	return text
}
