package sim

import (
	"hash/fnv"
	"math"
	"math/bits"
	"math/rand/v2"
)

// Stream is a sequence of random numbers that depends on the run's seed and on
// its own name only. Components never share one, so adding a component does
// not change what another one draws.
type Stream struct{ pcg rand.PCG }

// NewStream returns the stream called name (for example "ecn/leaf3/port7")
// under seed.
func NewStream(seed uint64, name string) *Stream {
	h := fnv.New64a()
	h.Write([]byte(name)) // a hash's Write never fails
	s := &Stream{}
	s.pcg.Seed(mix(seed), mix(h.Sum64()^bits.RotateLeft64(seed, 32)))
	return s
}

// mix is the finaliser of splitmix64 (Steele, Lea, Flood 2014): it spreads
// seeds that differ in few bits over all of them.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Uint64 returns 64 random bits. With Seed's absence this makes a Stream a
// rand.Source for math/rand/v2.
func (s *Stream) Uint64() uint64 { return s.pcg.Uint64() }

// Uint32 returns 32 random bits.
func (s *Stream) Uint32() uint32 { return uint32(s.pcg.Uint64() >> 32) }

// Intn returns a number in [0, n). Preconditions: n > 0.
func (s *Stream) Intn(n int) int {
	hi, _ := bits.Mul64(s.pcg.Uint64(), uint64(n))
	return int(hi)
}

// Time returns a span in [0, limit); 0 if limit is 0.
func (s *Stream) Time(limit Time) Time {
	if limit <= 0 {
		return 0
	}
	return Time(s.Intn(int(limit)))
}

// Float64 returns a number in [0, 1), for set-up and workloads only.
func (s *Stream) Float64() float64 { return float64(s.pcg.Uint64()>>11) / (1 << 53) }

// Exp returns an exponentially distributed span with the given mean, for
// Poisson arrivals; at least one picosecond, so that arrivals stay apart.
func (s *Stream) Exp(mean Time) Time {
	return max(1, Time(float64(-ln(1-s.Float64())*float64(mean))))
}

// ln is the natural logarithm for x > 0. math.Log differs in the last bit
// between processors, and arrival times must not: each product here is rounded
// by a conversion, which keeps compilers from fusing it with a sum.
func ln(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	// ln m = 2 artanh z; |z| < 0.172, so eleven terms reach 1e-17.
	z := (m - 1) / (m + 1)
	z2 := float64(z * z)
	sum := 0.0
	for k := 21; k >= 1; k -= 2 {
		sum = float64(sum*z2) + 1/float64(k)
	}
	return float64(2*float64(z*sum)) + float64(float64(e)*math.Ln2)
}

// Perm returns a random permutation of 0..n-1.
func (s *Stream) Perm(n int) []int {
	p := make([]int, n)
	for i := range p {
		j := s.Intn(i + 1)
		p[i] = p[j]
		p[j] = i
	}
	return p
}
