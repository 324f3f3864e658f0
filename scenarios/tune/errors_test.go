package tune

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestErrors(t *testing.T) {
	t.Parallel()
	file := write(t, tiny)
	kmin := []string{"switch.ecn.kmin=10KB..2MB:log"}
	for _, c := range []struct {
		spec Spec
		want string
	}{
		{Spec{}, "a search needs 1 to 10 parameters, such as --param switch.ecn.kmin=50KB..2MB:log; given: 0"},
		{Spec{Params: []string{"switch.ecn.kmn=10KB..2MB"}}, `--param switch.ecn.kmn=10KB..2MB: switch.ecn.kmn: unknown key "kmn"; did you mean kmin?`},
		{Spec{Params: []string{"switch.ecn.kmin=2GB..4GB"}}, "switch.ecn.kmin: 2GB is outside the allowed 0B to 1GB"},
		{Spec{Params: []string{"switch.ecn.pmax=20%..400%"}}, "--param switch.ecn.pmax=20%..400%: switch.ecn.pmax: 400% is outside the allowed 0 to 1"},
		{Spec{Params: []string{"switch.ecn.kmin=1MB..100MB:log", "switch.ecn.pmax=1%..100%"}}, "switch.ecn.kmin: 100MB is above kmax 3MB; allowed: kmin up to kmax"},
		{Spec{Params: []string{"cc.preset=connectx,noone"}}, `--param cc.preset=connectx,noone: cc.preset: unknown cc preset "noone"; did you mean none?`},
		{Spec{Params: []string{"seed=1..9:integer"}}, "seed: this is no setting of the network or of its load"},
		{Spec{Params: []string{"expect[0]=a,b"}}, "this is no setting of the network"},
		{Spec{Params: kmin, Minimise: []string{"fct.p98"}}, `--minimise fct.p98: column 1: unknown metric "fct.p98"; did you mean fct.p95`},
		{Spec{Params: kmin, Minimise: []string{"fct.p99{workload=brust}"}}, `--minimise fct.p99{workload=brust}: fct.p99{workload=brust}: unknown workload "brust"; did you mean burst?`},
		{Spec{Params: kmin, Minimise: []string{"fct.p99"}, Maximise: []string{"fct.p99"}}, "--maximise fct.p99: fct.p99 is given twice"},
		{Spec{Params: kmin, Weights: []string{"fct.p99"}}, "--weight fct.p99: allowed: METRIC=WEIGHT, such as fct.p99=2"},
		{Spec{Params: kmin, Weights: []string{"fct.p99=-1"}}, `"-1" is no weight; allowed: a number above 0`},
		{Spec{Params: kmin, Weights: []string{"fct.p95=1"}}, `--weight fct.p95=1: unknown goal "fct.p95"; did you mean fct.p99?`},
		{Spec{Params: kmin, Subject: []string{"drops.losless == 0"}}, `--subject drops.losless == 0: column 1: unknown metric "drops.losless"; did you mean drops.lossless`},
		{Spec{Params: kmin, Subject: []string{"drops.lossless{node=h9} == 0"}}, `the condition drops.lossless{node=h9} == 0: unknown node "h9"`},
		{Spec{Params: kmin, Budget: 11, Seeds: "3"}, "the budget is 11; allowed: from 12 runs, the scenario as it is and 3 other settings with every seed, to 10000"},
		{Spec{Params: kmin, Seeds: "x"}, "--seeds: "},
		{Spec{Params: kmin, Sets: []string{"switch.ecn.kmn=1KB"}}, `unknown key "kmn"`},
	} {
		c.spec.File = file
		_, err := Load(c.spec)
		require.Error(t, err, c.want)
		assert.Contains(t, err.Error(), c.want)
	}
	_, err := Load(Spec{File: "missing.yaml"})
	assert.ErrorContains(t, err, "there is no such file")
}

// A range may reach where other parameters forbid: what is impossible is left
// out and costs no run.
func TestImpossible(t *testing.T) {
	t.Parallel()
	file := write(t, tiny)
	p, err := Load(Spec{File: file, Params: []string{"switch.ecn.kmin=1MB..100MB:log", "switch.ecn.kmax=2MB..100MB:log", "switch.ecn.pmax=1%..100%"}, Budget: 20})
	require.NoError(t, err, "100 MB fits a kmax that is not the scenario's 3 MB")
	out, err := p.Run(context.Background(), options(t, t.TempDir(), formula{t: t, workers: 1, metrics: bowl, runs: &atomic.Int64{}}))
	require.NoError(t, err)
	assert.Positive(t, out.impossible)
	assert.Equal(t, 20, out.runs)
	assert.Contains(t, out.Summary(), "settings that no scenario can have were left out")
}

// The section of a scenario says all that flags do, and flags come before it.
func TestSection(t *testing.T) {
	t.Parallel()
	file := write(t, tiny+`tune:
  params:
    switch.ecn.kmin: 10KB..2MB:log
    switch.ecn.pmax: [10%, 20%, 50%]
  objective: {minimise fct.p99: 1, maximise goodput.total: 0.5}
  subject: [drops.lossless == 0]
  budget: 30
  seeds: [4, 9]
`)
	p, err := Load(Spec{File: file, Params: []string{"switch.ecn.pmax=1%..2%"}, Budget: 40})
	require.NoError(t, err)
	require.Len(t, p.Params, 2)
	assert.Equal(t, "10KB..2MB:log", p.Params[0].Words())
	assert.Equal(t, "1%..2%", p.Params[1].Words())
	assert.Equal(t, "maximise goodput.total", p.Goals[1].Objective.Words())
	assert.Equal(t, 0.5, p.Goals[1].Weight)
	assert.Equal(t, 40, p.budget)
	assert.Equal(t, []uint64{4, 9}, p.seeds)
	assert.Len(t, p.conditions, 2)

	for section, want := range map[string]string{
		"{switch.ecn.kmn: 10KB..2MB}":           ":9:28: switch.ecn.kmn: unknown key",
		"{switch.ecn.pmax: [10%, 20%, 200%]}":   ":9:40: switch.ecn.pmax: 200% is outside the allowed 0 to 1",
		"{switch.ecn.kmin: 10KB..2us}":          ":9:29: tune.params.switch.ecn.kmin: 10KB to 2us is no range",
		"{'workload[brst].bytes': 10KB..200KB}": `:9:36: workload[brst].bytes: the list has no element "brst" (it has: burst)`,
	} {
		require.NoError(t, os.WriteFile(file, []byte(tiny+"tune:\n  params: "+section+"\n"), 0o644))
		_, err = Load(Spec{File: file})
		assert.ErrorContains(t, err, file+want)
	}
}

// A directory that holds something else is left alone; a record that was
// damaged is made again.
func TestDirectory(t *testing.T) {
	t.Parallel()
	spec := Spec{File: write(t, tiny), Budget: 20}
	p, err := Load(Spec{File: spec.File, Params: []string{"switch.ecn.kmin=10KB..2MB"}, Budget: 20})
	require.NoError(t, err)
	_, err = p.Run(context.Background(), options(t, filepath.Dir(spec.File), nil))
	assert.ErrorContains(t, err, "was not made by rocesim tune, so it is left alone")

	dir := t.TempDir()
	whole := files(t, runFormula(t, spec, dir, 1, bowl), dir)
	found, err := filepath.Glob(filepath.Join(dir, "runs", "*", "*.json"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(found[0], []byte("{"), 0o644))
	assert.Equal(t, whole, files(t, runFormula(t, spec, dir, 1, bowl), dir))
}

// The surrogate goes through points without noise, and is unsure elsewhere.
func TestSurrogate(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 12).Draw(t, "points")
		shift := []float64{rapid.Float64Range(0, 1).Draw(t, "x"), rapid.Float64Range(0, 1).Draw(t, "y")}
		var points [][]float64
		var scores []float64
		for i := range n {
			at := halton(i, shift)
			points, scores = append(points, at), append(scores, at[0]-square(at[1]))
		}
		m := fit(points, scores, []bool{false, false})
		for i, at := range points {
			mean, deviation := m.predict(at)
			if math.Abs(mean-scores[i]) > 3*math.Sqrt(m.noise)+0.05 || deviation > math.Sqrt(m.variance) {
				t.Fatalf("%v is %v +-%v, not %v", at, mean, deviation, scores[i])
			}
		}
		if _, far := m.predict([]float64{9, 9}); far < 0.9*math.Sqrt(m.variance) {
			t.Fatalf("far away the deviation is %v of %v", far, math.Sqrt(m.variance))
		}
	})
}

// Words are equally far from each other: what is known of one says little of
// its neighbours in the list.
func TestSurrogateWords(t *testing.T) {
	t.Parallel()
	m := &surrogate{words: []bool{true}, hyper: hyper{lengths: []float64{1}, variance: 1}}
	assert.Equal(t, m.kernel([]float64{0.1}, []float64{0.2}), m.kernel([]float64{0.1}, []float64{0.9}))
	assert.Equal(t, 1.0, m.kernel([]float64{0.1}, []float64{0.1}))
}

// Each half, third and so on of the box has its share of the points.
func TestHalton(t *testing.T) {
	t.Parallel()
	shift := make([]float64, 3)
	var below [3]int
	for i := range 60 {
		for d, x := range halton(i+1, shift) {
			if x < 0.5 {
				below[d]++
			}
		}
	}
	for d, n := range below {
		assert.InDelta(t, 30, n, 2, "coordinate %d", d)
	}
}
