package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

// farmed is a sweep of short runs, so many seeds for each of 25 settings.
func farmed(seeds int) string {
	return strings.Replace(swept, "seeds: 2", "seeds: "+strconv.Itoa(seeds), 1)
}

// freePort is a port that nobody listened on a moment ago.
func freePort(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	return port
}

// site is a directory with a sweep, a secret and processes that use them.
type site struct {
	t         *testing.T
	dir, port string
}

func newSite(t *testing.T, scenario string) *site {
	s := &site{t: t, dir: t.TempDir()}
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "swept.yaml"), []byte(scenario), 0o644))
	s.port = freePort(t)
	return s
}

// command is one of rocesim's, with its output in a file.
func (s *site) command(log string, args ...string) *exec.Cmd {
	return s.program("rocesim", log, args...)
}

// program is a command with its output in a file.
func (s *site) program(name, log string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	out, err := os.OpenFile(filepath.Join(s.dir, log), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	require.NoError(s.t, err)
	s.t.Cleanup(func() { out.Close() })
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, out, out
	return cmd
}

func (s *site) start(log string, args ...string) *exec.Cmd {
	return s.begin(s.command(log, args...))
}

// begin starts a command that ends with the test.
func (s *site) begin(cmd *exec.Cmd) *exec.Cmd {
	require.NoError(s.t, cmd.Start())
	s.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd
}

// end waits for a command, and kills it if it takes far too long.
func (s *site) end(cmd *exec.Cmd) error {
	defer time.AfterFunc(hang, func() { _ = cmd.Process.Kill() }).Stop()
	return cmd.Wait()
}

func (s *site) read(log string) string {
	text, err := os.ReadFile(filepath.Join(s.dir, log))
	require.NoError(s.t, err)
	return string(text)
}

// sweep is a command that leaves its runs to workers.
func (s *site) sweep(more ...string) []string {
	return append([]string{"sweep", "swept.yaml", "-q", "-o", "farmed", "--listen", s.port, "--secret", "secret", "--lease", "2s"}, more...)
}

// worker is a command that takes part, and ends with the test.
func (s *site) worker(more ...string) []string {
	return append([]string{"worker", "--nats", "tls://127.0.0.1:" + s.port, "--secret", "secret", "--workers", "1", "--idle", hang.String()}, more...)
}

// records counts the finished runs of the sweep.
func (s *site) records() int {
	found, _ := filepath.Glob(filepath.Join(s.dir, "farmed", "runs", "*", "*.json"))
	return len(found)
}

// until waits for a number of finished runs.
func (s *site) until(n int) {
	require.Eventually(s.t, func() bool { return s.records() >= n }, hang, time.Millisecond, "%d runs", n)
}

// same compares the sweep with one that was left alone, in one process.
func (s *site) same() {
	require.NoError(s.t, s.command("local.log", "sweep", "swept.yaml", "-q", "-o", "local").Run(), s.t.Name())
	diff, err := exec.Command("diff", "-r", filepath.Join(s.dir, "local"), filepath.Join(s.dir, "farmed")).CombinedOutput()
	assert.NoError(s.t, err, string(diff))
}

// secret waits until the sweep has made it.
func (s *site) secret() {
	require.Eventually(s.t, func() bool {
		_, err := os.Stat(filepath.Join(s.dir, "secret"))
		return err == nil
	}, hang, 5*time.Millisecond)
}

// TestFarm has two worker processes do a sweep, of which one is killed: the
// directory is that of a sweep in one process.
func TestFarm(t *testing.T) {
	s := newSite(t, farmed(4))
	sweep := s.start("sweep.log", s.sweep("--workers", "0")...)
	s.secret()
	heir := s.start("heir.log", s.worker("--output", "json")...)
	s.until(1) // however slow the machine is: the heir does its share
	victim := s.start("victim.log", s.worker()...)
	s.until(50)
	require.NoError(t, victim.Process.Kill())
	require.NoError(t, s.end(sweep))
	s.same()
	assert.NotContains(t, s.read("victim.log"), "job ", "a job that is done has no line")
	assert.Contains(t, s.read("sweep.log"), "rocesim: made the secret secret; workers need a copy of it\nrocesim: workers join with: rocesim worker --nats tls://127.0.0.1:"+s.port+" --secret secret\n")
	assert.Contains(t, s.read("heir.log"), `"scenario":"swept","seed":1,"outcome":"done"`)

	require.NoError(t, heir.Process.Signal(os.Interrupt))
	require.NoError(t, heir.Wait(), "a worker that is told to stop ends with exit code 0")
}

// TestFarmAlone is a sweep that listens and that nobody joins.
func TestFarmAlone(t *testing.T) {
	s := newSite(t, farmed(1))
	require.NoError(t, s.command("sweep.log", s.sweep()...).Run())
	s.same()
}

// TestFarmInterrupted ends a sweep that has no workers, as Ctrl-C does.
func TestFarmInterrupted(t *testing.T) {
	s := newSite(t, farmed(1))
	sweep := s.start("sweep.log", s.sweep("--workers", "0")...)
	s.secret()
	require.Eventually(t, func() bool { _, err := os.Stat(filepath.Join(s.dir, "farmed", "sweep.json")); return err == nil }, hang, time.Millisecond)
	require.NoError(t, sweep.Process.Signal(os.Interrupt))
	assert.Equal(t, exitInterrupted, exitStatus(s.end(sweep)), s.read("sweep.log"))
}

// TestManifests reads the files that the documentation gives for clusters.
func TestManifests(t *testing.T) {
	text, err := os.ReadFile("../../docs/distributed/kubernetes.yaml")
	require.NoError(t, err)
	decoder := yaml.NewDecoder(strings.NewReader(string(text)))
	var kinds []string
	for {
		var object struct {
			APIVersion string `yaml:"apiVersion"`
			Kind       string
			Metadata   struct{ Name string }
			Spec       yaml.Node
		}
		if decoder.Decode(&object) != nil {
			break
		}
		assert.NotEmpty(t, object.APIVersion)
		assert.NotEmpty(t, object.Metadata.Name)
		kinds = append(kinds, object.Kind)
	}
	assert.Equal(t, []string{"Service", "Job", "Deployment"}, kinds)
	out, err := exec.Command("bash", "-n", "../../docs/distributed/slurm.sh").CombinedOutput()
	assert.NoError(t, err, string(out))
}

// TestWorkerProcesses lists which flags a worker's processes take over.
func TestWorkerProcesses(t *testing.T) {
	cmd := newWorker()
	require.NoError(t, cmd.ParseFlags([]string{"--nats", "tls://a:1", "--workers", "5", "--idle", "10m", "-q", "--output", "text", "--insecure"}))
	assert.Equal(t, []string{"worker", "--child", "--workers=1", "--output=json", "--nats=tls://a:1", "--idle=10m0s", "--insecure=true"}, childArgs(cmd))
}
