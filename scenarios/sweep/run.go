package sweep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"rocesim/results"
)

// Options are what a sweep takes beside its grid.
type Options struct {
	// Dir is the sweep directory; finished runs in it are not repeated, unless
	// Fresh is set.
	Dir   string
	Fresh bool
	// Tool is the version of rocesim, part of what names a run.
	Tool string
	// Workers is how many settings are resolved at a time; 0 is one for each
	// processor.
	Workers int
	// Executor runs the jobs; nil is Local with Workers.
	Executor Executor
	// Progress, if not nil, is called after each step, and Note with each
	// remark that is no result, such as a damaged record.
	Progress func(Progress)
	Note     func(string)
}

// Progress is how far a sweep has come.
type Progress struct {
	// Resolving counts settings that are checked, before the first run.
	Resolving, Settings int
	// Done counts runs that ended, Found those among them that were done
	// before, and Failed those that failed.
	Done, Found, Failed, Runs int
}

// row is one run.
type row struct {
	setting, seed int // places in settings and in the source's seeds
	// done says that values or failure are there.
	done    bool
	failure string
	// The rest is of the record: there may be a million rows, so no more of it is
	// kept than tables show.
	stop, fingerprint string
	unmet             []string
	values            []float64
}

// Outcome is a sweep that has been run, perhaps not to its end.
type Outcome struct {
	*Sweep
	tool     string
	settings []setting
	rows     []row // by setting, then seed
	// Interrupted says that runs are missing.
	Interrupted bool
	quantiles   quantiles // for estimates
}

// Run runs what is not done yet, and returns the outcome of all. When ctx is
// cancelled it returns what there is. The error says that no setting can be
// simulated, or that the directory cannot be used; or, beside an outcome, that
// the executor gave up or a run cannot be kept.
func (s *Sweep) Run(ctx context.Context, opt Options) (*Outcome, error) {
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	if opt.Executor == nil {
		opt.Executor = Local{Workers: opt.Workers, Tool: opt.Tool}
	}
	if err := usable(opt.Dir); err != nil {
		return nil, err
	}
	r := &runner{sweep: s, opt: opt, store: newStore(opt.Dir), byName: map[string][]int{}}
	if err := r.resolve(ctx); err != nil {
		return nil, err
	}
	if err := r.find(); err != nil {
		return nil, err
	}
	if err := s.open(opt.Dir); err != nil {
		return nil, err
	}
	err := r.execute(ctx)
	out := &Outcome{Sweep: s, tool: opt.Tool, settings: r.settings, rows: r.rows, Interrupted: ctx.Err() != nil || err != nil}
	return out, err
}

// runner is a sweep under way.
type runner struct {
	sweep    *Sweep
	opt      Options
	store    *store
	settings []setting
	rows     []row
	// byName lists the rows of each run: settings that differ in words only
	// are one run.
	byName map[string][]int
	// again is the last of the settings that had to be made again: its next seed
	// is usually next.
	again struct {
		sync.Mutex
		number int
		last   setting
	}

	mu       sync.Mutex // guards the following and, while jobs run, rows
	progress Progress
	err      error
}

func (r *runner) resolve(ctx context.Context) error {
	runs, err := r.sweep.Runs()
	if err != nil {
		return err
	}
	r.progress = Progress{Settings: runs / len(r.sweep.sources[0].seeds), Runs: runs}
	r.settings, err = r.sweep.settings(ctx, r.opt.Workers, r.opt.Tool, func() {
		r.step(func(p *Progress) { p.Resolving++ })
	})
	return err
}

// step changes the progress and tells of it.
func (r *runner) step(change func(*Progress)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.progress)
	if r.opt.Progress != nil {
		r.opt.Progress(r.progress)
	}
}

// find makes the rows and fills in the runs that are done already.
func (r *runner) find() error {
	valid := false
	for i := range r.settings {
		one := &r.settings[i]
		valid = valid || one.invalid == ""
		for seed := range r.sweep.sources[one.source].seeds {
			n := len(r.rows)
			r.rows = append(r.rows, row{setting: i, seed: seed, done: one.invalid != ""})
			if name := r.name(n); name != "" {
				r.byName[name] = append(r.byName[name], n)
			} else {
				r.step(func(p *Progress) { p.Done++ })
			}
		}
	}
	if !valid {
		return fmt.Errorf("no setting can be simulated; the first: %s: %s", r.sweep.words(&r.settings[0]), r.settings[0].invalid)
	}
	if r.opt.Fresh {
		return nil
	}
	for i := range r.rows {
		if name := r.name(i); name != "" && r.byName[name][0] == i {
			r.lookUp(i, name)
		}
	}
	return nil
}

// name is that of the run of a row; empty if its setting is invalid.
func (r *runner) name(i int) string {
	return r.sweep.runName(&r.settings[r.rows[i].setting], r.rows[i].seed)
}

// lookUp takes a run from the store if it is there, whole, and has all metrics
// that are wanted now.
func (r *runner) lookUp(i int, name string) {
	rec, err := r.store.get(name)
	if err != nil {
		r.note(fmt.Sprintf("%v; the run is repeated", err))
	}
	one := &r.settings[r.rows[i].setting]
	if rec == nil || !rec.has(r.sweep.sources[one.source].extra) {
		return
	}
	r.finish(name, rec, "")
	r.step(func(p *Progress) { p.Done += len(r.byName[name]); p.Found += len(r.byName[name]) })
}

func (r *runner) note(text string) {
	if r.opt.Note != nil {
		r.opt.Note(text)
	}
}

// execute runs the jobs that are left.
func (r *runner) execute(ctx context.Context) error {
	var todo []int
	for i := range r.rows {
		if name := r.name(i); !r.rows[i].done && r.byName[name][0] == i {
			todo = append(todo, i)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	err := r.opt.Executor.Execute(ctx, todo, r.job, func(i int, rec *Record, failed error) {
		if err := r.done(i, rec, failed); err != nil {
			cancel() // runs that cannot be kept are not worth going on
		}
	})
	return errors.Join(err, r.err)
}

// job makes the job of a row.
func (r *runner) job(i int) (*Job, error) {
	one, err := r.resolved(i)
	if err != nil {
		return nil, err
	}
	src := &r.sweep.sources[one.source]
	return &Job{Scenario: one.text, Seed: src.seeds[r.rows[i].seed], Metrics: src.extra, ready: one.scenario}, nil
}

// resolved is the setting of a row with its scenario, also if that is not kept.
func (r *runner) resolved(i int) (setting, error) {
	number := r.rows[i].setting
	one := r.settings[number]
	if one.text != "" {
		return one, nil
	}
	r.again.Lock()
	defer r.again.Unlock()
	if r.again.last.text == "" || r.again.number != number {
		r.again.number, r.again.last = number, r.sweep.setting(one.source, one.combination, nil, r.opt.Tool)
	}
	if r.again.last.invalid != "" { // it was not, but files that it reads may have changed
		return one, errors.New(r.again.last.invalid)
	}
	return r.again.last, nil
}

// done keeps what a job ended with.
func (r *runner) done(i int, rec *Record, failed error) error {
	name := r.name(i)
	var problem error
	if failed == nil {
		problem = r.store.put(name, rec, func() (string, error) {
			one, err := r.resolved(i)
			return one.text, err
		})
	}
	r.mu.Lock()
	switch {
	case problem != nil:
		r.err = fmt.Errorf("%s: a finished run cannot be kept: %w", r.opt.Dir, problem)
	case failed != nil:
		r.finish(name, nil, oneLine(failed))
	default:
		r.finish(name, rec, "")
	}
	r.mu.Unlock()
	r.step(func(p *Progress) {
		p.Done += len(r.byName[name])
		if failed != nil {
			p.Failed += len(r.byName[name])
		}
	})
	return problem
}

// finish fills in the rows of a run.
func (r *runner) finish(name string, rec *Record, failure string) {
	var values []float64
	if rec != nil {
		values = make([]float64, len(r.sweep.columns))
		for i, name := range r.sweep.names {
			values[i] = math.NaN()
			if v := rec.Metrics[name]; v != nil {
				values[i] = *v
			}
		}
	}
	for _, i := range r.byName[name] {
		r.rows[i].done, r.rows[i].failure, r.rows[i].values = true, failure, values
		if rec != nil {
			r.rows[i].stop, r.rows[i].fingerprint, r.rows[i].unmet = rec.Stop, rec.Fingerprint, rec.Unmet
		}
	}
}

// runsDir is the directory of finished runs, manifestFile what marks a sweep
// directory as ours.
const (
	runsDir      = "runs"
	manifestFile = "sweep.json"
)

// usable checks that a directory is that of a sweep, or can be made one.
func usable(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s: cannot be used as a sweep directory: %w", dir, err)
	}
	if _, err := os.Stat(filepath.Join(dir, manifestFile)); len(entries) > 0 && err != nil {
		return fmt.Errorf("%s: exists and was not made by rocesim sweep, so it is left alone; choose another directory with -o", dir)
	}
	return nil
}

// open makes the directory, which is usable, and takes away the tables and plots
// of an earlier sweep, so that nothing in it looks complete before it is. A
// sweep that cannot begin leaves them.
func (s *Sweep) open(dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, runsDir), 0o755); err != nil {
		return fmt.Errorf("%s: cannot be used as a sweep directory: %w", dir, err)
	}
	if err := s.writeManifest(dir, "running"); err != nil {
		return fmt.Errorf("%s: cannot be used as a sweep directory: %w", dir, err)
	}
	for _, name := range outputs() {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// outputs are the files and directories that a sweep makes in the end.
func outputs() []string {
	return []string{"runs.csv", "runs.parquet", "settings.csv", "summary.txt", "plots", results.ReportFile}
}
