package scenarios

import (
	"path/filepath"
	"sync"

	"rocesim/scenarios/strict"
)

// Template is the text of a scenario from which many scenarios are made, with
// other values each. Its text and the presets that it names are read once. It
// may be used by several goroutines at once.
type Template struct {
	name string
	doc  *strict.Document

	mu      sync.Mutex
	presets map[presetKey]*strict.Document // the values, as read
}

type presetKey struct{ kind, name string }

// LoadTemplate reads the text that Load reads, though it does not yet look at
// values. The error is of type Errors.
func LoadTemplate(path string) (*Template, error) {
	name, data, err := textOf(path)
	if err != nil {
		return nil, err
	}
	doc, err := strict.Read(name, data)
	if err != nil {
		return nil, err
	}
	t := &Template{name: name, doc: doc, presets: map[presetKey]*strict.Document{}}
	doc.Presets = t.presetValues
	return t, nil
}

// Scenario is Load with sets on the text of t.
func (t *Template) Scenario(sets []string) (*Scenario, error) {
	return complete(t.doc.Clone(), sets, func(sc *Scenario) { sc.readDistributions(filepath.Dir(t.name)) })
}

// presetValues is the function of this name, with a memory.
func (t *Template) presetValues(kind, name string) (*strict.Document, []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := presetKey{kind, name}
	values := t.presets[key]
	if values == nil {
		var names []string
		if values, names = presetValues(kind, name); values == nil {
			return nil, names
		}
		t.presets[key] = values
	}
	return values.Clone(), nil
}
