package schema

import (
	"slices"

	"rocesim/scenarios/strict"
)

// group is a group of keys. One that a key selects is checked as that variant
// says; the common keys stand outside too, so that editors know them before the
// selecting key is there.
func (w *writer) group(s strict.Shape) object {
	o := object{{"type", "object"}, {"properties", w.properties(s.Fields)}}
	if s.Select == "" {
		return append(o.with(w.rules(s)...), member{"additionalProperties", false})
	}
	o = append(o, member{"required", []string{s.Select}})
	var cases []object
	for _, v := range s.Variants {
		is := object{{"properties", object{{s.Select, object{{"const", v.Name}}}}}, {"required", []string{s.Select}}}
		cases = append(cases, object{{"if", is}, {"then", w.group(v.Shape)}})
	}
	return append(o, member{"allOf", cases})
}

func (w *writer) properties(fields []strict.Field) object {
	o := object{}
	for _, f := range fields {
		o = append(o, member{f.Key, w.field(f)})
	}
	return o
}

// rules say which keys must be given, and which exclude each other.
func (w *writer) rules(s strict.Shape) []member {
	var required []string
	var all []object
	var groups []string
	for _, f := range s.Fields {
		switch {
		case f.Group == "" && f.Required:
			required = append(required, f.Key)
		case f.Group != "" && !slices.Contains(groups, f.Group):
			groups = append(groups, f.Group)
			all = append(all, alternatives(s.Fields, f.Group)...)
		}
	}
	var out []member
	if required != nil {
		out = append(out, member{"required", required})
	}
	if all != nil {
		out = append(out, member{"allOf", all})
	}
	return out
}

// alternatives says that at most one key of a group is given, and one at least
// if one of them is required.
func alternatives(fields []strict.Field, group string) []object {
	var keys []string
	needed := false
	for _, f := range fields {
		if f.Group == group {
			keys = append(keys, f.Key)
			needed = needed || f.Required
		}
	}
	var out []object
	var any []object
	for i, a := range keys {
		any = append(any, object{{"required", []string{a}}})
		for _, b := range keys[i+1:] {
			out = append(out, object{{"not", object{{"required", []string{a, b}}}}})
		}
	}
	if needed {
		out = append(out, object{{"anyOf", any}})
	}
	return out
}
