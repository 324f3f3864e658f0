package check

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"rocesim/results"
	"rocesim/results/compare"
	"rocesim/scenarios"
)

// Report is what became of one scenario file.
type Report struct {
	Path, Name string
	// Err says that the scenario or its baseline cannot be used.
	Err error
	// Fatal is the condition that ended the run too early, if one did.
	Fatal    string
	Outcomes []results.Outcome
	// Baseline is the file compared with or written, or that cannot be used,
	// empty if there is none; Compared is how many metrics it has.
	Baseline string
	Compared int
	Updated  bool
	// Drifts are the metrics beyond their tolerance.
	Drifts []Drift
	// FingerprintWas and FingerprintIs differ if the run is not the baseline's,
	// event for event; NewConfiguration says that the scenario is not either.
	FingerprintWas, FingerprintIs string
	NewConfiguration              bool

	failOn compare.Verdict
}

// Status is how a scenario ended.
type Status string

// Statuses: Broken means that it could not be tested.
const (
	Passed Status = "ok"
	Failed Status = "FAIL"
	Broken Status = "ERROR"
)

// Status sums the report up.
func (r *Report) Status() Status {
	switch {
	case r.Err != nil:
		return Broken
	case r.Fatal != "" || results.Failed(r.Outcomes) > 0 || r.failingDrifts() > 0:
		return Failed
	}
	return Passed
}

// fails reports whether a drift fails the test.
func (r *Report) fails(d *Drift) bool {
	switch r.failOn {
	case compare.Different:
		return true
	case compare.Worse:
		return d.Verdict == compare.Worse || d.Verdict == compare.NoValue
	}
	return false
}

func (r *Report) failingDrifts() int {
	n := 0
	for i := range r.Drifts {
		if r.fails(&r.Drifts[i]) {
			n++
		}
	}
	return n
}

// Options say how scenarios are tested.
type Options struct {
	// Baselines is the directory of baselines, by the name of the scenario; ""
	// looks for them beside the scenarios.
	Baselines string
	// Update writes baselines instead of comparing with them.
	Update bool
	// FailOn is the drift that fails: compare.Worse or compare.Different; any
	// other value none.
	FailOn compare.Verdict
	// Workers is how many scenarios are simulated at once; 0 is one per
	// processor.
	Workers int
	// Tool is the version written into baselines.
	Tool string
}

// Files tests scenario files in parallel and calls done with the report of each
// in the order of files. The error is that of ctx.
func Files(ctx context.Context, files []string, o Options, done func(*Report)) error {
	workers := o.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	queue := inOrder{done: done, reports: make([]*Report, len(files))}
	var group errgroup.Group
	group.SetLimit(workers)
	for i, file := range files {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			r := File(ctx, file, o)
			if errors.Is(r.Err, context.Canceled) {
				return r.Err
			}
			queue.put(i, r)
			return nil
		})
	}
	return group.Wait()
}

// inOrder hands reports on in the order of their places.
type inOrder struct {
	mu      sync.Mutex
	reports []*Report
	next    int
	done    func(*Report)
}

func (q *inOrder) put(place int, r *Report) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.reports[place] = r
	for q.next < len(q.reports) && q.reports[q.next] != nil {
		q.done(q.reports[q.next])
		q.next++
	}
}

// File tests one scenario file.
func File(ctx context.Context, path string, o Options) *Report {
	r := &Report{Path: path, failOn: o.FailOn}
	sc, err := scenarios.Load(path, nil)
	if err != nil {
		r.Err = err
		return r
	}
	r.Name = sc.Name
	file := BaselinePath(path, sc.Name, o.Baselines)
	old, err := ReadBaseline(file)
	if err != nil {
		r.Baseline, r.Err = file, err
		return r
	}
	result, err := Simulate(ctx, sc, scenarios.RunOptions{Tool: o.Tool})
	if err != nil {
		r.Err = err
		return r
	}
	r.Outcomes, r.Fatal = result.Outcomes, result.fatal()
	if o.Update {
		r.Err = r.update(result, old, file)
	} else if old != nil {
		r.Err = r.against(result, old, file)
	}
	return r
}

// BaselinePath is where the baseline of a scenario file is: in dir by the name
// of the scenario, or beside the file if dir is "".
func BaselinePath(path, name, dir string) string {
	if dir != "" {
		return filepath.Join(dir, name+".json")
	}
	return strings.TrimSuffix(path, filepath.Ext(path)) + ".baseline.json"
}

// against compares with a baseline.
func (r *Report) against(result *Result, old *Baseline, file string) error {
	r.Baseline = file
	drifts, err := old.Drifts(result)
	if err != nil {
		return fmt.Errorf("%w; make it again with --update, or name the right one", err)
	}
	r.Drifts, r.Compared = drifts, len(old.Metrics)
	r.FingerprintWas, r.FingerprintIs = old.Fingerprint, results.FingerprintText(result.Run.Manifest.Fingerprint)
	r.NewConfiguration = old.Configuration != configuration(result.Scenario)
	return nil
}

// update writes the baseline, unless that would say nothing new.
func (r *Report) update(result *Result, old *Baseline, file string) error {
	if old != nil && old.Scenario != result.Scenario.Name {
		return old.other("scenario", "it is a baseline of scenario "+old.Scenario+", so it is left alone; delete it first")
	}
	b := NewBaseline(result, old)
	r.Baseline, r.Compared = file, len(b.Metrics)
	if old != nil && b.same(old) {
		return nil
	}
	r.Updated = true
	return errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), b.Write(file))
}

// sentences says of each metric that is not as in the baseline what became of it,
// those that fail apart from the others.
func (r *Report) sentences() (failed, other []string) {
	for i := range r.Drifts {
		if r.fails(&r.Drifts[i]) {
			failed = append(failed, r.Drifts[i].sentence())
		} else {
			other = append(other, r.Drifts[i].sentence())
		}
	}
	return failed, other
}
