package results

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"strings"

	"rocesim/sim"
)

// column is one column of a CSV file: its name with the unit, its meaning, and
// how to append its value for row i.
type column struct {
	name, doc string
	append    func(b []byte, i int) []byte
}

// table is a CSV file with rows 0..rows-1, written row by row so that a file
// of millions of flows is never held in memory.
type table struct {
	file, doc string
	rows      int
	columns   []column
}

// write writes header and rows.
func (t *table) write(w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	var line []byte
	for c := range t.columns {
		line = appendComma(line, c)
		line = append(line, t.columns[c].name...)
	}
	line = append(line, '\n')
	for i := range t.rows {
		if _, err := out.Write(line); err != nil {
			return err
		}
		line = line[:0]
		for c := range t.columns {
			line = t.columns[c].append(appendComma(line, c), i)
		}
		line = append(line, '\n')
	}
	if _, err := out.Write(line); err != nil {
		return err
	}
	return out.Flush()
}

func appendComma(b []byte, column int) []byte {
	if column > 0 {
		return append(b, ',')
	}
	return b
}

// The following make columns from a function that gives the value of row i.

func textColumn(name, doc string, value func(i int) string) column {
	return column{name, doc, func(b []byte, i int) []byte { return appendText(b, value(i)) }}
}

func intColumn(name, doc string, value func(i int) int64) column {
	return column{name, doc, func(b []byte, i int) []byte { return strconv.AppendInt(b, value(i), 10) }}
}

// floatColumn prints six significant digits: more would be noise.
func floatColumn(name, doc string, value func(i int) float64) column {
	return column{name, doc, func(b []byte, i int) []byte { return appendFloat(b, value(i)) }}
}

// timeColumn prints microseconds, exact to the picosecond; unknown values (not
// positive) are empty where blank is set.
func timeColumn(name, doc string, blank bool, value func(i int) sim.Time) column {
	return column{name, doc, func(b []byte, i int) []byte {
		t := value(i)
		if blank && t <= 0 {
			return b
		}
		return appendMicros(b, t)
	}}
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

// appendMicros prints t in microseconds without floating point.
func appendMicros(b []byte, t sim.Time) []byte {
	if t < 0 {
		b, t = append(b, '-'), -t
	}
	b = strconv.AppendInt(b, int64(t/sim.Microsecond), 10)
	fraction := t % sim.Microsecond
	if fraction == 0 {
		return b
	}
	point := len(b)
	b = strconv.AppendInt(b, int64(fraction+sim.Microsecond), 10) // six digits behind a 1
	b[point] = '.'
	return bytes.TrimRight(b, "0")
}

// appendText quotes where RFC 4180 demands it.
func appendText(b []byte, s string) []byte {
	if !strings.ContainsAny(s, ",\"\n\r") {
		return append(b, s...)
	}
	return append(append(append(b, '"'), strings.ReplaceAll(s, `"`, `""`)...), '"')
}
