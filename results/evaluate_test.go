package results

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestViolation(t *testing.T) {
	for _, c := range []struct {
		clause string
		value  float64
		want   float64
	}{
		{"drops.lossless == 0", 0, 0},
		{"drops.lossless == 0", 9, math.Log(10)},
		{"fct.p99 <= 2us", 2e6, 0},
		{"fct.p99 < 2us", 2e6, 0}, // beside leastViolation
		{"fct.p99 <= 2us", 6e6, math.Log(3)},
		{"fct.p99 >= 2us", 1e6, math.Log(1.5)},
		{"jain ~= 1 +- 10%", 0.8, math.Log(1.1)},
		{"ecn.marks != 0", 0, 0},
	} {
		e, err := ParseExpectation(c.clause)
		require.NoError(t, err)
		got := e.Violation(c.value)
		assert.InDelta(t, c.want, got, 2*leastViolation, c.clause)
		assert.Equal(t, e.holds(c.value), got == 0, c.clause)
	}
}

// What is farther off is never called nearer.
func TestViolationGrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := Expectation{Op: LessEqual, Value: rapid.Float64Range(-1e9, 1e9).Draw(t, "bound")}
		near := rapid.Float64Range(-1e9, 1e9).Draw(t, "value")
		far := near + rapid.Float64Range(0, 1e9).Draw(t, "more")
		if e.Violation(far) < e.Violation(near) {
			t.Fatalf("%v is worse than %v", near, far)
		}
	})
}
