package sweep

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"rocesim/results"
	"rocesim/scenarios"
	"rocesim/scenarios/grid"
)

// The quantiles of Student's t are those of printed tables: 12.706 for one
// degree of freedom, 2.776 for four, 2.262 for nine (NIST/SEMATECH e-Handbook
// of Statistical Methods, 1.3.6.7.2).
func TestEstimate(t *testing.T) {
	e := estimate([]float64{1, 3})
	assert.Equal(t, 2.0, e.Mean)
	assert.InDelta(t, 12.706, e.Half, 0.0005, "the deviation is sqrt 2, over sqrt 2 values")
	e = estimate([]float64{1, 2, 3, 4, 5})
	assert.InDelta(t, 2.776*math.Sqrt(2.5/5), e.Half, 0.001)
	var ten []float64
	for i := range 10 {
		ten = append(ten, float64(i%2*2))
	}
	assert.InDelta(t, 2.262*math.Sqrt(10.0/9/10), estimate(ten).Half, 0.001)
	assert.True(t, math.IsNaN(estimate([]float64{7}).Half), "one value has no deviation")
	assert.Zero(t, estimate(nil).N)
}

// dominated is the definition, the slow way.
func dominated(points [][2]float64, i int) bool {
	return slices.ContainsFunc(points, func(p [2]float64) bool {
		return p[0] <= points[i][0] && p[1] <= points[i][1] && p != points[i]
	})
}

func TestUndominated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [2]float64 {
			return [2]float64{float64(rapid.IntRange(0, 6).Draw(t, "x")), float64(rapid.IntRange(0, 6).Draw(t, "y"))}
		}), 0, 20).Draw(t, "points")
		front := undominated(points)
		for i := range points {
			if slices.Contains(front, i) == dominated(points, i) {
				t.Fatalf("point %d %v of %v, front %v", i, points[i], points, front)
			}
		}
	})
}

// outcome makes a sweep over one axis without running anything: values[i] are
// those of fct.p99 in picoseconds for the seeds of place i.
func outcome(values ...[]float64) *Outcome {
	fct := results.Subject{Metric: "fct.p99"}
	axis := grid.Axis{Path: "switch.ecn.kmin"}
	o := &Outcome{Sweep: &Sweep{
		sources:   []source{{base: &scenarios.Scenario{Name: "x"}, seeds: make([]uint64, len(values[0]))}},
		Metrics:   []results.Subject{fct},
		Objective: &grid.Objective{Metric: fct, Direction: results.LowerBetter},
		Pareto:    []results.Subject{fct, fct},
		columns:   []results.Subject{fct}, names: []string{"fct.p99"},
	}}
	for i, seeds := range values {
		axis.Values = append(axis.Values, grid.Value{Text: string(rune('a' + i))})
		o.settings = append(o.settings, setting{combination: i})
		for seed, v := range seeds {
			o.rows = append(o.rows, row{setting: i, seed: seed, done: true, values: []float64{v}, stop: "finished"})
		}
	}
	o.Grid = grid.Grid{{axis}}
	return o
}

func advice(t *testing.T, o *Outcome) (Advice, []string) {
	a, ok := o.advise(0)
	assert.True(t, ok)
	return a, o.sentences(a)
}

// Seed by seed b is 10 us worse than a, give or take 1 us, though both vary by
// 100 us from seed to seed: a difference of pairs sees that.
func TestMarginIsPaired(t *testing.T) {
	a, text := advice(t, outcome([]float64{110e6, 211e6, 309e6}, []float64{100e6, 200e6, 300e6}))
	assert.Equal(t, 1, a.Best)
	assert.Equal(t, 0, a.Next)
	assert.InDelta(t, 10e6, a.Margin.Mean, 1)
	assert.InDelta(t, 4.303*1e6/math.Sqrt(3), a.Margin.Half, 1e3, "t of two degrees of freedom is 4.303")
	assert.Zero(t, a.Equal)
	assert.Equal(t, "kmin=b: fct.p99 is 200 us +-248.4 us", text[0])
	assert.Contains(t, text[1], "next is kmin=a with 210 us +-247.2 us, 10 us worse (5 %), beyond the 95 % confidence interval of the difference, +-2.484 us")
	assert.Equal(t, "0 of 1 other settings cannot be told apart from it", text[2])
}

func TestMarginWithinChance(t *testing.T) {
	a, text := advice(t, outcome([]float64{100e6, 140e6}, []float64{130e6, 112e6}, []float64{900e6, 901e6}))
	assert.Equal(t, 0, a.Best)
	assert.Equal(t, 1, a.Next)
	assert.Equal(t, 1, a.Equal, "b, but not c")
	assert.Contains(t, text[1], "it may be chance")
	assert.Equal(t, "1 of 2 other settings cannot be told apart from it", text[2])
}

func TestAdviceOfOneSeed(t *testing.T) {
	_, text := advice(t, outcome([]float64{100e6}, []float64{130e6}))
	assert.Contains(t, text[1], "30 us worse (30 %); one seed cannot tell whether that is chance")
	assert.Len(t, text, 2)
	_, text = advice(t, outcome([]float64{100e6}, []float64{1350e6}))
	assert.Contains(t, text[1], "1.25 ms worse (1250 %); ", "no exponent")
	_, text = advice(t, outcome([]float64{100e6}, []float64{100e6}))
	assert.Contains(t, text[1], "next is kmin=b with 100 us: no difference")
	assert.Len(t, text, 2, "one seed tells no setting from another, not even from one that is twice as bad")
}

// Of settings that are equally good at the objective one is recommended that is
// on the Pareto front, not the first.
func TestEqualSettings(t *testing.T) {
	o := outcome([]float64{100e6, 120e6}, []float64{100e6, 120e6}, []float64{100e6, 120e6})
	paused := results.Subject{Metric: "pfc.paused_time"}
	o.Pareto = []results.Subject{o.Pareto[0], paused}
	o.columns, o.names = append(o.columns, paused), append(o.names, "pfc.paused_time")
	for i := range o.rows {
		o.rows[i].values = append(o.rows[i].values, []float64{9e6, 3e6, 7e6}[o.rows[i].setting])
	}
	a, text := advice(t, o)
	assert.Equal(t, 1, a.Best)
	assert.Equal(t, []int{1}, o.front(0))
	assert.Equal(t, 2, a.Next)
	assert.Contains(t, text[1], "no difference")
}

// What missed an expectation is not recommended, however fast it was.
func TestUnfitIsNotRecommended(t *testing.T) {
	o := outcome([]float64{1e6, 1e6}, []float64{3e6, 3e6}, []float64{2e6, math.NaN()}, []float64{2e6, 2e6})
	o.rows[1].unmet = []string{"drops.total == 0"}
	o.rows[7].stop = "deadlocked"
	a, text := advice(t, o)
	assert.Equal(t, 1, a.Best)
	assert.Equal(t, 3, a.Unfit)
	assert.Contains(t, text[1], "3 of 4 settings were left out")
	assert.Equal(t, "there is no other setting to compare it with", text[2])
	for i := range o.rows {
		o.rows[i].failure, o.rows[i].values = "broken", nil
	}
	_, ok := o.advise(0)
	assert.False(t, ok)
	assert.Contains(t, o.Summary(), "no setting qualifies")
	o.rows[3].unmet = []string{"flows.unfinished == 0", "drops.total == 0"}
	assert.Contains(t, o.Summary(), "has no fct.p99; drops.total == 0 was missed in 2 of 8 runs")
}

// TestMetricsAskedFor is about the table of the summary.
func TestMetricsAskedFor(t *testing.T) {
	o := outcome([]float64{3e6}, []float64{1e6}, []float64{2e6}, []float64{4e6})
	drops := results.Subject{Metric: "drops.total"}
	o.Metrics, o.columns, o.names = append(o.Metrics, drops), append(o.columns, drops), append(o.names, "drops.total")
	for i := range o.rows {
		o.rows[i].values = append(o.rows[i].values, float64(i))
	}
	o.rows[2].unmet = []string{"drops.total == 0"}
	o.settings[3].invalid = "kmin is larger than kmax"
	assert.NotContains(t, o.Summary(), "asked for", "the usual metrics are not")
	o.asked = true
	assert.Contains(t, o.Summary(), `
  the metrics asked for, 3 settings, the best at fct.p99 first:
    setting  fct.p99  drops.total
    kmin=b   1 us     1
    kmin=a   3 us     0
    kmin=c   2 us     2  left out
`)
}

// TestLongTable has more settings than the summary shows.
func TestLongTable(t *testing.T) {
	var values [][]float64
	for i := range longestTable + 2 {
		values = append(values, []float64{float64(i+1) * 1e6})
	}
	o := outcome(values...)
	o.asked = true
	assert.Contains(t, o.Summary(), "    kmin=t   20 us\n    and 2 settings more, which are in settings.csv\n")
	assert.NotContains(t, o.Summary(), "kmin=u   21 us\n    ")
}
