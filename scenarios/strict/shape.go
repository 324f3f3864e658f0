package strict

import (
	"reflect"
	"slices"
	"strings"
)

// Kind tells what a value of a file is.
type Kind int

// The kinds of values. A KindChoice is one of several shapes; a KindAny is not
// described further.
const (
	KindAny Kind = iota
	KindText
	KindBool
	KindInteger
	KindQuantity
	KindShare
	KindAlpha
	KindList
	KindMap
	KindGroup
	KindChoice
)

// Shape is what a value of a file may look like: what Decode reads, for
// documentation, editors and shells.
type Shape struct {
	Kind Kind
	// Takes says it in words: "a time", "true or false", ...
	Takes string
	// Enum lists the only texts allowed, Preset the kind of preset that the text
	// names; both may be empty.
	Enum   []string
	Preset string
	// Min and Max are limits in the notation of the file, or empty.
	Min, Max string
	// Pattern is a regular expression that a value written as text matches, in
	// the notation that Go and ECMAScript share. Examples are such texts.
	Pattern, Examples string
	// Element is that of a list or a map. Of a map with numbers as keys, KeyMin
	// and KeyMax are their limits; other maps have 0 and 0.
	Element        *Shape
	KeyMin, KeyMax int
	// MinItems and MaxItems are limits of the length of a list or text; 0 is
	// none.
	MinItems, MaxItems int
	// Fields are the keys of a group, in order. In a Patch none is required, as
	// it changes something that is complete.
	Fields []Field
	Patch  bool
	// Select is the key whose value decides which of Variants the group is; its
	// Fields are then those of every variant.
	Select   string
	Variants []Variant
	// Choices are the shapes of which the value has one.
	Choices []Shape
}

// Field is one key of a group.
type Field struct {
	Key string
	Shape
	// Required keys must be given, or another of the same Group. Of a Group at
	// most one may be given.
	Required bool
	Group    string
	// Default is what holds if the key is not given: a text, number, truth value
	// or list. It is nil if that is nothing, or comes from a preset.
	Default any
	Doc     string
}

// Variant is a group with all its fields, under the value of the key that
// selects it.
type Variant struct {
	Name string
	Shape
}

// Shaped is implemented (on the pointer) by Custom types to say what they read.
type Shaped interface {
	Custom
	Shape() Shape
}

// ShapeOf describes a struct, or what a pointer points to. Its values are the
// defaults.
func ShapeOf(of any) Shape {
	return groupShape(reflect.Indirect(reflect.ValueOf(of)))
}

// PatchShape describes what Value.Patch reads with a key match beside it: the
// fields of a struct but for those named.
func PatchShape(of any, but ...string) Shape {
	match := Field{Key: "match", Shape: TextShape("a pattern"), Required: true, Doc: "the name of what is changed, or a pattern"}
	s := Shape{Kind: KindGroup, Takes: "a group", Patch: true, Fields: []Field{match}}
	v := reflect.ValueOf(of)
	for _, f := range fieldsOf(v.Type()) {
		if !slices.Contains(but, f.key) {
			s.Fields = append(s.Fields, patched(f.described(v.FieldByIndex(f.index))))
		}
	}
	return s
}

// patched takes away what a patch does not have: required keys and defaults.
func patched(f Field) Field {
	f.Required, f.Default = false, nil
	f.Shape = patchedShape(f.Shape)
	return f
}

func patchedShape(s Shape) Shape {
	if s.Element != nil {
		e := patchedShape(*s.Element)
		s.Element = &e
	}
	fields := s.Fields
	s.Fields = nil
	for _, f := range fields {
		s.Fields = append(s.Fields, patched(f))
	}
	return s
}

// SelectShape describes a group of which one key decides what the others are:
// common holds that key and what all have, make returns the struct for each
// value that the key may have.
func SelectShape(key string, common any, make func(value string) any) Shape {
	s := ShapeOf(common)
	s.Select = key
	for _, f := range s.Fields {
		if f.Key != key {
			continue
		}
		for _, value := range f.Enum {
			s.Variants = append(s.Variants, Variant{value, ShapeOf(make(value))})
		}
	}
	return s
}

// TextShape describes a text; takes says which, with its article.
func TextShape(takes string) Shape { return Shape{Kind: KindText, Takes: takes} }

// IntegerShape describes a whole number within limits.
func IntegerShape(low, high int) Shape {
	return Shape{Kind: KindInteger, Takes: "a whole number", Pattern: integerPattern, Min: itoa(low), Max: itoa(high)}
}

// ListShape describes a list with limits of its length; 0 is none.
func ListShape(element Shape, least, most int) Shape {
	return Shape{Kind: KindList, Takes: "a list", Element: &element, MinItems: least, MaxItems: most}
}

// TableShape describes a group with free keys.
func TableShape(element Shape) Shape {
	return Shape{Kind: KindMap, Takes: "a group", Element: &element}
}

// ChoiceShape describes a value that has one of several shapes.
func ChoiceShape(takes string, choices ...Shape) Shape {
	return Shape{Kind: KindChoice, Takes: takes, Choices: choices}
}

const integerPattern = `^[+-]?[0-9]+$`

// groupShape describes a struct.
func groupShape(v reflect.Value) Shape {
	s := Shape{Kind: KindGroup, Takes: "a group"}
	for _, f := range fieldsOf(v.Type()) {
		s.Fields = append(s.Fields, f.described(v.FieldByIndex(f.index)))
	}
	return s
}

// described is the key with its default.
func (f *field) described(v reflect.Value) Field {
	out := Field{Key: f.key, Shape: shapeOf(v, f), Required: f.needed, Group: f.group, Doc: f.tag.Get("doc")}
	if out.Kind != KindGroup && !v.IsZero() {
		out.Default = plainValue(v)
	}
	return out
}

// plainValue is v as YAML reads what Encode writes of it.
func plainValue(v reflect.Value) any {
	var out any
	if err := encode(addressable(v)).Decode(&out); err != nil {
		panic("strict: a default that cannot be written: " + err.Error())
	}
	return out
}

// shapeOf describes a value that the tags of f limit.
func shapeOf(v reflect.Value, f *field) Shape {
	t := v.Type()
	if isCustom(t) {
		return customShape(v)
	}
	s := Shape{Kind: kindOf(t), Takes: takes(t)}
	switch s.Kind {
	case KindList, KindMap:
		element := shapeOf(reflect.New(t.Elem()).Elem(), f)
		s.Element = &element
		if s.Kind == KindMap {
			s.KeyMin, s.KeyMax = keyRange(f)
		}
		return s
	case KindGroup:
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if v.Kind() == reflect.Pointer {
			v = reflect.New(t).Elem() // a default is what holds without the group
		}
		return groupShape(v)
	}
	s.Enum, s.Preset, s.Min, s.Max = f.enum(), f.tag.Get("preset"), f.limit("min"), f.limit("max")
	s.Pattern, s.Examples = patternOf(t), exampleOf(t)
	if t.Kind() == reflect.Uint64 && s.Min == "" {
		s.Min = "0"
	}
	if s.Kind == KindText && s.Enum == nil {
		s.MinItems = 1
	}
	s.checkLimits(t)
	return s
}

// checkLimits panics if limits are not in the notation of the type.
func (s *Shape) checkLimits(t reflect.Type) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for _, limit := range []string{s.Min, s.Max} {
		if limit != "" {
			bound(t, limit)
		}
	}
}

func customShape(v reflect.Value) Shape {
	t := v.Type()
	if t.Kind() == reflect.Pointer {
		v = reflect.New(t.Elem()).Elem()
	}
	if s, ok := addressable(v).Addr().Interface().(Shaped); ok {
		return s.Shape()
	}
	return Shape{}
}

// patternOf is what a scalar of type t matches if it is written as text.
func patternOf(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	const number = `[+-]?[0-9]+(\.[0-9]+)?`
	if q := quantityOf(t); q != nil {
		var names []string
		for _, u := range q.units {
			names = append(names, u.name)
		}
		return `^` + number + ` *(` + strings.Join(names, "|") + `)$`
	}
	switch kindOf(t) {
	case KindShare:
		return `^` + number + `(e-[0-9]+)? *%?$`
	case KindAlpha:
		return `^(` + number + `(/` + number + `)?|2\^[+-]?[0-9]+)$`
	case KindInteger:
		return integerPattern
	default:
		return ""
	}
}

func kindOf(t reflect.Type) Kind {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t {
	case reflect.TypeFor[Fraction]():
		return KindShare
	case reflect.TypeFor[Alpha]():
		return KindAlpha
	}
	if quantityOf(t) != nil {
		return KindQuantity
	}
	switch t.Kind() {
	case reflect.Bool:
		return KindBool
	case reflect.String:
		return KindText
	case reflect.Slice:
		return KindList
	case reflect.Map:
		return KindMap
	case reflect.Struct:
		return KindGroup
	default:
		return KindInteger
	}
}

func isCustom(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return reflect.PointerTo(t).Implements(reflect.TypeFor[Custom]())
}

// Shape says that the keys are not known here.
func (r *Raw) Shape() Shape { return Shape{Kind: KindAny, Takes: "a group"} }
