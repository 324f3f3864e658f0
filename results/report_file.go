package results

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ReportFile is the name of the page about a run in its directory. An extra of
// Write may make it, and WriteReport makes it anew.
const ReportFile = "report.html"

// addReport puts the hash of the report in dir into the manifest, or takes it
// out if there is no report.
func (m *manifestJSON) addReport(dir string) error {
	f, err := os.Open(filepath.Join(dir, ReportFile))
	if errors.Is(err, fs.ErrNotExist) {
		delete(m.Files, ReportFile)
		return nil
	}
	if err != nil {
		return err
	}
	h := sha256.New()
	_, err = io.Copy(h, f)
	m.Files[ReportFile] = hashText(h)
	return errors.Join(err, f.Close())
}

// WriteReport makes the report of a finished run anew. Both the report and the
// manifest, which has its hash, are complete at any time: each is written
// beside the old one and renamed.
func WriteReport(dir string, write func(io.Writer) error) error {
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if err != nil {
		return explainReport(dir, err)
	}
	var m manifestJSON
	if err := json.Unmarshal(text, &m); err != nil {
		return fmt.Errorf("%s: not a manifest of a run: %w", filepath.Join(dir, manifestFile), err)
	}
	if err := replaceFile(dir, ReportFile, write); err != nil {
		return explainReport(dir, err)
	}
	if err := m.addReport(dir); err != nil {
		return explainReport(dir, err)
	}
	return explainReport(dir, replaceFile(dir, manifestFile, func(w io.Writer) error { return EncodeJSON(w, m) }))
}

// replaceFile puts a new file in the place of dir's file name.
func replaceFile(dir, name string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(dir, "."+name+".unfinished-")
	if err != nil {
		return err
	}
	// CreateTemp keeps others out; results are for reading.
	err = errors.Join(write(f), f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

func explainReport(dir string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: no report written: %w", dir, err)
}
