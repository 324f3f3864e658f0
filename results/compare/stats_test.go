package compare

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// Student's own data: the extra hours of sleep under two drugs (Biometrika 6,
// 1908, page 20), which he took as pairs. R gives for t.test(b, a, paired=TRUE)
// t = 4.0621, p = 0.002833, 95 % interval 0.7001 to 2.4599; and for Welch's test
// t = 1.8608, df = 17.776, p = 0.07939, interval -0.2055 to 3.3655.
func sleep() (a, b []float64) {
	return []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0},
		[]float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
}

func TestPairedOnStudentsData(t *testing.T) {
	a, b := sleep()
	e := paired(a, b, 0.95)
	assert.InDelta(t, 1.58, e.difference, 1e-12)
	assert.InDelta(t, 0.002833, e.p, 5e-7)
	assert.InDelta(t, 0.7001, e.low, 5e-5)
	assert.InDelta(t, 2.4599, e.high, 5e-5)
}

func TestWelchOnStudentsData(t *testing.T) {
	a, b := sleep()
	e := welch(a, b, 0.95)
	assert.InDelta(t, 1.58, e.difference, 1e-12)
	assert.InDelta(t, 0.07939, e.p, 5e-6)
	assert.InDelta(t, -0.2055, e.low, 5e-5)
	assert.InDelta(t, 3.3655, e.high, 5e-5)
}

// Two constant sides differ by chance as often as a coin splits them by side.
func TestConstants(t *testing.T) {
	e := constants([]float64{1, 1, 1, 1}, []float64{2, 2, 2, 2})
	assert.Equal(t, math.Pow(2, -7), e.p)
	assert.True(t, e.constant)
	assert.Equal(t, 1.0, constants([]float64{3, 3}, []float64{3, 3}).p)
	assert.Equal(t, math.Pow(2, -9), paired([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, []float64{2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 0.99).p)
}

// The example of Holm's paper has the form: of n p-values the smallest counts n
// times, the next n-1 times, and none less than one before.
func TestHolm(t *testing.T) {
	ps := []float64{0.01, 0.04, 0.03, 0.005, 0.9}
	holm([]*float64{&ps[0], &ps[1], &ps[2], &ps[3], &ps[4]})
	for i, want := range []float64{0.04, 0.09, 0.09, 0.025, 0.9} { // 0.03*3, then 0.04*2 is less
		assert.InDelta(t, want, ps[i], 1e-12)
	}
}

// Adjusted values keep the order, are no smaller and no larger than n times the
// value (Bonferroni) or 1.
func TestHolmBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 40).Draw(t, "p")
		adjusted := append([]float64(nil), raw...)
		var list []*float64
		for i := range adjusted {
			list = append(list, &adjusted[i])
		}
		holm(list)
		for i := range raw {
			assert.GreaterOrEqual(t, adjusted[i], raw[i])
			assert.LessOrEqual(t, adjusted[i], min(1, raw[i]*float64(len(raw)))+1e-12)
			for j := range raw {
				if raw[i] < raw[j] {
					assert.LessOrEqual(t, adjusted[i], adjusted[j])
				}
			}
		}
	})
}

// Exchanging the sides changes the sign and nothing else.
func TestTestsAreSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(t, "n")
		a := rapid.SliceOfN(rapid.Float64Range(0, 1e6), n, n).Draw(t, "a")
		b := rapid.SliceOfN(rapid.Float64Range(0, 1e6), n, n).Draw(t, "b")
		if isConstant(a) && isConstant(b) {
			t.Skip("no test of constants")
		}
		for _, test := range []func(a, b []float64, confidence float64) estimate{paired, welch} {
			ab, ba := test(a, b, 0.99), test(b, a, 0.99)
			assert.InDelta(t, ab.difference, -ba.difference, 1e-6)
			assert.InDelta(t, ab.p, ba.p, 1e-9)
			assert.LessOrEqual(t, ab.low, ab.difference)
			assert.GreaterOrEqual(t, ab.high, ab.difference)
		}
	})
}
