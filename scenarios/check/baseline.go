package check

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"

	"rocesim/results"
	"rocesim/results/compare"
	"rocesim/scenarios"
	"rocesim/scenarios/strict"
)

// The first field of a baseline file is a fixed text and a version, which
// changes when files change in a way that readers notice.
const (
	baselinePrefix = "rocesim baseline "
	baselineFormat = baselinePrefix + "1"
)

// DefaultTolerance is that of metrics for which a baseline has no other: a
// simulation repeats exactly, so that a change comes from the scenario or from
// rocesim, and small ones are of no interest.
const DefaultTolerance = "2%"

// defaultKey is the key of Tolerance for all metrics without one.
const defaultKey = "default"

// Baseline is what a scenario measured at some time. Its fields are those of a
// baseline file.
type Baseline struct {
	Format   string `json:"format"`
	Scenario string `json:"scenario"`
	Tool     string `json:"tool_version"`
	Seed     uint64 `json:"seed"`
	// Configuration is the SHA-256 of all that the scenario gives the model.
	Configuration string `json:"configuration"`
	Fingerprint   string `json:"fingerprint"`
	// Tolerance has the allowed change of metrics, as "5%" or a quantity, such
	// as "10us"; "default" is for all that are not named.
	Tolerance map[string]string `json:"tolerance"`
	// Metrics has values in base units, by name as in an expect clause. Those
	// that are not listed are not compared.
	Metrics map[string]float64 `json:"metrics"`

	places *places // nil if it was not read from a file
}

// NewBaseline makes a baseline of a result: of the metrics that old lists, with
// its tolerances, or of all that have a value if old is nil.
func NewBaseline(r *Result, old *Baseline) *Baseline {
	m := &r.Run.Manifest
	b := &Baseline{
		Format: baselineFormat, Scenario: r.Scenario.Name, Tool: m.Tool, Seed: m.Seed,
		Configuration: configuration(r.Scenario), Fingerprint: results.FingerprintText(m.Fingerprint),
		Tolerance: map[string]string{defaultKey: DefaultTolerance}, Metrics: map[string]float64{},
	}
	var subjects []string
	if old != nil {
		b.Tolerance = old.Tolerance
		subjects = slices.Sorted(maps.Keys(old.Metrics))
	} else {
		for _, s := range results.AllSubjects(r.Run.WorkloadNames()) {
			subjects = append(subjects, s.String())
		}
	}
	for _, s := range subjects {
		if value, err := r.Value(s); err == nil {
			b.Metrics[s] = significant(value)
		}
	}
	return b
}

// significant rounds to nine digits, which every machine agrees on.
func significant(value float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(value, 'g', 9, 64), 64)
	return rounded
}

// configuration is the hash of what can change a result: not of texts, of
// expectations, of studies or of what is recorded. These are left out with their
// keys, so that a new one in there is no other configuration.
func configuration(sc *scenarios.Scenario) string {
	apart := []string{"name", "question", "expectation", "source", "expect", "output", "sweep", "tune", "lint"}
	hash := sha256.New()
	counts := true
	for line := range bytes.Lines(sc.Resolved()) {
		key, _, isKey := bytes.Cut(line, []byte(":"))
		if isKey && line[0] != ' ' { // a section begins; what belongs to it is indented
			counts = !slices.Contains(apart, string(key))
		}
		if counts {
			hash.Write(line)
		}
	}
	return fmt.Sprintf("%x", hash.Sum(nil))
}

// same reports whether two baselines differ in nothing but the version that
// wrote them.
func (b *Baseline) same(other *Baseline) bool {
	x := *b
	x.Tool, x.places = other.Tool, other.places
	return reflect.DeepEqual(&x, other)
}

// allowed returns how far a metric of the baseline may move, in its base unit,
// the text that says so and the key of that text. Of "fct.p99{workload=x}" and
// "fct.p99" the first counts.
func (b *Baseline) allowed(metric string) (tolerance float64, text, key string, err error) {
	s, err := results.ParseSubject(metric)
	if err != nil {
		return 0, "", "", err
	}
	text, key = DefaultTolerance, defaultKey
	for _, k := range []string{defaultKey, s.Metric, metric} {
		if t, ok := b.Tolerance[k]; ok {
			text, key = t, k
		}
	}
	// An expect clause knows both kinds of tolerance.
	clause := fmt.Sprintf("%s ~= %s%s +- %s", s.Metric, strconv.FormatFloat(math.Abs(b.Metrics[metric]), 'f', -1, 64), s.Info().Unit.Suffix(), text)
	e, err := results.ParseExpectation(clause)
	if err != nil {
		return 0, text, key, fmt.Errorf("%q is no tolerance; allowed: a share, such as 5%%, or for %s %v", text, s.Metric, s.Info().Unit)
	}
	return e.Tolerance, text, key, nil
}

// Write writes the file.
func (b *Baseline) Write(path string) error {
	return results.WriteFile(path, func(out io.Writer) error { return results.EncodeJSON(out, b) })
}

// Drift is a metric that left its tolerance.
type Drift struct {
	Metric string
	Unit   results.Unit
	// Was is the value of the baseline and Is the new one, which there is only
	// if HasValue.
	Was, Is   float64
	HasValue  bool
	Tolerance string
	Verdict   compare.Verdict
}

// Drifts compares a result with the baseline; metrics within their tolerance
// are not listed. The error says that the baseline is not one of this scenario
// and seed.
func (b *Baseline) Drifts(r *Result) ([]Drift, error) {
	switch {
	case b.Scenario != r.Scenario.Name:
		return nil, b.other("scenario", fmt.Sprintf("it is a baseline of scenario %s, not of %s", b.Scenario, r.Scenario.Name))
	case b.Seed != r.Run.Manifest.Seed:
		return nil, b.other("seed", fmt.Sprintf("it was made with seed %d, not with %d; metrics of different seeds differ by chance", b.Seed, r.Run.Manifest.Seed))
	}
	var drifts []Drift
	for _, metric := range slices.Sorted(maps.Keys(b.Metrics)) {
		d, err := b.drift(r, metric)
		if err != nil {
			return nil, err
		}
		if d.Verdict != compare.Same {
			drifts = append(drifts, d)
		}
	}
	return drifts, nil
}

// other is the error of a baseline of something else, with its place if it was
// read from a file.
func (b *Baseline) other(field, text string) error {
	if b.places == nil {
		return errors.New(text)
	}
	return strict.Errors{{Pos: b.places.value("", field), Text: text}}
}

func (b *Baseline) drift(r *Result, metric string) (Drift, error) {
	s, err := results.ParseSubject(metric)
	if err != nil {
		return Drift{}, err
	}
	tolerance, text, _, err := b.allowed(metric)
	if err != nil {
		return Drift{}, err
	}
	d := Drift{Metric: metric, Unit: s.Info().Unit, Was: b.Metrics[metric], Tolerance: text, Verdict: compare.NoValue}
	value, err := r.Value(metric)
	if err != nil {
		return d, nil // it had one: the drift says so
	}
	d.Is, d.HasValue = significant(value), true
	better := results.BetterDirection(s.Metric)
	switch {
	case math.Abs(d.Is-d.Was) <= tolerance:
		d.Verdict = compare.Same
	case better == results.Neutral:
		d.Verdict = compare.Different
	case (better == results.HigherBetter) == (d.Is > d.Was):
		d.Verdict = compare.Better
	default:
		d.Verdict = compare.Worse
	}
	return d, nil
}
