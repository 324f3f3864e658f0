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
)

// store keeps the records of finished runs, each in a directory named by the
// hash of its job.
type store struct{ dir string }

// recordFile holds a record and the SHA-256 of its bytes.
type recordFile struct {
	SHA256 string          `json:"sha256"`
	Record json.RawMessage `json:"record"`
}

func (s *store) path(hash string) string { return filepath.Join(s.dir, hash, "record.json") }

// get returns the record of a run that is done, or nil. The error says that
// there is one which cannot be trusted.
func (s *store) get(hash string) (*Record, error) {
	path := s.path(hash)
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

// put writes scenario and record of a run. The record appears at once and
// complete, and last: without it what else is there does not count.
func (s *store) put(hash string, job *Job, rec *Record) error {
	dir := filepath.Join(s.dir, hash)
	// Most often the directory above is there and this one is not, so that one
	// call to the system is enough.
	if os.Mkdir(dir, 0o755) != nil {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	text := fmt.Sprintf("# seed %d; simulate it with: rocesim run FILE --seed %d\n%s", job.Seed, job.Seed, job.Scenario)
	if err := os.WriteFile(filepath.Join(dir, "scenario.yaml"), []byte(text), 0o644); err != nil {
		return err
	}
	body, err := json.Marshal(rec)
	if err != nil {
		return err
	}
	whole := fmt.Appendf(nil, "{\"sha256\":%q,\"record\":%s}\n", sum(body), body)
	return writeWhole(s.path(hash), whole)
}

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// writeWhole writes a file beside its place and renames it: a reader sees all
// of it or nothing. What a killed process leaves is taken up by the next one,
// as the name of the unfinished file is always the same.
func writeWhole(path string, data []byte) error {
	temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".unfinished")
	if err := os.WriteFile(temp, data, 0o644); err != nil {
		return err
	}
	return os.Rename(temp, path)
}
