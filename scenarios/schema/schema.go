package schema

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"rocesim/results"
	"rocesim/scenarios"
	"rocesim/scenarios/strict"
)

// ID is the schema's $id.
const ID = "urn:rocesim:scenario"

// Write writes the schema as indented JSON.
func Write(out io.Writer) error { return results.EncodeJSON(out, document()) }

func document() object {
	w := writer{defined: map[string]bool{}}
	body := w.group(scenarios.Shape())
	head := object{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"$id", ID},
		{"title", "rocesim scenario"},
		{"description", "A network, its configuration and its traffic, as rocesim simulates them."},
	}
	return append(head, append(body, member{"$defs", w.defs})...)
}

// writer turns shapes into schemas.
type writer struct {
	// defs are the notations of values with units, each once.
	defs    object
	defined map[string]bool
}

// field is a key with what it takes, what it means and what holds without it.
func (w *writer) field(f strict.Field) object {
	s := w.value(f.Shape)
	s = append(s, member{"description", describe(f)})
	if f.Default != nil {
		s = append(s, member{"default", f.Default})
	}
	return s
}

// describe adds to a key's meaning the limits that the schema cannot check.
func describe(f strict.Field) string {
	text := f.Doc
	if f.Kind == strict.KindQuantity || f.Kind == strict.KindShare || f.Kind == strict.KindAlpha {
		text += " (" + f.Takes
		if f.Min != "" {
			text += ", " + f.Min + " to " + f.Max
		}
		text += ")"
	}
	return text
}

func (w *writer) value(s strict.Shape) object {
	switch s.Kind {
	case strict.KindText:
		return text(s)
	case strict.KindBool:
		return object{{"type", []string{"boolean", "string"}}, {"pattern", "^(true|false)$"}}
	case strict.KindInteger:
		return object{{"type", []string{"integer", "string"}}, {"pattern", s.Pattern}}.with(limits(s)...)
	case strict.KindQuantity:
		return w.notation(s, "string")
	case strict.KindShare:
		return w.notation(s, "number", "string").with(limits(s)...)
	case strict.KindAlpha:
		return w.notation(s, "number", "string")
	case strict.KindList:
		return object{{"type", "array"}, {"items", w.value(*s.Element)}}.with(lengths(s)...)
	case strict.KindMap:
		return w.table(s)
	case strict.KindGroup:
		return w.group(s)
	case strict.KindChoice:
		var any []object
		for _, c := range s.Choices {
			any = append(any, w.value(c))
		}
		return object{{"anyOf", any}}
	default:
		return object{}
	}
}

// text is a word or a sentence. YAML takes some of them for numbers or truth
// values, and rocesim does not mind.
func text(s strict.Shape) object {
	switch {
	case s.Enum != nil:
		return object{{"enum", s.Enum}}
	case s.Preset != "":
		var names []string
		for _, p := range scenarios.Presets(s.Preset) {
			names = append(names, p.Name)
		}
		return object{{"enum", names}}
	case s.MinItems > 0:
		return object{{"type", []string{"string", "number", "boolean"}}, {"minLength", s.MinItems}}
	default:
		return object{{"type", []string{"string", "number", "boolean"}}}
	}
}

// notation refers to the definition of a value with a unit and makes it when
// it is met first.
func (w *writer) notation(s strict.Shape, types ...string) object {
	_, name, _ := strings.Cut(s.Takes, " ")
	if !w.defined[name] {
		w.defined[name] = true
		w.defs = append(w.defs, member{name, object{{"type", types}, {"pattern", s.Pattern}, {"examples", examples(s)}}})
	}
	return object{{"$ref", "#/$defs/" + name}}
}

// examples are the texts of a shape's examples.
func examples(s strict.Shape) []string {
	var all []string
	for _, part := range regexp.MustCompile(`, | or `).Split(s.Examples, -1) {
		word, _, _ := strings.Cut(part, " ") // behind it may stand what it is
		all = append(all, word)
	}
	return all
}

// limits are those of a value that YAML reads as a number.
func limits(s strict.Shape) []member {
	var out []member
	for _, l := range []member{{"minimum", s.Min}, {"maximum", s.Max}} {
		if text := l.value.(string); text != "" {
			out = append(out, member{l.key, json.Number(text)})
		}
	}
	return out
}

func lengths(s strict.Shape) []member {
	var out []member
	if s.MinItems > 0 {
		out = append(out, member{"minItems", s.MinItems})
	}
	if s.MaxItems > 0 {
		out = append(out, member{"maxItems", s.MaxItems})
	}
	return out
}

// table is a group with free keys, or with numbers as keys.
func (w *writer) table(s strict.Shape) object {
	o := object{{"type", "object"}}
	if s.KeyMax > 0 {
		var keys []string
		for k := s.KeyMin; k <= s.KeyMax; k++ {
			keys = append(keys, strconv.Itoa(k))
		}
		o = append(o, member{"propertyNames", object{{"pattern", fmt.Sprintf("^[+-]?0*(%s)$", strings.Join(keys, "|"))}}})
	}
	return append(o, member{"additionalProperties", w.value(*s.Element)})
}
