package strict

import (
	"fmt"

	"gopkg.in/yaml.v3"
)

// expander copies a YAML tree without aliases and merge keys, and reports
// repeated keys, cycles and trees too deep or too large to be meant.
type expander struct {
	doc     *Document
	active  map[*yaml.Node]bool // anchors that are being expanded
	aliased int                 // depth of aliases around the present node
	added   int                 // nodes that aliases have added
	stopped bool                // a limit was hit; say so once
}

func (e *expander) expand(n *yaml.Node, path string, depth int) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return e.alias(n, path, depth)
	}
	if e.aliased > 0 {
		e.added++
	}
	if e.stopped = e.stopped || e.beyondLimits(n, path, depth); e.stopped {
		return n
	}
	if n.Anchor != "" {
		e.active[n] = true
		defer delete(e.active, n)
	}
	c := *n
	c.Anchor, c.Content = "", nil
	switch n.Kind {
	case yaml.MappingNode:
		e.mapping(n, &c, path, depth)
	case yaml.SequenceNode:
		for i, v := range n.Content {
			c.Content = append(c.Content, e.expand(v, Indexed(path, i), depth+1))
		}
	}
	return &c
}

func (e *expander) beyondLimits(n *yaml.Node, path string, depth int) bool {
	switch {
	case depth > maxDepth:
		e.doc.fail(n, "", fmt.Sprintf("nested more than %d levels deep, which no scenario is", maxDepth))
	case e.added > maxExpanded:
		e.doc.fail(n, path, fmt.Sprintf("aliases expand to more than %d values, which no scenario needs", maxExpanded))
	default:
		return false
	}
	return true
}

func (e *expander) alias(n *yaml.Node, path string, depth int) *yaml.Node {
	target := n.Alias
	if e.active[target] {
		e.doc.fail(n, path, "the alias *"+n.Value+" contains itself")
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Line: n.Line, Column: n.Column}
	}
	e.aliased++
	c := e.expand(target, path, depth)
	e.aliased--
	return c
}

func (e *expander) mapping(n, c *yaml.Node, path string, depth int) {
	seen := map[string]int{}
	var merges []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Tag == "!!merge" {
			merges = append(merges, e.expand(value, path, depth+1))
			continue
		}
		if key.Kind != yaml.ScalarNode {
			e.doc.fail(key, path, "a key must be a plain word, this is "+describe(key))
			continue
		}
		if line, twice := seen[key.Value]; twice {
			e.doc.fail(key, joined(path, key.Value), "given twice; first in line "+itoa(line))
			continue
		}
		seen[key.Value] = key.Line
		c.Content = append(c.Content, key, e.expand(value, joined(path, key.Value), depth+1))
	}
	for _, m := range merges {
		e.merge(m, c, path)
	}
}

// merge adds what "<<" brings and the mapping does not have itself.
func (e *expander) merge(from, into *yaml.Node, path string) {
	if from.Kind == yaml.SequenceNode {
		for _, one := range from.Content {
			e.merge(one, into, path)
		}
		return
	}
	if from.Kind != yaml.MappingNode {
		e.doc.fail(from, path, "<< merges a group of keys, this is "+describe(from))
		return
	}
	for i := 0; i+1 < len(from.Content); i += 2 {
		if present, _ := child(into, from.Content[i].Value); present == nil {
			into.Content = append(into.Content, from.Content[i], from.Content[i+1])
		}
	}
}
