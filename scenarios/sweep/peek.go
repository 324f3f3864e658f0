package sweep

import (
	"encoding/json"
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
	return &m, nil
}
