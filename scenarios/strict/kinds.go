package strict

import (
	"reflect"
	"slices"

	"gopkg.in/yaml.v3"
)

// DecodeKinds fills the struct that common points to from a group whose key
// selector should say what its other keys are, but is missing or has an unknown
// value: that is reported. The other keys are checked as the kinds have them that
// it could be (kind returns their structs), so that no error hides until the
// selector is right. Keys that kinds read in different ways are left alone.
func (v Value) DecodeKinds(selector string, common any, kind func(value string) any) {
	shared := fieldsOf(reflect.TypeOf(common).Elem())
	all, differ := slices.Clone(shared), map[string]bool{}
	for _, name := range find(shared, selector).enum() {
		for _, f := range fieldsOf(reflect.TypeOf(kind(name)).Elem()) {
			if known := find(all, f.key); known == nil {
				all = append(all, f)
			} else if !alike(known, &f) {
				differ[f.key] = true
			}
		}
	}
	var own []string // keys that are not common to all kinds
	for i := 0; v.node.Kind == yaml.MappingNode && i+1 < len(v.node.Content); i += 2 {
		key, n := v.node.Content[i], v.node.Content[i+1]
		if find(shared, key.Value) != nil || slices.Contains(own, key.Value) {
			continue
		}
		own = append(own, key.Value)
		if f := v.doc.fieldFor(v, key, n, all); f != nil && !differ[f.key] {
			v.doc.value(v.child(joined(v.Path, f.key), n), reflect.New(f.typ).Elem(), f)
		}
	}
	v.doc.structure(v, reflect.ValueOf(common).Elem(), own)
}

// alike reports whether two fields take the same values.
func alike(a, b *field) bool {
	return a.typ == b.typ && !slices.ContainsFunc([]string{"min", "max", "enum", "keys", "preset"}, func(tag string) bool {
		return a.limit(tag) != b.limit(tag)
	})
}
