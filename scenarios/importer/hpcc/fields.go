package hpcc

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"rocesim/fabric/topo"
	"rocesim/sim"
)

// field is one word of a file.
type field struct {
	text         string
	line, column int
}

// maxQuoted is how much of a word a message repeats.
const maxQuoted = 40

func (f field) quoted() string {
	if len(f.text) > maxQuoted {
		return fmt.Sprintf("%q...", f.text[:maxQuoted])
	}
	return strconv.Quote(f.text)
}

// record is one line that is not empty.
type record struct {
	number int
	fields []field
}

// MaxFileBytes is the size up to which files are read: a million flows need
// about 40 MB.
const MaxFileBytes = 64 << 20

// split cuts a file into lines and words.
func (r *report) split(data []byte) []record {
	if len(data) > MaxFileBytes {
		r.errorAt(0, 0, "the file has %d bytes, at most %d are allowed", len(data), MaxFileBytes)
		return nil
	}
	text := strings.TrimPrefix(string(data), "\ufeff")
	var records []record
	number := 0
	for line := range strings.SplitSeq(text, "\n") {
		number++
		if fields := splitLine(line, number); len(fields) > 0 {
			records = append(records, record{number: number, fields: fields})
		}
	}
	return records
}

func splitLine(line string, number int) []field {
	var fields []field
	start := -1
	for i := 0; i <= len(line); i++ {
		space := i == len(line) || strings.IndexByte(" \t\r\v\f", line[i]) >= 0
		if !space && start < 0 {
			start = i
		}
		if space && start >= 0 {
			fields = append(fields, field{text: line[start:i], line: number, column: start + 1})
			start = -1
		}
	}
	return fields
}

// integer reads a whole number from lo to hi.
func (f field) integer(lo, hi int64) (int64, bool) {
	v, err := strconv.ParseInt(f.text, 10, 64)
	return v, err == nil && v >= lo && v <= hi
}

// number reads a real number from lo to hi.
func (f field) number(lo, hi float64) (float64, bool) {
	v, err := strconv.ParseFloat(f.text, 64)
	return v, err == nil && v >= lo && v <= hi
}

// rateUnit returns a unit of rates, as ns-3 spells them, in bit/s: "Gbps",
// "Mb/s", "KiB/s", ... None is bit/s.
func rateUnit(unit string) (scale int64, ok bool) {
	scale = 1
	n := max(0, len(unit)-3)
	switch unit[n:] {
	case "bps", "b/s", "":
	case "Bps", "B/s":
		scale = 8
	default:
		return 0, false
	}
	switch unit[:n] {
	case "":
	case "k", "K":
		scale *= 1e3
	case "M":
		scale *= 1e6
	case "G":
		scale *= 1e9
	case "T":
		scale *= 1e12
	case "Ki":
		scale <<= 10
	case "Mi":
		scale <<= 20
	case "Gi":
		scale <<= 30
	default:
		return 0, false
	}
	return scale, true
}

// timeUnit returns a unit of times, as ns-3 spells them, in ps. None is
// seconds.
func timeUnit(unit string) (scale int64, ok bool) {
	switch unit {
	case "", "s":
		return int64(sim.Second), true
	case "ms":
		return int64(sim.Millisecond), true
	case "us":
		return int64(sim.Microsecond), true
	case "ns":
		return int64(sim.Nanosecond), true
	case "ps":
		return int64(sim.Picosecond), true
	}
	return 0, false
}

// quantity reads a number with a unit, exactly, rounded down; false if it is
// none or is beyond limit.
func (f field) quantity(unit func(string) (int64, bool), limit int64) (int64, bool) {
	end := len(f.text)
	for end > 0 && !isDigit(f.text[end-1]) && f.text[end-1] != '.' {
		end--
	}
	scale, known := unit(f.text[end:])
	if !known || !isDecimal(f.text[:end]) {
		return 0, false
	}
	v, ok := new(big.Rat).SetString(f.text[:end])
	if !ok {
		return 0, false
	}
	v.Mul(v, new(big.Rat).SetInt64(scale))
	whole := new(big.Int).Quo(v.Num(), v.Denom())
	if !whole.IsInt64() || whole.Int64() > limit {
		return 0, false
	}
	return whole.Int64(), true
}

// maxDigits bounds the work on one number.
const maxDigits = 40

// isDecimal reports whether s is digits with at most one point.
func isDecimal(s string) bool {
	if s == "" || len(s) > maxDigits || strings.Count(s, ".") > 1 {
		return false
	}
	return strings.Trim(s, "0123456789.") == ""
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// numeric reports whether f begins as a node id does, or a negative one.
func (f field) numeric() bool {
	return isDigit(f.text[0]) || f.text[0] == '-'
}

// whole reads a whole number from lo to hi.
func (r *report) whole(f field, lo, hi int64) int64 {
	v, ok := f.integer(lo, hi)
	if !ok {
		r.bad(f, fmt.Sprintf("a whole number from %d to %d", lo, hi))
	}
	return v
}

// rate reads a rate of at least least.
func (r *report) rate(f field, least sim.Rate) sim.Rate {
	v, ok := f.quantity(rateUnit, int64(topo.MaxRate))
	if !ok || sim.Rate(v) < least {
		r.bad(f, fmt.Sprintf("a rate from %v to %v like 100Gbps or 50Mb/s", least, topo.MaxRate))
	}
	return sim.Rate(v)
}

// nanoseconds converts a time in seconds to whole nanoseconds as ns-3 does: the
// binary value of the number is taken as exact and rounded down, so 2.000009913
// becomes 2000009912. Preconditions: 0 <= seconds < 2^53 ns.
func nanoseconds(seconds float64) int64 {
	const perSecond = 1e9
	floor := math.Floor(seconds * perSecond)
	if math.FMA(seconds, perSecond, -floor) < 0 {
		floor-- // the product had been rounded up to a whole number
	}
	return int64(floor)
}
