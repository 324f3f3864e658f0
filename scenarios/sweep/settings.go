package sweep

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"rocesim/scenarios"
	"rocesim/scenarios/grid"
	"rocesim/scenarios/strict"
)

// keptBytes is how much scenario text stays in memory, with the scenarios
// themselves; what is beyond it is made again when its run begins.
const keptBytes = 256 << 20

// setting is one combination of values of one scenario.
type setting struct {
	source, combination int
	// scenario is what is simulated, and text the same with every value filled
	// in, if they are kept.
	scenario *scenarios.Scenario
	text     string
	// hash names it, together with the version of rocesim; empty if invalid.
	hash string
	// invalid says why the combination cannot be simulated.
	invalid string
}

// settings resolves every combination of every scenario, workers at a time. A
// value that fits no combination is an error; a combination that does not fit
// although its values fit others is noted in the setting. said is told of each
// one resolved.
func (s *Sweep) settings(ctx context.Context, workers int, tool string, said func()) ([]setting, error) {
	per, err := s.Grid.Count()
	if err != nil {
		return nil, err
	}
	p := s.prober(per)
	if err := p.probe(); err != nil {
		return nil, err
	}
	all := make([]setting, per*len(s.sources))
	var next, kept atomic.Int64
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(all) {
					return
				}
				all[i] = s.setting(i/per, i%per, p.valid[i], tool)
				if kept.Add(int64(len(all[i].text))) > keptBytes {
					all[i].scenario, all[i].text = nil, ""
				}
				said()
			}
		})
	}
	group.Wait()
	return all, ctx.Err()
}

// setting resolves one combination. sc is its scenario, if that is known.
func (s *Sweep) setting(source, combination int, sc *scenarios.Scenario, tool string) setting {
	one := setting{source: source, combination: combination}
	if sc == nil {
		var err error
		if sc, err = s.resolve(source, combination); err != nil {
			one.invalid = oneLine(err)
			return one
		}
	}
	one.scenario = simulated(sc)
	one.text = string(one.scenario.Resolved())
	one.hash = (&Job{Scenario: one.text}).setting(tool)
	return one
}

// runName names the run of a setting with the seed at a place; empty if the
// setting is invalid.
func (s *Sweep) runName(one *setting, seed int) string {
	if one.invalid != "" {
		return ""
	}
	return runName(one.hash, s.sources[one.source].seeds[seed])
}

// resolve reads the scenario with the values of a combination. The error is of
// type strict.Errors; its places are those of the values.
func (s *Sweep) resolve(source, combination int) (*scenarios.Scenario, error) {
	sets := slices.Clone(s.fixed)
	places := map[string]strict.Pos{}
	values := s.Grid.Values(combination)
	for i, a := range s.Grid.Axes() {
		set := a.Path + "=" + values[i].Text
		sets = append(sets, set)
		places["--set "+set] = values[i].Pos
	}
	sc, err := s.sources[source].template.Scenario(sets)
	var errs strict.Errors
	if errors.As(err, &errs) {
		errs = slices.Clone(errs)
		for i := range errs {
			if pos, ok := places[errs[i].Pos.File]; ok {
				errs[i].Pos = pos
			}
		}
		return nil, errs
	}
	return sc, err
}

// simulated is what a scenario's runs simulate: without what changes no metric.
func simulated(sc *scenarios.Scenario) *scenarios.Scenario {
	short := *sc
	short.Sweep, short.Tune, short.Lint = nil, nil, nil
	short.Seed = 0
	short.Question, short.Expectation, short.Source = "", "", ""
	short.Output = scenarios.Output{Sample: sc.Output.Sample, Plots: []string{}, Formats: []string{}}
	return &short
}

// most is how many values of an axis are tried before the sweep begins, and in
// how many combinations each before it is said to fit none.
const most = 200

// prober looks for values that fit no combination.
type prober struct {
	sweep *Sweep
	per   int // combinations of each scenario
	// valid are the scenarios of those that it found to fit, by source and
	// combination: to read them again takes as long as a short run.
	valid map[int]*scenarios.Scenario
}

func (s *Sweep) prober(combinations int) prober {
	return prober{sweep: s, per: combinations, valid: map[int]*scenarios.Scenario{}}
}

// Check tries the values of all axes without simulating. The error, of type
// strict.Errors, has those that fit no combination.
func (s *Sweep) Check() error {
	per, err := s.Grid.Count()
	if err != nil {
		return err
	}
	p := s.prober(per)
	return p.probe()
}

func (p *prober) probe() error {
	var errs strict.Errors
	for source := range p.sweep.sources {
		if len(p.sweep.Grid) == 0 {
			if err := p.try(source, 0); err != nil {
				return err
			}
		}
		stride := p.per
		for _, d := range p.sweep.Grid {
			stride /= d.Len()
			for place := 0; place < d.Len() && len(errs) < most; place += max(1, d.Len()/most) {
				errs = append(errs, p.misfit(source, stride, d.Len(), place)...)
			}
		}
	}
	if errs = distinct(errs); len(errs) > 0 {
		return errs
	}
	return nil
}

// try resolves a combination, unless it is known to be valid.
func (p *prober) try(source, combination int) error {
	i := source*p.per + combination
	if p.valid[i] != nil {
		return nil
	}
	sc, err := p.sweep.resolve(source, combination)
	if err == nil {
		p.valid[i] = sc
	}
	return err
}

// misfit returns the errors of a value's first combination if none of those
// tried is valid.
func (p *prober) misfit(source, stride, length, place int) strict.Errors {
	var first strict.Errors
	n := p.per / length // combinations that have the value
	step := max(1, n/most)
	for k := 0; k < n; k += step {
		// k counts the places of the other dimensions.
		combination := k/stride*stride*length + place*stride + k%stride
		err := p.try(source, combination)
		if err == nil {
			return nil
		}
		var errs strict.Errors
		if !errors.As(err, &errs) {
			errs = strict.Errors{{Pos: strict.Pos{File: p.sweep.sources[source].file}, Text: err.Error()}}
		}
		if first == nil {
			first = p.blamed(errs, source, combination)
		}
	}
	return first
}

// blamed names the combination in errors whose place is none of its values, such
// as a section of the file that does not go with a preset.
func (p *prober) blamed(errs strict.Errors, source, combination int) strict.Errors {
	errs = slices.Clone(errs)
	values := p.sweep.Grid.Values(combination)
	for i := range errs {
		if !slices.ContainsFunc(values, func(v grid.Value) bool { return v.Pos == errs[i].Pos }) {
			errs[i].Text += "; with " + p.sweep.words(&setting{source: source, combination: combination})
		}
	}
	return errs
}

// distinct leaves out errors that say the same of the same field: a misspelt
// axis is one mistake, however many values it has.
func distinct(errs strict.Errors) strict.Errors {
	var out strict.Errors
	for _, e := range errs {
		if !slices.ContainsFunc(out, func(o strict.Error) bool { return o.Path == e.Path && o.Text == e.Text }) {
			out = append(out, e)
		}
	}
	return out
}

// oneLine joins the lines of an error.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// words names a setting: "kmin=100KB, kmax=400KB".
func (s *Sweep) words(one *setting) string {
	var parts []string
	if len(s.sources) > 1 {
		parts = append(parts, s.sources[one.source].base.Name)
	}
	values := s.Grid.Values(one.combination)
	for i, a := range s.Grid.Axes() {
		parts = append(parts, fmt.Sprintf("%s=%s", s.short(a.Path), values[i].Text))
	}
	if parts == nil {
		return s.sources[one.source].base.Name
	}
	return strings.Join(parts, ", ")
}

// short is the shortest end of a path that no other axis has.
func (s *Sweep) short(path string) string {
	end := path
	for i := len(path) - 1; i > 0; i-- {
		if path[i] != '.' {
			continue
		}
		shared := 0
		for _, a := range s.Grid.Axes() {
			if strings.HasSuffix("."+a.Path, path[i:]) {
				shared++
			}
		}
		if shared == 1 {
			return path[i+1:]
		}
	}
	return end
}
