package workload

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// maxCDFErrors bounds what is reported about one file, which may be no CDF at
// all.
const maxCDFErrors = 20

// ParseCDF reads lines of "bytes cumulative_percent", as the HPCC and ConWeave
// traffic generators do; a comma may stand between the two. Blank lines and
// comments after # are skipped. It reports every error as name:line:column.
func ParseCDF(name string, data []byte) (*CDF, error) {
	p := cdfParser{name: name}
	for text := range strings.Lines(string(data)) {
		p.line++
		p.parseLine(text)
		if len(p.errs) >= maxCDFErrors {
			p.fail(1, "more errors are not shown")
			break
		}
	}
	if p.errs == nil && len(p.points) == 0 {
		p.line = 1
		p.fail(1, "the file has no points; lines of two numbers (bytes, cumulative percent) up to 100 %% are needed")
	}
	if p.errs != nil {
		return nil, errors.Join(p.errs...)
	}
	if last := p.points[len(p.points)-1]; last.Percent != 100 {
		p.line = p.lastLine
		p.fail(p.percentColumn, "%s", lastProblem(last))
		return nil, errors.Join(p.errs...)
	}
	return NewCDF(p.points)
}

// cdfParser holds where the parser is.
type cdfParser struct {
	name          string
	points        []Point
	errs          []error
	line          int
	lastLine      int // of the last point
	percentColumn int // of the last point
}

func (p *cdfParser) fail(column int, format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf("%s:%d:%d: %s", p.name, p.line, column, fmt.Sprintf(format, args...)))
}

func (p *cdfParser) parseLine(text string) {
	text, _, _ = strings.Cut(text, "#")
	fields, columns := splitFields(text)
	if len(fields) == 0 {
		return
	}
	if len(fields) != 2 {
		p.fail(columns[min(2, len(columns)-1)], "read %d fields; two are needed: bytes and cumulative percent", len(fields))
		return
	}
	bytes, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		p.fail(columns[0], "read %s; a whole number of bytes is needed", quote(fields[0]))
	}
	percent, perr := strconv.ParseFloat(fields[1], 64)
	if perr != nil {
		p.fail(columns[1], "read %s; a percentage from 0 to 100 is needed", quote(fields[1]))
	}
	if err != nil || perr != nil {
		return
	}
	previous := Point{}
	if len(p.points) > 0 {
		previous = p.points[len(p.points)-1]
	}
	point := Point{bytes, percent}
	if text := pointProblem(point, previous, len(p.points) == 0); text != "" {
		p.fail(columns[0], "%s", text)
		return
	}
	p.points = append(p.points, point)
	p.lastLine, p.percentColumn = p.line, columns[1]
}

// splitFields returns the fields of a line and the columns at which they
// begin, counted from 1 in bytes.
func splitFields(text string) (fields []string, columns []int) {
	rest, column := text, 1
	for {
		trimmed := strings.TrimLeft(rest, " \t\r\n,")
		column += len(rest) - len(trimmed)
		if trimmed == "" {
			return fields, columns
		}
		end := strings.IndexAny(trimmed, " \t\r\n,")
		if end < 0 {
			end = len(trimmed)
		}
		fields = append(fields, trimmed[:end])
		columns = append(columns, column)
		rest = trimmed[end:]
		column += end
	}
}

// quote shows what was read, shortened.
func quote(s string) string {
	const longest = 40
	if len(s) > longest {
		return strconv.Quote(s[:longest]) + "…"
	}
	return strconv.Quote(s)
}
