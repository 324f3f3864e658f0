package results

import (
	"math"
	"slices"
)

// Distribution is what is reported of a set of values.
type Distribution struct {
	// N is how many values there are; all else is 0 if it is 0.
	N    int     `json:"n"`
	Min  float64 `json:"min"`
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P95  float64 `json:"p95"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p99.9"`
	Max  float64 `json:"max"`
}

// Percentile returns the smallest value of sorted that at least the share p
// (0 < p <= 1) of all values do not exceed: the nearest-rank definition, which
// always returns a value that occurred. With fewer than 1000 values p99.9 is
// the maximum. Preconditions: sorted ascending and not empty.
func Percentile(sorted []float64, p float64) float64 {
	// The small term keeps products like 0.95*20 = 19.000000000000004 from
	// reaching the next rank.
	rank := int(math.Ceil(float64(p*float64(len(sorted))) - 1e-9))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// Distribute sorts values in place and returns their distribution.
func Distribute(values []float64) Distribution {
	if len(values) == 0 {
		return Distribution{}
	}
	slices.Sort(values)
	return Distribution{
		N:    len(values),
		Min:  values[0],
		Mean: Mean(values),
		P50:  Percentile(values, 0.50),
		P95:  Percentile(values, 0.95),
		P99:  Percentile(values, 0.99),
		P999: Percentile(values, 0.999),
		Max:  values[len(values)-1],
	}
}

// Sum adds up values.
func Sum(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum
}

// Preconditions of the following: values is not empty.

// Mean is the arithmetic mean.
func Mean(values []float64) float64 { return Sum(values) / float64(len(values)) }

func lowest(values []float64) float64  { return slices.Min(values) }
func highest(values []float64) float64 { return slices.Max(values) }

// jain is Jain's fairness index (Jain, Chiu, Hawe 1984): (sum x)^2 / (n sum
// x^2), between 1/n and 1. All zero is fair.
func jain(values []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, v := range values {
		sum += v
		squares += float64(v * v) // no fused multiply-add: same on every machine
	}
	if squares == 0 {
		return 1
	}
	return float64(sum*sum) / (float64(len(values)) * squares)
}
