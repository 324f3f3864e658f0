package strict

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/sim"
)

func TestQuantities(t *testing.T) {
	times := map[string]sim.Time{
		"1ps": 1, "2us": 2_000_000, "2 us": 2_000_000, "0.5ns": 500, "20ms": 20_000_000_000, "1s": 1e12,
		"67.108864ms": 67_108_864_000, "3µs": 3_000_000, "3μs": 3_000_000, "-1ns": -1000,
	}
	for text, want := range times {
		got, err := ParseTime(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	rates := map[string]sim.Rate{"100Gbps": 100e9, "1.6Tbps": 1600e9, "40Mbps": 40e6, "10Kbps": 10_000, "1bps": 1}
	for text, want := range rates {
		got, err := ParseRate(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	// KB is 1000 and KiB is 1024 (IEC 80000-13).
	sizes := map[string]Bytes{
		"400KB": 400_000, "9KiB": 9216, "64B": 64, "1MB": 1_000_000, "1MiB": 1 << 20, "1.5KiB": 1536,
		"2GB": 2_000_000_000, "1GiB": 1 << 30, "1TB": 1e12, "1TiB": 1 << 40,
	}
	for text, want := range sizes {
		got, err := ParseBytes(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	lengths := map[string]Length{"3m": 3, "2km": 2000, "50cm": 0.5, "1mm": 0.001}
	for text, want := range lengths {
		got, err := ParseLength(text)
		require.NoError(t, err, text)
		assert.InDelta(t, float64(want), float64(got), 1e-12, text)
	}
	fractions := map[string]Fraction{"20%": 0.2, "0.2": 0.2, "7%": 0.07, "120%": 1.2, "1": 1, "0": 0, "1e-9": 1e-9, "2.5e-3": 0.0025, "1e-0": 1}
	for text, want := range fractions {
		got, err := ParseFraction(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	// SONiC writes alpha as an exponent of two: dynamic_th -3 is 1/8.
	alphas := map[string]Alpha{"1/8": 8192, "0.125": 8192, "2^-3": 8192, "1": 65536, "8": 8 * 65536, "2^3": 8 * 65536}
	for text, want := range alphas {
		got, err := ParseAlpha(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}

// Sizes are shown as most people would have written them.
func TestSizesAsWritten(t *testing.T) {
	for _, text := range []string{
		"0B", "1B", "1500B", "1KB", "256KB", "1024KB", "1MB", "16MB", "1500KB", "1TB", "13041B",
		"1KiB", "9KiB", "64KiB", "1MiB", "500MiB", "1500MiB", "2GiB", "1TiB",
	} {
		b, err := ParseBytes(text)
		require.NoError(t, err)
		assert.Equal(t, text, b.String())
	}
}

func TestQuantityErrors(t *testing.T) {
	_, err := ParseTime("20")
	assert.EqualError(t, err, "20 has no unit; allowed: a time such as 20ms, 2us or 500ns")
	_, err = ParseTime("20 minutes")
	assert.EqualError(t, err, `"20 minutes" has the unknown unit "minutes" (allowed for a time: ps, ns, us, µs, μs, ms, s)`)
	_, err = ParseTime("0.1ps")
	assert.EqualError(t, err, "0.1ps is no whole multiple of 1ps, the finest step there is")
	_, err = ParseTime("99999999999s")
	assert.EqualError(t, err, "99999999999s is too large")
	_, err = ParseRate("100Gbp")
	assert.EqualError(t, err, `"100Gbp" has the unknown unit "Gbp"; did you mean Gbps? (allowed for a rate: bps, Kbps, Mbps, Gbps, Tbps)`)
	_, err = ParseRate("fast")
	assert.EqualError(t, err, `"fast" is not a rate; allowed: a number and a unit, such as 100Gbps or 400Mbps`)
	_, err = ParseBytes("400kb")
	assert.EqualError(t, err, `"400kb" has the unknown unit "kb"; did you mean KB? (allowed for a size: B, KB, MB, GB, TB, KiB, MiB, GiB, TiB)`)
	_, err = ParseBytes("1.5B")
	assert.EqualError(t, err, "1.5B is no whole multiple of 1B, the finest step there is")
	_, err = ParseLength("3")
	assert.EqualError(t, err, "3 has no unit; allowed: a length such as 3m or 2km")
	_, err = ParseFraction("half")
	assert.EqualError(t, err, `"half" is not a share; allowed: 20%, 0.2 or 1e-9`)
	for _, text := range []string{"1e9", "1e-", "1e-+9", "1e--9", "1e-31", "0.1e-30", "1e-999", "e-9", "1e-9x"} {
		_, err = ParseFraction(text)
		assert.ErrorContains(t, err, "is not a share; allowed: 20%, 0.2 or 1e-9", text)
	}
	for _, text := range []string{"1/0", "1/", "x", "2^99", "2^x", "", "--1", "1e3", ".5", "5."} {
		_, err = ParseAlpha(text)
		assert.ErrorContains(t, err, "is not an alpha; allowed: a number such as 1/8, 0.125, 2 or 2^-3", text)
	}
}

// What is printed reads back as the same value: the manifest's scenario is the
// scenario.
func TestQuantitiesReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tm := sim.Time(rapid.Int64Range(0, int64(sim.Never)-1).Draw(t, "time"))
		gotTime, err := ParseTime(tm.String())
		require.NoError(t, err)
		assert.Equal(t, tm, gotTime)

		r := sim.Rate(rapid.Int64Range(1, 100_000e9).Draw(t, "rate"))
		gotRate, err := ParseRate(r.String())
		require.NoError(t, err)
		assert.Equal(t, r, gotRate)

		b := Bytes(rapid.Int64Range(0, 1e15).Draw(t, "bytes"))
		gotBytes, err := ParseBytes(b.String())
		require.NoError(t, err)
		assert.Equal(t, b, gotBytes)

		l := Length(float64(rapid.Int64Range(0, 1e8).Draw(t, "millimetres")) / 1000)
		gotLength, err := ParseLength(l.String())
		require.NoError(t, err)
		assert.Equal(t, l, gotLength)

		f := Fraction(rapid.Float64Range(1e-29, 1).Draw(t, "fraction"))
		gotFraction, err := ParseFraction(f.String())
		require.NoError(t, err)
		assert.Equal(t, f, gotFraction)

		a := Alpha(rapid.Int64Range(0, 1<<40).Draw(t, "alpha"))
		gotAlpha, err := ParseAlpha(a.String())
		require.NoError(t, err)
		assert.Equal(t, a, gotAlpha)
	})
}

func TestNearest(t *testing.T) {
	keys := []string{"leaves", "spines", "hosts", "host_link"}
	assert.Equal(t, "leaves", Nearest("leafs", keys))
	assert.Equal(t, "hosts", Nearest("host", keys))
	assert.Equal(t, "spines", Nearest("spnies", keys))
	assert.Empty(t, Nearest("frequency", keys))
	chips := []string{"ideal", "sonic-tomahawk", "sonic-tomahawk3", "sonic-tomahawk4", "connectx-5", "connectx-6-dx"}
	assert.Equal(t, "sonic-tomahawk3", Nearest("tomahawk-3", chips))
	assert.Equal(t, "sonic-tomahawk", Nearest("Tomahawk", chips), "the shortest")
	assert.Equal(t, "connectx-6-dx", Nearest("connectx-6", chips), "not connectx-5, which differs in a letter only")
	assert.Empty(t, Nearest("son", chips), "too little to know")
	assert.Empty(t, Nearest("", keys))
}

// TestKeyElsewhere is about keys that are known, but not where they were read.
func TestKeyElsewhere(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"{name: a, width: 1m, delay: 1us}", `delay: unknown key "delay"; did you mean drawer.delay? (allowed: `},
		{"{name: a, width: 1m, lid: loose}", `lid: unknown key "lid"; did you mean boxes[0].lid? (allowed: `},
		{"{name: a, width: 1m, drawer: {delay: 1us, boards: 2}}", `drawer.boards: unknown key "boards" (allowed: delay)`},
		{"{nme: a, width: 1m}", `nme: unknown key "nme"; did you mean name? (allowed: `},
		{"{name: a, width: 1m, sawdust: 2}", `sawdust: unknown key "sawdust" (allowed: `},
	} {
		d, err := Read("f", []byte(c.text))
		require.NoError(t, err)
		d.Decode(&shelf{})
		assert.ErrorContains(t, d.Err(), c.want)
	}
}
