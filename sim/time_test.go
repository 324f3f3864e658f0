package sim

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// ethernetRates are the port speeds whose byte lasts a whole number of
// picoseconds, with that number (8e12 divided by the rate).
func ethernetRates() map[Rate]Time {
	return map[Rate]Time{
		10 * Gbps: 800, 25 * Gbps: 320, 40 * Gbps: 200, 50 * Gbps: 160, 100 * Gbps: 80,
		200 * Gbps: 40, 400 * Gbps: 20, 800 * Gbps: 10, 1600 * Gbps: 5,
	}
}

func TestTimePrints(t *testing.T) {
	for in, want := range map[Time]string{
		0: "0ps", 999: "999ps", -3: "-3ps", Nanosecond: "1ns", 1500: "1.5ns", -2500: "-2.5ns",
		999_999: "999.999ns", 12_500_000: "12.5us", Millisecond: "1ms", 20 * Millisecond: "20ms",
		Second + Picosecond: "1.000000000001s", 67 * Second: "67s", Never: "never", Never + 1: "never",
	} {
		assert.Equal(t, want, in.String())
	}
}

func TestRatePrints(t *testing.T) {
	for in, want := range map[Rate]string{
		0: "0bps", 999: "999bps", Kbps: "1Kbps", 40 * Mbps: "40Mbps", 1500 * Kbps: "1.5Mbps",
		100 * Gbps: "100Gbps", 999 * Gbps: "999Gbps", 1600 * Gbps: "1.6Tbps", 2880 * Gbps: "2.88Tbps",
	} {
		assert.Equal(t, want, in.String())
	}
}

func TestConversions(t *testing.T) {
	v := 1500 * Nanosecond
	assert.Equal(t, 1.5e-6, v.Seconds())
	assert.Equal(t, 1.5, v.Micros())
	assert.Equal(t, 1500.0, v.Nanos())
	assert.Equal(t, 92.586, Rate(92_586*Mbps).Gbit())
}

// An instant must fit 46 bits of the packed key: 70.4 s.
func TestNeverIsBeyondSeventySeconds(t *testing.T) {
	assert.Equal(t, Time(1<<46-1), Never)
	assert.Greater(t, Never, 70*Second)
}

// A byte lasts a whole number of picoseconds at each Ethernet speed, and a
// packet of 4178 wire bytes as long as its bytes say.
func TestSerializerOfEthernetRates(t *testing.T) {
	for rate, perByte := range ethernetRates() {
		s := NewSerializer(rate, 1)
		for _, n := range []int{0, 1, 84, 1106, 4178, 9238, 1 << 30} {
			assert.Equal(t, Time(n)*perByte, s.Time(n), "%d bytes at %v", n, rate)
		}
	}
	s := NewSerializer(100*Gbps, 1)
	assert.Equal(t, Time(334_240), s.Time(4178))
	assert.Equal(t, Time(6_720), s.Time(84), "a pause frame at 100 Gb/s lasts 6.72 ns (V-10)")
}

// exact is bytes*8e12/rate in picoseconds as a fraction of big integers.
func exact(bytes int64, r Rate) *big.Rat {
	bits := new(big.Int).Mul(big.NewInt(bytes), big.NewInt(8*int64(Second)))
	return new(big.Rat).SetFrac(bits, big.NewInt(int64(r)))
}

// However a train of packets is cut, at whatever rate, the sum of its times is
// what all its bytes take, rounded down: the remainder is carried.
func TestSerializerCarriesTheRemainder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.OneOf(
			rapid.Just(2880*Gbps),
			rapid.Just(7*Gbps),
			rapid.Custom(func(t *rapid.T) Rate { return Rate(rapid.Int64Range(1_000_000, int64(100_000*Gbps)).Draw(t, "rate")) }),
		).Draw(t, "rate")
		s := NewSerializer(rate, 1)
		var sum Time
		var bytes int64
		for _, n := range rapid.SliceOfN(rapid.IntRange(84, 9238), 1, 500).Draw(t, "packets") {
			sum += s.Time(n)
			bytes += int64(n)
		}
		want := exact(bytes, rate)
		floor := new(big.Int).Quo(want.Num(), want.Denom())
		require.Equal(t, floor.Int64(), int64(sum), "%d bytes at %v", bytes, rate)
	})
}

// A million packets at 2880 Gb/s (a byte lasts 2.777... ps) drift by nothing.
func TestSerializerLongTrain(t *testing.T) {
	s := NewSerializer(2880*Gbps, 1)
	var sum Time
	for range 1_000_000 {
		sum += s.Time(4178)
	}
	assert.Equal(t, Time(4178*1_000_000*25/9), sum, "8e12/2880e9 = 25/9 ps a byte")
}

// With a quantum of 1 ns each packet's time is truncated, which the HPCC ns-3
// simulator does: 1000 B + 48 B at 100 Gb/s last 83 ns instead of 83.84 (1 %),
// at 400 Gb/s 20 instead of 20.96 (4.6 %).
func TestSerializerQuantum(t *testing.T) {
	for _, c := range []struct {
		rate Rate
		n    int
		want Time
	}{
		{100 * Gbps, 1048, 83 * Nanosecond},
		{400 * Gbps, 1048, 20 * Nanosecond},
		{400 * Gbps, 4144, 82 * Nanosecond},
		{100 * Gbps, 60, 4 * Nanosecond},
		{1600 * Gbps, 60, Nanosecond}, // 0.3 ns: at least one quantum
	} {
		s := NewSerializer(c.rate, Nanosecond)
		for range 3 {
			assert.Equal(t, c.want, s.Time(c.n), "%d bytes at %v: each time the same", c.n, c.rate)
		}
	}
}

// The quantum floors what the exact time is, at rates without whole
// picoseconds too, but no transmission lasts no time.
func TestSerializerQuantumFloors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := Rate(rapid.Int64Range(1_000_000, int64(4000*Gbps)).Draw(t, "rate"))
		quantum := Time(rapid.Int64Range(2, 10_000).Draw(t, "quantum"))
		n := rapid.IntRange(0, 9238).Draw(t, "bytes")
		s := NewSerializer(rate, quantum)
		got := s.Time(n)
		require.Zero(t, got%quantum)
		want := exact(int64(n), rate)
		if got != quantum || n == 0 {
			require.LessOrEqual(t, big.NewRat(int64(got), 1).Cmp(want), 0)
		}
		require.Positive(t, big.NewRat(int64(got+quantum), 1).Cmp(want))
	})
}

func TestTxTimeCeil(t *testing.T) {
	for _, c := range []struct {
		rate  Rate
		bytes int64
		want  Time
	}{
		{100 * Gbps, 0, 0},
		{100 * Gbps, 4178, 334_240},
		{3 * Gbps, 1, 2667},
		{2880 * Gbps, 9, 25},
		{2880 * Gbps, 1, 3},
		{BitPerSecond, 1, 8 * Second},
	} {
		assert.Equal(t, c.want, c.rate.TxTimeCeil(c.bytes), "%d bytes at %v", c.bytes, c.rate)
	}
}

// bytes*8e12 passes 2^63 from 1,152,922 bytes on; the result must not.
func TestTxTimeCeilDoesNotOverflow(t *testing.T) {
	assert.Equal(t, Time(1_152_922*80), (100 * Gbps).TxTimeCeil(1_152_922))
	assert.Equal(t, Time(1<<40*80), (100 * Gbps).TxTimeCeil(1<<40))
	rapid.Check(t, func(t *rapid.T) {
		bytes := rapid.Int64Range(0, 1<<44).Draw(t, "bytes")
		rate := Rate(rapid.Int64Range(int64(Gbps), int64(100_000*Gbps)).Draw(t, "rate"))
		want := exact(bytes, rate)
		up := new(big.Int).Sub(want.Num(), big.NewInt(1))
		up.Div(up, want.Denom()).Add(up, big.NewInt(1))
		require.Equal(t, up.Int64(), int64(rate.TxTimeCeil(bytes)))
	})
}

func TestImpossibleRatesPanic(t *testing.T) {
	assert.PanicsWithValue(t, "sim: rate 0 bit/s has no transmission time", func() { Rate(0).TxTimeCeil(1) })
	assert.PanicsWithValue(t, "sim: rate -5 bit/s has no transmission time", func() { Rate(-5).TxTimeCeil(1) })
	assert.PanicsWithValue(t, "sim: serializer for rate 0 bit/s, quantum 1 ps", func() { NewSerializer(0, 1) })
	assert.PanicsWithValue(t, "sim: serializer for rate 1000 bit/s, quantum 0 ps", func() { NewSerializer(Kbps, 0) })
}
