package versus

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"rocesim/results"
	"rocesim/results/compare"
	"rocesim/results/report"
	"rocesim/scenarios/strict"
	"rocesim/scenarios/sweep"
)

// SweepResult is a comparison of two sweeps.
type SweepResult struct{ *compare.SweepComparison }

// runSweeps compares the settings that two sweeps share.
func runSweeps(pathA, pathB string, o Options) (*SweepResult, error) {
	if len(o.Sets)+len(o.SetsA)+len(o.SetsB) > 0 {
		return nil, fmt.Errorf("%s: the scenarios of a finished sweep cannot be changed; leave out --set", pathA)
	}
	a, b, err := readSweeps(pathA, pathB)
	if err != nil {
		return nil, err
	}
	pairs := match(a, b)
	if len(pairs) == 0 {
		return nil, fmt.Errorf("%s and %s have no setting in common", pathA, pathB)
	}
	c := &compare.SweepComparison{Level: o.Compare.Level}
	if c.Level == 0 {
		c.Level = compare.DefaultLevel
	}
	c.A, c.B = sweepName(pathA, a), sweepName(pathB, b)
	o.Compare.Level = c.Level / float64(len(pairs))
	var settings []*sweep.FinishedSetting
	for _, p := range pairs {
		one, err := o.setting(p, a)
		if err != nil {
			return nil, err
		}
		c.Settings, settings = append(c.Settings, *one), append(settings, p[0])
	}
	for _, axis := range axesOf(a.Axes, settings) {
		c.Axes = append(c.Axes, axis.Axis)
		for i, place := range axis.places {
			c.Settings[i].Places = append(c.Settings[i].Places, place)
		}
	}
	c.Changes = shared(c.Settings)
	if left := len(a.Settings) + len(b.Settings) - 2*len(pairs); left > 0 {
		c.Warnings = append(c.Warnings, fmt.Sprintf("%d settings are in one sweep only, or have no run there, and are not compared", left))
	}
	return &SweepResult{c}, nil
}

// readSweeps reads two sweeps over the same fields.
func readSweeps(pathA, pathB string) (a, b *sweep.Finished, err error) {
	if a, err = sweep.Read(pathA); err != nil {
		return nil, nil, err
	}
	if b, err = sweep.Read(pathB); err != nil {
		return nil, nil, err
	}
	if !slices.Equal(a.Axes, b.Axes) {
		return nil, nil, fmt.Errorf("%s sweeps %s and %s %s: sweeps are compared setting by setting, over the same fields",
			pathA, strings.Join(a.Axes, ", "), pathB, strings.Join(b.Axes, ", "))
	}
	return a, b, nil
}

func sweepName(path string, f *sweep.Finished) string {
	return fmt.Sprintf("%s (%d settings of %s)", filepath.Base(filepath.Clean(path)), len(f.Settings), strings.Join(f.Scenarios, ", "))
}

// match pairs the settings with equal values, and of equal scenarios where a
// sweep has several.
func match(a, b *sweep.Finished) [][2]*sweep.FinishedSetting {
	byName := len(a.Scenarios) > 1 || len(b.Scenarios) > 1
	var pairs [][2]*sweep.FinishedSetting
	for i := range a.Settings {
		x := &a.Settings[i]
		k := slices.IndexFunc(b.Settings, func(y sweep.FinishedSetting) bool {
			return slices.Equal(x.Values, y.Values) && (!byName || x.Scenario == y.Scenario)
		})
		if k >= 0 {
			pairs = append(pairs, [2]*sweep.FinishedSetting{x, &b.Settings[k]})
		}
	}
	return pairs
}

// setting compares one setting of a sweep, and of another.
func (o *Options) setting(pair [2]*sweep.FinishedSetting, of *sweep.Finished) (*compare.SettingComparison, error) {
	name := settingName(pair[0], of)
	subjects, err := o.recorded(pair)
	if err != nil {
		return nil, err
	}
	a, b := settingSide(name+" in A", pair[0], subjects), settingSide(name+" in B", pair[1], subjects)
	c, err := compare.Compare(a, b, subjects, o.Compare)
	if err != nil {
		return nil, err
	}
	c.Changes, err = changes(name, pair[0].Text, name, pair[1].Text)
	return &compare.SettingComparison{Setting: name, Comparison: c}, err
}

// settingName is "kmin=10KB, kmax=80KB", the last word of each path; the scenario
// comes first if the sweep has several.
func settingName(s *sweep.FinishedSetting, of *sweep.Finished) string {
	var words []string
	if len(of.Scenarios) > 1 || len(of.Axes) == 0 {
		words = append(words, s.Scenario)
	}
	for i, path := range of.Axes {
		words = append(words, path[strings.LastIndex(path, ".")+1:]+"="+s.Values[i])
	}
	return strings.Join(words, ", ")
}

// recorded returns the metrics to compare that both sides have records of.
func (o *Options) recorded(pair [2]*sweep.FinishedSetting) ([]results.Subject, error) {
	has := func(s results.Subject) bool {
		_, inA := pair[0].Records[0].Metrics[s.String()]
		_, inB := pair[1].Records[0].Metrics[s.String()]
		return inA && inB
	}
	subjects, err := o.chosen(workloadsOf(pair[0].Records[0]))
	if err != nil {
		return nil, err
	}
	for _, s := range subjects {
		if len(o.Metrics) > 0 && !slices.Equal(o.Metrics, []string{AllMetrics}) && !has(s) {
			return nil, fmt.Errorf("metric %q: the sweeps did not record it; repeat them with --metrics", s)
		}
	}
	return slices.DeleteFunc(subjects, func(s results.Subject) bool { return !has(s) }), nil
}

// workloadsOf names the workloads that a record has metrics of.
func workloadsOf(r *sweep.Record) []string {
	var names []string
	for metric := range r.Metrics {
		if name, ok := strings.CutPrefix(metric, "flows.unfinished{workload="); ok {
			names = append(names, strings.TrimSuffix(name, "}"))
		}
	}
	slices.Sort(names)
	return names
}

func settingSide(name string, s *sweep.FinishedSetting, subjects []results.Subject) *compare.Side {
	side := &compare.Side{Name: name}
	for _, rec := range s.Records {
		fingerprint, _ := strconv.ParseUint(rec.Fingerprint, 16, 64) // its record's checksum was right
		sample := compare.Sample{Seed: rec.Seed, Fingerprint: fingerprint}
		for _, subject := range subjects {
			value := math.NaN()
			if v := rec.Metrics[subject.String()]; v != nil {
				value = *v
			}
			sample.Values = append(sample.Values, value)
		}
		side.Samples = append(side.Samples, sample)
	}
	return side
}

// shared returns the changes that every setting has.
func shared(settings []compare.SettingComparison) []compare.Change {
	var all []compare.Change
	for _, change := range settings[0].Changes {
		everywhere := true
		for i := range settings {
			everywhere = everywhere && slices.Contains(settings[i].Changes, change)
		}
		if everywhere {
			all = append(all, change)
		}
	}
	return all
}

// changes lists the fields that can make a difference to a run and differ.
func changes(nameA, a, nameB, b string) ([]compare.Change, error) {
	differences, err := strict.Diff(nameA, []byte(a), nameB, []byte(b))
	if err != nil {
		return nil, err
	}
	var found []compare.Change
	for _, d := range differences {
		section, _, _ := strings.Cut(d.Path, ".")
		if !slices.Contains([]string{"name", "question", "expectation", "source", "seed", "output"}, section) &&
			!strings.HasPrefix(d.Path, "expect") {
			found = append(found, compare.Change{Field: d.Path, A: d.A, B: d.B})
		}
	}
	return found, nil
}

// WritePlots draws, for the first metrics that changed anywhere, the change in
// each setting.
func (r *SweepResult) WritePlots(dir string, formats []string) error {
	const most = 4
	var plots []*report.Plot
	for i := range r.Settings[0].Rows {
		metric := r.Settings[0].Rows[i].Metric
		rows, changed := r.changesOf(metric)
		if !changed || len(plots) == most {
			continue
		}
		p := report.Changes("Change of "+metric+" in each setting", "A: "+r.A+"; B: "+r.B, rows)
		p.Name = "changes_" + strings.NewReplacer(".", "_", "{", "_", "}", "", "=", "_", ",", "_").Replace(metric)
		plots = append(plots, p)
	}
	return report.WritePlots(dir, plots, formats)
}

// changesOf returns the change of a metric in each setting that has a relative
// one, and whether any is more than chance.
func (r *SweepResult) changesOf(metric string) (rows []report.MetricChange, changed bool) {
	for i := range r.Settings {
		s := &r.Settings[i]
		k := slices.IndexFunc(s.Rows, func(row compare.Row) bool { return row.Metric == metric })
		if k < 0 {
			continue
		}
		row := &s.Rows[k]
		value, low, high, ok := row.Relative()
		if !ok || row.B.N == 0 {
			continue
		}
		rows = append(rows, report.MetricChange{Name: s.Setting, Value: value, Low: low, High: high, Verdict: string(row.Verdict)})
		changed = changed || row.Verdict != compare.Same && row.Verdict != compare.NoValue
	}
	return rows, changed
}
