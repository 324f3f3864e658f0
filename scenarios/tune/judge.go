package tune

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"rocesim/results"
	"rocesim/scenarios/sweep"
)

// unusable is the violation of a run that failed, hangs, or has no value.
const unusable = 1000

// judge computes means and violation of a trial from its results.
func (p *Problem) judge(t *Trial) {
	t.Means = make([]float64, len(p.Goals))
	for _, r := range t.results {
		rec := r.Record
		if rec == nil {
			t.Violation += unusable
			if t.Failure == "" {
				t.Failure = r.Failure
			}
		} else if rec.Stop == results.Stalled.String() || rec.Stop == results.Deadlocked.String() {
			t.Violation += unusable
		}
		for i := range p.Goals {
			v := valueOf(rec, p.Goals[i].Objective.Metric)
			if math.IsNaN(v) {
				t.Violation += unusable
			}
			t.Means[i] += v / float64(len(t.results))
		}
		for i := range p.conditions {
			t.Violation += violation(rec, &p.conditions[i])
		}
	}
	t.Violation /= float64(len(t.results))
}

// violation is that of a condition by a run.
func violation(rec *sweep.Record, e *results.Expectation) float64 {
	v := valueOf(rec, e.Subject())
	if math.IsNaN(v) {
		return unusable
	}
	return e.Violation(v)
}

// valueOf is a metric of a run, NaN if there is none.
func valueOf(rec *sweep.Record, s results.Subject) float64 {
	if rec != nil {
		if v := rec.Metrics[s.String()]; v != nil {
			return *v
		}
	}
	return math.NaN()
}

// scalesOf is what each goal is divided by, so that the weighted sum has no unit:
// its value in the scenario as it is; where that is 0 or missing, the mean over
// the first settings.
func (p *Problem) scalesOf(trials []*Trial) []float64 {
	scales := make([]float64, len(p.Goals))
	for i := range scales {
		scales[i] = 1
		var all []float64
		for _, t := range trials {
			if v := math.Abs(t.Means[i]); v > 0 {
				all = append(all, v)
			}
		}
		if v := math.Abs(trials[0].Means[i]); v > 0 {
			scales[i] = v
		} else if len(all) > 0 {
			scales[i] = sum(all) / float64(len(all))
		}
	}
	return scales
}

// cost is the weighted sum of goals, less being better.
func (p *Problem) cost(values, scales []float64) float64 {
	total := 0.0
	for i := range p.Goals {
		total -= float64(p.Goals[i].Objective.Direction) * p.Goals[i].Weight * values[i] / scales[i]
	}
	return total
}

// compare orders trials from best to worst.
func compare(a, b *Trial) int {
	if a.Violation > 0 || b.Violation > 0 {
		return cmp.Compare(a.Violation, b.Violation)
	}
	return cmp.Compare(a.Cost, b.Cost)
}

// ranked returns the trials from best to worst, and the ranks as quantiles of
// a normal distribution; equals share theirs.
func (s *search) ranked() ([]*Trial, []float64) {
	ranked := slices.Clone(s.trials)
	slices.SortStableFunc(ranked, compare)
	scores := make([]float64, len(ranked))
	for i := 0; i < len(ranked); {
		end := i + 1
		for end < len(ranked) && compare(ranked[i], ranked[end]) == 0 {
			end++
		}
		for j := i; j < end; j++ {
			scores[j] = distuv.UnitNormal.Quantile(float64(i+end) / float64(2*len(ranked)))
		}
		i = end
	}
	return ranked, scores
}
