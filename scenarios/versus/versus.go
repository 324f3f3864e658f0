package versus

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"rocesim/results"
	"rocesim/results/compare"
	"rocesim/results/page"
	"rocesim/results/report"
	"rocesim/scenarios"
	"rocesim/scenarios/sweep"
)

// AllMetrics in Options.Metrics stands for every metric that there is.
const AllMetrics = "all"

// Options are what a comparison takes beside its two sides.
type Options struct {
	// Sets changes both scenarios, SetsA and SetsB one of them; each is
	// "path=value".
	Sets, SetsA, SetsB []string
	// Seeds is how many seeds a scenario is run with, from that of A upwards,
	// the same on both sides.
	Seeds int
	// Workers is how many runs are simulated at once; 0 is one per processor.
	Workers int
	// Metrics are those to compare, as expect clauses name them, or AllMetrics;
	// none stands for results.MainSubjects.
	Metrics []string
	Compare compare.Options
	// Tool is the version written into results.
	Tool string
	// Progress, if not nil, is called after each run, by one goroutine at a
	// time.
	Progress func(done, total int)
}

// Outcome is a comparison of runs or of sweeps.
type Outcome interface {
	compare.Report
	// WritePlots draws it into the directory plots below dir.
	WritePlots(dir string, formats []string) error
	// Page makes its page.
	Page() (*page.Document, error)
	// Document is it for programs, with the directory that it was written to
	// or "".
	Document(dir string) any

	writeRuns(dir string) error
}

// Result is a comparison of runs and what to draw of it.
type Result struct {
	*compare.Comparison
	// Overlay has the first run of each side.
	Overlay *report.Overlay `json:"-"`
}

// Compare compares what is at pathA and pathB: two sweep directories, or what Run
// takes.
func Compare(ctx context.Context, pathA, pathB string, o Options) (Outcome, error) {
	if sweep.IsDir(pathA) && sweep.IsDir(pathB) {
		return outcome(runSweeps(pathA, pathB, o))
	}
	return outcome(Run(ctx, pathA, pathB, o))
}

// outcome makes a nil interface of a failed comparison.
func outcome[T Outcome](result T, err error) (Outcome, error) {
	if err != nil {
		return nil, err
	}
	return result, nil
}

// Run compares the sides at pathA and pathB: scenario files, run directories,
// or directories of run directories. The error says what about them is wrong;
// it is that of ctx if it was cancelled.
func Run(ctx context.Context, pathA, pathB string, o Options) (*Result, error) {
	a, err := open(pathA, slices.Concat(o.Sets, o.SetsA))
	if err != nil {
		return nil, asGiven(err, "--set-a", o.SetsA)
	}
	b, err := open(pathB, slices.Concat(o.Sets, o.SetsB))
	if err != nil {
		return nil, asGiven(err, "--set-b", o.SetsB)
	}
	if a.path == b.path && slices.Equal(a.sets, b.sets) {
		return nil, fmt.Errorf("%s is compared with itself; name two, or change one side with --set-b", pathA)
	}
	if o.Seeds < 1 {
		return nil, fmt.Errorf("the number of seeds is %d, allowed are 1 and more", o.Seeds)
	}
	if a.name == b.name {
		a.name, b.name = a.path, b.path
	}
	subjects, err := o.subjects(a, b)
	if err != nil {
		return nil, err
	}
	a.plan(a.seed, o)
	b.plan(a.seed, o)
	if err := balanced(a, b); err != nil {
		return nil, err
	}
	if err := measure(ctx, a, b, subjects, o); err != nil {
		return nil, err
	}
	if err := o.check(subjects, a, b); err != nil {
		return nil, err
	}
	return a.against(b, subjects, o)
}

// asGiven names the flag of one side in errors about its changes.
func asGiven(err error, flag string, sets []string) error {
	var errs scenarios.Errors
	if !errors.As(err, &errs) {
		return err
	}
	errs = slices.Clone(errs)
	for i := range errs {
		if set, ok := strings.CutPrefix(errs[i].Pos.File, "--set "); ok && slices.Contains(sets, set) {
			errs[i].Pos.File = flag + " " + set
		}
	}
	return errs
}

// balanced refuses to simulate many seeds against a single run that is there,
// which could not be compared afterwards.
func balanced(a, b *source) error {
	one, many := a, b
	if a.simulated {
		one, many = b, a
	}
	if one.simulated || !many.simulated || len(one.jobs) > 1 || len(many.jobs) == 1 {
		return nil
	}
	return fmt.Errorf("%s has 1 run and %s would have %d: give one of each with --seeds 1, or at least two of each", one.name, many.name, len(many.jobs))
}

// subjects returns what is compared.
func (o *Options) subjects(a, b *source) ([]results.Subject, error) {
	var common []string
	for _, name := range a.workloads {
		if slices.Contains(b.workloads, name) {
			common = append(common, name)
		}
	}
	return o.chosen(common)
}

// chosen returns the metrics that Metrics stands for.
func (o *Options) chosen(workloads []string) ([]results.Subject, error) {
	if len(o.Metrics) == 0 {
		return results.MainSubjects(workloads), nil
	}
	if slices.Equal(o.Metrics, []string{AllMetrics}) {
		return results.AllSubjects(workloads), nil
	}
	var subjects []results.Subject
	for _, text := range o.Metrics {
		s, err := results.ParseSubject(text)
		if err != nil {
			return nil, fmt.Errorf("metric %q: %w", text, err)
		}
		subjects = append(subjects, s)
	}
	return subjects, nil
}

// check finds metrics that the user named and that neither side can have, such
// as those of a workload that is not there.
func (o *Options) check(subjects []results.Subject, a, b *source) error {
	if len(o.Metrics) == 0 {
		return nil
	}
	for _, s := range subjects {
		_, errA := s.Of(results.NewMetrics(a.first))
		_, errB := s.Of(results.NewMetrics(b.first))
		if errA != nil && errB != nil && len(s.Labels) > 0 {
			return fmt.Errorf("metric %q: %w", s, errB)
		}
	}
	return nil
}

// measure gets all runs of both sides and takes their samples.
func measure(ctx context.Context, a, b *source, subjects []results.Subject, o Options) error {
	workers := o.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	count := counter{total: len(a.jobs) + len(b.jobs), report: o.Progress}
	for _, side := range []*source{a, b} {
		side.samples = make([]compare.Sample, len(side.jobs))
		for i := range side.jobs {
			group.Go(func() error {
				run, err := side.jobs[i](ctx)
				if err != nil {
					return err
				}
				side.samples[i] = compare.Measure(run, subjects)
				if i == 0 {
					side.first = run // the others are not kept: they may be large
				}
				side.ends[i] = run.Manifest.Stop
				count.one()
				return nil
			})
		}
	}
	return group.Wait()
}

// counter reports how many runs are done.
type counter struct {
	mu          sync.Mutex
	done, total int
	report      func(done, total int)
}

func (c *counter) one() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done++
	if c.report != nil {
		c.report(c.done, c.total)
	}
}

// against compares two sides that have been measured.
func (a *source) against(b *source, subjects []results.Subject, o Options) (*Result, error) {
	c, err := compare.Compare(a.side(), b.side(), subjects, o.Compare)
	if err != nil {
		return nil, err
	}
	c.Changes, err = changes(a.path, a.first.Manifest.Scenario, b.path, b.first.Manifest.Scenario)
	if err != nil {
		return nil, err
	}
	c.Warnings = slices.Concat(a.warnings(), b.warnings(), a.mismatch(b))
	return &Result{c, &report.Overlay{A: a.first, B: b.first, NameA: a.name, NameB: b.name}}, nil
}

// WritePlots draws the differences of all metrics and the first runs of both
// sides over each other, into the directory plots below dir.
func (r *Result) WritePlots(dir string, formats []string) error {
	plots := r.Overlay.Plots()
	if p := r.changesPlot(); p != nil {
		plots = append(plots, p)
	}
	return report.WritePlots(dir, plots, formats)
}

// changesPlot draws the metrics that have a relative change.
func (r *Result) changesPlot() *report.Plot {
	var rows []report.MetricChange
	for i := range r.Rows {
		row := &r.Rows[i]
		value, low, high, ok := row.Relative()
		if ok && row.B.N > 0 && !row.IsEqual() {
			rows = append(rows, report.MetricChange{Name: row.Metric, Value: value, Low: low, High: high, Verdict: string(row.Verdict)})
		}
	}
	title := "What changed"
	switch r.Method {
	case compare.Values:
		title += " in one run of each, without a test"
	case compare.Paired, compare.Welch:
		title += fmt.Sprintf(", with %v %% intervals over seeds", 100*(1-r.Level))
	}
	subtitle := fmt.Sprintf("A: %s; B: %s", r.A.Text(), r.B.Text())
	return report.Changes(title, subtitle, rows)
}
