package strict

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"rocesim/sim"
)

// scalar decodes a single word or number.
func (d *Document) scalar(v Value, target reflect.Value, f *field) {
	text, ok := v.Scalar()
	if !ok {
		v.Failf("%s stands where a single value belongs; %s", v.Describe(), f.wants())
		return
	}
	if target.Kind() == reflect.String {
		d.text(v, target, f, text)
		return
	}
	if target.Kind() == reflect.Bool {
		if text != "true" && text != "false" {
			v.Failf("%s is neither true nor false", quote(text))
			return
		}
		target.SetBool(text == "true")
		return
	}
	number, err := parseNumber(target.Type(), text)
	if err != nil {
		v.Failf("%s", err)
		return
	}
	if problem := f.outside(number); problem != "" {
		v.Failf("%s %s", text, problem)
		return
	}
	target.Set(number)
}

func (d *Document) text(v Value, target reflect.Value, f *field, text string) {
	if allowed := f.enum(); allowed != nil && !slices.Contains(allowed, text) {
		v.Failf("%s", Unknown("value", text, allowed))
		return
	}
	if text == "" {
		v.Failf("an empty text; %s", f.wants())
		return
	}
	target.SetString(text)
}

// parseNumber reads text as a value of type t, in that type's notation.
func parseNumber(t reflect.Type, text string) (reflect.Value, error) {
	switch t {
	case reflect.TypeFor[sim.Time]():
		return valueOf(ParseTime(text))
	case reflect.TypeFor[sim.Rate]():
		return valueOf(ParseRate(text))
	case reflect.TypeFor[Bytes]():
		return valueOf(ParseBytes(text))
	case reflect.TypeFor[Length]():
		return valueOf(ParseLength(text))
	case reflect.TypeFor[Fraction]():
		return valueOf(ParseFraction(text))
	case reflect.TypeFor[Alpha]():
		return valueOf(ParseAlpha(text))
	}
	out := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Int:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return out, fmt.Errorf("%s is not a whole number", quote(text))
		}
		out.SetInt(n)
	case reflect.Uint64:
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return out, fmt.Errorf("%s is not a whole number from 0 to 18446744073709551615", quote(text))
		}
		out.SetUint(n)
	default:
		panic("strict: no way to read " + t.String())
	}
	return out, nil
}

func valueOf[T any](v T, err error) (reflect.Value, error) { return reflect.ValueOf(v), err }

// outside says how a number violates min and max, or "".
func (f *field) outside(number reflect.Value) string {
	low, high := f.limit("min"), f.limit("max")
	tooLow := low != "" && less(number, bound(number.Type(), low))
	tooHigh := high != "" && less(bound(number.Type(), high), number)
	switch {
	case !tooLow && !tooHigh:
		return ""
	case high == "":
		return "is below the least allowed, " + low
	case low == "":
		return "is above the most allowed, " + high
	default:
		return "is outside the allowed " + low + " to " + high
	}
}

func bound(t reflect.Type, text string) reflect.Value {
	v, err := parseNumber(t, text)
	if err != nil {
		panic("strict: bad limit in a tag: " + err.Error())
	}
	return v
}

func less(a, b reflect.Value) bool {
	switch {
	case a.CanInt():
		return a.Int() < b.Int()
	case a.CanUint():
		return a.Uint() < b.Uint()
	default:
		return a.Float() < b.Float()
	}
}

// wants says what a field takes, from its tags.
func (f *field) wants() string {
	text := f.key + " is " + f.tag.Get("doc")
	if allowed := f.enum(); allowed != nil {
		text += " (allowed: " + strings.Join(allowed, ", ") + ")"
	}
	if example := exampleOf(f.typ); example != "" {
		text += ", such as " + example
	}
	return text
}

func exampleOf(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if q := quantityOf(t); q != nil {
		return q.examples
	}
	switch t {
	case reflect.TypeFor[Fraction]():
		return "20% or 0.2"
	case reflect.TypeFor[Alpha]():
		return "1/8"
	}
	return ""
}

// quantityOf returns the notation of a type that has a unit, or nil.
func quantityOf(t reflect.Type) *quantity {
	var q quantity
	switch t {
	case reflect.TypeFor[sim.Time]():
		q = timeQuantity()
	case reflect.TypeFor[sim.Rate]():
		q = rateQuantity()
	case reflect.TypeFor[Bytes]():
		q = bytesQuantity()
	case reflect.TypeFor[Length]():
		q = lengthQuantity()
	default:
		return nil
	}
	return &q
}

// Number decodes a value such as a count into an int within limits.
func (v Value) Number(low, high int) (int, bool) {
	text, ok := v.Scalar()
	n, err := strconv.Atoi(text)
	if !ok || err != nil || v.node.Kind != yaml.ScalarNode {
		return 0, false
	}
	if n < low || n > high {
		v.Failf("%d is outside the allowed %d to %d", n, low, high)
		return low, true
	}
	return n, true
}

// Indexed is the path of an element of the list at a path.
func Indexed(path string, i int) string { return path + "[" + itoa(i) + "]" }

func joined(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func itoa(i int) string { return strconv.Itoa(i) }
