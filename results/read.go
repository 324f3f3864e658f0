package results

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Read reads a run directory back. Floating-point columns have six digits, all
// else is as it was written. It refuses a directory that rocesim did not
// write, that another version wrote in another format, of which files are
// missing, or whose tables have been changed; where a line can be blamed, the
// error begins with file:line.
func Read(dir string) (*Run, error) {
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, notARun(dir)
	case err != nil:
		return nil, err
	}
	var m manifestJSON
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("%s:%d: not a manifest of a run: %w", filepath.Join(dir, manifestFile), lineOf(text, err), err)
	}
	if err := m.check(filepath.Join(dir, manifestFile)); err != nil {
		return nil, err
	}
	run := &Run{Manifest: m.manifest()}
	for _, t := range run.tables() {
		if err := readTable(filepath.Join(dir, t.file), m.Files[t.file], &t); err != nil {
			return nil, err
		}
	}
	return run, nil
}

// IsDir reports whether dir looks like a run directory: it has a manifest.
func IsDir(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, manifestFile))
	return err == nil
}

func notARun(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s: a file and no run directory; name the directory that rocesim run wrote, by default below results/runs", dir)
	case err != nil:
		return fmt.Errorf("%s: no such directory; a run directory is what rocesim run wrote, by default below results/runs", dir)
	}
	return fmt.Errorf("%s: not a run directory, it has no %s; name the directory that rocesim run wrote, by default below results/runs", dir, manifestFile)
}

// lineOf returns the line at which JSON is broken.
func lineOf(text []byte, err error) int {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	offset := int64(0)
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
	}
	return 1 + strings.Count(string(text[:min(offset, int64(len(text)))]), "\n")
}

// check refuses a manifest that this version cannot use.
func (m *manifestJSON) check(path string) error {
	if m.Format != manifestFormat {
		if !strings.HasPrefix(m.Format, manifestPrefix) {
			return fmt.Errorf("%s: format is %q, so rocesim did not write it", path, m.Format)
		}
		return fmt.Errorf("%s: format is %q, written by rocesim %s; this version reads %q: simulate the scenario again",
			path, m.Format, m.Tool, manifestFormat)
	}
	if _, err := strconv.ParseUint(m.Fingerprint, 16, 64); err != nil {
		return fmt.Errorf("%s: fingerprint: %w", path, notA("a hexadecimal number", m.Fingerprint))
	}
	if _, ok := stopReason(m.Stop); !ok {
		return fmt.Errorf("%s: stop: %w", path, notA("finished, stopped, interrupted, stalled or deadlocked", m.Stop))
	}
	return nil
}

func stopReason(word string) (StopReason, bool) {
	for r := range stopReasons {
		if r.String() == word {
			return r, true
		}
	}
	return 0, false
}

// manifest is the reverse of Manifest.json. Preconditions: check found nothing.
func (m *manifestJSON) manifest() Manifest {
	fingerprint, _ := strconv.ParseUint(m.Fingerprint, 16, 64)
	stop, _ := stopReason(m.Stop)
	return Manifest{
		Tool: m.Tool, Name: m.Name, Question: m.Question, Seed: m.Seed, Scenario: m.Scenario, Source: m.Source, Overrides: m.Overrides,
		Fingerprint: fingerprint, Events: m.Events, PacketHops: m.PacketHops,
		SimulatedTime: micros(m.SimulatedUs), MeasureFrom: micros(m.MeasureFromUs),
		Stop: stop, LargestFrame: m.LargestFrame, PauseFrame: m.PauseFrame, Stall: m.Stall, Deadlocks: m.Deadlocks, Notes: m.Notes,
	}
}

// readTable reads one CSV file and compares its hash with that of the
// manifest.
func readTable(path, sum string, t *table) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: missing, so the run directory is not complete; simulate the scenario again", path)
	}
	if err != nil {
		return err
	}
	h := sha256.New()
	err = t.read(path, io.TeeReader(f, h))
	if err == nil && hashText(h) != sum {
		err = fmt.Errorf("%s: changed since the run was written, its SHA-256 is not the one in %s; simulate the scenario again",
			path, manifestFile)
	}
	return errors.Join(err, f.Close())
}

func hashText(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }
