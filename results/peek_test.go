package results

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPeek says of a run what its manifest and summary say.
func TestPeek(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "x")
	run := tiny()
	write(t, dir, run)
	fsys := os.DirFS(filepath.Dir(dir))
	head, err := Peek(fsys, "x")
	require.NoError(t, err)
	want := run.Manifest
	assert.Equal(t, want.Name, head.Manifest.Name)
	assert.Equal(t, want.Seed, head.Manifest.Seed)
	assert.Equal(t, Judge(run), head.Summary.Verdict)
	assert.Empty(t, head.Report)
}

func TestPeekErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(dir string) error
		want string
	}{
		{"no summary", func(dir string) error { return os.Remove(filepath.Join(dir, summaryFile)) }, "x/summary.json is missing, so the directory is not complete"},
		{"no flows", func(dir string) error { return os.Remove(filepath.Join(dir, "flows.csv")) }, "x: flows.csv is missing, so the directory is not complete"},
		{"no series", func(dir string) error { return os.RemoveAll(filepath.Join(dir, "series")) }, " is missing, so the directory is not complete"},
		{"broken summary", func(dir string) error { return os.WriteFile(filepath.Join(dir, summaryFile), []byte("{\n}}"), 0o644) }, "x/summary.json:2: not written by rocesim, or changed: invalid character '}' after top-level value"},
		{"later format", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, manifestFile), []byte(`{"format": "`+manifestPrefix+`99", "tool_version": "9"}`), 0o644)
		}, "written by rocesim 9; this version reads"},
	} {
		dir := filepath.Join(t.TempDir(), "x")
		write(t, dir, tiny())
		require.NoError(t, c.do(dir))
		_, err := Peek(os.DirFS(filepath.Dir(dir)), "x")
		require.Error(t, err, c.name)
		assert.True(t, strings.Contains(err.Error(), c.want), "%s: %v", c.name, err)
	}
}
