package strict

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"gopkg.in/yaml.v3"
)

// Encode writes a struct as YAML with every key that has a value, in the order
// of the fields: reading it gives an equal struct. Keys of a oneof group and
// optional values that are absent are left out.
func Encode(from any) []byte {
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := e.Encode(encode(addressable(reflect.ValueOf(from)))); err != nil {
		panic(fmt.Sprintf("strict: writing what was read: %v", err))
	}
	return out.Bytes()
}

// EncodeStruct returns the node of a struct, or of what a pointer points to, for
// types that write themselves.
func EncodeStruct(from any) *yaml.Node {
	return encodeStruct(addressable(reflect.Indirect(reflect.ValueOf(from))))
}

// addressable returns a copy of v that has an address, as encode needs it.
func addressable(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// Text returns the node of a single word or number.
func Text(text string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: text} }

// List returns the node of a list.
func List(elements ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle, Content: elements}
}

// encode needs an addressable value, as Custom is implemented on pointers.
func encode(v reflect.Value) *yaml.Node {
	if custom, ok := v.Addr().Interface().(Custom); ok {
		return custom.EncodeNode()
	}
	switch v.Kind() {
	case reflect.Pointer:
		return encode(v.Elem())
	case reflect.Struct:
		return encodeStruct(v)
	case reflect.Slice:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		for i := range v.Len() {
			n.Content = append(n.Content, encode(v.Index(i)))
		}
		if k := v.Type().Elem().Kind(); k != reflect.Struct && k != reflect.String {
			n.Style = yaml.FlowStyle
		}
		return n
	case reflect.Map:
		return encodeMap(v)
	case reflect.String:
		n := &yaml.Node{}
		n.SetString(v.String())
		return n
	default:
		return Text(fmt.Sprint(v.Interface()))
	}
}

func encodeStruct(v reflect.Value) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for _, f := range fieldsOf(v.Type()) {
		value := v.FieldByIndex(f.index)
		if absent(value, f) {
			continue
		}
		n.Content = append(n.Content, Text(f.key), encode(value))
	}
	return n
}

// absent reports whether a field has no value to write.
func absent(v reflect.Value, f field) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return v.IsNil()
	case reflect.String:
		return v.String() == ""
	default:
		return v.IsZero() && (f.group != "" || f.limit("omit") == "zero")
	}
}

// encodeMap writes a map in the order of its keys.
func encodeMap(v reflect.Value) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return int(a.Int() - b.Int()) })
	for _, k := range keys {
		n.Content = append(n.Content, Text(itoa(int(k.Int()))), encode(addressable(v.MapIndex(k))))
	}
	return n
}

// plain copies a node without comments and positions.
func plain(n *yaml.Node) *yaml.Node {
	c := &yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value, Style: n.Style}
	for _, e := range n.Content {
		c.Content = append(c.Content, plain(e))
	}
	return c
}
