package results

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"rocesim/sim"
)

// Unit is what a metric is measured in.
type Unit uint8

// Units of metrics, with the base unit in which values are held.
const (
	Count    Unit = iota // a plain number
	Duration             // picoseconds
	DataRate             // bit/s
	Size                 // bytes
	Ratio                // 1; 0.05 and 5% are the same
)

// String names the unit in an error message.
func (u Unit) String() string {
	switch u {
	case Count:
		return "a plain number"
	case Duration:
		return "a time (ps, ns, us, ms, s)"
	case DataRate:
		return "a rate (bps, Kbps, Mbps, Gbps, Tbps)"
	case Size:
		return "a size (B, KB, KiB, MB, MiB, GB, GiB)"
	case Ratio:
		return "a ratio (0.05 or 5%)"
	}
	return fmt.Sprintf("unit %d", uint8(u))
}

// base names the unit in which values are held.
func (u Unit) base() string {
	switch u {
	case Duration:
		return "ps"
	case DataRate:
		return "bit/s"
	case Size:
		return "bytes"
	case Ratio:
		return "ratio"
	}
	return "count"
}

// Column says how tables of metrics hold values of the unit: what the column's
// name ends in, and how many base units one of it is.
func (u Unit) Column() (ending string, scale float64) {
	switch u {
	case Duration:
		return "_us", 1e6
	case DataRate:
		return "_gbps", 1e9
	case Size:
		return "_bytes", 1
	}
	return "", 1
}

// suffix is one way to write a unit and what it multiplies by.
type suffix struct {
	text   string
	factor float64
}

// suffixes lists how values of the unit may be written, the smallest first.
// KB is 1000 B and KiB 1024 B.
func (u Unit) suffixes() []suffix {
	switch u {
	case Duration:
		return []suffix{{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}}
	case DataRate:
		return []suffix{{"bps", 1}, {"Kbps", 1e3}, {"Mbps", 1e6}, {"Gbps", 1e9}, {"Tbps", 1e12}}
	case Size:
		return []suffix{{"B", 1}, {"KB", 1e3}, {"KiB", 1 << 10}, {"MB", 1e6}, {"MiB", 1 << 20},
			{"GB", 1e9}, {"GiB", 1 << 30}}
	case Ratio:
		return []suffix{{"", 1}, {"%", 0.01}}
	}
	return []suffix{{"", 1}}
}

// Suffix is how the base unit is written behind a number in an expect clause.
func (u Unit) Suffix() string { return u.suffixes()[0].text }

// parse converts number and unit text to the base unit.
func (u Unit) parse(number, unit string) (float64, error) {
	value, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsInf(value, 0) {
		return 0, fmt.Errorf("%q is not a number", number)
	}
	for _, s := range u.suffixes() {
		if s.text == unit {
			return u.scale(value, s), nil
		}
	}
	if unit == "" {
		return 0, fmt.Errorf("%q has no unit, want %v", number, u)
	}
	return 0, fmt.Errorf("%q is not a valid unit here, want %v", unit, u)
}

// scale multiplies by the suffix. Percentages divide instead, so that 5%
// is exactly the number nearest to 0.05; counted units (ps, B, bps) are
// rounded to whole ones when nearer than a millionth, or than the error of the
// product where that is more, so that 8.2us equals a measured 8,200,000 ps.
func (u Unit) scale(value float64, s suffix) float64 {
	if u == Ratio {
		if s.text == "%" {
			return value / 100
		}
		return value
	}
	scaled := value * s.factor
	if whole := math.Round(scaled); math.Abs(scaled-whole) < 1e-6+1e-15*math.Abs(scaled) {
		return whole
	}
	return scaled
}

// Format prints a value in base units for a person, as "2.41 ms".
func (u Unit) Format(value float64) string {
	switch u {
	case Duration, DataRate:
		return formatScaled(value, u.suffixes())
	case Size:
		return formatScaled(value, []suffix{{"B", 1}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}})
	case Ratio:
		return formatSignificant(value)
	}
	if value == math.Trunc(value) && math.Abs(value) < 1e15 {
		return thousands(int64(value))
	}
	return formatSignificant(value)
}

// exact prints a value in full in the unit that Format would choose.
func (u Unit) exact(value float64) string {
	short := u.Format(value)
	_, unit, _ := strings.Cut(short, " ")
	for _, s := range u.suffixes() {
		if s.text == unit && unit != "" {
			return strconv.FormatFloat(value/s.factor, 'f', -1, 64) + " " + unit
		}
	}
	return strconv.FormatFloat(value, 'f', -1, 64)
}

// formatScaled prints value in the largest unit that keeps it at least 1; 0 is
// not small, so a time of 0 is "0 s".
func formatScaled(value float64, units []suffix) string {
	chosen := units[0]
	if value == 0 && chosen.text == "ps" {
		return "0 s"
	}
	for _, u := range units {
		if math.Abs(value) >= u.factor {
			chosen = u
		}
	}
	return formatSignificant(value/chosen.factor) + " " + chosen.text
}

// formatSignificant prints four significant digits without an exponent where
// that is readable, and without trailing zeros.
func formatSignificant(value float64) string {
	magnitude := math.Abs(value)
	switch {
	case magnitude == 0:
		return "0"
	case magnitude >= 1e6 || magnitude < 1e-4:
		return strconv.FormatFloat(value, 'g', 4, 64)
	}
	decimals := max(0, 3-int(math.Floor(math.Log10(magnitude))))
	text := strconv.FormatFloat(value, 'f', decimals, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// thousands prints n with a comma every three digits.
func thousands(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	var groups []string
	for len(digits) > 3 {
		groups = append([]string{digits[len(digits)-3:]}, groups...)
		digits = digits[:len(digits)-3]
	}
	return sign + strings.Join(append([]string{digits}, groups...), ",")
}

// Plural counts things: "1 packet", "2,000 packets". An irregular plural may be
// given.
func Plural[N int | int64](n N, one string, many ...string) string {
	if n == 1 {
		return "1 " + one
	}
	if len(many) > 0 {
		return thousands(int64(n)) + " " + many[0]
	}
	return thousands(int64(n)) + " " + one + "s"
}

// formatTime prints t for a person, as "1.204 ms".
func formatTime(t sim.Time) string { return Duration.Format(float64(t)) }
