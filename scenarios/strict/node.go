package strict

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"
)

// Pos is where the value stands.
func (v Value) Pos() Pos { return v.doc.pos(v.node) }

// Keys returns the keys of a group of keys in the order of the file.
func (v Value) Keys() ([]string, bool) {
	if v.node.Kind != yaml.MappingNode {
		return nil, false
	}
	var keys []string
	for i := 0; i+1 < len(v.node.Content); i += 2 {
		keys = append(keys, v.node.Content[i].Value)
	}
	return keys, true
}

// Text returns the value as YAML on one line.
func (v Value) Text() string {
	n := plain(v.node)
	flow(n)
	out, err := yaml.Marshal(n)
	if err != nil {
		panic(fmt.Sprintf("strict: writing what was read: %v", err))
	}
	return strings.TrimSpace(string(out))
}

// flow makes a tree print on one line.
func flow(n *yaml.Node) {
	switch n.Kind {
	case yaml.ScalarNode:
		if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			n.Style = yaml.DoubleQuotedStyle
		}
	default:
		n.Style = yaml.FlowStyle
	}
	for _, c := range n.Content {
		flow(c)
	}
}

// Has reports whether the file, or a flag, gives the value at path.
func (d *Document) Has(path string) bool {
	n := d.root
	for _, step := range splitPath(path) {
		if n, _ = child(n, step); n == nil {
			return false
		}
	}
	return true
}

// Place is where the value at path stands. If the file does not have it, it is
// where the preset stands that gives it, or the nearest value above it; for what
// is nowhere in the file, the top of it.
func (d *Document) Place(path string) Pos {
	n := d.root
	for _, step := range splitPath(path) {
		next, _ := child(n, step)
		if next == nil {
			if preset, _ := child(n, "preset"); preset != nil {
				return d.pos(preset)
			}
			break
		}
		n = next
	}
	return d.pos(n)
}
