package scenarios

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// fingerprintFile holds one line for each scenario of the library: its name
// and the hash over all events of its run.
const fingerprintFile = "testdata/fingerprints.txt"

// readFingerprints returns the fingerprints on file by name.
func readFingerprints(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(fingerprintFile)
	require.NoError(t, err)
	of := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, hash, ok := strings.Cut(strings.TrimSpace(line), " ")
		require.True(t, ok, line)
		of[name] = hash
	}
	return of
}

// fingerprints collects those of runs in parallel.
type fingerprints struct {
	mu sync.Mutex
	of map[string]string
}

func (f *fingerprints) add(name string, hash uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.of[name] = fmt.Sprintf("%016x", hash)
}

func (f *fingerprints) get(name string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.of[name]
}

// write puts them on file.
func (f *fingerprints) write(t *testing.T) {
	t.Helper()
	var lines []string
	for name, hash := range f.of {
		lines = append(lines, name+" "+hash+"\n")
	}
	slices.Sort(lines)
	require.NoError(t, os.WriteFile(fingerprintFile, []byte(strings.Join(lines, "")), 0o644))
}
