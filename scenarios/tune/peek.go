package tune

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// Head is what the directory of a search says without its tables being read.
type Head struct {
	Scenario string
	// State is "finished", "interrupted" or "running".
	State string
	// Params are "path=words", Goals what is made small or large, Subject the
	// conditions, Best the "path=value" of the best setting so far.
	Params, Goals, Subject, Best []string
	Seeds, Budget                int
	// Violation is how far Best misses the conditions, Verdict what came out,
	// Improved whether Best is better by more than chance explains.
	Violation float64
	Verdict   string
	Improved  bool
}

// Peek reads what the directory of a search says first. The error says why it
// cannot be read.
func Peek(fsys fs.FS, dir string) (*Head, error) {
	name := path.Join(dir, manifestFile)
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	var m state
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("%s: not written by rocesim tune, or changed: %w", name, err)
	}
	if m.Format != stateFormat {
		return nil, fmt.Errorf("%s: the format is %q, this version reads %q", name, m.Format, stateFormat)
	}
	return &Head{m.Scenario, m.State, m.Params, m.Goals, m.Subject, m.Best, len(m.Seeds), m.Budget, m.Violation, m.Verdict, m.Improved}, nil
}

// IsDir reports whether a directory is that of a search.
func IsDir(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, manifestFile))
	return err == nil
}
