package results

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"rocesim/sim"
)

// column is one column of a CSV file: its name with the unit, its meaning, how
// to append its value for row i, and how to set it from text. set is nil if the
// value follows from other columns.
type column struct {
	name, doc string
	append    func(b []byte, i int) []byte
	set       func(i int, text string) error
}

// table is a CSV file with rows 0..rows-1, written row by row so that a file
// of millions of flows is never held in memory.
type table struct {
	file, doc string
	rows      int
	columns   []column
	// add makes room for one more row while a file is read.
	add func()
}

// write writes header and rows.
func (t *table) write(w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	line := append(t.header(), '\n')
	for i := range t.rows {
		if _, err := out.Write(line); err != nil {
			return err
		}
		line = append(t.appendRow(line[:0], i), '\n')
	}
	if _, err := out.Write(line); err != nil {
		return err
	}
	return out.Flush()
}

// header returns the first line.
func (t *table) header() []byte {
	var line []byte
	for c := range t.columns {
		line = append(appendComma(line, c), t.columns[c].name...)
	}
	return line
}

func (t *table) appendRow(line []byte, i int) []byte {
	for c := range t.columns {
		line = t.columns[c].append(appendComma(line, c), i)
	}
	return line
}

func appendComma(b []byte, column int) []byte {
	if column > 0 {
		return append(b, ',')
	}
	return b
}

// The following make columns of what a run holds, which can be read back: the
// function gives the place of row i's value.

func textColumn(name, doc string, field func(i int) *string) column {
	return column{name, doc, func(b []byte, i int) []byte { return appendText(b, *field(i)) },
		func(i int, text string) error {
			*field(i) = text
			return nil
		}}
}

// integer is what rows hold whole numbers in.
type integer interface {
	~int64 | ~int32 | ~uint32 | ~uint16 | ~uint8
}

// intColumn is for counts and sizes.
func intColumn[T integer](name, doc string, field func(i int) *T) column {
	return column{name, doc, func(b []byte, i int) []byte { return appendInt(b, int64(*field(i))) },
		func(i int, text string) (err error) {
			*field(i), err = parseInt[T](text)
			return err
		}}
}

func appendInt(b []byte, v int64) []byte { return strconv.AppendInt(b, v, 10) }

// parseInt reads a whole number that is not negative and fits.
func parseInt[T integer](text string) (T, error) {
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v < 0 || int64(T(v)) != v {
		return 0, notA("a whole number", text)
	}
	return T(v), nil
}

// flagColumn is 1 or 0.
func flagColumn(name, doc string, field func(i int) *bool) column {
	return column{name, doc, func(b []byte, i int) []byte {
		if *field(i) {
			return append(b, '1')
		}
		return append(b, '0')
	}, func(i int, text string) error {
		if text != "0" && text != "1" {
			return notA("0 or 1", text)
		}
		*field(i) = text == "1"
		return nil
	}}
}

// floatColumn prints six significant digits: more would be noise.
func floatColumn(name, doc string, field func(i int) *float64) column {
	return column{name, doc, func(b []byte, i int) []byte { return appendFloat(b, *field(i)) },
		func(i int, text string) (err error) {
			*field(i), err = parseFloat(text)
			return err
		}}
}

// rateColumn prints Gb/s in full.
func rateColumn(name, doc string, field func(i int) *sim.Rate) column {
	return column{name, doc, func(b []byte, i int) []byte { return appendDecimal(b, int64(*field(i)), 9) },
		func(i int, text string) error {
			v, err := parseDecimal(text, 9)
			*field(i) = sim.Rate(v)
			return err
		}}
}

// timeColumn prints microseconds, exact to the picosecond; unknown values (not
// positive) are empty where blank is set.
func timeColumn(name, doc string, blank bool, field func(i int) *sim.Time) column {
	return column{name, doc, func(b []byte, i int) []byte {
		if t := *field(i); !blank || t > 0 {
			return appendMicros(b, t)
		}
		return b
	}, func(i int, text string) error {
		if blank && text == "" {
			return nil
		}
		v, err := parseDecimal(text, 6)
		*field(i) = sim.Time(v)
		return err
	}}
}

// indexColumn holds the name of something that the run refers to by index.
func indexColumn(name, doc string, field func(i int) *int32, nameOf func(index int32) string, find func(name string) (int32, error)) column {
	return column{name, doc, func(b []byte, i int) []byte { return appendText(b, nameOf(*field(i))) },
		func(i int, text string) (err error) {
			*field(i), err = find(text)
			return err
		}}
}

// derivedColumn holds what follows from other columns.
func derivedColumn(name, doc string, append func(b []byte, i int) []byte) column {
	return column{name, doc, append, nil}
}

// appendFloat avoids exponents for the usual magnitudes, which spreadsheets
// read better.
func appendFloat(b []byte, v float64) []byte {
	if v != 0 && (v >= 1e15 || v < 1e-6 && v > -1e-6) {
		return strconv.AppendFloat(b, v, 'g', 6, 64)
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64)
	if err != nil {
		rounded = v
	}
	return strconv.AppendFloat(b, rounded, 'f', -1, 64)
}

func parseFloat(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, notA("a number", text)
	}
	return v, nil
}

// appendMicros prints t in microseconds without floating point.
func appendMicros(b []byte, t sim.Time) []byte { return appendDecimal(b, int64(t), 6) }

// appendDecimal prints v/10^digits without floating point.
func appendDecimal(b []byte, v int64, digits int) []byte {
	if v < 0 {
		b, v = append(b, '-'), -v
	}
	unit := powerOfTen(digits)
	b = strconv.AppendInt(b, v/unit, 10)
	fraction := v % unit
	if fraction == 0 {
		return b
	}
	point := len(b)
	b = strconv.AppendInt(b, fraction+unit, 10) // all digits, behind a 1
	b[point] = '.'
	return bytes.TrimRight(b, "0")
}

// parseDecimal reads what appendDecimal wrote.
func parseDecimal(text string, digits int) (int64, error) {
	whole, fraction, _ := strings.Cut(text, ".")
	if len(fraction) > digits {
		return 0, notA(fmt.Sprintf("a number with at most %d decimals", digits), text)
	}
	v, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", digits-len(fraction)), 10, 64)
	if err != nil || whole == "" {
		return 0, notA("a number", text)
	}
	return v, nil
}

func powerOfTen(n int) int64 {
	v := int64(1)
	for range n {
		v *= 10
	}
	return v
}

// notA says what a value should have been.
func notA(want, text string) error { return fmt.Errorf("%q is not %s", text, want) }

// appendText quotes where RFC 4180 demands it.
func appendText(b []byte, s string) []byte {
	if !strings.ContainsAny(s, ",\"\n\r") {
		return append(b, s...)
	}
	return append(append(append(b, '"'), strings.ReplaceAll(s, `"`, `""`)...), '"')
}
