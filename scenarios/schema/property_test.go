package schema

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"

	"rocesim/scenarios"
)

// values are what a random change puts somewhere: of every kind, right and
// wrong.
func values() []string {
	return []string{
		"1", "0", "-1", "7", "64", "1.5", "0.5", "1e-9", "20%", "1/8", "2^-3", "true", "false", `"true"`, `"3"`, `"0.5"`, "yes",
		"100Gbps", "400 Gbps", "3m", "5us", "-5us", "20ms", "400KB", "9KiB", "64b", "100", "word", `""`, "null", "{}", "[]", "[1]", "[h0, h1]",
		"[[h0, h1]]", "{26: 3}", "{x: 1}", "{64: 1}", "{1: 9}", `{"05": 1}`, "h[0-1]", "connectx", "ideal", "star", "ring", "none", "[svg]", "[gif]",
		"{preset: ideal}", "{rate: 100Gbps, cable: 3m}", "{rate: 100Gbps, cable: 3m, delay: 1us}", "[{match: sw0, latency: 1us}]", "[{latency: 1us}]",
		"{bytes: 0B, standard: true}", "{kmin: 10KB, kmax: 20KB}", "{kmin: 10KB}", "{from: 1, to: 3, step: 1}", "[[switch.ecn.kmin, [a]]]", "[[null]]",
		"{axes: {switch.ecn.kmin: [1KB, 2KB]}, seeds: 3}", "{params: {a.b: 1..2:log}, objective: fct.p99}", "fct.p99", "drops.total == 0",
	}
}

// nodes lists the values of a tree, the root left out.
func nodes(n *yaml.Node) []*yaml.Node {
	var all []*yaml.Node
	for i, c := range n.Content {
		if n.Kind != yaml.MappingNode || i%2 == 1 {
			all = append(append(all, c), nodes(c)...)
		}
	}
	return all
}

// change replaces, adds or removes something.
func change(t *rapid.T, root *yaml.Node, keys []string) {
	var value yaml.Node
	text := rapid.SampledFrom(values()).Draw(t, "value")
	require.NoError(t, yaml.Unmarshal([]byte(text), &value))
	all := nodes(root)
	at := rapid.SampledFrom(all).Draw(t, "place")
	switch rapid.IntRange(0, 3).Draw(t, "change") {
	case 0: // another value
		*at = *value.Content[0]
	case 1: // a key more, or a key twice
		for at.Kind != yaml.MappingNode {
			at = rapid.SampledFrom(append(all, root.Content[0])).Draw(t, "group")
		}
		key := rapid.SampledFrom(keys).Draw(t, "key")
		at.Content = append(at.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, value.Content[0])
	case 2: // less
		for len(at.Content) < 2 {
			at = rapid.SampledFrom(append(all, root.Content[0])).Draw(t, "shortened")
		}
		at.Content = at.Content[2:]
	default: // the same in other words
		if at.Kind == yaml.ScalarNode {
			at.Style = yaml.DoubleQuotedStyle
			at.Tag = "!!str"
		}
	}
}

// sets are changes as --set makes them: a key of the format and a value.
func sets(t *rapid.T, paths []string) []string {
	var all []string
	for range rapid.IntRange(0, 2).Draw(t, "sets") {
		all = append(all, rapid.SampledFrom(paths).Draw(t, "path")+"="+rapid.SampledFrom(values()).Draw(t, "set"))
	}
	return all
}

// What the schema refuses, rocesim refuses, whatever is done to a scenario of
// the library. Runs of this test also have scenarios that both take and that
// both refuse, or it would prove nothing.
func TestRefusedIsRefused(t *testing.T) {
	s := compiled(t)
	var texts [][]byte
	for _, e := range scenarios.Library() {
		if len(e.Text) < 2500 {
			texts = append(texts, e.Text)
		}
	}
	require.Greater(t, len(texts), 10)
	paths, keys := settable()
	taken, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var root yaml.Node
		require.NoError(t, yaml.Unmarshal(rapid.SampledFrom(texts).Draw(t, "scenario"), &root))
		if rapid.Bool().Draw(t, "in the file") {
			change(t, &root, keys)
		}
		text, err := yaml.Marshal(&root)
		require.NoError(t, err)
		value, err := asJSON(text)
		if err != nil {
			return // not YAML as JSON knows it, such as a key given twice
		}
		changes := sets(t, paths)
		for _, set := range changes {
			if !apply(t, value, set) {
				return // no place for it
			}
		}
		verdict := s.Validate(value)
		_, wrong := scenarios.Parse("x.yaml", text, changes)
		switch {
		case verdict != nil && wrong == nil:
			t.Fatalf("the schema refuses what rocesim takes: %v\n%q\n%s", verdict, changes, text)
		case verdict != nil:
			refused++
		case wrong == nil:
			taken++
		}
	})
	if !t.Failed() {
		require.Positive(t, taken)
		require.Positive(t, refused)
	}
}

// settable lists the paths of all keys, with an index for "[]", and the keys.
func settable() (paths, keys []string) {
	for _, f := range scenarios.Shape().Describe() {
		path := ""
		for _, r := range f.Path {
			path += string(r)
			if r == '[' {
				path += "0"
			}
		}
		paths = append(paths, path)
		keys = append(keys, f.Key)
	}
	return paths, append(keys, "match", "unknown")
}

// apply does to the values of a document what --set does to the document, and
// reports whether there was a place for it.
func apply(t *rapid.T, value any, set string) bool {
	path, text, _ := strings.Cut(set, "=")
	what, err := asJSON([]byte(text))
	require.NoError(t, err)
	steps := strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
	for i, step := range steps {
		last := i == len(steps)-1
		switch in := value.(type) {
		case map[string]any:
			if last {
				in[step] = what
			} else if _, there := in[step]; !there {
				in[step] = map[string]any{}
			}
			value = in[step]
		case []any:
			index, err := strconv.Atoi(step)
			if err != nil || index >= len(in) {
				return false
			}
			if last {
				in[index] = what
			}
			value = in[index]
		default:
			return false
		}
	}
	return true
}
