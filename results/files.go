package results

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// FileDoc documents one CSV file of a run directory.
type FileDoc struct {
	Name, Doc string
	Columns   []ColumnDoc
}

// ColumnDoc documents one column; the name ends in the unit unless the column
// holds a name or the number of something.
type ColumnDoc struct{ Name, Doc string }

// Files documents every CSV file of a run directory.
func Files() []FileDoc {
	var docs []FileDoc
	for _, t := range (&Run{}).tables() {
		docs = append(docs, t.documented())
	}
	return docs
}

// manifestFile marks a directory as made by rocesim.
const manifestFile = "manifest.json"

// summaryFile is the summary for programs.
const summaryFile = "summary.json"

// manifestFormat is the first field of every manifest: manifestPrefix and a
// version that changes when files change in a way that readers notice.
const (
	manifestPrefix = "rocesim run "
	manifestFormat = manifestPrefix + "4"
)

// manifestJSON is manifest.json.
type manifestJSON struct {
	Format        string   `json:"format"`
	Tool          string   `json:"tool_version"`
	Name          string   `json:"name"`
	Question      string   `json:"question,omitempty"`
	Seed          uint64   `json:"seed"`
	Source        []string `json:"source,omitempty"`
	Overrides     []string `json:"overrides,omitempty"`
	Fingerprint   string   `json:"fingerprint"`
	SimulatedUs   float64  `json:"simulated_us"`
	MeasureFromUs float64  `json:"measure_from_us"`
	Stop          string   `json:"stop"`
	Partial       bool     `json:"partial"`
	Stall         string   `json:"stall,omitempty"`
	Deadlocks     []string `json:"deadlocks,omitempty"`
	Events        uint64   `json:"events"`
	PacketHops    uint64   `json:"packet_hops"`
	LargestFrame  int64    `json:"largest_frame_wire_bytes"`
	PauseFrame    int64    `json:"pause_frame_wire_bytes"`
	Notes         []string `json:"notes,omitempty"`
	Scenario      string   `json:"scenario"`
	// Files are the tables with their SHA-256, so that a reader notices a
	// changed one, and the report with its.
	Files map[string]string `json:"files"`
}

func (m *Manifest) json() manifestJSON {
	return manifestJSON{
		Files:  map[string]string{},
		Format: manifestFormat, Tool: m.Tool, Name: m.Name, Question: m.Question, Seed: m.Seed, Source: m.Source, Overrides: m.Overrides,
		Fingerprint: FingerprintText(m.Fingerprint), SimulatedUs: m.SimulatedTime.Micros(), MeasureFromUs: m.MeasureFrom.Micros(),
		Stop: m.Stop.String(), Partial: m.Partial(), Stall: m.Stall, Events: m.Events, PacketHops: m.PacketHops,
		Deadlocks: m.Deadlocks, LargestFrame: m.LargestFrame, PauseFrame: m.PauseFrame, Notes: m.Notes, Scenario: m.Scenario,
	}
}

// writeTables writes the CSV files of a run below dir and returns the manifest
// with their hashes.
func writeTables(dir string, run *Run) (*manifestJSON, error) {
	if err := os.Mkdir(filepath.Join(dir, "series"), 0o755); err != nil {
		return nil, err
	}
	manifest := run.Manifest.json()
	for _, t := range run.tables() {
		h := sha256.New()
		write := func(w io.Writer) error { return t.write(io.MultiWriter(w, h)) }
		if err := WriteFile(filepath.Join(dir, t.file), write); err != nil {
			return nil, err
		}
		manifest.Files[t.file] = hashText(h)
	}
	return &manifest, nil
}

// writeSummaries writes the other files of a run below dir. The manifest gets
// the hash of the report, if there is one by now.
func writeSummaries(dir string, manifest *manifestJSON, s *Summary) error {
	if err := manifest.addReport(dir); err != nil {
		return err
	}
	files := []struct {
		name  string
		write func(io.Writer) error
	}{
		{manifestFile, func(w io.Writer) error { return EncodeJSON(w, manifest) }},
		{summaryFile, func(w io.Writer) error { return EncodeJSON(w, s) }},
		{"summary.txt", func(w io.Writer) error { return WriteText(w, s) }},
	}
	for _, f := range files {
		if err := WriteFile(filepath.Join(dir, f.name), f.write); err != nil {
			return err
		}
	}
	return nil
}

// EncodeJSON writes v as every JSON of rocesim looks: indented by two spaces, and
// with the characters of "a < b" as they are.
func EncodeJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// WriteFile makes or replaces a file with what write writes.
func WriteFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// readFormat returns the format that the manifest in dir names.
func readFormat(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if err != nil {
		return "", err
	}
	var m manifestJSON
	if err := json.Unmarshal(text, &m); err != nil {
		return "", fmt.Errorf("%s is not a manifest: %w", manifestFile, err)
	}
	return m.Format, nil
}
