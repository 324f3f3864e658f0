package tune

import (
	"bytes"
	"context"
	"slices"

	"rocesim/scenarios/strict"
	"rocesim/scenarios/sweep"
)

// Options are what a search takes beside its problem.
type Options struct {
	// Dir is the directory of the search; finished runs in it are not repeated,
	// unless Fresh is set.
	Dir   string
	Fresh bool
	// Tool is the version of rocesim, part of what names a run.
	Tool string
	// Executor runs the jobs; nil is sweep.Local.
	Executor sweep.Executor
	// Progress, if not nil, is called after each run, and Note with each remark
	// that is no result, such as a damaged record.
	Progress func(Progress)
	Note     func(string)
}

// Progress is how far a search has come.
type Progress struct {
	// Done counts runs that ended, Found those among them that were done
	// before.
	Done, Found, Budget int
}

// Trial is one setting that was tried.
type Trial struct {
	// Values has one value for each parameter.
	Values []string
	// Phase is "default", "start" or "search".
	Phase string
	// Cost is the weighted sum of the goals, without unit, less being better: 1 for
	// one goal in the scenario as it is, -1 if it is maximised. NaN if a run has no
	// value.
	Cost float64
	// Violation is 0 if every run meets every condition, else how far from it
	// they are.
	Violation float64
	// Means has the mean over the seeds of each goal's metric.
	Means []float64
	// Failure is that of the first run that failed.
	Failure string

	text    string
	at      []float64 // in the box; nil if it has no place there
	results []sweep.Result
}

// search is one under way.
type search struct {
	p        *Problem
	opt      Options
	cache    sweep.Cache
	trials   []*Trial
	seen     map[string]bool
	progress Progress
	// impossible counts settings that no scenario can have.
	impossible int
	// scales divide the goals of the weighted sum.
	scales []float64
}

// Run searches, and returns what it found. When ctx is cancelled it returns
// what there is. The error says that the directory cannot be used; or, beside an
// outcome, that the executor gave up or a run cannot be kept.
func (p *Problem) Run(ctx context.Context, opt Options) (*Outcome, error) {
	if err := p.open(opt.Dir); err != nil {
		return nil, err
	}
	s := &search{p: p, opt: opt, seen: map[string]bool{}, progress: Progress{Budget: p.budget}}
	s.cache = sweep.Cache{Dir: opt.Dir, Fresh: opt.Fresh, Tool: opt.Tool, Executor: opt.Executor, Note: opt.Note}
	out := &Outcome{Problem: p}
	var err error
	out.Interrupted, err = s.walk(ctx)
	out.Trials, out.impossible, out.scales = s.trials, s.impossible, s.scales
	out.choose()
	if !out.Interrupted && out.Best > 0 {
		err = s.check(ctx, out)
	}
	out.Interrupted = out.Interrupted || ctx.Err() != nil || err != nil
	out.Influence = s.influence()
	out.runs = s.progress.Done
	return out, err
}

// walk tries settings until the budget, or the box, is used up.
func (s *search) walk(ctx context.Context) (interrupted bool, err error) {
	settings := s.p.settings()
	first, err := s.asItIs()
	if err != nil {
		return false, err
	}
	next := append([]*Trial{first}, s.start(startSize(len(s.p.Params), settings)-1)...)
	for len(next) > 0 {
		if done, err := s.try(ctx, next); !done || err != nil {
			return true, err
		}
		next = s.propose(min(batch, settings-len(s.trials)))
	}
	return false, nil
}

// asItIs is the trial of the scenario without any parameter set.
func (s *search) asItIs() (*Trial, error) {
	text := sweep.NewJob(s.p.base, 0, nil).Scenario
	t := &Trial{Phase: "default", text: text}
	s.seen[text] = true
	sets := make([]string, len(s.p.Params))
	for d := range s.p.Params {
		value, err := s.p.current(d)
		if err != nil {
			return nil, err
		}
		t.Values = append(t.Values, value)
		sets[d] = s.p.Params[d].Path + "=" + value
	}
	// A field may mean something else when it is given, such as a threshold
	// for one rate that a preset scales.
	if sc, err := s.p.parse(sets); err == nil && sweep.NewJob(sc, 0, nil).Scenario == text {
		t.at = s.place(t.Values)
	}
	return t, nil
}

// current is the value that the scenario has for a parameter, "" if it cannot
// be told.
func (p *Problem) current(d int) (string, error) {
	base := p.base.Resolved()
	one := &p.Params[d]
	for i := range probes {
		other, err := p.parse([]string{one.Path + "=" + one.At(float64(i)/(probes-1))})
		if err != nil {
			continue
		}
		if bytes.Equal(other.Resolved(), base) { // such as the name of its own preset
			return one.At(float64(i) / (probes - 1)), nil
		}
		differences, err := strict.Diff("base", base, "other", other.Resolved())
		if err != nil {
			return "", err
		}
		for _, found := range differences {
			if found.Path == one.Path {
				return found.A, nil
			}
		}
	}
	return "", nil
}

// settings is how many are tried: what is left of the budget after the check.
func (p *Problem) settings() int { return (p.budget - 2*p.checkSeeds()) / len(p.seeds) }

// checkSeeds is how many other seeds the best setting and the scenario as it
// is are compared with: up to a quarter of the budget is worth it, as the
// search chose what was lucky with its own seeds.
func (p *Problem) checkSeeds() int {
	n := max(2, len(p.seeds), p.budget/10)
	if 2*n > p.budget/4 {
		return 0
	}
	return n
}

// try runs trials with every seed and adds them. It reports whether all are
// done.
func (s *search) try(ctx context.Context, trials []*Trial) (bool, error) {
	done, err := s.execute(ctx, trials, s.p.seeds)
	if err != nil || !done {
		return false, err
	}
	for _, t := range trials {
		s.p.judge(t)
		s.trials = append(s.trials, t)
	}
	if s.scales == nil {
		s.scales = s.p.scalesOf(s.trials)
	}
	for _, t := range s.trials {
		t.Cost = s.p.cost(t.Means, s.scales)
	}
	return true, nil
}

// execute runs each trial with each seed.
func (s *search) execute(ctx context.Context, trials []*Trial, seeds []uint64) (bool, error) {
	var jobs []*sweep.Job
	for _, t := range trials {
		for _, seed := range seeds {
			jobs = append(jobs, &sweep.Job{Scenario: t.text, Seed: seed, Metrics: s.p.metrics})
		}
	}
	found, err := s.cache.Run(ctx, jobs, func(found bool) {
		s.progress.Done++
		if found {
			s.progress.Found++
		}
		if s.opt.Progress != nil {
			s.opt.Progress(s.progress)
		}
	})
	if err != nil {
		return false, err
	}
	for i, t := range trials {
		t.results = found[i*len(seeds) : (i+1)*len(seeds)]
	}
	return !slices.ContainsFunc(found, func(r sweep.Result) bool { return r.Record == nil && r.Failure == "" }), nil
}

// check runs the best setting and the scenario as it is with other seeds.
func (s *search) check(ctx context.Context, out *Outcome) error {
	n := s.p.checkSeeds()
	if n == 0 {
		return nil
	}
	var seeds []uint64
	for seed := slices.Max(s.p.seeds) + 1; len(seeds) < n; seed++ {
		if !slices.Contains(s.p.seeds, seed) { // it may wrap around
			seeds = append(seeds, seed)
		}
	}
	pair := []*Trial{{text: out.Trials[0].text}, {text: out.Trials[out.Best].text}}
	done, err := s.execute(ctx, pair, seeds)
	if err == nil && done {
		s.p.judge(pair[0])
		s.p.judge(pair[1])
		out.check = pair
	}
	return err
}
