package strict

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Custom is implemented (on the pointer) by types that read themselves.
type Custom interface {
	// DecodeNode fills the receiver from v. What is wrong is recorded with
	// v.Failf.
	DecodeNode(v Value)
	// EncodeNode returns what DecodeNode would read as the same value.
	EncodeNode() *yaml.Node
}

// Value is one value of a document on its way into a Go value.
type Value struct {
	Path string
	doc  *Document
	node *yaml.Node
	// patch is set for values that change something complete: nothing is
	// missing and no preset is loaded unless it is named.
	patch bool
}

func (v Value) child(path string, n *yaml.Node) Value { return Value{path, v.doc, n, v.patch} }

// Failf records that the value is wrong.
func (v Value) Failf(format string, args ...any) {
	v.doc.fail(v.node, v.Path, fmt.Sprintf(format, args...))
}

// Scalar returns the value's text, if it is a single word or number.
func (v Value) Scalar() (string, bool) {
	return v.node.Value, v.node.Kind == yaml.ScalarNode && v.node.Tag != "!!null"
}

// Elements returns the elements of a list.
func (v Value) Elements() ([]Value, bool) {
	if v.node.Kind != yaml.SequenceNode {
		return nil, false
	}
	out := make([]Value, len(v.node.Content))
	for i, n := range v.node.Content {
		out[i] = v.child(Indexed(v.Path, i), n)
	}
	return out, true
}

// Key returns the value of one key of a group of keys.
func (v Value) Key(key string) (Value, bool) {
	n, _ := child(v.node, key)
	if n == nil {
		return v, false
	}
	return v.child(joined(v.Path, key), n), true
}

// Describe says what was read, for messages.
func (v Value) Describe() string { return describe(v.node) }

// Decode fills the struct that into points to.
func (v Value) Decode(into any) { v.doc.structure(v, reflect.ValueOf(into).Elem(), nil) }

// Patch changes the complete struct that into points to where the value has
// keys for it. Keys in skip are left to the caller.
func (v Value) Patch(into any, skip ...string) {
	v.patch = true
	v.doc.structure(v, reflect.ValueOf(into).Elem(), skip)
}

// Raw is a group of keys kept as it is, to be decoded onto several values
// later (overrides).
type Raw struct{ value Value }

// DecodeNode keeps the value.
func (r *Raw) DecodeNode(v Value) {
	r.value = v
	if v.node.Kind != yaml.MappingNode {
		v.Failf("%s stands where a group of keys belongs", v.Describe())
	}
}

// EncodeNode returns the value.
func (r *Raw) EncodeNode() *yaml.Node { return plain(r.value.node) }

// Value returns what was kept.
func (r *Raw) Value() Value { return r.value }

// Decode fills the struct that into points to from the whole document. Fields
// whose keys the file does not have keep their values.
func (d *Document) Decode(into any) {
	d.format, d.keys = reflect.TypeOf(into).Elem(), nil
	d.structure(Value{doc: d, node: d.root}, reflect.ValueOf(into).Elem(), nil)
}

// value decodes one value into target, which keeps what is not mentioned.
func (d *Document) value(v Value, target reflect.Value, f *field) {
	if custom, ok := target.Addr().Interface().(Custom); ok {
		custom.DecodeNode(v)
		return
	}
	switch target.Kind() {
	case reflect.Pointer:
		d.pointer(v, target, f)
	case reflect.Struct:
		d.structure(v, target, nil)
	case reflect.Slice:
		d.list(v, target, f)
	case reflect.Map:
		d.table(v, target, f)
	default:
		d.scalar(v, target, f)
	}
}

// pointer decodes into a copy, so that values that share a preset's memory
// stay apart.
func (d *Document) pointer(v Value, target reflect.Value, f *field) {
	fresh := reflect.New(target.Type().Elem())
	if !target.IsNil() {
		fresh.Elem().Set(target.Elem())
	}
	d.value(v, fresh.Elem(), f)
	target.Set(fresh)
}

func (d *Document) list(v Value, target reflect.Value, f *field) {
	elements, ok := v.Elements()
	if !ok {
		v.Failf("%s stands where a list belongs, such as [a, b]", v.Describe())
		return
	}
	fresh := reflect.MakeSlice(target.Type(), len(elements), len(elements))
	for i, e := range elements {
		d.value(e, fresh.Index(i), f)
	}
	target.Set(fresh)
}

// table decodes a map from whole numbers; entries join those already there.
func (d *Document) table(v Value, target reflect.Value, f *field) {
	if v.node.Kind != yaml.MappingNode {
		v.Failf("%s stands where a map belongs, such as {26: 3}", v.Describe())
		return
	}
	fresh := reflect.MakeMap(target.Type())
	for _, k := range target.MapKeys() {
		fresh.SetMapIndex(k, target.MapIndex(k))
	}
	low, high := keyRange(f)
	for i := 0; i+1 < len(v.node.Content); i += 2 {
		key := v.node.Content[i]
		n, err := strconv.Atoi(key.Value)
		path := joined(v.Path, key.Value)
		if err != nil || n < low || n > high {
			d.fail(key, path, fmt.Sprintf("the key %s is not allowed; allowed: whole numbers from %d to %d", quote(key.Value), low, high))
			continue
		}
		element := reflect.New(target.Type().Elem()).Elem()
		d.value(v.child(path, v.node.Content[i+1]), element, f)
		fresh.SetMapIndex(reflect.ValueOf(n), element)
	}
	target.Set(fresh)
}

func keyRange(f *field) (low, high int) {
	if _, err := fmt.Sscanf(f.limit("keys"), "%d..%d", &low, &high); err != nil {
		panic("strict: the map " + f.key + " has no keys tag")
	}
	return low, high
}

// structure decodes a group of keys.
func (d *Document) structure(v Value, target reflect.Value, skip []string) {
	fields := fieldsOf(target.Type())
	if v.node.Kind != yaml.MappingNode {
		v.Failf("%s stands where a group of keys belongs (%s)", v.Describe(), abbreviate(keysOf(fields), 40))
		return
	}
	d.fromPreset(v, target, fields)
	d.chooseOne(v, target, fields)
	d.letGo(v, target, fields)
	given := map[string]bool{}
	for _, key := range skip {
		given[key] = true
	}
	for i := 0; i+1 < len(v.node.Content); i += 2 {
		key, n := v.node.Content[i], v.node.Content[i+1]
		if given[key.Value] {
			continue
		}
		given[key.Value] = true
		if f := d.fieldFor(v, key, n, fields); f != nil {
			d.value(v.child(joined(v.Path, f.key), n), target.FieldByIndex(f.index), f)
		}
	}
	if !v.patch {
		d.complete(v, target, fields, given)
	}
}

// fieldFor returns the field that a key of a group belongs to. It reports a key
// that there is not, or that has no value, and returns nil.
func (d *Document) fieldFor(v Value, key, n *yaml.Node, fields []field) *field {
	path := joined(v.Path, key.Value)
	f := find(fields, key.Value)
	if f == nil {
		d.fail(key, path, d.unknownKey(path, key.Value, fields))
		return nil
	}
	if n.Tag == "!!null" {
		d.fail(key, path, "nothing stands behind the colon; "+f.wants())
		return nil
	}
	return f
}

// complete loads the default presets of groups that were not given and reports
// what is missing.
func (d *Document) complete(v Value, target reflect.Value, fields []field, given map[string]bool) {
	for _, f := range fields {
		value := target.FieldByIndex(f.index)
		switch {
		case given[f.key]:
		case f.needed:
			if text := missing(target, fields, f); text != "" {
				d.fail(v.node, joined(v.Path, f.key), text)
			}
		default:
			nothing := &yaml.Node{Kind: yaml.MappingNode, Line: v.node.Line, Column: v.node.Column}
			d.leftOut(v.child(joined(v.Path, f.key), nothing), value)
		}
	}
}

// leftOut loads the default presets of a group that was not given, and of the
// groups in it.
func (d *Document) leftOut(v Value, target reflect.Value) {
	if _, custom := target.Addr().Interface().(Custom); custom || target.Kind() != reflect.Struct {
		return
	}
	fields := fieldsOf(target.Type())
	d.fromPreset(v, target, fields)
	for _, f := range fields {
		d.leftOut(v.child(joined(v.Path, f.key), v.node), target.FieldByIndex(f.index))
	}
}

// missing says that a needed key was not given, nor an alternative to it, or
// returns "".
func missing(target reflect.Value, fields []field, f field) string {
	var alternatives []string
	for _, g := range fields {
		same := g.key == f.key || f.group != "" && g.group == f.group
		if same && !target.FieldByIndex(g.index).IsZero() {
			return ""
		}
		if same && g.key != f.key {
			alternatives = append(alternatives, g.key)
		}
	}
	text := "missing; " + f.wants()
	if alternatives != nil {
		text += "; instead of it " + strings.Join(alternatives, " or ") + " may be given"
	}
	return text
}

// chooseOne enforces oneof groups: what is given replaces the alternatives
// that a preset brought.
func (d *Document) chooseOne(v Value, target reflect.Value, fields []field) {
	chosen := map[string]string{}
	for i := 0; i+1 < len(v.node.Content); i += 2 {
		f := find(fields, v.node.Content[i].Value)
		if f == nil || f.group == "" {
			continue
		}
		if other, twice := chosen[f.group]; twice {
			d.fail(v.node.Content[i], joined(v.Path, f.key), "given beside "+other+"; only one of the two can hold")
			continue
		}
		chosen[f.group] = f.key
	}
	for _, f := range fields {
		if key, given := chosen[f.group]; given && key != f.key {
			target.FieldByIndex(f.index).SetZero()
		}
	}
}

// letGo clears what a preset says about keys that are given here with other
// values, such as the rate that its thresholds are for (tag "about"). If only
// some of these keys are given, nobody can tell what the others now mean.
func (d *Document) letGo(v Value, target reflect.Value, fields []field) {
	for _, f := range fields {
		about := strings.Fields(f.tag.Get("about"))
		value := target.FieldByIndex(f.index)
		if _, given := v.Key(f.key); given || len(about) == 0 || value.IsZero() {
			continue
		}
		var here, absent []string
		for _, key := range about {
			if _, given := v.Key(key); given {
				here = append(here, key)
			} else {
				absent = append(absent, key)
			}
		}
		if here != nil && absent != nil {
			one, _ := v.Key(here[0])
			one.Failf("given without %s, which %s of the preset is about too; give both, or %s", absent[0], f.key, f.key)
		}
		if here != nil {
			value.SetZero()
		}
	}
}

// fromPreset decodes the values of the preset that the group names, or of the
// one that is the default, before its own keys. A default is loaded once: what
// an outer preset changed in it stays.
func (d *Document) fromPreset(v Value, target reflect.Value, fields []field) {
	for _, f := range fields {
		kind := f.tag.Get("preset")
		if kind == "" || d.Presets == nil {
			continue
		}
		given, stated := v.Key(f.key)
		name := target.FieldByIndex(f.index).String()
		if stated {
			name, _ = given.Scalar()
		} else if v.patch || d.loaded[v.Path] {
			continue
		}
		if name != "" {
			d.load(v, given, target, kind, name)
		}
	}
}

func (d *Document) load(v, given Value, target reflect.Value, kind, name string) {
	values, names := d.Presets(kind, name)
	if values == nil {
		given.Failf("%s", Unknown(kind+" preset", name, names))
		return
	}
	if d.loaded == nil {
		d.loaded = map[string]bool{}
	}
	d.loaded[v.Path] = true
	values.Presets, values.loaded = d.Presets, d.loaded
	values.structure(Value{Path: v.Path, doc: values, node: values.root, patch: true}, target, nil)
	d.errs = append(d.errs, values.errs...)
}
