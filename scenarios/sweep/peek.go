package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Head is what the directory of a sweep says without its tables being read.
type Head struct {
	Scenarios []string
	// State is "finished", "interrupted" or "running".
	State string
	// Axes are the paths of the fields that vary, Settings how many
	// combinations there are of each scenario, Seeds the seeds of each.
	Axes            []string
	Settings, Seeds int
	// Objective is what the recommended setting is best at, in words; Advice
	// says which that is, if the sweep has got so far.
	Objective string
	Advice    []string
}

// Peek reads what the directory of a sweep says first. The error says why it
// cannot be read.
func Peek(fsys fs.FS, dir string) (*Head, error) {
	name := path.Join(dir, manifestFile)
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	m, err := parseManifest(name, text)
	if err != nil {
		return nil, err
	}
	h := &Head{State: m.State, Objective: m.Objective, Settings: 1}
	for _, s := range m.Scenarios {
		h.Scenarios = append(h.Scenarios, s.Name)
		h.Seeds = max(h.Seeds, len(s.Seeds))
	}
	dimension := -1
	for _, a := range m.Axes {
		h.Axes = append(h.Axes, a.Path)
		if a.Dimension != dimension {
			h.Settings *= len(a.Values)
			dimension = a.Dimension
		}
	}
	for _, a := range m.Advice {
		h.Advice = append(h.Advice, a.Text...)
	}
	return h, nil
}

// parseManifest reads the text of sweep.json. The error begins with its name.
func parseManifest(name string, text []byte) (*manifestJSON, error) {
	var m manifestJSON
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("%s: not written by rocesim sweep, or changed: %w", name, err)
	}
	if m.Format != manifestFormat {
		hint := "rocesim did not write it"
		if strings.HasPrefix(m.Format, manifestFamily) {
			hint = "another version of rocesim wrote it"
		}
		return nil, fmt.Errorf("%s: the format is %q, this version reads %q: %s", name, m.Format, manifestFormat, hint)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("%s: %w: the file was changed", name, err)
	}
	return &m, nil
}

// check looks for what no sweep writes and readers rely on not to be there.
func (m *manifestJSON) check() error {
	if len(m.Scenarios) == 0 {
		return errors.New("there is no scenario")
	}
	for _, s := range m.Scenarios {
		if len(s.Seeds) == 0 {
			return fmt.Errorf("scenario %q has no seed", s.Name)
		}
	}
	last, places := -1, 0
	for _, a := range m.Axes {
		switch {
		case len(a.Values) == 0:
			return fmt.Errorf("axis %s has no value", a.Path)
		case a.Dimension == last && len(a.Values) != places:
			return fmt.Errorf("axis %s has %d values, and those that it moves with have %d", a.Path, len(a.Values), places)
		case a.Dimension != last && a.Dimension != last+1:
			return fmt.Errorf("axis %s is of dimension %d, which does not follow %d", a.Path, a.Dimension, last)
		}
		last, places = a.Dimension, len(a.Values)
	}
	return nil
}
