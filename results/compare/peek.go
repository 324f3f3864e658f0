package compare

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"rocesim/results"
)

// IsDir reports whether a directory is one that Write made.
func IsDir(fsys fs.FS, dir string) bool {
	_, err := fs.Stat(fsys, path.Join(dir, jsonFile))
	return err == nil
}

// ReadDir reads the comparison in a directory: one of the two is nil. The error
// says why it cannot be read.
func ReadDir(fsys fs.FS, dir string) (*Comparison, *SweepComparison, error) {
	name := path.Join(dir, jsonFile)
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, nil, err
	}
	var kind struct {
		Settings json.RawMessage `json:"settings"`
		Metrics  json.RawMessage `json:"metrics"`
	}
	if err := json.Unmarshal(text, &kind); err != nil {
		return nil, nil, fmt.Errorf("%s: not written by rocesim compare, or changed: %w", name, err)
	}
	switch {
	case kind.Metrics != nil:
		c := &Comparison{}
		return c, nil, c.read(name, text)
	case kind.Settings != nil:
		s := &SweepComparison{}
		if err := json.Unmarshal(text, s); err != nil {
			return nil, nil, fmt.Errorf("%s: not written by rocesim compare, or changed: %w", name, err)
		}
		for i := range s.Settings {
			if s.Settings[i].Comparison == nil {
				return nil, nil, fmt.Errorf("%s: a setting has no metrics, so the file was changed", name)
			}
			if !s.stands(&s.Settings[i]) {
				return nil, nil, fmt.Errorf("%s: the setting %s has no place on the axes, so the file was changed", name, s.Settings[i].Setting)
			}
			if err := s.Settings[i].complete(name); err != nil {
				return nil, nil, err
			}
		}
		return nil, s, nil
	}
	return nil, nil, fmt.Errorf("%s: neither metrics nor settings are in it, so rocesim compare did not write it", name)
}

// stands reports whether a setting has a place on every axis, each with as many
// numbers as values, if any.
func (c *SweepComparison) stands(s *SettingComparison) bool {
	if len(s.Places) != len(c.Axes) {
		return false
	}
	for i, place := range s.Places {
		a := &c.Axes[i]
		if place < 0 || place >= len(a.Values) || a.Numbers != nil && len(a.Numbers) != len(a.Values) {
			return false
		}
	}
	return true
}

func (c *Comparison) read(name string, text []byte) error {
	if err := json.Unmarshal(text, c); err != nil {
		return fmt.Errorf("%s: not written by rocesim compare, or changed: %w", name, err)
	}
	return c.complete(name)
}

// complete fills in what follows from the name of a metric. The error says
// that there is no such metric or verdict.
func (c *Comparison) complete(name string) error {
	if len(c.A.Seeds) == 0 || len(c.B.Seeds) == 0 {
		return fmt.Errorf("%s: a side has no seeds, so the file was changed", name)
	}
	c.addCaveat()
	for i := range c.Rows {
		r := &c.Rows[i]
		s, err := results.ParseSubject(r.Metric)
		if err != nil {
			return fmt.Errorf("%s: metric %q: %w", name, r.Metric, err)
		}
		if !slices.Contains([]Verdict{Same, Better, Worse, Different, NoValue}, r.Verdict) {
			return fmt.Errorf("%s: the verdict of %s is %q, which rocesim compare does not write", name, r.Metric, r.Verdict)
		}
		r.unit, r.better = s.Info().Unit, results.BetterDirection(s.Metric)
		r.identical = c.Method == Paired && r.Verdict == Same && r.Difference == 0 && r.Low == 0 && r.High == 0
	}
	return nil
}
