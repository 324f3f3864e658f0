package scenarios

import (
	"fmt"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"

	"rocesim/scenarios/presets"
	"rocesim/scenarios/strict"
)

// Preset is a named set of values for a section of a scenario.
type Preset struct {
	Name    string         `yaml:"name" need:"true" doc:"the name"`
	Kind    string         `yaml:"kind" need:"true" enum:"switch|nic|cable|cc|ecn" doc:"the section that it is for"`
	Title   string         `yaml:"title" need:"true" doc:"what it describes"`
	Date    string         `yaml:"date" need:"true" doc:"when the values were collected"`
	Sources []PresetSource `yaml:"sources" need:"true" doc:"where the values come from"`
	Raw     strict.Raw     `yaml:"values" need:"true" doc:"the values"`

	text []byte
}

// PresetSource explains the letters in brackets behind a value.
type PresetSource struct {
	ID   string `yaml:"id" need:"true" doc:"the letters"`
	Text string `yaml:"text" need:"true" doc:"the source"`
}

// PresetValue is one value of a preset with the source that its line names.
type PresetValue struct {
	Path, Value string
	// Sources are the IDs in brackets behind the value, or behind the nearest
	// group or list that it is in.
	Sources []string
}

// PresetKinds lists the kinds of presets in the order of the sections of a
// scenario.
func PresetKinds() []string { return []string{"switch", "nic", "cable", "cc", "ecn"} }

// Presets returns all presets of a kind in the order of their names.
func Presets(kind string) []Preset {
	var all []Preset
	for _, name := range presets.Names(kind) {
		p, err := FindPreset(kind, name)
		if err != nil {
			panic(fmt.Sprintf("scenarios: built-in preset: %v", err))
		}
		all = append(all, *p)
	}
	return all
}

// FindPreset returns one preset. The error names those that there are.
func FindPreset(kind, name string) (*Preset, error) {
	doc, text := presets.Read(kind, name)
	if doc == nil {
		return nil, fmt.Errorf("%s", strict.Unknown(kind+" preset", name, presets.Names(kind)))
	}
	p := &Preset{text: text}
	doc.Decode(p)
	return p, doc.Err()
}

// Text returns the preset's file: the values with their sources.
func (p *Preset) Text() []byte { return p.text }

// Values lists the values in the order of the file.
func (p *Preset) Values() []PresetValue {
	var root yaml.Node
	if err := yaml.Unmarshal(p.text, &root); err != nil {
		panic(fmt.Sprintf("scenarios: built-in preset %s: %v", p.Name, err))
	}
	w := valueWalk{lines: strings.Split(string(p.text), "\n")}
	top := root.Content[0]
	for i := 0; i < len(top.Content); i += 2 {
		if top.Content[i].Value == "values" {
			w.walk(top.Content[i+1], "", nil)
		}
	}
	return w.found
}

// valueWalk collects the leaves of a preset.
type valueWalk struct {
	lines []string
	found []PresetValue
}

func (w *valueWalk) walk(n *yaml.Node, path string, sources []string) {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i < len(n.Content); i += 2 {
			key := n.Content[i]
			w.walk(n.Content[i+1], strings.TrimPrefix(path+"."+key.Value, "."), w.cited(key.Line, sources))
		}
	case yaml.SequenceNode:
		for i, e := range n.Content {
			w.walk(e, fmt.Sprintf("%s[%d]", path, i), w.cited(e.Line, sources))
		}
	default:
		w.found = append(w.found, PresetValue{path, n.Value, w.cited(n.Line, sources)})
	}
}

// cited returns the IDs in brackets in the comment of a line, or else those of
// the group around it.
func (w *valueWalk) cited(line int, outer []string) []string {
	_, comment, _ := strings.Cut(w.lines[line-1], "#")
	found := regexp.MustCompile(`\[([a-z0-9-]+)\]`).FindAllStringSubmatch(comment, -1)
	if found == nil {
		return outer
	}
	var ids []string
	for _, m := range found {
		ids = append(ids, m[1])
	}
	return ids
}

// presetValues is what the decoder asks for when it meets a preset's name.
func presetValues(kind, name string) (*strict.Document, []string) {
	doc, _ := presets.Read(kind, name)
	if doc == nil {
		return nil, presets.Names(kind)
	}
	return doc.Sub("values"), nil
}
