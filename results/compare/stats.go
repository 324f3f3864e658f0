package compare

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// estimate is a difference of means with its interval and the chance to see
// one as large between equal configurations.
type estimate struct {
	difference, low, high float64
	p                     float64
	// constant says that no seed changes the metric on either side, or that
	// both sides are the same seed by seed: chance is then a matter of counting
	// and the metric none of the family of tests.
	constant bool
}

// paired estimates the mean of the differences b[i]-a[i]. Preconditions: equal
// lengths, at least 2.
func paired(a, b []float64, confidence float64) estimate {
	d := make([]float64, len(a))
	for i := range a {
		d[i] = b[i] - a[i]
	}
	if isConstant(d) {
		// That all of n differences have one sign has this chance.
		return fixed(d[0], d[0] == 0, len(d))
	}
	mean, variance := stat.MeanVariance(d, nil)
	return student(mean, math.Sqrt(variance/float64(len(d))), float64(len(d)-1), confidence)
}

// welch estimates mean(b)-mean(a) of independent samples. Preconditions: at
// least 2 of each, not both constant.
func welch(a, b []float64, confidence float64) estimate {
	meanA, varA := stat.MeanVariance(a, nil)
	meanB, varB := stat.MeanVariance(b, nil)
	va, vb := varA/float64(len(a)), varB/float64(len(b))
	// Welch and Satterthwaite's degrees of freedom.
	df := (va + vb) * (va + vb) / (va*va/float64(len(a)-1) + vb*vb/float64(len(b)-1))
	return student(meanB-meanA, math.Sqrt(va+vb), df, confidence)
}

// student is the two-sided t-test of a difference with a standard error.
func student(difference, err, df, confidence float64) estimate {
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}
	half := t.Quantile(0.5+confidence/2) * err
	return estimate{
		difference: difference, low: difference - half, high: difference + half,
		p: 2 * t.CDF(-math.Abs(difference/err)),
	}
}

// constants estimates a difference between two sides that no seed changes. A
// metric with two values splits n runs by side with the chance 2^(1-n) at most,
// which it has if both values are equally likely.
func constants(a, b []float64) estimate {
	e := fixed(b[0]-a[0], a[0] == b[0], len(a)+len(b))
	e.constant = true
	return e
}

// fixed is the estimate of a difference that is the same in each of n cases.
func fixed(difference float64, equal bool, n int) estimate {
	e := estimate{difference: difference, low: difference, high: difference, p: math.Pow(2, 1-float64(n))}
	if equal {
		e.p = 1
	}
	return e
}

func isConstant(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v != values[0] })
}

// holm adjusts p-values for their number, in place: each is the smallest level
// for all of them together at which its own test finds a difference.
func holm(ps []*float64) {
	sorted := slices.Clone(ps)
	slices.SortStableFunc(sorted, func(a, b *float64) int {
		switch {
		case *a < *b:
			return -1
		case *a > *b:
			return 1
		}
		return 0
	})
	highest := 0.0
	for i, p := range sorted {
		left := float64(len(sorted) - i)
		highest = max(highest, min(1, left*(*p)))
		*p = highest
	}
}

// HalfWidth is half the width of the 95 % confidence interval of the mean, by
// Student's t; 0 if one run has no other to differ from.
func (l *Level) HalfWidth() float64 {
	if l.N < 2 {
		return 0
	}
	n := float64(l.N)
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975) * l.Deviation / math.Sqrt(n)
}
