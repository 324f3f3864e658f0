package sweep

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Finished is a sweep read back from its directory.
type Finished struct {
	// Scenarios are the names of those that were swept, Axes the paths of the
	// fields that vary.
	Scenarios, Axes []string
	// Settings are those with a run, in the order of runs.csv.
	Settings []FinishedSetting
}

// FinishedSetting is one setting with its runs.
type FinishedSetting struct {
	Scenario string
	// Values has one value for each axis.
	Values []string
	// Text is the scenario as YAML, every value filled in.
	Text string
	// Records are those of the runs that succeeded, by seed.
	Records []*Record
}

// IsDir reports whether a directory is that of a sweep.
func IsDir(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, manifestFile))
	return err == nil
}

// Read reads a finished sweep. The error says that there is none, that it is not
// finished, or which file cannot be trusted.
func Read(dir string) (*Finished, error) {
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	f := &Finished{}
	for _, s := range m.Scenarios {
		f.Scenarios = append(f.Scenarios, s.Name)
	}
	for _, a := range m.Axes {
		f.Axes = append(f.Axes, a.Path)
	}
	path := filepath.Join(dir, "runs.csv")
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(file).ReadAll()
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := f.addRows(dir, rows); err != nil {
		return nil, err
	}
	if len(f.Settings) == 0 {
		return nil, fmt.Errorf("%s: no run of the sweep succeeded", dir)
	}
	return f, nil
}

func readManifest(dir string) (*manifestJSON, error) {
	path := filepath.Join(dir, manifestFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: not the directory of a sweep, it has no %s", dir, manifestFile)
	}
	if err != nil {
		return nil, err
	}
	m, err := parseManifest(path, text)
	if err != nil {
		return nil, err
	}
	if m.State != "finished" {
		return nil, fmt.Errorf("%s: the sweep is not finished (%s); the same rocesim sweep command goes on with it", dir, m.State)
	}
	return m, nil
}

// addRows adds the runs of runs.csv.
func (f *Finished) addRows(dir string, rows [][]string) error {
	path := filepath.Join(dir, "runs.csv")
	if len(rows) == 0 {
		return fmt.Errorf("%s: the file is empty", path)
	}
	var places []int
	for _, name := range append([]string{"scenario", "run"}, f.Axes...) {
		at := slices.Index(rows[0], name)
		if at < 0 {
			return fmt.Errorf("%s:1: there is no column %s", path, name)
		}
		places = append(places, at)
	}
	runs := newStore(dir)
	for _, row := range rows[1:] {
		cells := make([]string, len(places))
		for i, at := range places {
			cells[i] = row[at]
		}
		if cells[1] == "" {
			continue // no scenario came of this setting
		}
		rec, err := runs.get(cells[1])
		if err != nil {
			return err
		}
		if rec == nil {
			continue // it failed
		}
		if err := f.add(runs, cells, rec); err != nil {
			return err
		}
	}
	return nil
}

// add adds a run to its setting; the runs of one follow each other.
func (f *Finished) add(runs *store, cells []string, rec *Record) error {
	last := len(f.Settings) - 1
	if last < 0 || f.Settings[last].Scenario != cells[0] || !slices.Equal(f.Settings[last].Values, cells[2:]) {
		text, err := os.ReadFile(runs.scenario(cells[1]))
		if err != nil {
			return err
		}
		f.Settings = append(f.Settings, FinishedSetting{Scenario: cells[0], Values: cells[2:], Text: string(text)})
		last++
	}
	f.Settings[last].Records = append(f.Settings[last].Records, rec)
	return nil
}
