package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// endless simulates a minute, which takes far longer than anybody waits.
const endless = `name: endless
stop: {time: 60s}
fabric:
  topology: star
  hosts: 2
  host_link: {rate: 100Gbps, cable: 3m}
workload:
  - {name: stream, type: saturate, pairs: [[h0, h1]], bytes: 1MB, depth: 2}
`

// TestInterrupt ends a run as Ctrl-C does: it stops soon, what was measured is
// written and marked partial, and the exit code is that of an interrupt.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "endless.yaml"), []byte(endless), 0o644))
	var stdout, stderr strings.Builder
	cmd := exec.Command("rocesim", "run", "endless.yaml", "-o", "sub/out")
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	require.NoError(t, cmd.Start())
	// The parent of the run directory is made before the simulation begins.
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(dir, "sub"))
		return err == nil
	}, hang, 5*time.Millisecond)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))

	assert.Equal(t, exitInterrupted, exitStatus(cmd.Wait()), stderr.String())
	assert.Contains(t, stdout.String(), "PARTIAL RESULTS: the run was interrupted before its end")
	assert.Contains(t, stderr.String(), "rocesim: interrupted: the results are partial\n")
	manifest, err := os.ReadFile(filepath.Join(dir, "sub", "out", "manifest.json"))
	require.NoError(t, err)
	assert.Contains(t, string(manifest), `"partial": true`)
	assert.Contains(t, string(manifest), `"stop": "interrupted"`)
	left, err := os.ReadDir(filepath.Join(dir, "sub"))
	require.NoError(t, err)
	assert.Len(t, left, 1, "nothing but the run directory is left behind")
}
