package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
)

// store keeps the records of finished runs: each setting has a directory, named
// by its hash, with the scenario and the record of each seed. A run is named by
// both, as "HASH/seed-1".
type store struct {
	dir string
	mu  sync.Mutex // guards the making of scenarios
}

// newStore is the store in the directory of a sweep or a search.
func newStore(dir string) *store { return &store{dir: filepath.Join(dir, runsDir)} }

// runName names a run of a setting.
func runName(setting string, seed uint64) string {
	return setting + "/seed-" + strconv.FormatUint(seed, 10)
}

// scenarioFile holds the scenario of a setting, every value filled in.
const scenarioFile = "scenario.yaml"

// recordFile holds a record and the SHA-256 of its bytes.
type recordFile struct {
	SHA256 string          `json:"sha256"`
	Record json.RawMessage `json:"record"`
}

func (s *store) path(run string) string { return filepath.Join(s.dir, run+".json") }

// scenario is the file with the scenario of a run.
func (s *store) scenario(run string) string {
	return filepath.Join(filepath.Dir(s.path(run)), scenarioFile)
}

// get returns the record of a run that is done, or nil. The error says that
// there is one which cannot be trusted.
func (s *store) get(run string) (*Record, error) {
	path := s.path(run)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var file recordFile
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%s: not a record: %w", path, err)
	}
	if sum(file.Record) != file.SHA256 {
		return nil, fmt.Errorf("%s: its checksum does not fit, so it was changed or only half written", path)
	}
	var rec Record
	if err := json.Unmarshal(file.Record, &rec); err != nil || rec.Format != recordFormat {
		return nil, fmt.Errorf("%s: the format is %q, this version reads %q", path, rec.Format, recordFormat)
	}
	return &rec, nil
}

// put writes the record of a run, and before it the scenario if that is not
// there: only then is text called. The record appears at once and complete.
func (s *store) put(run string, rec *Record, text func() (string, error)) error {
	if err := s.putScenario(run, text); err != nil {
		return err
	}
	body, err := json.Marshal(rec)
	if err != nil {
		return err
	}
	whole := fmt.Appendf(nil, "{\"sha256\":%q,\"record\":%s}\n", sum(body), body)
	return writeWhole(s.path(run), whole)
}

// putScenario makes the directory of a setting, whose runs may end at the same
// time.
func (s *store) putScenario(run string, text func() (string, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	path := s.scenario(run)
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	scenario, err := text()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return writeWhole(path, []byte("# simulate it with: rocesim run FILE --seed SEED\n"+scenario))
}

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// writeWhole writes a file beside its place and renames it: a reader sees all
// of it or nothing. What a killed process leaves is taken up by the next one,
// as the name of the unfinished file is always the same. So another process that
// writes the same run, as one may for a moment that has lost its queue, can rename
// it first.
func writeWhole(path string, data []byte) error {
	temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".unfinished")
	const tries = 100
	for try := 1; ; try++ {
		if err := os.WriteFile(temp, data, 0o644); err != nil {
			return err
		}
		if err := os.Rename(temp, path); try == tries || !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
}
