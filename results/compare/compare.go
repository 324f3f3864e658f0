package compare

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"rocesim/results"
)

// Sample is what one run says about the subjects compared.
type Sample struct {
	Seed        uint64
	Fingerprint uint64
	// Values has one value for each subject, NaN where the run has none.
	Values []float64
}

// Measure takes a sample of a run.
func Measure(run *results.Run, subjects []results.Subject) Sample {
	m := results.NewMetrics(run)
	s := Sample{Seed: run.Manifest.Seed, Fingerprint: run.Manifest.Fingerprint}
	for _, subject := range subjects {
		value, err := subject.Of(m)
		if err != nil {
			value = math.NaN()
		}
		s.Values = append(s.Values, value)
	}
	return s
}

// Side is one of the two configurations.
type Side struct {
	Name    string
	Samples []Sample
}

// seeds returns those of the samples in order.
func (s *Side) seeds() []uint64 {
	var seeds []uint64
	for i := range s.Samples {
		seeds = append(seeds, s.Samples[i].Seed)
	}
	return seeds
}

// Options say what counts as a difference.
type Options struct {
	// Level is the chance of finding any difference between two equal
	// configurations; 0 stands for DefaultLevel.
	Level float64
	// Ignore is the relative change up to which a difference counts as none,
	// however sure it is.
	Ignore float64
}

// Defaults of Options: one comparison of equal configurations in a hundred may
// find a difference, and nobody changes a configuration for 1 %.
const (
	DefaultLevel  = 0.01
	DefaultIgnore = 0.01
)

// Methods by which differences were judged.
const (
	Paired = "paired" // Student's t on the differences seed by seed
	Welch  = "welch"  // Welch's t on independent samples
	Values = "values" // one run each: the values as they are
	Exact  = "exact"  // no seed changes a run: the values are certain
)

// Compare compares sides whose samples have the values of subjects. The error
// says that the numbers of runs do not allow it.
func Compare(a, b *Side, subjects []results.Subject, o Options) (*Comparison, error) {
	if o.Level == 0 {
		o.Level = DefaultLevel
	}
	for _, s := range []*Side{a, b} {
		slices.SortStableFunc(s.Samples, func(x, y Sample) int { return cmp.Compare(x.Seed, y.Seed) })
	}
	method, err := methodFor(a, b)
	if err != nil {
		return nil, err
	}
	c := &Comparison{A: about(a), B: about(b), Level: o.Level, Ignore: o.Ignore, Method: method}
	for i, s := range subjects {
		c.Rows = append(c.Rows, c.row(s, column(a, i), column(b, i)))
	}
	c.judge()
	c.addCaveat()
	return c, nil
}

// methodFor chooses how to judge differences, by what the runs are and not by
// what they measured: a choice that looks at values would spoil the test.
func methodFor(a, b *Side) (string, error) {
	n, m := len(a.Samples), len(b.Samples)
	switch {
	case n == 0 || m == 0:
		return "", errors.New("there is nothing to compare: one side has no run")
	case n == 1 && m == 1:
		return Values, nil
	case n == 1 || m == 1:
		return "", fmt.Errorf("%s has %s and %s has %s: give one of each, or at least two of each", a.Name, results.Plural(n, "run"), b.Name, results.Plural(m, "run"))
	}
	for _, s := range []*Side{a, b} {
		if seed, ok := repeated(s); ok {
			return "", fmt.Errorf("%s has seed %d twice, which is one observation, not two", s.Name, seed)
		}
	}
	switch {
	case a.unseeded() && b.unseeded():
		return Exact, nil
	case slices.Equal(a.seeds(), b.seeds()):
		return Paired, nil
	}
	return Welch, nil
}

// unseeded reports whether all runs have the same events whatever their seeds.
func (s *Side) unseeded() bool {
	return !slices.ContainsFunc(s.Samples, func(o Sample) bool { return o.Fingerprint != s.Samples[0].Fingerprint })
}

// repeated returns a seed that a sorted side has twice.
func repeated(s *Side) (uint64, bool) {
	seeds := s.seeds()
	for i := 1; i < len(seeds); i++ {
		if seeds[i] == seeds[i-1] {
			return seeds[i], true
		}
	}
	return 0, false
}

func column(s *Side, i int) []float64 {
	values := make([]float64, len(s.Samples))
	for k := range s.Samples {
		values[k] = s.Samples[k].Values[i]
	}
	return values
}

// row estimates one difference; judge gives its verdict.
func (c *Comparison) row(s results.Subject, a, b []float64) Row {
	r := Row{Metric: s.String(), better: results.BetterDirection(s.Metric), unit: s.Info().Unit}
	r.BaseUnit, r.Direction = r.unit.Suffix(), r.better.String()
	knownA, knownB := known(a), known(b)
	r.A, r.B = level(knownA, len(a)), level(knownB, len(b))
	if len(knownA) == 0 || len(knownB) == 0 {
		r.Verdict = NoValue
		return r
	}
	r.Difference = r.B.Mean - r.A.Mean
	r.Low, r.High = r.Difference, r.Difference
	if !c.hasTest() {
		return r
	}
	if c.Method == Paired {
		knownA, knownB = knownPairs(a, b)
	}
	if min(len(knownA), len(knownB)) < 2 {
		r.Verdict = NoValue // in too few runs to say anything
		return r
	}
	r.identical = c.Method == Paired && slices.Equal(knownA, knownB)
	e := c.estimate(knownA, knownB)
	r.Difference, r.Low, r.High = e.difference, e.low, e.high
	r.P, r.constant = &e.p, e.constant
	adjusted := e.p
	r.AdjustedP = &adjusted
	return r
}

// hasTest reports whether chance has a part in the metrics and can be judged.
func (c *Comparison) hasTest() bool { return c.Method == Paired || c.Method == Welch }

func (c *Comparison) estimate(a, b []float64) estimate {
	switch {
	case isConstant(a) && isConstant(b):
		return constants(a, b)
	case c.Method == Paired && slices.Equal(a, b):
		return estimate{p: 1, constant: true}
	case c.Method == Paired:
		return paired(a, b, 1-c.Level)
	}
	return welch(a, b, 1-c.Level)
}

// known returns the values that are there.
func known(values []float64) []float64 {
	var there []float64
	for _, v := range values {
		if !math.IsNaN(v) {
			there = append(there, v)
		}
	}
	return there
}

// knownPairs returns the values of seeds for which both sides have one.
func knownPairs(a, b []float64) (bothA, bothB []float64) {
	for i := range a {
		if !math.IsNaN(a[i]) && !math.IsNaN(b[i]) {
			bothA, bothB = append(bothA, a[i]), append(bothB, b[i])
		}
	}
	return bothA, bothB
}

// judge adjusts the p-values and gives each row its verdict.
func (c *Comparison) judge() {
	var family []*float64
	for i := range c.Rows {
		if r := &c.Rows[i]; r.AdjustedP != nil && !r.constant {
			family = append(family, r.AdjustedP)
		}
	}
	c.Tested = len(family)
	holm(family)
	for i := range c.Rows {
		r := &c.Rows[i]
		if r.Verdict != "" {
			continue
		}
		r.Verdict = c.verdict(r)
	}
}

func (c *Comparison) verdict(r *Row) Verdict {
	small := math.Abs(r.Difference) <= c.Ignore*math.Abs(r.A.Mean)
	sure := r.AdjustedP == nil || *r.AdjustedP <= c.Level
	switch {
	case r.Difference == 0 || small || !sure:
		return Same
	case r.better == results.Neutral:
		return Different
	case (r.better == results.HigherBetter) == (r.Difference > 0):
		return Better
	}
	return Worse
}
