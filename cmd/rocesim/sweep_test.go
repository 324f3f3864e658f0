package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios/sweep"
)

const swept = `name: swept
fabric: {topology: star, hosts: 9, host_link: {rate: 100Gbps, cable: 3m}}
switch: {preset: ideal, ecn: {kmin: 40KB, kmax: 160KB, pmax: 20%}}
cc: {preset: connectx}
workload:
  - {name: burst, type: incast, senders: "h[1-8]", receivers: h0, bytes: 100KB}
output: {plots: []}
sweep:
  axes:
    switch.ecn.kmin: {from: 10KB, to: 50KB, step: 10KB}
    switch.ecn.kmax: {from: 60KB, to: 140KB, step: 20KB}
  seeds: 2
`

// TestKilledSweep kills a sweep of 100 runs three times, as kill -9 does, each
// time after some more runs are done and long before its end: it ends with the
// files of one that was left alone.
func TestKilledSweep(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "swept.yaml"), []byte(farmed(4)), 0o644))
	command := func(out, workers string) *exec.Cmd {
		cmd := exec.Command("rocesim", "sweep", "swept.yaml", "-q", "-o", out, "--workers", workers)
		cmd.Dir = dir
		return cmd
	}
	require.NoError(t, command("whole", "2").Run())
	records := func() int {
		found, _ := filepath.Glob(filepath.Join(dir, "killed", "runs", "*", "*.json"))
		return len(found)
	}
	for i, workers := range []string{"1", "2", "3"} {
		cmd := command("killed", workers)
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool { return records() >= 10*(i+1) }, hang, time.Millisecond)
		require.NoError(t, cmd.Process.Kill())
		assert.Error(t, cmd.Wait(), "it was killed before its end")
		state, err := os.ReadFile(filepath.Join(dir, "killed", "sweep.json"))
		require.NoError(t, err)
		assert.Contains(t, string(state), `"state": "running"`)
	}
	assert.Less(t, records(), 100)
	require.NoError(t, command("killed", "1").Run())
	diff, err := exec.Command("diff", "-r", filepath.Join(dir, "whole"), filepath.Join(dir, "killed")).CombinedOutput()
	assert.NoError(t, err, string(diff))
}

// TestInterruptedSweep ends a sweep as Ctrl-C does: what is done is written and
// marked partial.
func TestInterruptedSweep(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "endless.yaml"), []byte(endless), 0o644))
	var stdout, stderr strings.Builder
	cmd := exec.Command("rocesim", "sweep", "endless.yaml", "--set", "stop.time=10us,60s", "--workers", "1", "-o", "out")
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool {
		found, _ := filepath.Glob(filepath.Join(dir, "out", "runs", "*", "*.json"))
		return len(found) == 1
	}, hang, 5*time.Millisecond)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	assert.Equal(t, exitInterrupted, exitStatus(cmd.Wait()), stderr.String())
	assert.Contains(t, stdout.String(), "2 runs, 1 stopped, 1 missing\nPARTIAL RESULTS: the sweep was interrupted")
	assert.Contains(t, stderr.String(), "rocesim: interrupted: finished runs are kept, the same command goes on\n")
}

func TestSweepLine(t *testing.T) {
	for _, c := range []struct {
		p       sweep.Progress
		elapsed time.Duration
		want    string
	}{
		{sweep.Progress{Resolving: 3, Settings: 10, Runs: 20}, 0, "3 of 10 settings checked"},
		{sweep.Progress{Resolving: 10, Settings: 10, Runs: 20}, 0, "0 of 20 runs done"},
		{sweep.Progress{Done: 12, Found: 2, Failed: 1, Runs: 32}, 5 * time.Second,
			"12 of 32 runs done, 2 of them before, 1 failed, 2.0 runs/s, ETA 10s"},
		{sweep.Progress{Done: 32, Found: 32, Runs: 32}, 0, "32 of 32 runs done, 32 of them before"},
	} {
		assert.Equal(t, c.want, sweepLine(c.p, c.elapsed))
	}
}

// TestSweepMeter prints now and then, and counts time from the first run on.
func TestSweepMeter(t *testing.T) {
	var out strings.Builder
	now := time.Unix(0, 0)
	m := newSweepMeter(newMeter(&out, 0, func() time.Time { return now }))
	now = now.Add(logInterval)
	m.update(sweep.Progress{Resolving: 5, Settings: 10})
	now = now.Add(logInterval)
	m.update(sweep.Progress{Resolving: 10, Settings: 10, Done: 4, Runs: 10})
	m.update(sweep.Progress{Resolving: 10, Settings: 10, Done: 5, Runs: 10})
	assert.Equal(t, "5 of 10 settings checked\n4 of 10 runs done, 0.8 runs/s, ETA 8s\n", out.String())
}

// What an error of a sweep says of the tables is so.
func TestKept(t *testing.T) {
	full, unwritten := errors.New("out: a finished run cannot be kept"), errors.New("out: no results written, though finished runs are kept")
	assert.NoError(t, kept(nil, "out", nil))
	assert.Equal(t, unwritten, kept(nil, "out", unwritten))
	assert.EqualError(t, kept(full, "out", nil), "out: a finished run cannot be kept\nfinished runs are kept in out, and the tables are of them; the same command goes on")
	assert.EqualError(t, kept(full, "out", unwritten), "out: a finished run cannot be kept\nout: no results written, though finished runs are kept; the same command goes on")
}
