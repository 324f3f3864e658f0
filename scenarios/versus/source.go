package versus

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"rocesim/results"
	"rocesim/results/compare"
	"rocesim/scenarios"
	"rocesim/scenarios/strict"
	"rocesim/scenarios/sweep"
)

// source is one side of a comparison: where its runs come from, and then what
// they say.
type source struct {
	path, name string
	sets       []string
	seed       uint64
	workloads  []string
	// simulated says that jobs simulate a scenario instead of reading runs.
	simulated bool
	jobs      []func(context.Context) (*results.Run, error)

	first   *results.Run
	samples []compare.Sample
	ends    []results.StopReason
}

// open finds out what a path is and reads as much as is needed to plan.
func open(path string, sets []string) (*source, error) {
	if scenarios.IsBuiltIn(path) {
		return openScenario(path, sets)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: there is no such file or directory; allowed: a scenario file, a run directory, a directory of run directories", path)
	case err != nil:
		return nil, err
	case !info.IsDir():
		return openScenario(path, sets)
	case len(sets) > 0 && !sweep.IsDir(path):
		return nil, fmt.Errorf("%s: the scenario of a finished run cannot be changed; name a scenario file, or leave out --set", path)
	}
	if sweep.IsDir(path) {
		return nil, fmt.Errorf("%s: a sweep; it can be compared with another sweep only", path)
	}
	if compare.IsDir(os.DirFS(path), ".") {
		return nil, fmt.Errorf("%[1]s: a comparison; name one of the two runs in it, %[2]s or %[3]s", path, filepath.Join(path, dirA), filepath.Join(path, dirB))
	}
	return openRuns(path)
}

func openScenario(path string, sets []string) (*source, error) {
	sc, err := scenarios.Load(path, sets)
	if err != nil {
		return nil, err
	}
	plan, err := sc.Plan()
	if err != nil {
		return nil, err
	}
	s := &source{path: path, name: sc.Name, sets: sets, seed: sc.Seed, workloads: plan.Names, simulated: true}
	for _, set := range sets {
		s.name += " " + set
	}
	return s, nil
}

// openRuns reads one run directory, or all those in a directory.
func openRuns(path string) (*source, error) {
	dirs, err := runDirectories(path)
	if err != nil {
		return nil, err
	}
	s := &source{path: path, name: filepath.Base(filepath.Clean(path))}
	for i, dir := range dirs {
		run, err := readRun(dir)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			s.first, s.seed, s.workloads = run, run.Manifest.Seed, run.WorkloadNames()
		} else if err := sameScenario(dirs[0], s.first, dir, run); err != nil {
			return nil, err
		}
		s.jobs = append(s.jobs, func(context.Context) (*results.Run, error) { return readRun(dir) })
	}
	return s, nil
}

// runDirectories returns path if it is a run directory, else those in it.
func runDirectories(path string) ([]string, error) {
	if results.IsDir(path) {
		return []string{path}, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var dirs []string
	for _, e := range entries {
		if dir := filepath.Join(path, e.Name()); e.IsDir() && results.IsDir(dir) {
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) == 0 {
		_, err := results.Read(path) // says best what is missing
		return nil, err
	}
	return dirs, nil
}

// readRun reads a run that reached its end, good or bad.
func readRun(dir string) (*results.Run, error) {
	run, err := results.Read(dir)
	if err != nil {
		return nil, err
	}
	if run.Manifest.Stop == results.Interrupted {
		return nil, fmt.Errorf("%s: the run was interrupted at %v, and its results are partial; simulate it again", dir, run.Manifest.SimulatedTime)
	}
	return run, nil
}

// sameScenario refuses runs of one side that differ in more than the seed.
func sameScenario(dirA string, a *results.Run, dirB string, b *results.Run) error {
	differences, err := strict.Diff(dirA, []byte(a.Manifest.Scenario), dirB, []byte(b.Manifest.Scenario))
	if err != nil {
		return err
	}
	for _, d := range differences {
		if d.Path != "seed" {
			return fmt.Errorf("%s and %s are not runs of one scenario: %s is %q and %q; runs of one side may differ in their seed only",
				dirA, dirB, d.Path, d.A, d.B)
		}
	}
	return nil
}

// plan lays out the runs of a scenario, with seeds from seed upwards.
func (s *source) plan(seed uint64, o Options) {
	if s.simulated {
		for i := range o.Seeds {
			// The first run is drawn; of the others nothing but metrics is used.
			s.jobs = append(s.jobs, s.simulate(seed+uint64(i), scenarios.RunOptions{Tool: o.Tool, MetricsOnly: i > 0}))
		}
	}
	s.ends = make([]results.StopReason, len(s.jobs))
}

// simulate returns a job that runs the scenario with one seed.
func (s *source) simulate(seed uint64, o scenarios.RunOptions) func(context.Context) (*results.Run, error) {
	return func(ctx context.Context) (*results.Run, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		sets := append(slices.Clone(s.sets), fmt.Sprintf("seed=%d", seed))
		sc, err := scenarios.Load(s.path, sets)
		if err != nil {
			return nil, err
		}
		opt := o
		opt.Overrides = sets
		run, err := scenarios.Run(ctx, sc, opt)
		if err == nil {
			err = ctx.Err()
		}
		return run, err
	}
}

func (s *source) side() *compare.Side { return &compare.Side{Name: s.name, Samples: s.samples} }

// warnings tells of runs that did not end well.
func (s *source) warnings() []string {
	var all []string
	for _, end := range []results.StopReason{results.Stalled, results.Deadlocked} {
		n := 0
		for _, e := range s.ends {
			if e == end {
				n++
			}
		}
		if n > 0 {
			all = append(all, fmt.Sprintf("%s: %d of %d runs %s, and their metrics are those until then", s.name, n, len(s.ends), end))
		}
	}
	return all
}

// mismatch tells of what makes a comparison doubtful.
func (s *source) mismatch(b *source) []string {
	var all []string
	mA, mB := &s.first.Manifest, &b.first.Manifest
	if !s.simulated && !b.simulated && mA.Name != mB.Name {
		all = append(all, fmt.Sprintf("A is a run of scenario %s, B of %s", mA.Name, mB.Name))
	}
	if s.simulated && b.simulated && s.seed != b.seed {
		all = append(all, fmt.Sprintf("seed %d of B is not used: both sides run with the seeds of A", b.seed))
	}
	if mA.Tool != mB.Tool {
		all = append(all, fmt.Sprintf("A was simulated by rocesim %s, B by %s", mA.Tool, mB.Tool))
	}
	if !slices.Equal(s.workloads, b.workloads) {
		all = append(all, "the workloads of A and B do not have the same names; those of one side only are not compared by themselves")
	}
	return all
}
