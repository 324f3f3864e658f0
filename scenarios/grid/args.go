package grid

import (
	"errors"
	"fmt"
	"strings"

	"rocesim/scenarios/strict"
)

// ParseArg reads "path=value,value,..." from a command line. Commas within
// brackets, braces or quotes belong to a value. A value may be a range such as
// {from: 100KB, to: 800KB, step: 100KB}. One value alone gives an axis that
// does not move. The error is of type strict.Errors.
func ParseArg(arg string) (Axis, error) {
	pos := strict.Pos{File: "--set " + arg}
	path, text, ok := strings.Cut(arg, "=")
	fail := func(format string, args ...any) (Axis, error) {
		return Axis{}, strict.Errors{{Pos: pos, Path: path, Text: fmt.Sprintf(format, args...)}}
	}
	if path = strings.TrimSpace(path); !ok || path == "" {
		path = ""
		return fail("allowed: path=value,value,... such as switch.ecn.kmin=100KB,200KB")
	}
	axis := Axis{Path: path, Pos: pos}
	for _, part := range SplitCommas(text) {
		part = strings.TrimSpace(part)
		switch {
		case part == "":
			return fail("nothing stands between two commas or behind the equals sign; each place needs a value")
		case strings.HasPrefix(part, "{") && strings.Contains(part, "from:"):
			values, err := spanArg(part, pos)
			if err != nil {
				return Axis{}, err
			}
			axis.Values = append(axis.Values, values...)
		default:
			axis.Values = append(axis.Values, Value{part, strict.Pos{File: "--set " + path + "=" + part}})
		}
	}
	if twice, again := repeated(axis.Values); again {
		return fail("%s is given twice", twice)
	}
	return axis, nil
}

// spanArg reads a range through the same decoder as a file.
func spanArg(text string, pos strict.Pos) ([]Value, error) {
	var into struct {
		Axes Axes `yaml:"axes"`
	}
	doc, err := strict.Read(pos.File, []byte("axes: {value: "+text+"}"))
	if err == nil {
		doc.Decode(&into)
		err = doc.Err()
	}
	var errs strict.Errors
	if errors.As(err, &errs) {
		all := make(strict.Errors, len(errs))
		for i, e := range errs {
			all[i] = strict.Error{Pos: pos, Text: e.Text}
		}
		return nil, all
	}
	for i := range into.Axes[0].Values {
		into.Axes[0].Values[i].Pos = pos
	}
	return into.Axes[0].Values, nil
}

// SplitCommas cuts at commas that stand in no bracket and no quote.
func SplitCommas(text string) []string {
	var parts []string
	depth, start := 0, 0
	var quote byte
	for i := range len(text) {
		c := text[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth <= 0:
			parts = append(parts, text[start:i])
			start = i + 1
		}
	}
	return append(parts, text[start:])
}
