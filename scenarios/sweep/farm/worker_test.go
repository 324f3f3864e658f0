package farm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios/sweep"
)

// notes collects remarks.
type notes struct {
	mu   sync.Mutex
	text []string
}

func (n *notes) add(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.text = append(n.text, text)
}

func (n *notes) all() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return strings.Join(n.text, "\n")
}

// dying is a Run that ends its worker's connection when a job begins, as a
// killed process does, and then never ends by itself.
func dying(conn *Conn, began chan<- uint64) func(context.Context, *sweep.Job) (*sweep.Record, error) {
	return func(ctx context.Context, j *sweep.Job) (*sweep.Record, error) {
		conn.Close()
		began <- j.Seed
		<-ctx.Done()
		return nil, ctx.Err()
	}
}

// A worker that dies loses no run: another gets it when the lease is over.
func TestRedelivery(t *testing.T) {
	t.Parallel()
	srv := startServer(t, nil)
	victim := connect(t, srv.ClientURL())
	began := make(chan uint64, 1)
	start(t, victim, Worker{Name: "victim", Run: dying(victim, began)})
	c := coordinator(t, connect(t, srv.ClientURL()), quick(noteTo(t)))
	go func() {
		<-began
		start(t, connect(t, srv.ClientURL()), Worker{Name: "heir", Run: fake})
	}()
	out := execute(t, c, 5)
	assert.Empty(t, out.errs)
}

// A job that kills three workers is set aside; the others are done. A further
// sweep tries it again.
func TestSetAside(t *testing.T) {
	t.Parallel()
	srv := startServer(t, nil)
	var said notes
	opt := patient(said.add)
	opt.Lease = 3 * time.Second // for three deaths, of which none is to be mere slowness
	c := coordinator(t, connect(t, srv.ClientURL()), opt)
	began := make(chan uint64, 10)
	for i := range mostLost {
		conn := connect(t, srv.ClientURL())
		kill := dying(conn, began)
		start(t, conn, Worker{Name: fmt.Sprint("victim", i), Run: func(ctx context.Context, j *sweep.Job) (*sweep.Record, error) {
			if j.Seed == 3 {
				return kill(ctx, j)
			}
			return fake(ctx, j)
		}})
	}
	var tried atomic.Int32
	go func() {
		for range mostLost {
			<-began
		}
		start(t, connect(t, srv.ClientURL()), Worker{Name: "survivor", Run: func(ctx context.Context, j *sweep.Job) (*sweep.Record, error) {
			if j.Seed == 3 {
				tried.Add(1)
			}
			return fake(ctx, j)
		}})
	}()
	out := execute(t, c, 6)
	assert.Equal(t, map[int]string{3: "killed its worker 3 times (or the worker was killed: out of memory is the usual reason), so it is set aside"}, out.errs)
	assert.Zero(t, tried.Load(), "it was not run a fourth time")
	one, _ := jobs(3)
	assert.Contains(t, said.all(), "job "+short(one.Hash("test"))+" (seed 3) is set aside: 3 workers died with it")

	again := execute(t, c, 6)
	assert.Empty(t, again.errs, "a new attempt begins at nought")
	assert.EqualValues(t, 1, tried.Load())
}

// A worker that is told to stop gives its job back at once, however often, and
// that is not counted as a death.
func TestGiveBack(t *testing.T) {
	t.Parallel()
	srv := startServer(t, nil)
	opt := patient(noteTo(t))
	opt.Lease = time.Minute // so that only giving back can help
	c := coordinator(t, connect(t, srv.ClientURL()), opt)
	began := make(chan struct{}, 10)
	go func() {
		conn := connect(t, srv.ClientURL())
		for i := range mostLost + 2 {
			var last Report
			stop := start(t, conn, Worker{Name: fmt.Sprint("w", i), Ended: func(r Report) { last = r },
				Run: func(ctx context.Context, j *sweep.Job) (*sweep.Record, error) {
					began <- struct{}{}
					<-ctx.Done()
					return nil, ctx.Err()
				}})
			<-began
			assert.NoError(t, stop())
			assert.Equal(t, GivenBack, last.Outcome)
		}
		start(t, conn, Worker{Name: "patient", Run: fake})
	}()
	out := execute(t, c, 1)
	assert.Empty(t, out.errs)
}

// A run that fails is a result: it is not tried again, and the worker lives.
func TestFailure(t *testing.T) {
	t.Parallel()
	srv := startServer(t, nil)
	var runs atomic.Int32
	start(t, connect(t, srv.ClientURL()), Worker{Name: "w", Run: func(ctx context.Context, j *sweep.Job) (*sweep.Record, error) {
		runs.Add(1)
		if j.Seed%2 == 1 {
			return nil, errors.New("no route from h0 to h1")
		}
		return fake(ctx, j)
	}})
	out := execute(t, coordinator(t, connect(t, srv.ClientURL()), patient(noteTo(t))), 4)
	assert.Equal(t, map[int]string{1: "no route from h0 to h1", 3: "no route from h0 to h1"}, out.errs)
	assert.EqualValues(t, 4, runs.Load())
}

// A worker keeps the lease of a run that lasts far longer. A sign of life that is
// late on a busy machine costs the lease, so longer ones are tried, too.
func TestLongRun(t *testing.T) {
	t.Parallel()
	for _, lease := range []time.Duration{time.Second, 5 * time.Second, 20 * time.Second} {
		var runs atomic.Int32
		srv := startServer(t, nil)
		for i := range 2 {
			start(t, connect(t, srv.ClientURL()), Worker{Name: fmt.Sprint("w", i), Run: func(ctx context.Context, j *sweep.Job) (*sweep.Record, error) {
				runs.Add(1)
				time.Sleep(5 * lease / 2)
				return fake(ctx, j)
			}})
		}
		opt := patient(noteTo(t))
		opt.Lease = lease
		execute(t, coordinator(t, connect(t, srv.ClientURL()), opt), 1)
		if runs.Load() == 1 {
			return
		}
		t.Logf("%d runs with a lease of %v", runs.Load(), lease)
	}
	t.Error("no lease was kept")
}

// A worker of another version takes nothing, and says why once.
func TestOtherVersion(t *testing.T) {
	t.Parallel()
	srv := startServer(t, nil)
	var said, lonely notes
	c := coordinator(t, connect(t, srv.ClientURL()), quick(lonely.add))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	conn := connect(t, srv.ClientURL())
	other := Worker{Name: "old", Tool: "0.0.9", Note: said.add, Run: func(context.Context, *sweep.Job) (*sweep.Record, error) {
		t.Error("it took a job of another version")
		return nil, errors.New("no")
	}}
	go func() { _ = other.Serve(ctx, conn) }()
	go func() {
		assert.Eventually(t, func() bool { return said.all() != "" && lonely.all() != "" }, hang, 10*time.Millisecond)
		start(t, connect(t, srv.ClientURL()), Worker{Name: "w", Run: fake})
	}()
	execute(t, c, 3)
	assert.Equal(t, "queue q is not served: it is of rocesim test (rocesim farm 1), this worker is rocesim 0.0.9 (rocesim farm 1)", said.all())
	assert.Regexp(t, "^[123] jobs are in the queue and no worker asks for one$", lonely.all(), "as many as are queued by then")
}

// Workers serve several sweeps at a time, or only the one they are told to.
func TestQueues(t *testing.T) {
	t.Parallel()
	srv := startServer(t, nil)
	var mine notes
	start(t, connect(t, srv.ClientURL()), Worker{Name: "all", Run: fake})
	start(t, connect(t, srv.ClientURL()), Worker{Name: "one", Queue: "a", Run: fake, Ended: func(r Report) { mine.add(r.Queue) }})
	var group sync.WaitGroup
	for _, name := range []string{"a", "b"} {
		opt := patient(noteTo(t))
		opt.Queue = name
		c := coordinator(t, connect(t, srv.ClientURL()), opt)
		group.Go(func() {
			execute(t, c, 40)
			assert.NoError(t, c.Close(context.Background()))
		})
	}
	group.Wait()
	assert.NotContains(t, mine.all(), "b")
	for _, bad := range []string{"", "a.b", "*", ">", "a b", strings.Repeat("x", 65)} {
		assert.ErrorContains(t, CheckQueue(bad), "cannot be the name of a queue; allowed are 1 to 64 letters, digits, dashes and underscores")
	}
}

// A worker ends by itself when there was nothing to do for long enough.
func TestIdle(t *testing.T) {
	t.Parallel()
	srv := startServer(t, nil)
	w := Worker{Name: "w", Tool: "test", Idle: 300 * time.Millisecond}
	require.NoError(t, w.Serve(context.Background(), connect(t, srv.ClientURL())))

	conn := connect(t, srv.ClientURL())
	srv.Shutdown()
	require.NoError(t, w.Serve(context.Background(), conn), "a server that is gone has nothing to do either")
}

// Workers die and are stopped at random, several times over; each job is done
// once, and none is lost.
func TestChaos(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			srv := startServer(t, nil)
			random := rand.New(rand.NewPCG(seed, 0))
			c := coordinator(t, connect(t, srv.ClientURL()), quick(noteTo(t)))
			ctx, cancel := context.WithCancel(context.Background())
			var group sync.WaitGroup
			defer group.Wait()
			defer cancel()
			var killed atomic.Int32
			for i := range 4 {
				mine := rand.New(rand.NewPCG(random.Uint64(), 1))
				group.Go(func() { shortLives(ctx, t, srv.ClientURL(), i, mine, &killed) })
			}
			out := execute(t, c, 80)
			for _, text := range out.errs {
				assert.Equal(t, lostText(), text)
			}
			assert.LessOrEqual(t, mostLost*len(out.errs), int(killed.Load()), "only who is killed counts")
		})
	}
}

// shortLives is a sequence of workers that die or are stopped after a moment.
func shortLives(ctx context.Context, t *testing.T, url string, place int, random *rand.Rand, killed *atomic.Int32) {
	for life := 0; ctx.Err() == nil; life++ {
		conn, err := Connect(ctx, Server{URL: url, Timeout: away})
		if err != nil {
			return // the test is over
		}
		inner, stop := context.WithCancel(ctx)
		w := Worker{Name: fmt.Sprint(place, ".", life), Tool: "test", Run: func(ctx context.Context, j *sweep.Job) (*sweep.Record, error) {
			time.Sleep(2 * time.Millisecond)
			return fake(ctx, j)
		}}
		moment := time.Duration(100+random.IntN(300)) * time.Millisecond
		if random.IntN(4) == 0 {
			time.AfterFunc(moment, func() { killed.Add(1); conn.Close() })
		}
		time.AfterFunc(moment, stop)
		_ = w.Serve(inner, conn)
		stop()
		conn.Close()
	}
}
