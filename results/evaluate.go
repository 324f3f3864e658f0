package results

import (
	"fmt"
	"math"
	"strings"
)

// Outcome is what became of one expectation.
type Outcome struct {
	// Expectation is the clause as written.
	Expectation string `json:"expectation"`
	OK          bool   `json:"ok"`
	// Value is what was measured, in the metric's base unit; 0 if there is no
	// value, in which case the expectation failed.
	Value    float64 `json:"value"`
	HasValue bool    `json:"has_value"`
	// Unit is the base unit of Value: "ps", "bit/s", "bytes", "ratio" or
	// "count".
	Unit string `json:"unit,omitempty"`
	// Text says it for a person: "fct.p99{workload=storage} = 2.41 ms,
	// expected <= 3 ms: ok".
	Text string `json:"text"`
}

// Evaluate tests every expectation, in order. One without data fails: nobody
// should take "no flow finished" for "no flow was late".
func Evaluate(expectations []Expectation, m *Metrics) []Outcome {
	outcomes := make([]Outcome, 0, len(expectations))
	for i := range expectations {
		outcomes = append(outcomes, evaluate(&expectations[i], m))
	}
	return outcomes
}

// Failed counts the outcomes that are not ok.
func Failed(outcomes []Outcome) int {
	n := 0
	for _, o := range outcomes {
		if !o.OK {
			n++
		}
	}
	return n
}

func evaluate(e *Expectation, m *Metrics) Outcome {
	expected := fmt.Sprintf("expected %s %s", e.Op, e.bound)
	o := Outcome{Expectation: e.Text}
	value, err := m.Value(e.Metric, e.Labels...)
	if err != nil {
		o.Text = fmt.Sprintf("%s has no value (%v), %s: FAILED", e.subject(), err, expected)
		return o
	}
	o.Value, o.HasValue, o.OK = value, true, e.holds(value)
	verdict := "FAILED"
	if o.OK {
		verdict = "ok"
	}
	info, _ := findMetric(m.table, e.Metric)
	o.Unit = info.Unit.base()
	shown := info.Unit.Format(value)
	if !o.OK && shown == info.Unit.Format(e.Value) {
		shown = info.Unit.exact(value) // else it would read "3 ms, expected <= 3 ms"
	}
	o.Text = fmt.Sprintf("%s = %s%s, %s: %s", e.subject(), shown, m.unfinishedRemark(e), expected, verdict)
	return o
}

// subject returns the left-hand side in its shortest spelling.
func (e *Expectation) subject() string {
	if len(e.Labels) == 0 {
		return e.Metric
	}
	var labels []string
	for _, l := range e.Labels {
		labels = append(labels, l.Key+"="+l.Value)
	}
	return e.Metric + "{" + strings.Join(labels, ",") + "}"
}

// holds compares a measured value with the expectation.
func (e *Expectation) holds(value float64) bool {
	switch e.Op {
	case Equal:
		return value == e.Value
	case NotEqual:
		return value != e.Value
	case Less:
		return value < e.Value
	case LessEqual:
		return value <= e.Value
	case Greater:
		return value > e.Value
	case GreaterEqual:
		return value >= e.Value
	case Near:
		return math.Abs(value-e.Value) <= e.Tolerance
	}
	return false
}

// Violation says how far a value is from meeting the expectation: 0 if it does,
// and more the farther off it is. It is the logarithm of 1 plus the distance as
// a multiple of the bound, or of the distance in base units where the bound is
// 0, so that several expectations can be added up.
func (e *Expectation) Violation(value float64) float64 {
	if e.holds(value) {
		return 0
	}
	distance := math.Abs(value - e.Value)
	if e.Op == Near {
		distance -= e.Tolerance
	}
	if e.Value != 0 {
		distance /= math.Abs(e.Value)
	}
	return leastViolation + math.Log1p(distance)
}

// leastViolation keeps a value just at an excluded bound apart from one that is
// allowed.
const leastViolation = 1e-6

// unfinishedRemark warns that a distribution leaves out the flows that did not
// finish, which are often the slow ones.
func (m *Metrics) unfinishedRemark(e *Expectation) string {
	family, _, _ := strings.Cut(e.Metric, ".")
	if family != "fct" && family != "slowdown" && family != "latency" {
		return ""
	}
	info, _ := DescribeMetric(e.Metric)
	sel, err := m.selection(info, e.Labels)
	if err != nil {
		return ""
	}
	total, unfinished := 0, 0
	m.flows(sel, func(f *FlowRow) {
		if family == "latency" && !m.isProbe(sel, f) {
			return
		}
		total++
		if !f.Finished() {
			unfinished++
		}
	})
	if unfinished == 0 {
		return ""
	}
	return fmt.Sprintf(" (without %s of %s flows, unfinished)", thousands(int64(unfinished)), thousands(int64(total)))
}
