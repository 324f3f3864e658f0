package sim

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func draw(s *Stream, n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = s.Uint64()
	}
	return out
}

func TestStreamDependsOnSeedAndNameOnly(t *testing.T) {
	other := NewStream(1, "other")
	a := NewStream(1, "ecn/leaf3/port7")
	draw(other, 10)
	assert.Equal(t, draw(a, 100), draw(NewStream(1, "ecn/leaf3/port7"), 100))
}

// Golden numbers of the first version: with others, no result could be repeated
// with the same seed.
func TestStreamIsStable(t *testing.T) {
	assert.Equal(t, []uint64{0xdedeffea008a7952, 0x189ab9a55712d581}, draw(NewStream(1, "ecn/leaf3/port7"), 2))
}

// Streams of other names and of neighbouring seeds have nothing in common: of
// 64 bits, 32 differ on average, with a standard deviation of 4.
func TestStreamsAreIndependent(t *testing.T) {
	base := draw(NewStream(1, "nic/h0"), 1000)
	for _, other := range []*Stream{
		NewStream(1, "nic/h1"), NewStream(2, "nic/h0"), NewStream(0, "nic/h0"), NewStream(1<<63+1, "nic/h0"), NewStream(1, ""),
	} {
		differ := 0
		for _, v := range base {
			for x := v ^ other.Uint64(); x != 0; x &= x - 1 {
				differ++
			}
		}
		assert.InDelta(t, 32, float64(differ)/1000, 4*4/math.Sqrt(1000), "4 sigma")
	}
}

// Thousands of streams of one run start differently.
func TestStreamsDoNotCollide(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range uint64(100) {
		for _, name := range []string{"switch/leaf0", "switch/leaf1", "nic/h0", "nic/h1", "qpn"} {
			v := NewStream(seed, name).Uint64()
			assert.False(t, seen[v])
			seen[v] = true
		}
	}
}

// chiSquare is the test statistic of counts that should be equal.
func chiSquare(counts []int) float64 {
	n := 0
	for _, c := range counts {
		n += c
	}
	want := float64(n) / float64(len(counts))
	var x float64
	for _, c := range counts {
		x += (float64(c) - want) * (float64(c) - want) / want
	}
	return x
}

// The bounds are the 99.9 % points of the chi-square distribution with 1, 2,
// 9 and 99 degrees of freedom.
func TestIntnIsUniform(t *testing.T) {
	s := NewStream(1, "uniform")
	for n, bound := range map[int]float64{2: 10.83, 3: 13.82, 10: 27.88, 100: 148.2} {
		counts := make([]int, n)
		for range 100_000 {
			counts[s.Intn(n)]++
		}
		assert.Less(t, chiSquare(counts), bound, "n=%d", n)
	}
}

func TestIntnStaysBelowItsBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewStream(rapid.Uint64().Draw(t, "seed"), "bounds")
		n := rapid.IntRange(1, math.MaxInt64).Draw(t, "n")
		v := s.Intn(n)
		require.GreaterOrEqual(t, v, 0)
		require.Less(t, v, n)
		limit := Time(rapid.Int64Range(1, int64(Never)).Draw(t, "limit"))
		span := s.Time(limit)
		require.GreaterOrEqual(t, span, Time(0))
		require.Less(t, span, limit)
		f := s.Float64()
		require.GreaterOrEqual(t, f, 0.0)
		require.Less(t, f, 1.0)
	})
	assert.Zero(t, NewStream(1, "").Time(0))
	assert.Zero(t, NewStream(1, "").Time(-5))
}

func TestPermIsAPermutation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 200).Draw(t, "n")
		p := NewStream(rapid.Uint64().Draw(t, "seed"), "perm").Perm(n)
		slices.Sort(p)
		for i, v := range p {
			require.Equal(t, i, v)
		}
		require.Len(t, p, n)
	})
}

// All 24 orders of four come up equally often: 99.9 % point for 23 degrees of
// freedom.
func TestPermIsUniform(t *testing.T) {
	s := NewStream(1, "perm")
	counts := map[[4]int]int{}
	for range 24_000 {
		counts[[4]int(s.Perm(4))]++
	}
	require.Len(t, counts, 24)
	var list []int
	for _, c := range counts {
		list = append(list, c)
	}
	assert.Less(t, chiSquare(list), 49.73)
}

// The mean and the standard deviation of an exponential distribution are
// equal. Tolerances are 4 standard errors of a million draws.
func TestExpHasItsMean(t *testing.T) {
	s := NewStream(1, "exp")
	const n = 1_000_000
	mean := 10 * Microsecond
	var sum, squares float64
	for range n {
		x := float64(s.Exp(mean)) / float64(mean)
		sum += x
		squares += x * x
	}
	assert.InDelta(t, 1, sum/n, 4/math.Sqrt(n))
	assert.InDelta(t, 2, squares/n, 4*math.Sqrt(20.0/n), "E[x^4]-E[x^2]^2 = 24-4")
}

func TestExpKeepsArrivalsApart(t *testing.T) {
	s := NewStream(1, "exp")
	for range 1000 {
		assert.GreaterOrEqual(t, s.Exp(1), Picosecond)
	}
	assert.Equal(t, Picosecond, s.Exp(0))
}

// ln agrees with the library to a few units in the last place.
func TestLn(t *testing.T) {
	s := NewStream(1, "ln")
	for range 100_000 {
		x := s.Float64() + 1e-18
		require.InEpsilon(t, math.Log(x), ln(x), 1e-14, "ln %v", x)
	}
	assert.Zero(t, ln(1))
	assert.InDelta(t, -math.Ln2, ln(0.5), 1e-17)
}
