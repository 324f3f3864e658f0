package grid

import (
	"slices"

	"gopkg.in/yaml.v3"

	"rocesim/scenarios/strict"
)

// Block is the sweep section of a scenario: what the command sweep tries. A
// single run takes no notice of it.
type Block struct {
	Axes      Axes       `yaml:"axes" doc:"for each field to be varied, by its path, a list of values or a range {from, to, step} or {from, to, points, log}"`
	Linked    Links      `yaml:"linked" doc:"a list of lists of axes that move together instead of being combined"`
	Scenarios []File     `yaml:"scenarios" doc:"other scenario files that are tried too, relative to this one"`
	Seeds     Seeds      `yaml:"seeds" doc:"how many seeds each setting is run with, from the scenario's own on, or a list of them"`
	Metrics   []Subject  `yaml:"metrics" doc:"the metrics to draw and to tell of"`
	Objective *Objective `yaml:"objective" doc:"the metric that a recommended setting is best at; minimise or maximise may stand before it"`
	Pareto    []Subject  `yaml:"pareto" doc:"two metrics that are traded against each other"`
}

// File is the path of another scenario file.
type File struct {
	Path string
	// Pos is where it was given; the zero Pos is the command line.
	Pos strict.Pos
}

// DecodeNode reads a path.
func (f *File) DecodeNode(v strict.Value) {
	path, ok := v.Scalar()
	if !ok || path == "" {
		v.Failf("%s stands where a scenario file belongs, such as other.yaml", v.Describe())
	}
	*f = File{path, v.Pos()}
}

// EncodeNode writes what DecodeNode reads.
func (f *File) EncodeNode() *yaml.Node { return strict.Text(f.Path) }

// Axes are the axes of a block, in the order of the file.
type Axes []Axis

// DecodeNode reads a group of keys, each the path of a field.
func (a *Axes) DecodeNode(v strict.Value) {
	*a = nil
	eachField(v, "{switch.ecn.kmin: [100KB, 200KB]}", func(path string, value strict.Value) {
		axis := Axis{Path: path, Pos: value.Pos(), Values: decodeValues(value)}
		if len(axis.Values) > 0 {
			*a = append(*a, axis)
		}
	})
}

// eachField calls read for each field of a group of them, by its path.
func eachField(v strict.Value, example string, read func(path string, value strict.Value)) {
	keys, ok := v.Keys()
	if !ok {
		v.Failf("%s stands where a group of fields belongs, such as %s", v.Describe(), example)
	}
	for _, key := range keys {
		value, _ := v.Key(key)
		read(key, value)
	}
}

// decodeValues reads a list or a range.
func decodeValues(v strict.Value) []Value {
	elements, list := v.Elements()
	if _, ranged := v.Key("from"); !list && ranged {
		return decodeSpan(v)
	}
	if !list {
		v.Failf("%s stands where values belong; allowed: a list such as [100KB, 200KB] or a range such as {from: 100KB, to: 800KB, step: 100KB}", v.Describe())
		return nil
	}
	if len(elements) == 0 {
		v.Failf("an empty list; an axis needs at least one value")
	}
	var values []Value
	for _, e := range elements {
		if _, ranged := e.Key("from"); ranged {
			values = append(values, decodeSpan(e)...)
			continue
		}
		values = append(values, Value{e.Text(), e.Pos()})
	}
	if twice, again := repeated(values); again {
		v.Failf("%s is given twice", twice)
	}
	return values
}

func decodeSpan(v strict.Value) []Value {
	var s Span
	v.Decode(&s)
	if s.From == "" || s.To == "" || s.Step == "" && s.Points == 0 && hasOther(v, "from", "to", "log") {
		return nil // said already
	}
	texts, err := s.expand()
	if err != nil {
		v.Failf("%v", err)
		return nil
	}
	values := make([]Value, len(texts))
	for i, text := range texts {
		values[i] = Value{text, v.Pos()}
	}
	return slices.CompactFunc(values, func(a, b Value) bool { return a.Text == b.Text })
}

// hasOther reports whether a group has another key than these.
func hasOther(v strict.Value, names ...string) bool {
	keys, _ := v.Keys()
	return slices.ContainsFunc(keys, func(key string) bool { return !slices.Contains(names, key) })
}

// repeated returns a value that stands there twice.
func repeated(values []Value) (string, bool) {
	seen := map[string]bool{}
	for _, v := range values {
		if seen[v.Text] {
			return v.Text, true
		}
		seen[v.Text] = true
	}
	return "", false
}

// EncodeNode writes what DecodeNode reads.
func (a *Axes) EncodeNode() *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for _, axis := range *a {
		n.Content = append(n.Content, strict.Text(axis.Path), encodeValues(axis.Values))
	}
	return n
}

// encodeValues writes the list of values that decodeValues reads.
func encodeValues(values []Value) *yaml.Node {
	n := strict.List()
	for _, v := range values {
		n.Content = append(n.Content, parsed(v.Text))
	}
	return n
}

// parsed is the node of a value. Its text was a node before.
func parsed(text string) *yaml.Node {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil || len(doc.Content) == 0 {
		return strict.Text(text)
	}
	return doc.Content[0]
}

// Links are groups of axes that move together.
type Links []Link

// DecodeNode reads a list of lists of paths.
func (l *Links) DecodeNode(v strict.Value) {
	groups, ok := v.Elements()
	if !ok {
		v.Failf("%s stands where a list of lists belongs, such as [[switch.ecn.kmin, switch.ecn.kmax]]", v.Describe())
	}
	*l = nil
	for _, g := range groups {
		paths, ok := g.Elements()
		if !ok {
			g.Failf("%s stands where a list of axes belongs, such as [switch.ecn.kmin, switch.ecn.kmax]", g.Describe())
		}
		link := Link{Pos: g.Pos()}
		for _, p := range paths {
			path, ok := p.Scalar()
			if !ok {
				p.Failf("%s stands where the path of an axis belongs, such as switch.ecn.kmin", p.Describe())
			}
			link.Paths = append(link.Paths, path)
		}
		*l = append(*l, link)
	}
}

// EncodeNode writes what DecodeNode reads.
func (l *Links) EncodeNode() *yaml.Node {
	n := strict.List()
	for _, link := range *l {
		group := strict.List()
		for _, path := range link.Paths {
			group.Content = append(group.Content, strict.Text(path))
		}
		n.Content = append(n.Content, group)
	}
	return n
}
