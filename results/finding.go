package results

import "strings"

// Severity says how much a finding matters.
type Severity string

// Severities, the worst first.
const (
	SeverityError   Severity = "error"   // the fabric did not do what it promises
	SeverityWarning Severity = "warning" // it did, but not for a good reason or not for long
	SeverityInfo    Severity = "info"    // how it came about
)

// Finding is one explanation of what a run shows.
type Finding struct {
	Severity Severity `json:"severity"`
	// Where is a port, a node or a workload; empty if it is the whole fabric.
	Where string `json:"where,omitempty"`
	// What says what happened and why, as a sentence with its arithmetic.
	What string `json:"what"`
	// Numbers are those that the sentence rests on.
	Numbers []Number `json:"numbers,omitempty"`
	// Remedy says what to change; empty if there is nothing to do.
	Remedy string `json:"remedy,omitempty"`
}

// Number is a named quantity. Unit is as in metrics: "ps", "bit/s", "bytes",
// "ratio" or "count".
type Number struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
}

// NewNumber returns a number of a unit.
func NewNumber(name string, value float64, unit Unit) Number {
	return Number{name, value, unit.base()}
}

// WriteFindings writes findings for a person, a paragraph each, wrapped.
func WriteFindings(out *strings.Builder, findings []Finding) {
	t := &textWriter{}
	for i := range findings {
		f := &findings[i]
		if i > 0 {
			t.line("")
		}
		t.labelled(string(f.Severity), f.What)
		if f.Remedy != "" {
			t.labelled("  remedy", f.Remedy)
		}
	}
	out.WriteString(t.out.String())
}
