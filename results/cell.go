package results

import "rocesim/sim"

// MicrosText returns t in microseconds with the digits that CSV files have.
func MicrosText(t sim.Time) string { return string(appendMicros(nil, t)) }

// FloatText returns v with the digits that CSV files have, six significant
// ones.
func FloatText(v float64) string { return string(appendFloat(nil, v)) }

// ValueText returns value i with the digits that the series' file has: bytes of
// a queue, Gb/s of a rate, a part of 1 of a utilisation.
func (s *Series) ValueText(i int) string { return FloatText(s.Values[i] / s.Kind.fileUnit()) }

// fileUnit is what one in the series' file stands for.
func (k SeriesKind) fileUnit() float64 {
	if k == RateSeries {
		return 1e9
	}
	return 1
}
