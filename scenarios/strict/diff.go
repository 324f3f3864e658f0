package strict

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"
)

// Difference is a field that two files have different values for; an absent
// one is "".
type Difference struct{ Path, A, B string }

// Diff compares two files field by field, in the order of a, then of what only
// b has. Elements of lists are matched by their name or match, else by their
// place, and named as Set names them. The error is of type Errors.
func Diff(nameA string, a []byte, nameB string, b []byte) ([]Difference, error) {
	docA, err := Read(nameA, a)
	if err != nil {
		return nil, err
	}
	docB, err := Read(nameB, b)
	if err != nil {
		return nil, err
	}
	return diffMaps(nil, "", docA.root, docB.root), nil
}

// diffNodes appends what differs below path; a nil node is an absent one.
func diffNodes(found []Difference, path string, a, b *yaml.Node) []Difference {
	switch {
	case a == nil && b == nil:
		return found
	case isKind(a, b, yaml.MappingNode):
		return diffMaps(found, path, a, b)
	case isKind(a, b, yaml.SequenceNode) && (hasStructs(a) || hasStructs(b)):
		return diffLists(found, path, a, b)
	}
	if textA, textB := flowText(a), flowText(b); textA != textB {
		return append(found, Difference{path, textA, textB})
	}
	return found
}

// isKind reports whether those of the nodes that are there have a kind.
func isKind(a, b *yaml.Node, kind yaml.Kind) bool {
	return (a == nil || a.Kind == kind) && (b == nil || b.Kind == kind)
}

// hasStructs reports whether a list holds more than words and numbers.
func hasStructs(n *yaml.Node) bool {
	return n != nil && len(n.Content) > 0 && n.Content[0].Kind == yaml.MappingNode
}

func diffMaps(found []Difference, path string, a, b *yaml.Node) []Difference {
	for _, key := range union(mapKeys(a), mapKeys(b)) {
		below := key
		if path != "" {
			below = path + "." + key
		}
		found = diffNodes(found, below, member(a, key), member(b, key))
	}
	return found
}

func diffLists(found []Difference, path string, a, b *yaml.Node) []Difference {
	elementsA, namesA := named(a)
	elementsB, namesB := named(b)
	for _, name := range union(namesA, namesB) {
		found = diffNodes(found, path+"["+name+"]", elementsA[name], elementsB[name])
	}
	return found
}

// named returns the elements of a list by name, or by place where they have
// none or share one, and the names in order.
func named(n *yaml.Node) (map[string]*yaml.Node, []string) {
	elements := map[string]*yaml.Node{}
	var names []string
	if n == nil {
		return elements, nil
	}
	for i, e := range n.Content {
		name := itoa(i)
		for _, key := range []string{"match", "name"} {
			if v := member(e, key); v != nil && elements[v.Value] == nil {
				name = v.Value
			}
		}
		elements[name] = e
		names = append(names, name)
	}
	return elements, names
}

func mapKeys(n *yaml.Node) []string {
	var keys []string
	if n != nil {
		for i := 0; i < len(n.Content); i += 2 {
			keys = append(keys, n.Content[i].Value)
		}
	}
	return keys
}

func member(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	v, _ := child(n, key)
	return v
}

// union returns a and then what only b has.
func union(a, b []string) []string {
	all := append([]string(nil), a...)
	seen := map[string]bool{}
	for _, key := range a {
		seen[key] = true
	}
	for _, key := range b {
		if !seen[key] {
			all = append(all, key)
		}
	}
	return all
}

// flowText writes a value on one line; "" if there is none.
func flowText(n *yaml.Node) string {
	if n == nil {
		return ""
	}
	var parts []string
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i < len(n.Content); i += 2 {
			parts = append(parts, fmt.Sprintf("%s: %s", n.Content[i].Value, flowText(n.Content[i+1])))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case yaml.SequenceNode:
		for _, e := range n.Content {
			parts = append(parts, flowText(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return n.Value
}
