package strict

import (
	"fmt"
	"reflect"
	"strings"
)

// FieldDoc describes one key that a file may have, for documentation and
// editors.
type FieldDoc struct {
	// Path is the key with its parents; "[]" marks an element of a list.
	Path string
	// Takes says what the value is: "a time", "true or false", ...
	Takes string
	// Allowed are limits or texts, as the error messages give them; or empty.
	Allowed string
	// Required keys must be given.
	Required bool
	Doc      string
}

// Describe lists the keys of a struct in the order of its fields, those of
// groups behind the group. Types that read themselves are described by their
// doc tag only.
func Describe(of any) []FieldDoc { return describeType(reflect.TypeOf(of), "") }

func describeType(t reflect.Type, prefix string) []FieldDoc {
	var out []FieldDoc
	for _, f := range fieldsOf(t) {
		doc := FieldDoc{
			Path: prefix + f.key, Takes: takes(f.typ), Allowed: f.allowed(),
			Required: f.needed, Doc: f.tag.Get("doc"),
		}
		out = append(out, doc)
		inner, suffix := f.typ, "."
		if inner.Kind() == reflect.Slice {
			inner, suffix = inner.Elem(), "[]."
		}
		if inner.Kind() == reflect.Struct && !isCustom(inner) {
			out = append(out, describeType(inner, prefix+f.key+suffix)...)
		}
	}
	return out
}

func isCustom(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[Custom]())
}

// takes names the kind of a value.
func takes(t reflect.Type) string {
	if q := quantityOf(t); q != nil {
		return q.name
	}
	switch {
	case isCustom(t):
		return ""
	case t == reflect.TypeFor[Fraction]():
		return "a share"
	case t == reflect.TypeFor[Alpha]():
		return "an alpha"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return takes(t.Elem())
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text"
	case reflect.Slice:
		return "a list"
	case reflect.Map:
		return "a map"
	case reflect.Struct:
		return "a group"
	default:
		return "a whole number"
	}
}

// allowed says what the tags allow. It panics if they are not in the notation
// of the field.
func (f *field) allowed() string {
	element := f.typ
	for element.Kind() == reflect.Pointer || element.Kind() == reflect.Slice || element.Kind() == reflect.Map {
		element = element.Elem()
	}
	low, high := f.limit("min"), f.limit("max")
	for _, limit := range []string{low, high} {
		if limit != "" {
			bound(element, limit)
		}
	}
	switch {
	case f.enum() != nil:
		return strings.Join(f.enum(), ", ")
	case low != "" && high != "":
		return low + " to " + high
	case low != "":
		return "at least " + low
	case high != "":
		return "at most " + high
	case f.typ.Kind() == reflect.Map:
		from, to := keyRange(f)
		return fmt.Sprintf("keys %d to %d", from, to)
	default:
		return ""
	}
}
