package strict

import (
	"fmt"
	"reflect"
	"strings"
)

// FieldDoc describes one key that a file may have, for documentation and
// shells.
type FieldDoc struct {
	// Path is the key with its parents; "[]" marks an element of a list.
	Path string
	// Variant is the value of the key that selects the group the key is in, or
	// empty: the key then belongs to all.
	Variant string
	// Allowed are limits or texts, as the error messages give them; or empty.
	Allowed string
	// Instead are the keys of which only one may be given beside this.
	Instead []string
	Field
}

// Describe lists the keys of a group in the order of its fields, those of groups in it behind the group,
// those of variants behind the common ones.
func (s Shape) Describe() []FieldDoc { return s.describe("", "") }

func (s Shape) describe(prefix, variant string) []FieldDoc {
	out := describeFields(s.Fields, s.Fields, prefix, variant)
	for _, v := range s.Variants {
		var own []Field
		for _, f := range v.Fields {
			if !hasKey(s.Fields, f.Key) {
				own = append(own, f)
			}
		}
		out = append(out, describeFields(own, v.Fields, prefix, v.Name)...)
	}
	return out
}

// describeFields describes some of the fields of a group.
func describeFields(fields, group []Field, prefix, variant string) []FieldDoc {
	var out []FieldDoc
	for _, f := range fields {
		doc := FieldDoc{Path: prefix + f.Key, Variant: variant, Allowed: f.allowed(), Field: f}
		for _, other := range group {
			if f.Group != "" && other.Group == f.Group && other.Key != f.Key {
				doc.Instead = append(doc.Instead, other.Key)
			}
		}
		out = append(out, doc)
		out = append(out, f.Shape.below(prefix+f.Key, variant)...)
	}
	return out
}

// below describes the keys under a path. Those of patches are the keys of what
// they change, which stand elsewhere.
func (s Shape) below(path, variant string) []FieldDoc {
	switch {
	case s.Kind == KindGroup && !s.Patch:
		return s.describe(path+".", variant)
	case s.Kind == KindList:
		return s.Element.below(path+"[]", variant)
	}
	var out []FieldDoc
	for _, c := range s.Choices {
		out = append(out, c.below(path, variant)...)
	}
	return out
}

func hasKey(fields []Field, key string) bool {
	for _, f := range fields {
		if f.Key == key {
			return true
		}
	}
	return false
}

// allowed says what limits allow.
func (s Shape) allowed() string {
	if s.Kind == KindList {
		return s.Element.allowed()
	}
	if s.Kind == KindMap && s.KeyMax > 0 {
		return fmt.Sprintf("keys %d to %d, values %s", s.KeyMin, s.KeyMax, s.Element.allowed())
	}
	switch {
	case s.Enum != nil:
		return strings.Join(s.Enum, ", ")
	case s.Min != "" && s.Max != "":
		return s.Min + " to " + s.Max
	case s.Min != "":
		return "at least " + s.Min
	case s.Max != "":
		return "at most " + s.Max
	default:
		return ""
	}
}

// takes names the kind of a value.
func takes(t reflect.Type) string {
	if q := quantityOf(t); q != nil {
		return q.name
	}
	if t.Kind() == reflect.Pointer {
		return takes(t.Elem())
	}
	switch kindOf(t) {
	case KindShare:
		return "a share"
	case KindAlpha:
		return "an alpha"
	case KindBool:
		return "true or false"
	case KindText:
		return "a text"
	case KindList:
		return "a list"
	case KindMap:
		return "a map"
	case KindGroup:
		return "a group"
	default:
		return "a whole number"
	}
}
