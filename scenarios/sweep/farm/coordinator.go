package farm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"rocesim/scenarios/sweep"
)

// Options are those of a coordinator.
type Options struct {
	// Queue names the queue; see CheckQueue. Two coordinators at a time need two.
	Queue string
	// Tool is the version of rocesim, part of what names a run.
	Tool string
	// Lease is how long after a worker's last sign of life its job is another's.
	// Less than a few seconds takes slow workers for dead ones; default 30 s.
	Lease time.Duration
	// Keep is how long the server keeps what a coordinator left behind, and how
	// long a job may wait; default 7 days.
	Keep time.Duration
	// Window is how many jobs of up to 32 KiB are in the queue at a time, and
	// fewer if they are larger; default 2000. It bounds memory here and on the
	// server, and the number of workers.
	Window int
	// Memory keeps the queue in the server's memory instead of on its disk.
	Memory bool
	// Fresh takes no results and jobs over from an earlier coordinator.
	Fresh bool
	// Tick is how often the queue is looked after; default 5 s.
	Tick time.Duration
	// Note is called with each remark that is no result.
	Note func(string)
	// Seen, if not nil, is called with each look: how many jobs are under way and
	// how many workers wait for one.
	Seen func(running, waiting int)
}

func (o *Options) storage() jetstream.StorageType {
	if o.Memory {
		return jetstream.MemoryStorage
	}
	return jetstream.FileStorage
}

// Coordinator executes jobs by putting them into a queue and collecting the
// results. It implements sweep.Executor.
type Coordinator struct {
	conn  *Conn
	opt   Options
	names names
	// owner is what the queue's metadata say while it is ours: a word that no
	// other coordinator has, and our name.
	owner string
	// contested says that somebody claims the queue.
	contested chan struct{}

	stream   jetstream.Stream
	consumer jetstream.Consumer
	results  jetstream.ObjectStore
	objects  jetstream.Stream // below results
	// complete says that all jobs so far are done, so that nothing on the
	// server is worth keeping.
	complete bool

	mu sync.Mutex // guards the following
	// taken has what was accepted, by hash, to compare late arrivals with.
	taken map[string]arrival
}

// arrival is one result of a job, without its content.
type arrival struct{ digest, worker, kind string }

// NewCoordinator returns an executor that uses the connection, which it does
// not close.
func NewCoordinator(conn *Conn, opt Options) (*Coordinator, error) {
	if err := CheckQueue(opt.Queue); err != nil {
		return nil, err
	}
	if opt.Lease <= 0 {
		opt.Lease = 30 * time.Second
	}
	if opt.Keep <= 0 {
		opt.Keep = 7 * 24 * time.Hour
	}
	if opt.Window <= 0 {
		opt.Window = 2000
	}
	if opt.Tick <= 0 {
		opt.Tick = 5 * time.Second
	}
	if opt.Note == nil {
		opt.Note = func(string) {}
	}
	return &Coordinator{conn: conn, opt: opt, names: names{opt.Queue}, owner: nuid.Next() + " " + conn.name,
		contested: make(chan struct{}, 1), complete: true, taken: map[string]arrival{}}, nil
}

// open makes the queue on the server, or finds it.
func (c *Coordinator) open(ctx context.Context) error {
	if c.stream != nil {
		return nil
	}
	if err := c.claim(ctx); err != nil {
		return err
	}
	if c.opt.Fresh {
		if err := c.delete(ctx); err != nil {
			return err
		}
	}
	return c.make(ctx)
}

// make makes what the queue consists of, or finds it, and makes it ours.
func (c *Coordinator) make(ctx context.Context) error {
	err := c.conn.try(ctx, "making the queue "+c.opt.Queue, func(ctx context.Context) error {
		results, err := c.conn.js.CreateOrUpdateObjectStore(ctx, c.names.bucketConfig(&c.opt))
		if err != nil {
			return err
		}
		objects, err := c.conn.js.Stream(ctx, c.names.objects())
		if err != nil {
			return err
		}
		stream, err := c.conn.js.CreateOrUpdateStream(ctx, c.names.streamConfig(&c.opt, c.owner))
		if err != nil {
			return err
		}
		consumer, err := stream.CreateOrUpdateConsumer(ctx, c.names.consumerConfig(&c.opt))
		if err == nil {
			c.results, c.objects, c.consumer, c.stream = results, objects, consumer, stream
		}
		return err
	})
	if err == nil {
		c.announce()
	}
	return err
}

// Close removes the queue from the server if all jobs are done; else it stays
// for the next coordinator.
func (c *Coordinator) Close(ctx context.Context) error {
	if c.stream == nil || !c.complete || c.owned(ctx) != nil {
		return nil
	}
	c.stream = nil
	return c.delete(ctx)
}

// delete removes stream and store, if they are there.
func (c *Coordinator) delete(ctx context.Context) error {
	return c.conn.try(ctx, "removing the queue", func(ctx context.Context) error {
		err := c.conn.js.DeleteStream(ctx, c.names.stream())
		if err == nil || errors.Is(err, jetstream.ErrStreamNotFound) {
			err = c.conn.js.DeleteObjectStore(ctx, c.names.bucket())
		}
		if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrBucketNotFound) {
			return nil
		}
		return err
	})
}

// Execute implements sweep.Executor. The error says that the server cannot be
// used any longer, or that two workers disagree; jobs that are done stay done.
func (c *Coordinator) Execute(ctx context.Context, todo []int, job func(int) (*sweep.Job, error), done func(int, *sweep.Record, error)) error {
	if len(todo) == 0 {
		return nil
	}
	c.complete = false
	err := c.open(ctx)
	if err != nil {
		return ignoreCancel(ctx, err)
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &round{Coordinator: c, done: done, cancel: cancel, session: nuid.Next(),
		waiting: map[string]*ticket{}, stored: map[string]found{}, slots: make(chan struct{}, c.opt.Window), rewatch: make(chan struct{}, 1)}
	// What is queued is looked up before the results are: a job leaves the queue
	// after its result is stored, so it is seen in one place or in the other.
	if r.queued, err = c.leftover(inner); err != nil {
		return ignoreCancel(ctx, err)
	}
	group, err := r.start(inner)
	if err == nil {
		err = r.publishAll(inner, todo, job)
	}
	cause := context.Cause(inner)
	cancel(nil)
	group.Wait()
	switch {
	case err == nil:
		c.complete = true
		return nil
	case ctx.Err() != nil:
		c.withdraw()
		return nil
	case cause != nil:
		err = cause
	}
	if c.conn.gone() == nil {
		c.withdraw() // a server that is full has room again, and no worker goes on in vain
	}
	return err
}

// leftover lists the subjects of jobs that an earlier coordinator has queued.
func (c *Coordinator) leftover(ctx context.Context) (subjects map[string]uint64, err error) {
	err = c.conn.try(ctx, "looking at the queue", func(ctx context.Context) error {
		info, err := c.stream.Info(ctx, jetstream.WithSubjectFilter(c.names.subject("*")))
		if err == nil {
			subjects = info.State.Subjects
		}
		return err
	})
	return subjects, err
}

// ignoreCancel drops an error that only says that ctx was cancelled.
func ignoreCancel(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// withdraw takes back what no worker needs to begin any more. What is under
// way may end, and is found by the next coordinator.
func (c *Coordinator) withdraw() {
	ctx, cancel := context.WithTimeout(context.Background(), oneTry)
	defer cancel()
	if c.owned(ctx) != nil {
		return // the jobs are those of another now
	}
	// If it fails, workers only do more than they need.
	_ = c.stream.Purge(ctx)
}

// round is one call of Execute.
type round struct {
	*Coordinator
	done    func(int, *sweep.Record, error)
	cancel  context.CancelCauseFunc
	session string
	// slots bounds the jobs in the queue, see weight. Only publishAll takes any.
	slots chan struct{}

	// waiting and stored are guarded by Coordinator.mu: jobs that are queued,
	// and results that came before their jobs were, from an earlier coordinator.
	waiting map[string]*ticket
	stored  map[string]found
	// ended counts the jobs done, for those who look after the queue.
	ended int
	lanes []chan found
	// rewatch asks for another look at all that is in the store.
	rewatch chan struct{}
	// queued are the subjects that had a message at the beginning.
	queued map[string]uint64
}

// ticket is a queued job.
type ticket struct {
	index   []int // usually one
	job     *sweep.Job
	repeats int // how often it was published again
	weight  int // in slots
}

// slotBytes is how much of a scenario one slot is for.
const slotBytes = 32 << 10

// weight is how many slots a job takes.
func (r *round) weight(job *sweep.Job) int {
	return min(1+len(job.Scenario)/slotBytes, cap(r.slots))
}

// reserve takes slots, and waits for them.
func (r *round) reserve(ctx context.Context, n int) error {
	for range n {
		select {
		case r.slots <- struct{}{}:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// release gives slots back.
func (r *round) release(n int) {
	for range n {
		<-r.slots
	}
}

// publishAll puts jobs into the queue, and returns when all are done.
func (r *round) publishAll(ctx context.Context, todo []int, job func(int) (*sweep.Job, error)) error {
	for _, i := range todo {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		one, err := job(i)
		if err != nil {
			r.done(i, nil, err)
			continue
		}
		if err := r.reserve(ctx, r.weight(one)); err != nil {
			return err
		}
		if err := r.queue(ctx, i, one); err != nil {
			return err
		}
	}
	return r.reserve(ctx, cap(r.slots)) // until every slot is free
}

// queue publishes one job, unless it is queued or its result is there already.
func (r *round) queue(ctx context.Context, i int, job *sweep.Job) error {
	hash := job.Hash(r.opt.Tool)
	r.mu.Lock()
	if t := r.waiting[hash]; t != nil {
		t.index = append(t.index, i)
		r.mu.Unlock()
		r.release(r.weight(job))
		return nil
	}
	r.waiting[hash] = &ticket{index: []int{i}, job: job, weight: r.weight(job)}
	early, ok := r.stored[hash]
	delete(r.stored, hash)
	r.mu.Unlock()
	if ok {
		return r.dispatch(ctx, early)
	}
	if r.queued[r.names.subject(hash)] > 0 {
		return nil
	}
	return r.publish(ctx, hash, job, r.session, true)
}

// publish makes a job's message. The identity makes the server drop a repeated
// one; fresh leaves alone what an earlier coordinator has queued.
func (r *round) publish(ctx context.Context, hash string, job *sweep.Job, identity string, fresh bool) error {
	body, err := json.Marshal(Envelope{Protocol: protocol, Tool: r.opt.Tool, Hash: hash, Job: *job})
	if err != nil {
		return err
	}
	options := []jetstream.PublishOpt{jetstream.WithMsgID(hash + "." + identity)}
	if fresh {
		options = append(options, jetstream.WithExpectLastSequencePerSubject(0))
	}
	return r.conn.try(ctx, fmt.Sprintf("job %s of %d bytes", short(hash), len(body)), func(ctx context.Context) error {
		_, err := r.conn.js.PublishMsg(ctx, &nats.Msg{Subject: r.names.subject(hash), Data: body}, options...)
		if isQueued(err) {
			return nil
		}
		return err
	})
}

// isQueued says that the subject has a message already.
func isQueued(err error) bool {
	const wrongSequence, wrongSequenceElsewhere = 10071, 10164
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == wrongSequence || api.ErrorCode == wrongSequenceElsewhere)
}
