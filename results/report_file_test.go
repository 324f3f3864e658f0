package results

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// filesOf returns the hashes in the manifest of a run directory.
func filesOf(t *testing.T, dir string) map[string]string {
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	require.NoError(t, err)
	var m manifestJSON
	require.NoError(t, json.Unmarshal(text, &m))
	return m.Files
}

func hashOf(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:])
}

func page(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func TestManifestHasTheHashOfTheReport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	run := tiny()
	s := Summarise(run)
	require.NoError(t, Write(dir, run, &s))
	require.NotContains(t, filesOf(t, dir), ReportFile)
	plain := filesOf(t, dir)

	extra := func(dir string) error { return WriteFile(filepath.Join(dir, ReportFile), page("first")) }
	require.NoError(t, Write(dir, run, &s, extra))
	require.Equal(t, hashOf("first"), filesOf(t, dir)[ReportFile])

	before, err := os.ReadFile(filepath.Join(dir, manifestFile))
	require.NoError(t, err)
	require.NoError(t, WriteReport(dir, page("second")))
	require.Equal(t, hashOf("second"), filesOf(t, dir)[ReportFile])
	require.NoError(t, WriteReport(dir, page("first")))
	after, err := os.ReadFile(filepath.Join(dir, manifestFile))
	require.NoError(t, err)
	require.Equal(t, string(before), string(after), "nothing else in the manifest changes")
	for name, hash := range plain {
		require.Equal(t, hash, filesOf(t, dir)[name])
	}
	_, err = Read(dir)
	require.NoError(t, err)
	entries, err := filepath.Glob(filepath.Join(dir, ".*"))
	require.NoError(t, err)
	require.Empty(t, entries, "no unfinished files stay")
}

func TestWriteReportLeavesTheOldOneOnFailure(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	run := tiny()
	s := Summarise(run)
	require.NoError(t, Write(dir, run, &s))
	require.NoError(t, WriteReport(dir, page("old")))
	err := WriteReport(dir, func(io.Writer) error { return errors.New("no ink") })
	require.EqualError(t, err, dir+": no report written: no ink")
	text, err := os.ReadFile(filepath.Join(dir, ReportFile))
	require.NoError(t, err)
	require.Equal(t, "old", string(text))
	require.ErrorContains(t, WriteReport(t.TempDir(), page("")), ": no report written: open ")
	entries, err := filepath.Glob(filepath.Join(dir, ".*"))
	require.NoError(t, err)
	require.Empty(t, entries)
}
