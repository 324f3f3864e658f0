package farm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"rocesim/scenarios/sweep"
)

// Keys of a result's metadata.
const (
	metaWorker = "worker"
	metaKind   = "kind"
)

// attempt is one delivery of a job.
type attempt struct {
	*serving
	run   sweep.Runner
	queue *queue
	msg   jetstream.Msg
	hash  string
	// lost is how many workers died with the job.
	lost     int
	sequence uint64 // of the message in the stream
	envelope *Envelope
}

// attempt does what is to be done with a delivered job. The error says that the
// worker cannot go on.
func (s *serving) attempt(ctx context.Context, q *queue, msg jetstream.Msg, run sweep.Runner) (Report, error) {
	began := time.Now()
	a := &attempt{serving: s, run: run, queue: q, msg: msg, hash: msg.Subject()[strings.LastIndexByte(msg.Subject(), '.')+1:]}
	report := Report{Queue: q.queue, Hash: a.hash}
	meta, err := msg.Metadata()
	if err != nil {
		return report, err
	}
	alive, stop := context.WithCancel(context.Background())
	defer stop()
	go a.keepLease(alive)

	if a.envelope, err = ParseEnvelope(msg.Data(), a.hash, s.Tool); err != nil {
		report.Outcome, report.Failure = Refused, err.Error()
		err := a.finish(&report, result{Kind: kindFailure, Failure: "worker refused the job: " + err.Error()})
		return report, err
	}
	report.Seed, a.sequence = a.envelope.Job.Seed, meta.Sequence.Stream
	a.lost = a.envelope.Lost + int(meta.NumDelivered) - 1
	switch {
	case ctx.Err() != nil:
		a.giveBack(&report)
	case a.lost >= mostLost:
		report.Outcome = SetAside
		err = a.finish(&report, result{Kind: kindLost, Failure: lostText()})
	case a.lost > 0 && a.isStored(ctx):
		report.Outcome = Known
		a.acknowledge()
	default:
		err = a.simulate(ctx, &report)
	}
	report.Elapsed = time.Since(began)
	return report, err
}

// lostText is the failure of a job that is set aside. It says nothing of where,
// so that tables are the same whoever worked.
func lostText() string {
	return fmt.Sprintf("killed its worker %d times (or the worker was killed: out of memory is the usual reason), so it is set aside", mostLost)
}

// simulate runs the job and stores what comes of it.
func (a *attempt) simulate(ctx context.Context, report *Report) error {
	rec, err := a.run(ctx, &a.envelope.Job)
	switch {
	case rec != nil:
		report.Outcome, report.Scenario = Done, rec.Scenario
		return a.finish(report, result{Kind: kindRecord, Record: rec})
	case ctx.Err() != nil:
		a.giveBack(report)
		return nil
	}
	report.Outcome, report.Failure = Failed, err.Error()
	return a.finish(report, result{Kind: kindFailure, Failure: err.Error()})
}

// keepLease tells the server that the job is under way, until ctx is cancelled.
func (a *attempt) keepLease(ctx context.Context) {
	for pause(ctx, a.queue.lease/3) == nil {
		_ = a.msg.InProgress() // if it fails, the next may not; else another worker repeats the job
	}
}

// finish stores a result and then acknowledges the job.
func (a *attempt) finish(report *Report, r result) error {
	r.Protocol, r.Tool, r.Hash = protocol, a.Tool, a.hash
	err := a.store(r)
	switch {
	case errors.Is(err, jetstream.ErrBucketNotFound):
		report.Outcome = TooLate
		return nil
	case err != nil:
		report.Outcome, report.Failure = Unstored, err.Error()
		// The coordinator does not see what a server without room refuses. That a
		// server is silent is this worker's trouble, or the coordinator's own.
		if isFull(err) {
			_ = a.conn.nc.Publish(a.queue.trouble(), []byte(a.Name+"\n"+err.Error()))
		}
		a.requeue()
		_ = a.conn.nc.FlushTimeout(time.Second)
		return err
	}
	a.acknowledge()
	return nil
}

// oneAck is how long to wait for word that a job has left the queue. There is
// none if somebody has emptied it.
const oneAck = time.Second

// acknowledge takes the job out of the queue. If that fails, it is delivered
// again, and whoever gets it finds the result.
func (a *attempt) acknowledge() {
	ctx, cancel := context.WithTimeout(context.Background(), oneAck)
	defer cancel()
	_ = a.msg.DoubleAck(ctx)
}

// comeBack is how long a result waits for a store that is not there: a
// coordinator with its own server may have been started again just now.
const comeBack = 10 * time.Second

// store puts a result into the store, also if the worker is to end.
func (a *attempt) store(r result) error {
	data, err := json.Marshal(r)
	if err != nil { // such as a metric that JSON has no number for
		data, err = json.Marshal(result{Protocol: r.Protocol, Tool: r.Tool, Hash: r.Hash, Kind: kindFailure, Failure: err.Error()})
	}
	if err != nil {
		return err
	}
	began := time.Now()
	for {
		err := a.conn.try(context.Background(), fmt.Sprintf("storing a result of %d bytes", len(data)), func(ctx context.Context) error {
			return a.put(ctx, data, r.Kind)
		})
		if !errors.Is(err, jetstream.ErrBucketNotFound) || time.Since(began) > min(comeBack, a.conn.timeout) {
			return err
		}
		_ = pause(context.Background(), 500*time.Millisecond) // never cancelled
	}
}

// put puts a result unless it is there; beside the one that is there if that is
// another.
func (a *attempt) put(ctx context.Context, data []byte, kind string) error {
	results, err := a.conn.js.ObjectStore(ctx, a.queue.bucket())
	if err != nil {
		return err
	}
	name := a.hash
	switch there, err := results.GetInfo(ctx, name); {
	case err == nil && there.Digest == digest(data):
		return nil
	case err == nil:
		name += "." + digest(data)
	case !errors.Is(err, jetstream.ErrObjectNotFound):
		return err
	}
	if err := a.putAs(ctx, results, name, data, kind); err != nil {
		return err
	}
	// Another worker may have put its own at the same time, over this one.
	if there, err := results.GetInfo(ctx, name); err == nil && there.Digest != digest(data) {
		return a.putAs(ctx, results, a.hash+"."+digest(data), data, kind)
	}
	return nil
}

func (a *attempt) putAs(ctx context.Context, results jetstream.ObjectStore, name string, data []byte, kind string) error {
	meta := jetstream.ObjectMeta{Name: name, Metadata: map[string]string{metaWorker: a.Name, metaKind: kind}}
	_, err := results.Put(ctx, meta, bytes.NewReader(data))
	return err
}

// isStored says that a worker that died had stored the result.
func (a *attempt) isStored(ctx context.Context) bool {
	results, err := a.conn.js.ObjectStore(ctx, a.queue.bucket())
	if err != nil {
		return false
	}
	_, err = results.GetInfo(ctx, a.hash)
	return err == nil
}

// giveBack leaves the job to another worker.
func (a *attempt) giveBack(report *Report) {
	report.Outcome = GivenBack
	a.requeue()
}

// requeue queues the job again for another worker, now. The new message takes
// the place of the one delivered, if that is still there, and says how many
// workers the job has lost, of which this is none.
func (a *attempt) requeue() {
	if a.envelope == nil { // refused
		_ = a.msg.Nak()
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), oneTry)
	defer cancel()
	again := *a.envelope
	again.Lost = a.lost
	body, err := json.Marshal(again)
	if err == nil {
		_, err = a.conn.js.PublishMsg(ctx, &nats.Msg{Subject: a.queue.subject(a.hash), Data: body},
			jetstream.WithMsgID(a.hash+"."+nuid.Next()), jetstream.WithExpectLastSequencePerSubject(a.sequence))
	}
	if err != nil && !isQueued(err) {
		_ = a.msg.Nak() // counts as a worker lost, which is better than to wait
		return
	}
	a.acknowledge()
}
