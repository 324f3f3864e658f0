//go:build peers

package main

import (
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestKilledWorkers has four worker processes do a sweep of 300 runs, of which
// two are killed at random moments: the directory equals that of a sweep in one
// process, byte for byte.
func TestKilledWorkers(t *testing.T) {
	s := newSite(t, farmed(12))
	random := rand.New(rand.NewPCG(4, 2))
	sweep := s.start("sweep.log", s.sweep("--workers", "0")...)
	s.secret()
	var workers []*os.Process
	for range 4 {
		workers = append(workers, s.start("workers.log", s.worker()...).Process)
	}
	at := 0
	for _, i := range random.Perm(4)[:2] {
		at += 20 + random.IntN(60)
		s.until(at)
		require.NoError(t, workers[i].Kill())
		t.Logf("worker %d killed after %d runs", i, s.records())
	}
	require.Less(t, s.records(), 300)
	require.NoError(t, s.end(sweep))
	s.same()
}

// TestKilledFarm kills a sweep of 500 runs three times, while its workers live
// on: they join each time, and the directory is that of a sweep left alone.
func TestKilledFarm(t *testing.T) {
	s := newSite(t, farmed(20))
	random := rand.New(rand.NewPCG(5, 0))
	at := 0
	for kill := range 3 {
		sweep := s.start("sweep.log", s.sweep("--workers", "0")...)
		s.secret()
		if kill == 0 {
			s.start("workers.log", s.worker("--workers", "2")...)
			s.start("workers.log", s.worker()...)
		}
		at = s.records() + 60 + random.IntN(60)
		s.until(at)
		require.NoError(t, sweep.Process.Kill())
		assert.Error(t, sweep.Wait())
		state, err := os.ReadFile(filepath.Join(s.dir, "farmed", "sweep.json"))
		require.NoError(t, err)
		assert.Contains(t, string(state), `"state": "running"`)
	}
	require.Less(t, s.records(), 500)
	require.NoError(t, s.end(s.start("sweep.log", s.sweep("--workers", "0")...)))
	s.same()
}

// TestKilledProcess kills a process of a worker that has two: another takes its
// place, and the sweep ends.
func TestKilledProcess(t *testing.T) {
	s := newSite(t, farmed(8))
	sweep := s.start("sweep.log", s.sweep("--workers", "0")...)
	s.secret()
	worker := s.start("workers.log", s.worker("--workers", "2")...)
	s.until(20)
	killChild(t, worker.Process.Pid)
	require.NoError(t, s.end(sweep))
	s.same()
	assert.Contains(t, s.read("workers.log"), "ended (signal: killed); another takes its place\n")

	// Without the process that they belong to, the others go too.
	require.NoError(t, worker.Process.Kill())
	require.Eventually(t, func() bool { return len(children(t, "--nats=tls://127.0.0.1:"+s.port)) == 0 }, hang, 10*time.Millisecond)
}

// TestPaused stops processes for longer than the lease, as a laptop that is
// closed or a host that swaps does: first the sweep with its server, and then a
// worker, whose run another gets and which ends it nevertheless.
func TestPaused(t *testing.T) {
	s := newSite(t, farmed(20))
	sweep := s.start("sweep.log", s.sweep("--workers", "0")...)
	s.secret()
	slow := s.start("workers.log", s.worker()...)
	s.start("workers.log", s.worker()...)
	for i, p := range []*os.Process{sweep.Process, slow.Process} {
		s.until(20 + 40*i)
		require.Less(t, s.records(), 500)
		require.NoError(t, p.Signal(syscall.SIGSTOP))
		time.Sleep(3 * time.Second)
		require.NoError(t, p.Signal(syscall.SIGCONT))
	}
	require.NoError(t, s.end(sweep))
	s.same()
	assert.NotContains(t, s.read("sweep.log"), "set aside")
}

// TestKilledLeavesNothing kills a sweep that listens: there is nothing of it
// among the temporary files.
func TestKilledLeavesNothing(t *testing.T) {
	s := newSite(t, farmed(8))
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	sweep := s.start("sweep.log", s.sweep("--workers", "1")...)
	s.until(10)
	require.NoError(t, sweep.Process.Kill())
	assert.Error(t, sweep.Wait())
	left, err := os.ReadDir(temporary)
	require.NoError(t, err)
	assert.Empty(t, left)
}

// TestKilledServer kills a NATS server in a process of its own three times, and
// starts it again on what it left on its disk: sweep and workers wait for it, and
// the directory is that of a sweep left alone.
func TestKilledServer(t *testing.T) {
	s := newSite(t, farmed(20))
	url := "nats://127.0.0.1:" + s.port
	serve := func() *os.Process {
		return s.begin(s.program("nats-server", "nats.log", "-a", "127.0.0.1", "-p", s.port, "-js", "-sd", "store")).Process
	}
	server := serve()
	for range 2 {
		s.start("workers.log", "worker", "--nats", url, "--workers", "1")
	}
	waitFor(t, "127.0.0.1:"+s.port)
	sweep := s.start("sweep.log", "sweep", "swept.yaml", "-q", "-o", "farmed", "--nats", url, "--lease", "2s")
	random := rand.New(rand.NewPCG(9, 1))
	for kill := range 3 {
		s.until(120*kill + 20 + random.IntN(100))
		require.NoError(t, server.Kill())
		t.Logf("server killed after %d runs", s.records())
		require.Less(t, s.records(), 500)
		time.Sleep(time.Duration(random.IntN(1000)) * time.Millisecond)
		server = serve()
	}
	require.NoError(t, s.end(sweep))
	s.same()
	assert.NotContains(t, s.read("sweep.log"), "set aside")
	assert.NotContains(t, s.read("workers.log"), "not storable")
}

// TestLostQueue stops a sweep and starts it again meanwhile, as one does who takes
// it for dead: when the first goes on it finds that the queue is the other's, and
// ends with an error; the second ends as if it had been alone.
func TestLostQueue(t *testing.T) {
	s := newSite(t, farmed(20))
	url := "nats://127.0.0.1:" + s.port
	s.begin(s.program("nats-server", "nats.log", "-a", "127.0.0.1", "-p", s.port, "-js", "-sd", "store"))
	s.start("workers.log", "worker", "--nats", url, "--workers", "1")
	waitFor(t, "127.0.0.1:"+s.port)
	args := []string{"sweep", "swept.yaml", "-q", "-o", "farmed", "--nats", url}
	stopped := s.start("stopped.log", args...)
	s.until(20)
	require.NoError(t, stopped.Process.Signal(syscall.SIGSTOP))
	before := s.records()
	require.Less(t, before, 500)
	second := s.start("sweep.log", args...)
	s.until(before + 20)
	require.NoError(t, stopped.Process.Signal(syscall.SIGCONT))
	var exit *exec.ExitError
	require.ErrorAs(t, s.end(stopped), &exit)
	assert.Equal(t, exitUsage, exit.ExitCode())
	assert.Contains(t, s.read("stopped.log"), "was taken over by rocesim sweep ")
	require.NoError(t, s.end(second), s.read("sweep.log"))
	s.same()
}

// waitFor waits until somebody listens.
func waitFor(t *testing.T, address string) {
	require.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			err = conn.Close()
		}
		return err == nil
	}, hang, 5*time.Millisecond)
}
