package farm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"rocesim/scenarios/sweep"
)

// Worker takes jobs from queues and simulates them. It runs nothing else.
type Worker struct {
	// Name is what messages call it, such as host and process.
	Name string
	// Tool is the version of rocesim; queues of others are not served.
	Tool string
	// Queue is the only one to serve; "" is all of the server.
	Queue string
	// Slots is how many jobs it works on at a time. Whatever ends the process
	// counts against each of them, so a process of its own for each is better.
	Slots int
	// Idle is how long it waits for a job before it ends; 0 is for ever. While
	// others have jobs it stays for two leases at least, to be there if they die,
	// unless their sweep has ended.
	Idle time.Duration
	// Run simulates a job; nil is a sweep.NewRunner for each slot.
	Run sweep.Runner
	// Ended is called after each job and Note with each remark, from any slot.
	Ended func(Report)
	Note  func(string)
}

// Outcomes of a job at a worker.
const (
	Done      = "done"         // simulated and stored
	Failed    = "failed"       // the run failed, which is stored
	Refused   = "refused"      // not a job of this version, which is stored
	SetAside  = "set aside"    // lost too many workers, which is stored
	Known     = "known"        // another worker had stored its result
	GivenBack = "given back"   // the worker is to end
	TooLate   = "of no use"    // its sweep has ended
	Unstored  = "not storable" // the server takes no results
)

// Report is what became of a job at a worker.
type Report struct {
	Queue, Hash string
	// Scenario is empty if the run did not end.
	Scenario string
	Seed     uint64
	Outcome  string
	Failure  string
	Elapsed  time.Duration
}

// queue is one that is served.
type queue struct {
	names
	created  time.Time // tells it from a later one of the same name
	consumer jetstream.Consumer
	lease    time.Duration
}

// serving is a worker at work.
type serving struct {
	*Worker
	conn *Conn

	mu      sync.Mutex // guards the following
	queues  []*queue
	turn    int
	strange map[string]bool // queues of other versions that were told of
	running int
	since   time.Time // when the last job ended
	// standBy is how long the jobs of others may still become ours.
	standBy time.Duration
}

// Serve works until ctx is cancelled, or there was nothing to do for Idle. Jobs
// under way at the end are given back. The error says that the server is away or
// takes no results.
func (w *Worker) Serve(ctx context.Context, conn *Conn) error {
	one := *w
	if one.Ended == nil {
		one.Ended = func(Report) {}
	}
	if one.Note == nil {
		one.Note = func(string) {}
	}
	s := &serving{Worker: &one, conn: conn, strange: map[string]bool{}, since: time.Now()}
	linger := conn.timeout
	if w.Idle > 0 {
		linger = min(linger, w.Idle)
	}
	if err := conn.hearFarewell(linger, func() {
		one.Note(fmt.Sprintf("the sweep at %s has ended; the worker waits %v for another", conn.url, linger))
	}); err != nil {
		return conn.explain("listening for the server's end", err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var group sync.WaitGroup
	var failed sync.Once
	var failure error
	fail := func(err error) {
		failed.Do(func() { failure = err; cancel(err) })
	}
	for range max(1, w.Slots) {
		group.Go(func() {
			if err := s.slot(ctx); err != nil {
				fail(err)
			}
		})
	}
	for ctx.Err() == nil {
		if err := s.look(ctx); err != nil {
			fail(err)
		}
		if s.idle() {
			break
		}
		_ = pause(ctx, s.interval()) // its error is looked at above
	}
	cancel(nil)
	group.Wait()
	if errors.Is(failure, errEnded) {
		return nil
	}
	return failure
}

// interval is how often to look for queues: soon if there is none, or no server.
func (s *serving) interval() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queues) == 0 || s.conn.away() {
		return 200 * time.Millisecond
	}
	return 2 * time.Second
}

// idle says that there was nothing to do for too long.
func (s *serving) idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Idle > 0 && s.running == 0 && time.Since(s.since) > max(s.Idle, s.standBy)
}

// look finds the queues on the server. While the server is away there are none;
// that it is so for too long is an error, unless Idle is shorter.
func (s *serving) look(ctx context.Context) error {
	if err := s.conn.gone(); err != nil {
		return err
	}
	if s.conn.away() {
		return nil
	}
	short, cancel := context.WithTimeout(ctx, oneTry)
	defer cancel()
	err := s.find(short)
	if short.Err() != nil {
		return nil
	}
	return err
}

func (s *serving) find(ctx context.Context) error {
	var all []*jetstream.StreamInfo
	err := s.conn.try(ctx, "looking for queues", func(ctx context.Context) (err error) {
		all, err = s.list(ctx)
		return err
	})
	if err != nil {
		return err
	}
	var found []*queue
	var standBy time.Duration
	for _, info := range all {
		name, ours := strings.CutPrefix(info.Config.Name, streamPrefix)
		if !ours || !s.fits(name, info.Config.Metadata) {
			continue
		}
		q, err := s.bind(ctx, name, info.Created)
		if err != nil {
			return err
		}
		if q != nil {
			found = append(found, q)
			if info.State.Msgs > 0 {
				standBy = max(standBy, 2*q.lease)
			}
		}
	}
	s.mu.Lock()
	s.queues, s.standBy = found, standBy
	s.mu.Unlock()
	return nil
}

// list returns the streams that may be queues.
func (s *serving) list(ctx context.Context) (all []*jetstream.StreamInfo, err error) {
	if s.Queue != "" { // it may be all that the worker is allowed to see
		stream, err := s.conn.js.Stream(ctx, names{s.Queue}.stream())
		switch {
		case errors.Is(err, jetstream.ErrStreamNotFound):
			return nil, nil
		case err != nil:
			return nil, err
		}
		return []*jetstream.StreamInfo{stream.CachedInfo()}, nil
	}
	lister := s.conn.js.ListStreams(ctx, jetstream.WithStreamListSubject(allJobs))
	for info := range lister.Info() {
		all = append(all, info)
	}
	return all, lister.Err()
}

// fits says whether a queue is of this version, and tells once if not.
func (s *serving) fits(name string, meta map[string]string) bool {
	if meta[metaTool] == s.Tool && meta[metaProtocol] == protocol {
		return true
	}
	s.mu.Lock()
	told := s.strange[name]
	s.strange[name] = true
	s.mu.Unlock()
	if !told {
		s.Note(fmt.Sprintf("queue %s is not served: it is of rocesim %s (%s), this worker is rocesim %s (%s)",
			name, meta[metaTool], meta[metaProtocol], s.Tool, protocol))
	}
	return false
}

// bind finds the consumer of a queue; nil if it is not there, or not any more.
func (s *serving) bind(ctx context.Context, name string, created time.Time) (*queue, error) {
	s.mu.Lock()
	i := slices.IndexFunc(s.queues, func(q *queue) bool { return q.queue == name && q.created.Equal(created) })
	if i >= 0 {
		defer s.mu.Unlock()
		return s.queues[i], nil
	}
	s.mu.Unlock()
	q := &queue{names: names{name}, created: created}
	err := s.conn.try(ctx, "joining queue "+name, func(ctx context.Context) (err error) {
		q.consumer, err = s.conn.js.Consumer(ctx, q.stream(), consumerName)
		if errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
			q, err = nil, nil
		}
		return err
	})
	if err != nil || q == nil {
		return nil, err
	}
	q.lease = q.consumer.CachedInfo().Config.AckWait
	return q, nil
}

// slot works on one job after the other.
func (s *serving) slot(ctx context.Context) error {
	run := s.runner()
	for ctx.Err() == nil {
		q, msg := s.next(ctx)
		if msg == nil {
			continue
		}
		s.busy(1)
		report, err := s.attempt(ctx, q, msg, run)
		s.busy(-1)
		if report.Outcome != "" {
			s.Ended(report)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// runner returns what simulates the jobs of one slot.
func (s *serving) runner() sweep.Runner {
	if s.Run != nil {
		return s.Run
	}
	return sweep.NewRunner(s.Tool)
}

func (s *serving) busy(change int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running += change
	s.since = time.Now()
}

// oneFetch is how long to wait for a job at one queue.
const oneFetch = time.Second

// next asks all queues in turn, and then waits at one of them. Without a job it
// returns nil after a while.
func (s *serving) next(ctx context.Context) (*queue, jetstream.Msg) {
	s.mu.Lock()
	s.turn++
	var queues []*queue
	for i := range s.queues {
		queues = append(queues, s.queues[(s.turn+i)%len(s.queues)])
	}
	s.mu.Unlock()
	if len(queues) == 0 {
		_ = pause(ctx, 50*time.Millisecond) // the caller looks at ctx
		return nil, nil
	}
	if len(queues) > 1 {
		for _, q := range queues {
			if msg := receive(q.consumer.FetchNoWait(1)); msg != nil {
				return q, msg
			}
		}
	}
	began := time.Now()
	msg := receive(queues[0].consumer.Fetch(1, jetstream.FetchMaxWait(oneFetch)))
	if msg == nil && time.Since(began) < oneFetch/2 {
		_ = pause(ctx, 100*time.Millisecond) // the queue is gone or the server is away
	}
	return queues[0], msg
}

// receive returns the message of a batch of one, or nil. What went wrong comes
// up again when queues are looked for.
func receive(batch jetstream.MessageBatch, err error) jetstream.Msg {
	if err != nil {
		return nil
	}
	for msg := range batch.Messages() {
		return msg
	}
	return nil
}
