package sweep

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Executor runs jobs, here or elsewhere.
type Executor interface {
	// Execute runs job(i) for every i of todo, in any order, and calls done
	// once for each that ended, with its record or with the error it failed
	// with; done may be called from several goroutines at once. When ctx is
	// cancelled it returns soon; jobs that did not end are not done. The error
	// says that the executor itself cannot go on.
	Execute(ctx context.Context, todo []int, job func(i int) (*Job, error), done func(i int, rec *Record, err error)) error
}

// Local executes jobs in this process.
type Local struct {
	// Workers is how many run at a time; 0 is one for each processor.
	Workers int
	// Tool is the version written into the records.
	Tool string
}

// Execute implements Executor.
func (l Local) Execute(ctx context.Context, todo []int, job func(int) (*Job, error), done func(int, *Record, error)) error {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(l.workers(), len(todo)) {
		// Each worker goes on while what it ended is written: to make files means
		// to wait for a disk.
		all := make(chan ended, 1)
		group.Go(func() {
			for e := range all {
				done(e.i, e.rec, e.err)
			}
		})
		group.Go(func() {
			defer close(all)
			l.work(ctx, todo, &next, job, all)
		})
	}
	group.Wait()
	return nil
}

// ended is a job that was run.
type ended struct {
	i   int
	rec *Record
	err error
}

// work runs one job after the other.
func (l Local) work(ctx context.Context, todo []int, next *atomic.Int64, job func(int) (*Job, error), all chan<- ended) {
	run := NewRunner(l.Tool)
	for {
		n := int(next.Add(1)) - 1
		if n >= len(todo) || ctx.Err() != nil {
			return
		}
		var rec *Record
		j, err := job(todo[n])
		if err == nil {
			rec, err = run(ctx, j)
		}
		if ctx.Err() == nil || rec != nil {
			all <- ended{todo[n], rec, err}
		}
	}
}

func (l Local) workers() int {
	if l.Workers > 0 {
		return l.Workers
	}
	return runtime.GOMAXPROCS(0)
}
