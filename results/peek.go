package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
)

// Head is what a run directory says without its tables being read.
type Head struct {
	Manifest Manifest
	Summary  Summary
	// Report is the SHA-256 of its report in hexadecimal, empty if it has none.
	Report string
}

// Peek reads manifest and summary of a run directory, and looks whether its
// tables are there, though not into them. The error says what about it is
// wrong, as that of Read does.
func Peek(fsys fs.FS, dir string) (*Head, error) {
	var m manifestJSON
	if err := peekJSON(fsys, path.Join(dir, manifestFile), &m); err != nil {
		return nil, err
	}
	if err := m.check(path.Join(dir, manifestFile)); err != nil {
		return nil, err
	}
	var missing []string
	for name := range m.Files {
		if _, err := fs.Stat(fsys, path.Join(dir, name)); err != nil && name != ReportFile {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		return nil, fmt.Errorf("%s: %s is missing, so the directory is not complete", dir, missing[0])
	}
	h := &Head{Manifest: m.manifest(), Report: m.Files[ReportFile]}
	return h, peekJSON(fsys, path.Join(dir, summaryFile), &h.Summary)
}

func peekJSON(fsys fs.FS, name string, into any) error {
	text, err := fs.ReadFile(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is missing, so the directory is not complete", name)
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s:%d: not written by rocesim, or changed: %w", name, lineOf(text, err), err)
	}
	return nil
}
