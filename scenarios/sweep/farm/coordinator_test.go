package farm

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios/sweep"
)

// counting counts how often each job is run.
type counting struct {
	mu   sync.Mutex
	runs map[uint64]int
	n    atomic.Int32
}

func (c *counting) run(ctx context.Context, j *sweep.Job) (*sweep.Record, error) {
	c.mu.Lock()
	c.runs[j.Seed]++
	c.mu.Unlock()
	c.n.Add(1)
	return fake(ctx, j)
}

// A coordinator that is killed leaves jobs and results behind; the next one
// takes both over, and nothing is simulated twice.
func TestKilledCoordinator(t *testing.T) {
	t.Parallel()
	srv := startServer(t, nil)
	count := counting{runs: map[uint64]int{}}
	start(t, connect(t, srv.ClientURL()), Worker{Name: "w", Run: count.run})

	doomed := connect(t, srv.ClientURL())
	opt := patient(noteTo(t))
	opt.Window = 40
	first := newOutcome()
	var n atomic.Int32
	killed := make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c := coordinator(t, doomed, opt)
	go func() {
		killed <- c.Execute(ctx, upTo(100), jobs, func(i int, rec *sweep.Record, err error) {
			first.done(i, rec, err)
			if n.Add(1) == 30 {
				doomed.Close()
			}
		})
	}()
	require.ErrorContains(t, <-killed, "ended the connection")
	require.Empty(t, first.twice)
	// Workers go on with what is queued.
	require.Eventually(t, func() bool { return int(count.n.Load()) >= 60 }, hang, time.Millisecond)

	var todo []int
	for i := range 100 {
		if first.records[i] == nil {
			todo = append(todo, i)
		}
	}
	second := newOutcome()
	require.NoError(t, coordinator(t, connect(t, srv.ClientURL()), opt).Execute(context.Background(), todo, jobs, second.done))
	assert.Len(t, second.records, len(todo))
	assert.Empty(t, second.twice)
	for seed, runs := range count.runs {
		assert.Equal(t, 1, runs, "seed %d", seed)
	}
}

// A cancelled coordinator takes back what nobody has begun, and says so by
// returning no error; the next one does the rest.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	srv := startServer(t, nil)
	conn := connect(t, srv.ClientURL())
	c := coordinator(t, conn, patient(noteTo(t)))
	start(t, connect(t, srv.ClientURL()), Worker{Name: "w", Run: fake})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var n atomic.Int32
	out := newOutcome()
	require.NoError(t, c.Execute(ctx, upTo(120), jobs, func(i int, rec *sweep.Record, err error) {
		out.done(i, rec, err)
		if n.Add(1) == 20 {
			cancel()
		}
	}))
	require.Empty(t, out.twice)
	require.Less(t, len(out.records), 120)
	info, err := c.stream.Info(context.Background())
	require.NoError(t, err)
	assert.LessOrEqual(t, info.State.Msgs, uint64(1), "only what is under way is left")
	require.NoError(t, c.Close(context.Background()))
	_, err = conn.js.Stream(context.Background(), c.names.stream())
	require.NoError(t, err, "what is not done yet stays on the server")
	execute(t, c, 120)
	require.NoError(t, c.Close(context.Background()))
	_, err = conn.js.Stream(context.Background(), c.names.stream())
	require.ErrorIs(t, err, jetstream.ErrStreamNotFound)
}

// stored puts a result into the store, as a worker does.
func stored(t *testing.T, c *Coordinator, worker string, seed uint64, value float64) {
	job, _ := jobs(int(seed))
	rec, _ := fake(context.Background(), job)
	rec.Metrics["fct.p99"] = &value
	hash := job.Hash("test")
	data, err := json.Marshal(result{Protocol: protocol, Tool: "test", Hash: hash, Kind: kindRecord, Record: rec})
	require.NoError(t, err)
	a := attempt{serving: &serving{Worker: &Worker{Name: worker, Tool: "test"}, conn: c.conn}, queue: &queue{names: c.names}, hash: hash}
	require.NoError(t, a.put(context.Background(), data, kindRecord))
}

// Two workers that end the same job with equal records are no problem; if the
// records differ, the error names both.
func TestSecondArrival(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		second float64
		want   string
	}{
		{"equal", 0, ""},
		{"unequal", 0.5, "workers w1 and w2 computed different records for job %s: one of the machines or builds is broken; compare their rocesim version, and repeat with --fresh"},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv := startServer(t, nil)
			coord := coordinator(t, connect(t, srv.ClientURL()), patient(noteTo(t)))
			require.NoError(t, coord.open(context.Background()))
			job, _ := jobs(0)
			// Job 1 ends after the second arrival was looked at, or never.
			release := make(chan struct{})
			start(t, connect(t, srv.ClientURL()), Worker{Name: "slow", Slots: 2, Run: func(ctx context.Context, j *sweep.Job) (*sweep.Record, error) {
				select {
				case <-release:
					return fake(ctx, j)
				case <-ctx.Done():
					return nil, ctx.Err()
				}
			}})
			stored(t, coord, "w1", 0, 0)
			out := newOutcome()
			err := coord.Execute(context.Background(), upTo(2), jobs, func(i int, rec *sweep.Record, err error) {
				out.done(i, rec, err)
				if i == 0 {
					go func() {
						stored(t, coord, "w2", 0, c.second)
						if c.want == "" {
							time.Sleep(200 * time.Millisecond)
							close(release)
						}
					}()
				}
			})
			if c.want == "" {
				require.NoError(t, err)
				require.Len(t, out.records, 2)
			} else {
				require.EqualError(t, err, fmt.Sprintf(c.want, short(job.Hash("test"))))
			}
			require.Empty(t, out.twice)
		})
	}
}

// Two results that differ are both kept in the store, whoever came first.
func TestPutBeside(t *testing.T) {
	t.Parallel()
	srv := startServer(t, nil)
	coord := coordinator(t, connect(t, srv.ClientURL()), patient(noteTo(t)))
	require.NoError(t, coord.open(context.Background()))
	stored(t, coord, "w1", 0, 1)
	stored(t, coord, "w2", 0, 1)
	list, err := coord.results.List(context.Background())
	require.NoError(t, err)
	require.Len(t, list, 1)
	assert.Equal(t, "w1", list[0].Metadata[metaWorker])
	stored(t, coord, "w3", 0, 2)
	list, err = coord.results.List(context.Background())
	require.NoError(t, err)
	require.Len(t, list, 2)
}

// A result that an earlier sweep asked for without a metric is made again.
func TestMissingMetric(t *testing.T) {
	t.Parallel()
	srv := startServer(t, nil)
	coord := coordinator(t, connect(t, srv.ClientURL()), patient(noteTo(t)))
	require.NoError(t, coord.open(context.Background()))
	stored(t, coord, "w1", 0, 1)
	start(t, connect(t, srv.ClientURL()), Worker{Name: "w2", Run: func(ctx context.Context, j *sweep.Job) (*sweep.Record, error) {
		rec, err := fake(ctx, j)
		for _, name := range j.Metrics {
			rec.Metrics[name] = nil
		}
		return rec, err
	}})
	out := newOutcome()
	require.NoError(t, coord.Execute(context.Background(), []int{0}, func(int) (*sweep.Job, error) {
		return &sweep.Job{Scenario: tiny, Metrics: []string{"fct.p99{workload=burst}"}}, nil
	}, out.done))
	assert.Contains(t, out.records[0].Metrics, "fct.p99{workload=burst}")
}

// Jobs that vanish from the queue are queued again.
func TestEmptiedQueue(t *testing.T) {
	t.Parallel()
	srv := startServer(t, nil)
	var said notes
	c := coordinator(t, connect(t, srv.ClientURL()), quick(said.add))
	go func() {
		assert.Eventually(t, func() bool { return waits(c) == 10 }, hang, 10*time.Millisecond)
		stream, err := c.conn.js.Stream(context.Background(), c.names.stream())
		assert.NoError(t, err)
		assert.NoError(t, stream.Purge(context.Background()))
		assert.Eventually(t, func() bool { return said.all() != "" }, hang, 10*time.Millisecond)
		start(t, connect(t, srv.ClientURL()), Worker{Name: "w", Run: fake})
	}()
	execute(t, c, 10)
	assert.Contains(t, said.all(), "the queue is empty although 10 jobs are not done; they are queued again")
}

// waits is how many jobs are in the queue.
func waits(c *Coordinator) uint64 {
	stream, err := c.conn.js.Stream(context.Background(), c.names.stream())
	if err != nil {
		return 0
	}
	return stream.CachedInfo().State.Msgs
}

// The queue is bounded, however many jobs there are.
func TestWindow(t *testing.T) {
	t.Parallel()
	srv := startServer(t, nil)
	opt := patient(noteTo(t))
	opt.Window = 7
	c := coordinator(t, connect(t, srv.ClientURL()), opt)
	var most atomic.Uint64
	start(t, connect(t, srv.ClientURL()), Worker{Name: "w", Run: func(ctx context.Context, j *sweep.Job) (*sweep.Record, error) {
		most.Store(max(most.Load(), waits(c)))
		return fake(ctx, j)
	}})
	execute(t, c, 40)
	assert.LessOrEqual(t, most.Load(), uint64(7+1), "one may be stored and not acknowledged yet")
	assert.GreaterOrEqual(t, most.Load(), uint64(3))
}

// Fresh takes nothing over.
func TestFresh(t *testing.T) {
	t.Parallel()
	srv := startServer(t, nil)
	old := coordinator(t, connect(t, srv.ClientURL()), patient(noteTo(t)))
	require.NoError(t, old.open(context.Background()))
	stored(t, old, "w1", 0, 99)
	old.conn.Close()
	opt := patient(noteTo(t))
	opt.Fresh = true
	start(t, connect(t, srv.ClientURL()), Worker{Name: "w2", Run: fake})
	out := execute(t, coordinator(t, connect(t, srv.ClientURL()), opt), 1)
	assert.Zero(t, *out.records[0].Metrics["fct.p99"])
}
