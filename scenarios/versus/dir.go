package versus

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"rocesim/results"
	"rocesim/results/compare"
	"rocesim/results/report"
	"rocesim/results/why"
	"rocesim/scenarios"
	"rocesim/scenarios/sweep"
)

// Directories of the first run of each side below that of a comparison.
const (
	dirA = "a"
	dirB = "b"
)

// Write makes the directory dir with the comparison: comparison.json, text,
// plots, page, and the run directories a and b, which page and plots are of. An
// earlier comparison there is replaced.
func Write(dir string, o Outcome) error {
	return compare.Write(dir, o, func(temp string) error {
		return errors.Join(o.writeRuns(temp), Remake(temp, o))
	})
}

// Remake writes page and plots of a comparison into its directory.
func Remake(dir string, o Outcome) error {
	doc, err := o.Page()
	if err != nil {
		return err
	}
	return errors.Join(o.WritePlots(dir, []string{"png", "svg"}), sweep.WriteDocument(dir, doc))
}

// Read reads a comparison that Write wrote. The error says what is missing, or
// was changed since.
func Read(dir string) (Outcome, error) {
	c, s, err := compare.ReadDir(os.DirFS(dir), ".")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	if s != nil {
		return &SweepResult{s}, nil
	}
	o := &report.Overlay{NameA: c.A.Name, NameB: c.B.Name}
	if o.A, err = readSide(filepath.Join(dir, dirA), c.A); err != nil {
		return nil, err
	}
	if o.B, err = readSide(filepath.Join(dir, dirB), c.B); err != nil {
		return nil, err
	}
	return &Result{c, o}, nil
}

// readSide reads the first run of a side and checks that it is the one.
func readSide(dir string, side compare.SideInfo) (*results.Run, error) {
	run, err := results.Read(dir)
	if err != nil {
		return nil, fmt.Errorf("the page of a comparison shows the first run of each side: %w", err)
	}
	compared := ""
	if len(side.Fingerprints) > 0 {
		compared = side.Fingerprints[0]
	}
	if fingerprint := results.FingerprintText(run.Manifest.Fingerprint); fingerprint != compared {
		return nil, fmt.Errorf("%s: not the run that was compared: its fingerprint is %s, that of the comparison %s", dir, fingerprint, compared)
	}
	return run, nil
}

// writeRuns writes the first run of each side into its directory below dir.
func (r *Result) writeRuns(dir string) error {
	return errors.Join(writeSide(filepath.Join(dir, dirA), r.Overlay.A), writeSide(filepath.Join(dir, dirB), r.Overlay.B))
}

// writeSide writes a run without plots and page; rocesim report adds them.
func writeSide(dir string, run *results.Run) error {
	summary := results.Summarise(run)
	summary.Why = why.Top(why.Explain(run))
	// A run of another version may have a scenario that cannot be read here; its
	// expectations are left out then, as rocesim report does.
	if sc, err := scenarios.Parse(dir, []byte(run.Manifest.Scenario), nil); err == nil {
		if plan, err := sc.Plan(); err == nil {
			summary.Expect(plan.Expect, results.NewMetrics(run))
		}
	}
	return results.Write(dir, run, &summary)
}

// writeRuns writes nothing: sweeps are large, and the page has no charts of them.
func (*SweepResult) writeRuns(string) error { return nil }

// place is where a comparison was written; its fields are empty if it was not.
type place struct {
	Dir    string `json:"dir,omitempty"`
	Report string `json:"report,omitempty"`
}

func placeOf(dir string) place {
	if dir == "" {
		return place{}
	}
	return place{dir, filepath.Join(dir, results.ReportFile)}
}

// Document is a comparison for programs: comparison.json, and where it is.
type Document struct {
	place
	*compare.Comparison
}

// SweepDocument is a comparison of sweeps for programs.
type SweepDocument struct {
	place
	*compare.SweepComparison
}

// Document is the comparison with its directory, "" if it was not written.
func (r *Result) Document(dir string) any { return Document{placeOf(dir), r.Comparison} }

// Document is the comparison with its directory, "" if it was not written.
func (r *SweepResult) Document(dir string) any {
	return SweepDocument{placeOf(dir), r.SweepComparison}
}
