//go:build peers

package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// children lists the processes of which the command line has a word, as Linux
// has them below /proc.
func children(t *testing.T, word string) (pids []int) {
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	require.NotEmpty(t, all)
	for _, file := range all {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		for _, arg := range strings.Split(string(text), "\x00") {
			if arg == word {
				pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
				require.NoError(t, err)
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// killChild kills one process that a worker has started.
func killChild(t *testing.T, parent int) {
	for _, pid := range children(t, "--child") {
		status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
		if err == nil && strings.Contains(string(status), "\nPPid:\t"+strconv.Itoa(parent)+"\n") {
			process, err := os.FindProcess(pid)
			require.NoError(t, err)
			require.NoError(t, process.Kill())
			return
		}
	}
	require.Fail(t, "the worker has no processes")
}
