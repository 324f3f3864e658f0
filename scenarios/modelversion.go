package scenarios

import (
	"crypto/sha256"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
)

//go:embed *.baseline.json */*.baseline.json
var libraryBaselines embed.FS

// measured is what counts of a baseline of the library: what its scenario
// came to, and not which tolerance or release is written beside it.
type measured struct {
	Scenario    string             `json:"scenario"`
	Seed        uint64             `json:"seed"`
	Fingerprint string             `json:"fingerprint"`
	Metrics     map[string]float64 `json:"metrics"`
}

// ModelVersion names what the model computes: eight hexadecimal digits, a hash
// over the fingerprints and metrics of the library's baselines. The tests keep
// these current, so that it changes when results do, between releases too, and
// only then. It is the same on every machine and however rocesim was built.
func ModelVersion() string {
	version, err := modelVersion(libraryBaselines)
	if err != nil {
		panic(fmt.Sprintf("scenarios: library: %v", err)) // the tests read them all
	}
	return version
}

// modelVersion hashes the baselines in a directory and in the topics below it.
func modelVersion(files fs.FS) (string, error) {
	var names []string
	for _, pattern := range []string{"*.baseline.json", "*/*.baseline.json"} {
		found, err := fs.Glob(files, pattern)
		if err != nil {
			return "", err
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	hash := sha256.New()
	encoder := json.NewEncoder(hash) // the keys of a map in their order
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return "", err
		}
		var m measured
		if err := json.Unmarshal(text, &m); err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		if err := encoder.Encode(&m); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%x", hash.Sum(nil)[:4]), nil
}
