package strict

import (
	"reflect"
	"strings"
)

// field is one key that a struct takes.
type field struct {
	key    string
	index  []int
	tag    reflect.StructTag
	typ    reflect.Type
	group  string // oneof
	needed bool
}

// limit returns the text of a tag such as min, or "".
func (f *field) limit(name string) string { return f.tag.Get(name) }

// fieldsOf lists the keys of a struct in the order of its fields; embedded
// structs contribute theirs in place.
func fieldsOf(t reflect.Type) []field {
	var out []field
	for i := range t.NumField() {
		sf := t.Field(i)
		if sf.Anonymous {
			for _, f := range fieldsOf(sf.Type) {
				f.index = append([]int{i}, f.index...)
				out = append(out, f)
			}
			continue
		}
		key := sf.Tag.Get("yaml")
		if key == "" || key == "-" {
			continue
		}
		out = append(out, field{
			key: key, index: []int{i}, tag: sf.Tag, typ: sf.Type,
			group:  sf.Tag.Get("oneof"),
			needed: sf.Tag.Get("need") == "true",
		})
	}
	return out
}

func keysOf(fields []field) []string {
	keys := make([]string, len(fields))
	for i, f := range fields {
		keys[i] = f.key
	}
	return keys
}

// find returns the field with a key, or nil.
func find(fields []field, key string) *field {
	for i := range fields {
		if fields[i].key == key {
			return &fields[i]
		}
	}
	return nil
}

// enum lists the texts that a field allows, or nil.
func (f *field) enum() []string {
	if e := f.tag.Get("enum"); e != "" {
		return strings.Split(e, "|")
	}
	return nil
}
