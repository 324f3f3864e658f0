package sweep

import (
	"context"
	"sync"

	"rocesim/results"
	"rocesim/scenarios"
)

// NewJob makes the job of a scenario with a seed. metrics are those wanted
// beside results.AllSubjects.
func NewJob(sc *scenarios.Scenario, seed uint64, metrics []string) *Job {
	ready := simulated(sc)
	return &Job{Scenario: string(ready.Resolved()), Seed: seed, Metrics: metrics, ready: ready}
}

// Result is what a job ended with: a record, or the text of its failure, or
// neither if it was interrupted.
type Result struct {
	Record  *Record
	Failure string
}

// Cache runs jobs and keeps their records as a sweep does.
type Cache struct {
	// Dir is the directory that has or gets the directory of runs; finished ones
	// in it are not repeated, unless Fresh is set.
	Dir   string
	Fresh bool
	// Tool is the version of rocesim, part of what names a run.
	Tool string
	// Executor runs what is not there; nil is Local.
	Executor Executor
	// Note, if not nil, is called with each remark that is no result.
	Note func(string)
}

// Run returns the results of jobs, in their order, which are all different.
// said, if not nil, is called for each that has ended, with whether it was found.
// The error says that the executor cannot go on or that a record cannot be kept.
func (c *Cache) Run(ctx context.Context, jobs []*Job, said func(found bool)) ([]Result, error) {
	if said == nil {
		said = func(bool) {}
	}
	kept := newStore(c.Dir)
	all := make([]Result, len(jobs))
	var todo []int
	for i, job := range jobs {
		rec := c.find(kept, job)
		if rec == nil {
			todo = append(todo, i)
			continue
		}
		all[i].Record = rec
		said(true)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var mu sync.Mutex // guards the following and said
	var broken error
	err := c.executor().Execute(ctx, todo, func(i int) (*Job, error) { return jobs[i], nil }, func(i int, rec *Record, failed error) {
		var problem error
		if failed == nil {
			problem = kept.put(jobs[i].name(c.Tool), rec, func() (string, error) { return jobs[i].Scenario, nil })
		}
		mu.Lock()
		defer mu.Unlock()
		switch {
		case problem != nil:
			broken = problem
			cancel() // runs that cannot be kept are not worth going on
			return
		case failed != nil:
			all[i].Failure = oneLine(failed)
		default:
			all[i].Record = rec
		}
		said(false)
	})
	if broken != nil {
		return nil, broken
	}
	return all, err
}

func (c *Cache) executor() Executor {
	if c.Executor == nil {
		return Local{Tool: c.Tool}
	}
	return c.Executor
}

// find returns the record of a job if it is there, whole, and has all metrics
// that are wanted, or nil.
func (c *Cache) find(kept *store, job *Job) *Record {
	if c.Fresh {
		return nil
	}
	rec, err := kept.get(job.name(c.Tool))
	if err != nil && c.Note != nil {
		c.Note(err.Error() + "; the run is repeated")
	}
	if rec == nil || !rec.has(job.Metrics) {
		return nil
	}
	return rec
}

// NewEstimate computes the mean of independent values and its confidence
// interval.
func NewEstimate(values []float64) Estimate { return estimate(values) }

// Beyond reports whether a difference is larger than chance explains.
func (e Estimate) Beyond() bool { return e.beyond() }

// WriteFile writes a file so that a reader sees all of it or nothing.
func WriteFile(path string, data []byte) error { return writeWhole(path, data) }

// ColumnName is a metric with its unit before the labels, and what it is of.
func ColumnName(s results.Subject, of string) string { return columnName(s, of) }
