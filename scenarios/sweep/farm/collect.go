package farm

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/fnv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"rocesim/scenarios/sweep"
)

// found is a result that appeared in the store.
type found struct {
	// name is that of the object: the hash of the job, and more for a result that
	// differs from the first.
	name, hash string
	// nuid names what the object is made of on the server, and chunks is how many
	// messages that is.
	nuid   string
	chunks uint32
	arrival
}

// readers is how many results are read at a time.
const readers = 8

// start begins to collect results and to look after the queue. It returns when
// all that was in the store is known.
func (r *round) start(ctx context.Context) (*sync.WaitGroup, error) {
	group := &sync.WaitGroup{}
	sub, err := r.conn.nc.Subscribe(r.names.trouble(), r.trouble)
	if err != nil {
		return group, r.conn.explain("listening for workers", err)
	}
	context.AfterFunc(ctx, func() { _ = sub.Unsubscribe() }) // the connection may be gone with it
	for range readers {
		lane := make(chan found, 64)
		r.lanes = append(r.lanes, lane)
		group.Go(func() { r.read(ctx, lane) })
	}
	ready := make(chan struct{})
	group.Go(func() { r.collect(ctx, ready) })
	group.Go(func() { r.lookAfter(ctx) })
	for wait := oneTry; ; wait *= 2 {
		select {
		case <-ready:
			return group, nil
		case <-ctx.Done():
			return group, context.Cause(ctx)
		case <-time.After(wait):
			r.lookAgain() // the last of what was there may have gone meanwhile
		}
	}
}

// lookAgain asks for another look at the store.
func (r *round) lookAgain() {
	select {
	case r.rewatch <- struct{}{}:
	default: // it is asked for
	}
}

// trouble hears of workers that cannot go on.
func (r *round) trouble(m *nats.Msg) {
	worker, text, _ := strings.Cut(string(m.Data), "\n")
	r.cancel(fmt.Errorf("worker %s: %s", worker, text))
}

// collect watches the store, anew after each loss of the connection, until ctx
// is cancelled. ready is closed when all that was there at first is known.
func (r *round) collect(ctx context.Context, ready chan struct{}) {
	once := sync.OnceFunc(func() { close(ready) })
	for ctx.Err() == nil {
		back := r.conn.back()
		watcher, stop, err := r.watch(ctx)
		if err != nil {
			r.cancel(err)
			return
		}
		r.follow(ctx, watcher, back, once)
		stop()
	}
}

// watch begins a watch, which lasts until stop is called: a request that the
// server does not answer must not last as long as a watch may.
func (r *round) watch(ctx context.Context) (watcher jetstream.ObjectWatcher, stop func(), err error) {
	err = r.conn.try(ctx, "watching for results", func(one context.Context) error {
		var watching context.Context
		watching, stop = context.WithCancel(ctx)
		intime := context.AfterFunc(one, stop)
		watcher, err = r.results.Watch(watching, jetstream.IgnoreDeletes())
		if !intime() {
			return context.DeadlineExceeded
		}
		if err != nil {
			stop()
		}
		return err
	})
	return watcher, stop, err
}

// follow handles what one watch tells, until the connection was lost.
func (r *round) follow(ctx context.Context, watcher jetstream.ObjectWatcher, back <-chan struct{}, ready func()) {
	updates := watcher.Updates()
	defer func() {
		_ = watcher.Stop() // nobody listens any more either way
		go drain(updates)
	}()
	for {
		select {
		case <-ctx.Done():
			return
		case <-back:
			return
		case <-r.rewatch:
			return
		case info, ok := <-updates:
			switch {
			case !ok:
				return
			case info == nil:
				ready()
			default:
				r.appeared(ctx, info)
			}
		}
	}
}

// drain lets the watch's last deliveries go.
func drain(updates <-chan *jetstream.ObjectInfo) {
	for range updates { //nolint:revive // each is in the store and comes again
	}
}

// appeared passes a result on, or remembers it if its job is not queued yet.
func (r *round) appeared(ctx context.Context, info *jetstream.ObjectInfo) {
	hash, _, _ := strings.Cut(info.Name, ".")
	f := found{info.Name, hash, info.NUID, info.Chunks, arrival{info.Digest, info.Metadata[metaWorker], info.Metadata[metaKind]}}
	r.mu.Lock()
	_, taken := r.taken[hash]
	known := taken || r.waiting[hash] != nil
	if !known {
		r.stored[hash] = f
	}
	r.mu.Unlock()
	if known {
		// Only a cancelled context is an error.
		_ = r.dispatch(ctx, f)
	}
}

// dispatch gives results of one job always to the same reader, so that they are
// handled one after the other.
func (r *round) dispatch(ctx context.Context, f found) error {
	h := fnv.New32a()
	h.Write([]byte(f.hash))
	select {
	case r.lanes[h.Sum32()%readers] <- f:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (r *round) read(ctx context.Context, lane <-chan found) {
	for {
		select {
		case <-ctx.Done():
			return
		case f := <-lane:
			if err := r.handle(ctx, f); err != nil {
				r.cancel(err)
				return
			}
		}
	}
}

// handle takes a result if its job waits for one, or compares it with the one
// that was taken.
func (r *round) handle(ctx context.Context, f found) error {
	r.mu.Lock()
	t, first := r.waiting[f.hash], r.taken[f.hash]
	r.mu.Unlock()
	if t == nil {
		if err := compare(f, first); err != nil {
			return err
		}
		return r.remove(ctx, f)
	}
	data, err := r.fetch(ctx, f)
	if err != nil || data == nil {
		return err
	}
	res, err := parseResult(data, f.hash, r.opt.Tool)
	if err != nil {
		err = fmt.Errorf("the result of worker %s cannot be used: %w", f.worker, err)
	}
	if err == nil && res.Record != nil && lacks(res.Record, t.job.Metrics) {
		return r.repeat(ctx, f, t)
	}
	// No job may be done twice, so it is taken out first, and not done at all if
	// the round is over.
	if ctx.Err() != nil {
		return nil
	}
	r.take(f, t)
	for _, i := range t.index {
		switch {
		case err != nil:
			r.done(i, nil, err)
		case res.Record == nil:
			r.done(i, nil, errors.New(res.Failure))
		default:
			r.done(i, res.Record, nil)
		}
	}
	r.release(t.weight)
	return r.remove(ctx, f)
}

// take marks a job as done.
func (r *round) take(f found, t *ticket) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.waiting, f.hash)
	r.taken[f.hash] = f.arrival
	r.ended++
	if f.kind == kindLost {
		r.opt.Note(fmt.Sprintf("job %s (seed %d) is set aside: %d workers died with it", short(f.hash), t.job.Seed, mostLost))
	}
}

// compare reports two records of one job that differ.
func compare(late found, first arrival) error {
	if late.digest == first.digest || late.kind != kindRecord || first.kind != kindRecord {
		return nil
	}
	return fmt.Errorf("workers %s and %s computed different records for job %s: one of the machines or builds is broken; compare their rocesim version, and repeat with --fresh",
		first.worker, late.worker, short(late.hash))
}

// fetch reads a result and checks its SHA-256. It returns nil if the result is
// not there any more.
func (r *round) fetch(ctx context.Context, f found) (data []byte, err error) {
	err = r.conn.try(ctx, "reading the result of job "+short(f.hash), func(ctx context.Context) error {
		data, err = r.content(ctx, f)
		if errors.Is(err, jetstream.ErrObjectNotFound) || errors.Is(err, jetstream.ErrMsgNotFound) {
			data, err = nil, nil
		}
		return err
	})
	if err != nil || data == nil {
		return nil, err
	}
	if got := digest(data); got != f.digest {
		// Another result took its place meanwhile, and is told of next.
		return nil, nil
	}
	return data, nil
}

// content reads an object. Nearly all are one message, which one request fetches;
// the object store would make a consumer on the server for each.
func (r *round) content(ctx context.Context, f found) ([]byte, error) {
	if f.chunks != 1 {
		return r.results.GetBytes(ctx, f.name)
	}
	msg, err := r.objects.GetLastMsgForSubject(ctx, r.names.chunks(f.nuid))
	if err != nil {
		return nil, err
	}
	return msg.Data, nil
}

// digest is the SHA-256 in the object store's form.
func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "SHA-256=" + base64.URLEncoding.EncodeToString(sum[:])
}

// remove purges a result of a job that is done. To delete it would leave a
// marker, and a hundred thousand of them are memory.
func (r *round) remove(ctx context.Context, f found) error {
	for _, subject := range []string{r.names.meta(f.name), r.names.chunks(f.nuid)} {
		if err := r.conn.try(ctx, "removing a result", func(ctx context.Context) error {
			return r.objects.Purge(ctx, jetstream.WithPurgeSubject(subject))
		}); err != nil {
			return err
		}
	}
	return nil
}

// repeat publishes a job again whose result, made for an earlier coordinator,
// has not all metrics that are wanted now.
func (r *round) repeat(ctx context.Context, f found, t *ticket) error {
	t.repeats++
	if t.repeats > mostLost {
		return fmt.Errorf("job %s came back %d times without the metrics that were asked for", short(f.hash), t.repeats)
	}
	if err := r.remove(ctx, f); err != nil {
		return err
	}
	return r.publish(ctx, f.hash, t.job, fmt.Sprintf("%s.%d", r.session, t.repeats), false)
}

// lacks reports whether a record has not all metrics.
func lacks(rec *sweep.Record, metrics []string) bool {
	for _, name := range metrics {
		if _, ok := rec.Metrics[name]; !ok {
			return true
		}
	}
	return false
}
