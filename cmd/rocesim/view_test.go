package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestView serves until Ctrl-C, which is no failure.
func TestView(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "results", "runs", "notes"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "results", "runs", "notes", "a.txt"), []byte("hello"), 0o644))
	cmd := exec.Command("rocesim", "view")
	cmd.Dir = dir
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	url, rest, _ := strings.Cut(line, " ")
	assert.Equal(t, "shows results/runs; end with Ctrl-C\n", rest)
	assert.True(t, strings.HasPrefix(url, "http://127.0.0.1:"), url)

	response, err := http.Get(url + "notes/a.txt")
	require.NoError(t, err)
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	assert.Equal(t, "hello", string(text))

	port := strings.TrimSuffix(url[strings.LastIndexByte(url, ':')+1:], "/")
	second := exec.Command("rocesim", "view", "--port", port)
	second.Dir = dir
	said, err := second.CombinedOutput()
	assert.Equal(t, exitUsage, exitStatus(err))
	assert.Contains(t, string(said), "--port "+port+" cannot be used: ")
	assert.Contains(t, string(said), "leave it out to get a free one")

	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	assert.NoError(t, cmd.Wait(), "exit code 0")
}
