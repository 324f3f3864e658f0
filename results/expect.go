package results

import (
	"fmt"
	"slices"
	"strings"
)

// Operator compares a metric with the value of an expect clause.
type Operator string

// Operators of expect clauses. Near has a tolerance: "~= 98Gbps +- 0.3%".
const (
	Equal        Operator = "=="
	NotEqual     Operator = "!="
	Less         Operator = "<"
	LessEqual    Operator = "<="
	Greater      Operator = ">"
	GreaterEqual Operator = ">="
	Near         Operator = "~="
)

// Label narrows a metric to a part of the run, as {workload=storage}.
type Label struct{ Key, Value string }

// Expectation is one parsed expect clause.
type Expectation struct {
	// Text is the clause as written.
	Text   string
	Metric string
	Labels []Label
	Op     Operator
	// Value is in the base unit of the metric.
	Value float64
	// Tolerance of Near, in the base unit of the metric.
	Tolerance float64
	// bound is the right-hand side as written, for messages.
	bound string
}

// Label returns the value of a label, and whether the clause has it.
func (e *Expectation) Label(key string) (string, bool) {
	for _, l := range e.Labels {
		if l.Key == key {
			return l.Value, true
		}
	}
	return "", false
}

// SyntaxError says what is wrong with an expect clause and where.
type SyntaxError struct {
	// Column counts bytes from 1.
	Column  int
	Message string
}

// Error returns the message with the column.
func (e *SyntaxError) Error() string { return fmt.Sprintf("column %d: %s", e.Column, e.Message) }

// ParseExpectation reads one expect clause:
//
//	metric[{key=value,...}] operator value[unit] [+- tolerance]
//
// The operator is one of == != < <= > >= and ~=; only ~= has a tolerance, which
// is a percentage of the value or a quantity of the same unit. The error is
// always a *SyntaxError.
func ParseExpectation(text string) (Expectation, error) {
	p := &expectParser{text: text}
	e := Expectation{Text: strings.TrimSpace(text)}
	info := p.metric(&e)
	p.labels(&e, info)
	p.operator(&e)
	p.bound(&e, info)
	p.end()
	if p.err != nil {
		return Expectation{}, p.err
	}
	return e, nil
}

// expectParser reads a clause from left to right; after the first error every
// step does nothing.
type expectParser struct {
	text string
	pos  int
	err  *SyntaxError
}

func (p *expectParser) fail(at int, format string, args ...any) {
	if p.err == nil {
		p.err = &SyntaxError{Column: at + 1, Message: fmt.Sprintf(format, args...)}
	}
}

// take skips blanks and returns the longest run of bytes that accept admits,
// with the place where it begins.
func (p *expectParser) take(accept func(byte) bool) (string, int) {
	for p.pos < len(p.text) && (p.text[p.pos] == ' ' || p.text[p.pos] == '\t') {
		p.pos++
	}
	start := p.pos
	for p.pos < len(p.text) && accept(p.text[p.pos]) {
		p.pos++
	}
	return p.text[start:p.pos], start
}

// literal consumes want if it comes next.
func (p *expectParser) literal(want string) bool {
	_, start := p.take(func(byte) bool { return false })
	if strings.HasPrefix(p.text[start:], want) {
		p.pos = start + len(want)
		return true
	}
	return false
}

// rest describes what comes next, for messages.
func (p *expectParser) rest() string {
	if p.pos >= len(p.text) {
		return "the end"
	}
	rest := []rune(p.text[p.pos:])
	if len(rest) > 20 {
		return fmt.Sprintf("%q", string(rest[:20])+"...")
	}
	return fmt.Sprintf("%q", string(rest))
}

func (p *expectParser) metric(e *Expectation) MetricInfo {
	word, start := p.take(isMetricByte)
	if word == "" {
		p.fail(start, "want the name of a metric, such as drops.lossless, found %s", p.rest())
		return MetricInfo{}
	}
	e.Metric = word
	info, ok := DescribeMetric(word)
	if !ok {
		p.fail(start, "unknown metric %q%s", word, didYouMean(word, MetricNames()))
	}
	return info
}

func (p *expectParser) labels(e *Expectation, info MetricInfo) {
	if p.err != nil || !p.literal("{") {
		return
	}
	for {
		key, start := p.take(isMetricByte)
		if !slices.Contains(info.Labels, key) {
			p.fail(start, "%s cannot be narrowed by %q, %s", info.Name, key, allowedLabels(info))
		}
		if _, double := e.Label(key); double {
			p.fail(start, "%s is given twice", key)
		}
		if p.err == nil && !p.literal("=") {
			p.fail(p.pos, "want = after %s, found %s", key, p.rest())
		}
		value, at := p.take(isLabelByte)
		value = strings.TrimSpace(value)
		if value == "" {
			p.fail(at, "%s has no value", key)
		}
		e.Labels = append(e.Labels, Label{key, value})
		if p.err != nil || p.literal("}") {
			return
		}
		if !p.literal(",") {
			p.fail(p.pos, "want , or } in the braces, found %s", p.rest())
			return
		}
	}
}

func allowedLabels(info MetricInfo) string {
	if len(info.Labels) == 0 {
		return "it takes no braces"
	}
	return "allowed: " + strings.Join(info.Labels, ", ")
}

func (p *expectParser) operator(e *Expectation) {
	if p.err != nil {
		return
	}
	// Longer operators first, so that <= is not read as <.
	for _, op := range []Operator{Equal, NotEqual, LessEqual, GreaterEqual, Near, Less, Greater} {
		if p.literal(string(op)) {
			e.Op = op
			return
		}
	}
	p.fail(p.pos, "want one of == != < <= > >= ~= after %s, found %s", e.Metric, p.rest())
}

func (p *expectParser) bound(e *Expectation, info MetricInfo) {
	if p.err != nil {
		return
	}
	e.Value, e.bound = p.quantity(info.Unit)
	tolerant := p.literal("+-")
	switch {
	case tolerant && e.Op != Near:
		p.fail(p.pos-2, "a tolerance goes with ~= only, not with %s", e.Op)
	case !tolerant && e.Op == Near:
		p.fail(p.pos, "~= needs a tolerance, such as +- 1%%, found %s", p.rest())
	case tolerant:
		p.tolerance(e, info)
	}
}

// tolerance reads a percentage of the value, or a quantity of its unit.
func (p *expectParser) tolerance(e *Expectation, info MetricInfo) {
	number, _ := p.take(isNumberByte)
	if p.err == nil && number != "" && p.literal("%") {
		share, err := Ratio.parse(number, "%")
		if err != nil {
			p.fail(p.pos, "%v", err)
		}
		e.Tolerance = share * e.Value
		e.bound += " +- " + number + "%"
		return
	}
	p.pos -= len(number)
	var text string
	e.Tolerance, text = p.quantity(info.Unit)
	e.bound += " +- " + text
}

// quantity reads number and unit; it returns the value in base units and the
// text.
func (p *expectParser) quantity(unit Unit) (float64, string) {
	if p.err != nil {
		return 0, ""
	}
	number, start := p.take(isNumberByte)
	if number == "" {
		p.fail(start, "want %v, found %s", unit, p.rest())
		return 0, ""
	}
	word, _ := p.take(isUnitByte)
	value, err := unit.parse(number, word)
	if err != nil {
		p.fail(start, "%v", err)
	}
	if word == "" || word == "%" {
		return value, number + word
	}
	return value, number + " " + word
}

func (p *expectParser) end() {
	if p.err != nil {
		return
	}
	if rest, start := p.take(func(byte) bool { return true }); strings.TrimSpace(rest) != "" {
		p.fail(start, "the clause should end here, found %q", rest)
	}
}

func isLetter(b byte) bool     { return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' }
func isDigit(b byte) bool      { return '0' <= b && b <= '9' }
func isMetricByte(b byte) bool { return isLetter(b) || isDigit(b) || b == '.' || b == '_' }
func isNumberByte(b byte) bool { return isDigit(b) || b == '.' }
func isUnitByte(b byte) bool   { return isLetter(b) || b == '%' }
func isLabelByte(b byte) bool  { return b != ',' && b != '}' }

// didYouMean suggests the nearest candidates, in words.
func didYouMean(word string, candidates []string) string {
	near := nearest(word, candidates)
	if len(near) == 0 {
		return "; allowed: " + strings.Join(candidates, ", ")
	}
	return "; did you mean " + strings.Join(near, ", ") + "?"
}
