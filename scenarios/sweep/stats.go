package sweep

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"rocesim/results"
)

// confidence is that of all intervals.
const confidence = 0.95

// Estimate is the mean of a metric over the seeds of a setting.
type Estimate struct {
	// N is how many seeds there are; of 0 nothing is known.
	N    int
	Mean float64
	// Half is half the width of the 95 % confidence interval of the mean by
	// Student's t; NaN for one seed.
	Half float64
}

// estimate computes the mean of independent values and its interval (Student
// 1908).
func estimate(values []float64) Estimate { return quantiles{}.estimate(values) }

// quantiles are those of Student's t at the confidence, by number of values. To
// compute one takes far longer than all else of an estimate.
type quantiles map[int]float64

func (q quantiles) estimate(values []float64) Estimate {
	n := len(values)
	switch n {
	case 0:
		return Estimate{0, math.NaN(), math.NaN()}
	case 1:
		return Estimate{1, values[0], math.NaN()}
	}
	if q[n] == 0 {
		q[n] = distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(n - 1)}.Quantile((1 + confidence) / 2)
	}
	mean, deviation := stat.MeanStdDev(values, nil)
	return Estimate{n, mean, q[n] * deviation / math.Sqrt(float64(n))}
}

// values lists a metric over the seeds of a setting: nil unless every run is
// done and has it.
func (o *Outcome) values(settingIndex int, s results.Subject) []float64 {
	column := o.column(s)
	var all []float64
	for _, r := range o.runs(settingIndex) {
		if r.values == nil || math.IsNaN(r.values[column]) {
			return nil
		}
		all = append(all, r.values[column])
	}
	return all
}

// estimate is the mean of a metric over the seeds of a setting. N is 0 unless
// every run is done and has the metric: a mean over the lucky seeds would
// mislead.
func (o *Outcome) estimate(settingIndex int, s results.Subject) Estimate {
	return o.estimateOf(o.values(settingIndex, s))
}

// estimateOf is estimate of any values, with the quantiles known so far.
func (o *Outcome) estimateOf(values []float64) Estimate {
	if o.quantiles == nil {
		o.quantiles = quantiles{}
	}
	return o.quantiles.estimate(values)
}

// column is the place of a metric in the rows.
func (o *Outcome) column(s results.Subject) int { return slices.Index(o.names, s.String()) }

// runs are the rows of a setting.
func (o *Outcome) runs(settingIndex int) []row {
	per := len(o.sources[0].seeds)
	return o.rows[settingIndex*per : (settingIndex+1)*per]
}

// unmet counts the runs of a setting that missed an expectation.
func (o *Outcome) unmet(settingIndex int) int {
	n := 0
	for _, r := range o.runs(settingIndex) {
		if len(r.unmet) > 0 {
			n++
		}
	}
	return n
}

// fit reports whether every run of a setting is done and did what its scenario
// expects.
func (o *Outcome) fit(settingIndex int) bool {
	for _, r := range o.runs(settingIndex) {
		if r.values == nil || len(r.unmet) > 0 || r.stop == results.Stalled.String() || r.stop == results.Deadlocked.String() {
			return false
		}
	}
	return true
}

// front lists the settings that no other one beats in one of the two metrics
// without being worse in the other, from best to worst in the first. Only fit
// settings of the same scenario compete.
func (o *Outcome) front(source int) []int {
	var all []int
	for i := range o.settings {
		if o.settings[i].source != source || !o.fit(i) {
			continue
		}
		if o.estimate(i, o.Pareto[0]).N > 0 && o.estimate(i, o.Pareto[1]).N > 0 {
			all = append(all, i)
		}
	}
	points := make([][2]float64, len(all))
	for n, i := range all {
		points[n] = [2]float64{o.traded(i, 0), o.traded(i, 1)}
	}
	var best []int
	for _, n := range undominated(points) {
		best = append(best, all[n])
	}
	return best
}

// traded is the mean of one of the two metrics that are traded, less being
// better.
func (o *Outcome) traded(settingIndex, k int) float64 {
	return -float64(results.BetterDirection(o.Pareto[k].Metric)) * o.estimate(settingIndex, o.Pareto[k]).Mean
}
