package strict

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"rocesim/sim"
)

// Bytes is a size in bytes.
type Bytes int64

// Units of Bytes. KB is 1000, KiB is 1024.
const (
	KB  Bytes = 1000
	MB        = 1000 * KB
	GB        = 1000 * MB
	TB        = 1000 * GB
	KiB Bytes = 1024
	MiB       = 1024 * KiB
	GiB       = 1024 * MiB
	TiB       = 1024 * GiB
)

// String prints b exactly, in the unit that takes the fewest digits. Of two that
// take as many it is the decimal one, which most people write: 256000 B are
// 256KB rather than 250KiB.
func (b Bytes) String() string {
	digits, unit := strconv.FormatInt(int64(b), 10), "B"
	for _, u := range []struct {
		size Bytes
		name string
	}{{KB, "KB"}, {MB, "MB"}, {GB, "GB"}, {TB, "TB"}, {KiB, "KiB"}, {MiB, "MiB"}, {GiB, "GiB"}, {TiB, "TiB"}} {
		if b%u.size != 0 {
			continue
		}
		if n := strconv.FormatInt(int64(b/u.size), 10); len(n) < len(digits) {
			digits, unit = n, u.name
		}
	}
	return digits + unit
}

// Length is the length of a cable in metres.
type Length float64

// String prints l in metres.
func (l Length) String() string { return strconv.FormatFloat(float64(l), 'f', -1, 64) + "m" }

// Fraction is a share or a probability.
type Fraction float64

// String prints f as a number, which reads back as the same value.
func (f Fraction) String() string {
	format := byte('f')
	if f != 0 && math.Abs(float64(f)) < 1e-6 {
		format = 'e'
	}
	return strconv.FormatFloat(float64(f), format, -1, 64)
}

// least is the smallest share above 0 that can be written.
const least = 1e-30

// Alpha is the factor of a dynamic buffer threshold, in units of 1/65536.
type Alpha int64

// AlphaOne is alpha = 1.
const AlphaOne Alpha = 1 << 16

// String prints a as a whole number or as a ratio in lowest terms.
func (a Alpha) String() string { return big.NewRat(int64(a), int64(AlphaOne)).RatString() }

// unit is one suffix of a quantity and how many base units it stands for.
type unit struct {
	name  string
	scale int64
}

// quantity is a kind of number with a unit.
type quantity struct {
	name     string // "a time"
	examples string
	finest   string
	units    []unit
}

func timeQuantity() quantity {
	return quantity{"a time", "20ms, 2us or 500ns", "1ps", []unit{
		{"ps", 1}, {"ns", int64(sim.Nanosecond)}, {"us", int64(sim.Microsecond)}, {"µs", int64(sim.Microsecond)},
		{"μs", int64(sim.Microsecond)}, {"ms", int64(sim.Millisecond)}, {"s", int64(sim.Second)}}}
}

func rateQuantity() quantity {
	return quantity{"a rate", "100Gbps or 400Mbps", "1bps", []unit{
		{"bps", 1}, {"Kbps", int64(sim.Kbps)}, {"Mbps", int64(sim.Mbps)}, {"Gbps", int64(sim.Gbps)},
		{"Tbps", 1000 * int64(sim.Gbps)}}}
}

func bytesQuantity() quantity {
	return quantity{"a size", "400KB (1000), 9KiB (1024) or 64B", "1B", []unit{
		{"B", 1}, {"KB", int64(KB)}, {"MB", int64(MB)}, {"GB", int64(GB)}, {"TB", int64(TB)},
		{"KiB", int64(KiB)}, {"MiB", int64(MiB)}, {"GiB", int64(GiB)}, {"TiB", int64(TiB)}}}
}

// lengthQuantity counts in millimetres.
func lengthQuantity() quantity {
	return quantity{"a length", "3m or 2km", "1mm", []unit{{"mm", 1}, {"cm", 10}, {"m", 1000}, {"km", 1_000_000}}}
}

// parse reads text as a whole number of q's base unit.
func (q quantity) parse(text string) (int64, error) {
	number, suffix := splitUnit(text)
	value, ok := decimal(number)
	if !ok {
		return 0, fmt.Errorf("%s is not %s; allowed: a number and a unit, such as %s", quote(text), q.name, q.examples)
	}
	if suffix == "" {
		return 0, fmt.Errorf("%s has no unit; allowed: %s such as %s", text, q.name, q.examples)
	}
	for _, u := range q.units {
		if u.name == suffix {
			return q.scaled(text, value, u)
		}
	}
	names := make([]string, len(q.units))
	for i, u := range q.units {
		names[i] = u.name
	}
	return 0, fmt.Errorf("%s has the unknown unit %s%s (allowed for %s: %s)",
		quote(text), quote(suffix), didYouMean(suffix, names), q.name, strings.Join(names, ", "))
}

func (q quantity) scaled(text string, value *big.Rat, u unit) (int64, error) {
	value.Mul(value, new(big.Rat).SetInt64(u.scale))
	if !value.IsInt() {
		return 0, fmt.Errorf("%s is no whole multiple of %s, the finest step there is", text, q.finest)
	}
	if !value.Num().IsInt64() {
		return 0, fmt.Errorf("%s is too large", text)
	}
	return value.Num().Int64(), nil
}

// splitUnit cuts "100Gbps" and "100 Gbps" into number and unit.
func splitUnit(text string) (number, suffix string) {
	i := 0
	for i < len(text) && strings.IndexByte("+-0123456789.", text[i]) >= 0 {
		i++
	}
	return text[:i], strings.TrimLeft(text[i:], " ")
}

// decimal reads a number without exponent exactly.
func decimal(s string) (*big.Rat, bool) {
	const longest = 40 // digits; more cannot be meant
	digits := strings.TrimPrefix(strings.TrimPrefix(s, "-"), "+")
	whole, part, dotted := strings.Cut(digits, ".")
	if len(digits) > longest || len(s)-len(digits) > 1 || !allDigits(whole) || dotted && !allDigits(part) {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

// allDigits reports whether s is one digit or more.
func allDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// ParseTime reads a time such as "2us".
func ParseTime(text string) (sim.Time, error) {
	v, err := timeQuantity().parse(text)
	return sim.Time(v), err
}

// ParseRate reads a rate such as "100Gbps".
func ParseRate(text string) (sim.Rate, error) {
	v, err := rateQuantity().parse(text)
	return sim.Rate(v), err
}

// ParseBytes reads a size such as "400KB" or "9KiB".
func ParseBytes(text string) (Bytes, error) {
	v, err := bytesQuantity().parse(text)
	return Bytes(v), err
}

// ParseLength reads a length such as "3m".
func ParseLength(text string) (Length, error) {
	v, err := lengthQuantity().parse(text)
	return Length(float64(v) / 1000), err
}

// ParseFraction reads "20%", "0.2" or "1e-9".
func ParseFraction(text string) (Fraction, error) {
	wrong := fmt.Errorf("%s is not a share; allowed: 20%%, 0.2 or 1e-9", quote(text))
	number, percent := strings.CutSuffix(text, "%")
	number, exponent, ok := cutExponent(strings.TrimRight(number, " "))
	value, isNumber := decimal(number)
	if !ok || !isNumber {
		return 0, wrong
	}
	if percent {
		value.Quo(value, big.NewRat(100, 1))
	}
	value.Quo(value, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(exponent)), nil)))
	f, _ := value.Float64()
	if f != 0 && math.Abs(f) < least {
		return 0, wrong
	}
	return Fraction(f), nil
}

// cutExponent splits "1e-9" into "1" and 9: small shares such as bit error
// rates are written so. Without an exponent it is 0.
func cutExponent(text string) (number string, exponent int, ok bool) {
	number, power, has := strings.Cut(text, "e-")
	if !has {
		return text, 0, true
	}
	exponent, err := strconv.Atoi(power)
	return number, exponent, err == nil && exponent >= 0 && exponent <= 30 && allDigits(power)
}

// ParseAlpha reads "1/8", "0.5", "2" or "2^-3".
func ParseAlpha(text string) (Alpha, error) {
	wrong := fmt.Errorf("%s is not an alpha; allowed: a number such as 1/8, 0.125, 2 or 2^-3", quote(text))
	value, ok := decimal(text)
	if exponent, power := strings.CutPrefix(text, "2^"); power {
		n, err := strconv.Atoi(exponent)
		if err != nil || n < -16 || n > 16 {
			return 0, wrong
		}
		value, ok = new(big.Rat).SetFrac64(1<<(16+n), int64(AlphaOne)), true
	} else if above, below, ratio := strings.Cut(text, "/"); ratio {
		den, denOK := decimal(below)
		value, ok = decimal(above)
		if ok = ok && denOK && den.Sign() != 0; ok {
			value.Quo(value, den)
		}
	}
	if !ok {
		return 0, wrong
	}
	value.Mul(value, new(big.Rat).SetInt64(int64(AlphaOne)))
	scaled := new(big.Int).Quo(value.Num(), value.Denom())
	if !scaled.IsInt64() {
		return 0, fmt.Errorf("%s is too large", text)
	}
	return Alpha(scaled.Int64()), nil
}

// quote prints what was read, shortened if it is long.
func quote(s string) string {
	const longest = 60
	if r := []rune(s); len(r) > longest {
		s = string(r[:longest]) + "..."
	}
	return strconv.Quote(s)
}

// Scale returns v*num/den without overflow: a value that is given for den, at
// num. Preconditions: all are positive and the result fits.
func Scale(v, num, den int64) int64 {
	hi, lo := bits.Mul64(uint64(v), uint64(num))
	q, _ := bits.Div64(hi, lo, uint64(den))
	return int64(q)
}
