package farm

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios/sweep"
)

// TestMain lets more tests run at a time than there are processors, as most of
// their time is leases and timeouts.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// hang is how long a test waits for what is bound to come: far longer than it
// takes, so that only what hangs fails, also on a machine with ten times the
// work that it can do.
const hang = 4 * time.Minute

// away is the timeout of those whose server ends before them: how long they bear
// that, and no more than they may have to wait for an answer.
const away = 5 * time.Second

// tiny is an incast that takes a few milliseconds to simulate.
const tiny = `name: tiny
fabric: {topology: star, hosts: 5, host_link: {rate: 100Gbps, cable: 3m}}
workload:
  - {name: burst, type: incast, senders: "h[1-4]", receivers: h0, bytes: 20KB}
output: {plots: []}
`

// startServer runs a NATS server with JetStream as somebody else's would be.
func startServer(t *testing.T, change func(*server.Options)) *server.Server {
	opt := &server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true, JetStream: true, StoreDir: t.TempDir()}
	if change != nil {
		change(opt)
	}
	srv, err := server.NewServer(opt)
	require.NoError(t, err)
	srv.Start()
	require.True(t, srv.ReadyForConnections(hang))
	t.Cleanup(func() { srv.Shutdown(); srv.WaitForShutdown() })
	return srv
}

// connect connects until the test ends.
func connect(t *testing.T, url string) *Conn { return connectFor(t, url, hang) }

// connectFor is for a server that ends before the test, which the connection
// bears for the timeout, such as away.
func connectFor(t *testing.T, url string, timeout time.Duration) *Conn {
	conn, err := Connect(context.Background(), Server{URL: url, Timeout: timeout, Name: "test"})
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	return conn
}

// patient are options for tests in which workers and queue are well. Lease and
// looks are long, as by default: on a busy machine a slow worker would be taken
// for a dead one, and a slow coordinator would find its queue empty.
func patient(notes func(string)) Options {
	return Options{Queue: "q", Tool: "test", Lease: 20 * time.Second, Note: notes}
}

// quick are options for tests in which deliveries are lost, or that wait for what
// looks at the queue bring: a job may be done more than once.
func quick(notes func(string)) Options {
	return Options{Queue: "q", Tool: "test", Lease: time.Second, Tick: 100 * time.Millisecond, Note: notes}
}

// start runs a worker until the test ends.
func start(t *testing.T, conn *Conn, w Worker) (stop func() error) {
	ctx, cancel := context.WithCancel(context.Background())
	w.Tool = "test"
	ended := make(chan error, 1)
	go func() { ended <- w.Serve(ctx, conn) }()
	stop = sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() { _ = stop() })
	return stop
}

// fake makes a record without a simulation.
func fake(_ context.Context, j *sweep.Job) (*sweep.Record, error) {
	value := float64(j.Seed)
	return &sweep.Record{Format: "rocesim record 1", Tool: "test", Scenario: "tiny", Seed: j.Seed,
		Metrics: map[string]*float64{"fct.p99": &value, "none": nil}}, nil
}

func jobs(i int) (*sweep.Job, error) { return &sweep.Job{Scenario: tiny, Seed: uint64(i)}, nil }

// outcome is what Execute told of each job.
type outcome struct {
	mu      sync.Mutex
	records map[int]*sweep.Record
	errs    map[int]string
	twice   []int
}

func (o *outcome) done(i int, rec *sweep.Record, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.records[i] != nil || o.errs[i] != "" {
		o.twice = append(o.twice, i)
	}
	o.records[i] = rec
	if err != nil {
		o.errs[i] = err.Error()
	}
}

func newOutcome() *outcome {
	return &outcome{records: map[int]*sweep.Record{}, errs: map[int]string{}}
}

func upTo(n int) (todo []int) {
	for i := range n {
		todo = append(todo, i)
	}
	return todo
}

func execute(t *testing.T, c *Coordinator, n int) *outcome {
	out := newOutcome()
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	defer cancel()
	require.NoError(t, c.Execute(ctx, upTo(n), jobs, out.done))
	require.NoError(t, ctx.Err(), "it took too long")
	require.Empty(t, out.twice)
	require.Len(t, out.records, n)
	return out
}

func coordinator(t *testing.T, conn *Conn, opt Options) *Coordinator {
	c, err := NewCoordinator(conn, opt)
	require.NoError(t, err)
	return c
}

func noteTo(t *testing.T) func(string) {
	return func(text string) { t.Log(text) }
}

// A sweep through a server that listens gives the directory of a local one, and
// leaves nothing on the server.
func TestSweepThroughEmbedded(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "tiny.yaml")
	require.NoError(t, os.WriteFile(file, []byte(tiny), 0o644))
	s, err := sweep.Load(sweep.Spec{Files: []string{file}, Sets: []string{"workload[burst].bytes=10KB,20KB"}, Seeds: "5"})
	require.NoError(t, err)
	local, farmed := t.TempDir(), t.TempDir()
	run := func(dir string, executor sweep.Executor) {
		out, err := s.Run(context.Background(), sweep.Options{Dir: dir, Tool: "test", Executor: executor})
		require.NoError(t, err)
		require.NoError(t, out.Write(dir, nil))
	}
	run(local, nil)

	secret, err := NewSecret()
	require.NoError(t, err)
	e, err := Listen("0", secret)
	require.NoError(t, err)
	defer e.Close()
	to := Server{URL: e.URL(), Secret: secret, Timeout: hang}
	conn, err := Connect(context.Background(), to)
	require.NoError(t, err)
	defer conn.Close()
	start(t, conn, Worker{Name: "w", Slots: 2, Note: noteTo(t)})
	opt := patient(noteTo(t))
	opt.Memory = true
	c := coordinator(t, conn, opt)
	began := time.Now()
	run(farmed, c)
	t.Log(time.Since(began))
	require.Equal(t, tree(t, local), tree(t, farmed))
	require.NoError(t, c.Close(context.Background()))
	for name := range conn.js.StreamNames(context.Background()).Name() {
		require.Fail(t, "left on the server", name)
	}
}

// tree reads all files below a directory.
func tree(t *testing.T, dir string) map[string]string {
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[rel] = string(text)
		return err
	}))
	return files
}

// Many quick jobs, several workers: each is done once.
func TestManyJobs(t *testing.T) {
	t.Parallel()
	srv := startServer(t, nil)
	opt := patient(noteTo(t))
	opt.Window = 50
	c := coordinator(t, connect(t, srv.ClientURL()), opt)
	for i := range 3 {
		start(t, connect(t, srv.ClientURL()), Worker{Name: fmt.Sprint("w", i), Slots: 2, Run: fake, Note: noteTo(t)})
	}
	began := time.Now()
	out := execute(t, c, 150)
	t.Log(time.Since(began))
	for i := range 150 {
		require.Equal(t, uint64(i), out.records[i].Seed)
	}
	require.NoError(t, c.Close(context.Background()))
}
