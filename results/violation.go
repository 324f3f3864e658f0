package results

import "math"

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

// Subject is the left-hand side of the expectation.
func (e *Expectation) Subject() Subject { return Subject{e.Metric, e.Labels} }
