package strict

import (
	"fmt"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Set applies one "path=value" from a command line: the value is YAML, the
// path is keys joined by dots, with [name] or [index] for an element of a list.
// Missing parents are made; whether they may exist is found when decoding. Set
// must come before Decode; what is wrong is recorded in the document.
func (d *Document) Set(arg string) {
	flag := "--set " + arg
	wrong := func(path, text string) { d.errs = append(d.errs, Error{Pos{File: flag}, path, text}) }
	path, text, ok := strings.Cut(arg, "=")
	steps := splitPath(path)
	if !ok || len(steps) == 0 {
		wrong("", "allowed: path=value, such as switch.ecn.kmin=200KB or workload[shuffle].bytes=1MiB")
		return
	}
	value, err := d.parseValue(flag, text)
	if err != nil {
		wrong(path, err.Error())
		return
	}
	n := d.root
	for i, step := range steps {
		last := i == len(steps)-1
		next, err := d.descend(n, step, last, value, flag)
		if err != nil {
			wrong(path, err.Error())
			return
		}
		n = next
	}
}

// descend goes one step down, making the way if it is missing; the last step
// puts value in place.
func (d *Document) descend(n *yaml.Node, step string, last bool, value *yaml.Node, flag string) (*yaml.Node, error) {
	switch n.Kind {
	case yaml.SequenceNode:
		i := element(n, step)
		if i < 0 {
			return nil, fmt.Errorf("the list has no element %s%s", quote(step), elements(n))
		}
		if last {
			n.Content[i] = value
		}
		return n.Content[i], nil
	case yaml.MappingNode:
		for i := 0; i < len(n.Content); i += 2 {
			if n.Content[i].Value == step {
				if last {
					n.Content[i+1] = value
				}
				return n.Content[i+1], nil
			}
		}
		next := value
		if !last {
			next = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
			d.flags[next] = flag
		}
		key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: step}
		d.flags[key] = flag
		n.Content = append(n.Content, key, next)
		return next, nil
	default:
		return nil, fmt.Errorf("%s stands where %s should have keys below it", describe(n), quote(step))
	}
}

// elements lists how the elements of a list can be named.
func elements(n *yaml.Node) string {
	var names []string
	for i, e := range n.Content {
		name := strconv.Itoa(i)
		for _, key := range []string{"match", "name"} {
			if v, _ := child(e, key); v != nil {
				name = v.Value
			}
		}
		names = append(names, name)
	}
	return " (it has: " + abbreviate(names, 40) + ")"
}

// parseValue reads the right side of a flag.
func (d *Document) parseValue(flag, text string) (*yaml.Node, error) {
	if strings.TrimSpace(text) == "" {
		return nil, fmt.Errorf("nothing stands behind the equals sign")
	}
	inner := &Document{name: flag, flags: map[*yaml.Node]string{}}
	if problem, _ := inner.unreadable([]byte(text)); problem != "" {
		return nil, fmt.Errorf("%s cannot be read: %s", quote(text), problem)
	}
	root, err := inner.parse([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read as a value", quote(text))
	}
	e := expander{doc: inner, active: map[*yaml.Node]bool{}}
	value := e.expand(root.Content[0], "", 0)
	if len(inner.errs) > 0 {
		return nil, fmt.Errorf("%s", inner.errs[0].Text)
	}
	d.markAll(value, flag)
	return value, nil
}

// markAll makes messages about n and all below it name the flag.
func (d *Document) markAll(n *yaml.Node, flag string) {
	d.flags[n] = flag
	for _, c := range n.Content {
		d.markAll(c, flag)
	}
}
