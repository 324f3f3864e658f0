package tune

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"rocesim/results"
	"rocesim/scenarios/sweep"
)

// manifestFile marks a directory as that of a search.
const manifestFile = "tune.json"

// stateFormat is the first field of it.
const stateFormat = "rocesim tune 1"

// state is tune.json.
type state struct {
	Format    string   `json:"format"`
	State     string   `json:"state"`
	Scenario  string   `json:"scenario"`
	Params    []string `json:"params"`
	Goals     []string `json:"goals"`
	Subject   []string `json:"subject"`
	Seeds     []uint64 `json:"seeds"`
	Budget    int      `json:"budget"`
	Best      []string `json:"best,omitempty"`
	Violation float64  `json:"violation"`
	// Verdict and Improved are there when the search has ended.
	Verdict  string `json:"verdict,omitempty"`
	Improved bool   `json:"improved,omitempty"`
}

// state says what is searched for and how far it came.
func (p *Problem) state(how string, best *Trial) *state {
	m := &state{Format: stateFormat, State: how, Scenario: p.base.Name, Seeds: p.seeds, Budget: p.budget}
	for i := range p.Params {
		m.Params = append(m.Params, p.Params[i].Path+"="+p.Params[i].Words())
		if best != nil {
			m.Best = append(m.Best, p.Params[i].Path+"="+best.Values[i])
			m.Violation = best.Violation
		}
	}
	for i := range p.Goals {
		m.Goals = append(m.Goals, fmt.Sprintf("%s, weight %g", p.Goals[i].Objective.Words(), p.Goals[i].Weight))
	}
	for i := range p.conditions {
		m.Subject = append(m.Subject, p.conditions[i].Text)
	}
	return m
}

// write puts the state into the directory.
func (m *state) write(dir string) error {
	var text bytes.Buffer
	if err := results.EncodeJSON(&text, m); err != nil {
		return err
	}
	return sweep.WriteFile(filepath.Join(dir, manifestFile), text.Bytes())
}

// open makes the directory or checks that it is one of a search, and takes
// away what an earlier one wrote in the end.
func (p *Problem) open(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s: cannot be used as a directory of a search: %w", dir, err)
	}
	if _, err := os.Stat(filepath.Join(dir, manifestFile)); len(entries) > 0 && err != nil {
		return fmt.Errorf("%s: exists and was not made by rocesim tune, so it is left alone; choose another directory with -o", dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("%s: cannot be used as a directory of a search: %w", dir, err)
	}
	for _, name := range outputs() {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return p.state("running", nil).write(dir)
}

// outputs are the files and directories that a search makes in the end.
func outputs() []string {
	return []string{"path.csv", "summary.txt", "best.yaml", "plots", results.ReportFile}
}
