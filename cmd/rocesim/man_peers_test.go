//go:build peers

package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A formatter that checks pages has no complaint about any of them.
func TestManPagesAreClean(t *testing.T) {
	dir := t.TempDir()
	root := newRoot()
	root.SetArgs([]string{"man", dir})
	require.NoError(t, root.Execute())
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	require.NoError(t, err)
	require.Greater(t, len(pages), 20)
	for _, page := range pages {
		out, err := exec.Command("mandoc", "-T", "lint", "-W", "warning", page).CombinedOutput()
		assert.NoError(t, err, "%s", out)
	}
}
