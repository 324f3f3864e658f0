package compare

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"rocesim/results"
)

// Comparison is what two sides differ in. Its fields are those of
// comparison.json; values are in the base unit that each row names.
type Comparison struct {
	A SideInfo `json:"a"`
	B SideInfo `json:"b"`
	// Method is how differences were judged: Paired, Welch, Values or Exact.
	Method string `json:"method"`
	// Caveat says what verdicts do not rest on: a test, if Method is Values.
	Caveat string `json:"caveat,omitempty"`
	// Level, Ignore and Tested are the level of the test for all metrics
	// together, the relative change that counts as none, and how many metrics
	// were tested.
	Level  float64 `json:"level"`
	Ignore float64 `json:"ignore"`
	Tested int     `json:"tested_metrics"`
	Rows   []Row   `json:"metrics"`
	// Changes are the fields of the scenario that differ, the caller's to fill
	// in, as are Warnings.
	Changes  []Change `json:"configuration"`
	Warnings []string `json:"warnings,omitempty"`
}

// SideInfo describes one side.
type SideInfo struct {
	Name         string   `json:"name"`
	Seeds        []uint64 `json:"seeds"`
	Fingerprints []string `json:"fingerprints"`
}

func about(s *Side) SideInfo {
	info := SideInfo{Name: s.Name}
	for i := range s.Samples {
		info.Seeds = append(info.Seeds, s.Samples[i].Seed)
		info.Fingerprints = append(info.Fingerprints, results.FingerprintText(s.Samples[i].Fingerprint))
	}
	return info
}

// Change is a field of the scenario that differs; an absent one is "".
type Change struct {
	Field string `json:"field"`
	A     string `json:"a,omitempty"`
	B     string `json:"b,omitempty"`
}

// Verdict is what is said of one metric of B against A.
type Verdict string

// Verdicts. Same means that no difference was found that matters; Different is
// a change of a metric of which neither direction is better.
const (
	Same      Verdict = "same"
	Better    Verdict = "better"
	Worse     Verdict = "worse"
	Different Verdict = "different"
	NoValue   Verdict = "no value"
)

// Row is one metric.
type Row struct {
	Metric string `json:"metric"`
	// BaseUnit is that of all values as an expect clause has it, empty for
	// counts and ratios; Direction says which change is an improvement.
	BaseUnit  string `json:"unit"`
	Direction string `json:"direction"`
	A         Level  `json:"a"`
	B         Level  `json:"b"`
	// Difference is the mean of B less that of A; Low and High bound it with
	// the confidence 1-Level, for this metric alone.
	Difference float64 `json:"difference"`
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	// P is the chance of such a difference between equal configurations, for
	// this metric alone, AdjustedP with regard to all that were tested. Nil if
	// there was no test.
	P         *float64 `json:"p,omitempty"`
	AdjustedP *float64 `json:"adjusted_p,omitempty"`
	Verdict   Verdict  `json:"verdict"`

	// constant says that nothing was tested, identical that each pair of seeds
	// has one value.
	constant, identical bool

	unit   results.Unit
	better results.Direction
}

// Absent reports whether no run of either side has a value.
func (r *Row) Absent() bool { return r.A.N == 0 && r.B.N == 0 }

// Level is where the runs of one side are.
type Level struct {
	// N of Runs runs have a value; all else is 0 if none has.
	N    int     `json:"n"`
	Runs int     `json:"runs"`
	Mean float64 `json:"mean"`
	// Deviation is the standard deviation over seeds.
	Deviation float64 `json:"standard_deviation"`
	Min       float64 `json:"min"`
	Max       float64 `json:"max"`
}

func level(values []float64, runs int) Level {
	l := Level{N: len(values), Runs: runs}
	if len(values) == 0 {
		return l
	}
	l.Min, l.Max = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		l.Min, l.Max = min(l.Min, v), max(l.Max, v)
	}
	switch {
	case l.Min == l.Max:
		l.Mean = l.Min // without noise of summation
	default:
		l.Mean, l.Deviation = stat.MeanStdDev(values, nil)
	}
	return l
}

// Relative returns the difference and its bounds as parts of A's mean; ok is
// false if that is 0.
func (r *Row) Relative() (difference, low, high float64, ok bool) {
	if r.A.Mean == 0 {
		return 0, 0, 0, false
	}
	base := math.Abs(r.A.Mean)
	return r.Difference / base, r.Low / base, r.High / base, true
}

// noTest is the caveat of verdicts by one run of each side.
const noTest = "one run of each and no test: whether a difference is chance cannot be told"

// addCaveat says so if nothing was tested that chance has a part in.
func (c *Comparison) addCaveat() {
	if c.Method == Values {
		c.Caveat = noTest
	}
}

// VerdictText is the verdict of a row, with the remark that there was no test if
// a difference may be chance for want of one.
func (c *Comparison) VerdictText(r *Row) string {
	if c.Method == Values && slices.Contains([]Verdict{Better, Worse, Different}, r.Verdict) {
		return string(r.Verdict) + " (no test)"
	}
	return string(r.Verdict)
}

// Count returns how many metrics have a verdict.
func (c *Comparison) Count(v Verdict) int {
	n := 0
	for i := range c.Rows {
		if c.Rows[i].Verdict == v {
			n++
		}
	}
	return n
}

// Fails reports whether B is to be refused: on Worse if a metric is worse, on
// Different if any differs or lost its value, on anything else never.
func (c *Comparison) Fails(on Verdict) bool {
	worse := c.Count(Worse) > 0
	switch on {
	case Worse:
		return worse
	case Different:
		return worse || c.Count(Better)+c.Count(Different)+c.Count(NoValue) > c.absent()
	}
	return false
}

// absent counts the metrics that no run of either side has.
func (c *Comparison) absent() int {
	n := 0
	for i := range c.Rows {
		if c.Rows[i].Absent() {
			n++
		}
	}
	return n
}
