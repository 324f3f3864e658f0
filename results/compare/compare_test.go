package compare

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
)

func subjects(names ...string) []results.Subject {
	var all []results.Subject
	for _, name := range names {
		all = append(all, results.Subject{Metric: name})
	}
	return all
}

// side makes a side of rows, one for each seed from first.
func side(name string, first uint64, rows ...[]float64) *Side {
	s := &Side{Name: name}
	for i, row := range rows {
		s.Samples = append(s.Samples, Sample{Seed: first + uint64(i), Fingerprint: first + uint64(i), Values: row})
	}
	return s
}

// Four seeds: p99 rises by about a half, marks fall to a half, goodput varies by
// less than half a percent, drops are none, and no probe was there.
func example(firstB uint64) (*Side, *Side, []results.Subject) {
	none := math.NaN()
	a := side("before", 1,
		[]float64{100e6, 1000, 90e9, 0, none}, []float64{102e6, 1010, 91e9, 0, none},
		[]float64{101e6, 990, 90e9, 0, none}, []float64{103e6, 1005, 91e9, 0, none})
	b := side("after", firstB,
		[]float64{150e6, 500, 90.1e9, 0, none}, []float64{153e6, 505, 91.2e9, 0, none},
		[]float64{151e6, 495, 90.2e9, 0, none}, []float64{154e6, 502, 91.1e9, 0, none})
	return a, b, subjects("fct.p99", "ecn.marks", "goodput.total", "drops.total", "latency.p99")
}

func verdicts(c *Comparison) []Verdict {
	var all []Verdict
	for i := range c.Rows {
		all = append(all, c.Rows[i].Verdict)
	}
	return all
}

// A change as large as the one to ignore is ignored, a larger one is not.
func TestIgnored(t *testing.T) {
	for value, want := range map[float64]Verdict{100: Same, 101: Same, 99: Same, 101.1: Worse, 98.9: Better} {
		c, err := Compare(side("a", 1, []float64{100}), side("b", 1, []float64{value}), subjects("fct.p99"), Options{Ignore: 0.01})
		require.NoError(t, err)
		assert.Equal(t, []Verdict{want}, verdicts(c), value)
	}
}

func TestVerdicts(t *testing.T) {
	a, b, names := example(1)
	c, err := Compare(a, b, names, Options{Ignore: DefaultIgnore})
	require.NoError(t, err)
	assert.Equal(t, Paired, c.Method)
	assert.Equal(t, []Verdict{Worse, Different, Same, Same, NoValue}, verdicts(c))
	assert.Equal(t, 3, c.Tested)
	assert.True(t, c.Fails(Worse))
	assert.True(t, c.Fails(Different))
	assert.False(t, c.Fails("never"))

	back, err := Compare(b, a, names, Options{Ignore: DefaultIgnore})
	require.NoError(t, err)
	assert.Equal(t, []Verdict{Better, Different, Same, Same, NoValue}, verdicts(back))
	assert.False(t, back.Fails(Worse))

	a, b, names = example(11)
	c, err = Compare(a, b, names, Options{Ignore: DefaultIgnore})
	require.NoError(t, err)
	assert.Equal(t, Welch, c.Method)
	assert.Equal(t, []Verdict{Worse, Different, Same, Same, NoValue}, verdicts(c))
}

// Seed by seed, 2 % is clear although the seeds differ by 30 %; between
// independent runs it is not.
func TestPairingSeesThroughTheNoiseOfSeeds(t *testing.T) {
	a := side("a", 1, []float64{100}, []float64{130}, []float64{110}, []float64{120}, []float64{125})
	b := side("b", 1, []float64{102}, []float64{132.7}, []float64{112.2}, []float64{122.3}, []float64{127.6})
	c, err := Compare(a, b, subjects("fct.p99"), Options{})
	require.NoError(t, err)
	assert.Equal(t, Worse, c.Rows[0].Verdict)
	for i := range b.Samples {
		b.Samples[i].Seed += 100
	}
	c, err = Compare(a, b, subjects("fct.p99"), Options{})
	require.NoError(t, err)
	assert.Equal(t, Same, c.Rows[0].Verdict)
}

func TestOneRunEach(t *testing.T) {
	c, err := Compare(side("a", 1, []float64{100e6, 7}), side("b", 1, []float64{100.5e6, 9}),
		subjects("fct.p99", "pfc.pauses"), Options{Ignore: 0.01})
	require.NoError(t, err)
	assert.Equal(t, Values, c.Method)
	assert.Equal(t, []Verdict{Same, Worse}, verdicts(c))
	assert.Nil(t, c.Rows[0].P)
	assert.Equal(t, "one run of each and no test: whether a difference is chance cannot be told", c.Caveat)
	assert.Equal(t, []string{"same", "worse (no test)"}, []string{c.VerdictText(&c.Rows[0]), c.VerdictText(&c.Rows[1])})
	assert.Equal(t, "B is worse in pfc.pauses. This is one run of each and no test: whether a difference is chance cannot be told.", c.Sentence())
	sweep := &SweepComparison{Settings: []SettingComparison{{Setting: "mtu=1024", Comparison: c}}}
	assert.Equal(t, "Of 1 setting B is worse in some metric in 1, better in some metric in 0. "+
		"This is one run of each and no test: whether a difference is chance cannot be told.", sweep.Sentence())
	var text strings.Builder
	require.NoError(t, c.WriteText(&text))
	assert.Contains(t, text.String(), "\nOne run of each and no test: whether")
	assert.Regexp(t, `pfc.pauses .* worse \(no test\)`, text.String())
}

// Where no seed changes the events, every difference is certain.
func TestSeedsThatChangeNothing(t *testing.T) {
	a := side("a", 1, []float64{100}, []float64{100})
	b := side("b", 1, []float64{110}, []float64{110})
	for _, s := range []*Side{a, b} {
		s.Samples[1].Fingerprint = s.Samples[0].Fingerprint
	}
	c, err := Compare(a, b, subjects("fct.p99"), Options{})
	require.NoError(t, err)
	assert.Equal(t, Exact, c.Method)
	assert.Empty(t, c.Caveat)
	assert.Equal(t, "worse", c.VerdictText(&c.Rows[0]))
	assert.Equal(t, Worse, c.Rows[0].Verdict)
	assert.Nil(t, c.Rows[0].P)
}

// Where each seed has the same value on both sides, there is nothing to test or
// to show.
func TestEqualSeedBySeed(t *testing.T) {
	a := side("a", 1, []float64{100, 7}, []float64{120, 8})
	b := side("b", 1, []float64{100, 9}, []float64{120, 9.5})
	c, err := Compare(a, b, subjects("fct.p99", "fct.max"), Options{})
	require.NoError(t, err)
	assert.True(t, c.Rows[0].IsEqual())
	assert.False(t, c.Rows[1].IsEqual())
	assert.Equal(t, 1, c.Tested)
}

// A metric that some runs lack is compared over the seeds that have it.
func TestSomeRunsWithoutValue(t *testing.T) {
	none := math.NaN()
	a := side("a", 1, []float64{10}, []float64{none}, []float64{11}, []float64{12})
	b := side("b", 1, []float64{20}, []float64{21}, []float64{none}, []float64{22.5})
	c, err := Compare(a, b, subjects("fct.p99"), Options{})
	require.NoError(t, err)
	assert.InDelta(t, 10.25, c.Rows[0].Difference, 1e-12, "of seeds 1 and 4")
	assert.Equal(t, Level{N: 3, Runs: 4, Mean: 11, Deviation: 1, Min: 10, Max: 12}, c.Rows[0].A)

	b = side("b", 1, []float64{none}, []float64{none}, []float64{none}, []float64{none})
	c, err = Compare(a, b, subjects("fct.p99"), Options{})
	require.NoError(t, err)
	assert.Equal(t, NoValue, c.Rows[0].Verdict)
	assert.True(t, c.Fails(Different), "a value was lost")
}

func TestRefusedNumbersOfRuns(t *testing.T) {
	one, two := side("one", 1, []float64{1}), side("two", 1, []float64{1}, []float64{2})
	twice := side("twice", 1, []float64{1}, []float64{2})
	twice.Samples[1].Seed = 1
	for _, c := range []struct {
		a, b *Side
		want string
	}{
		{one, two, "one has 1 run and two has 2 runs: give one of each, or at least two of each"},
		{&Side{Name: "none"}, two, "there is nothing to compare: one side has no run"},
		{two, twice, "twice has seed 1 twice, which is one observation, not two"},
	} {
		_, err := Compare(c.a, c.b, subjects("fct.p99"), Options{})
		assert.EqualError(t, err, c.want)
	}
}

const wantText = `A: before (4 runs, seeds 1 to 4)
B: after (4 runs, seeds 1 to 4)
Paired t-test on equal seeds, level 1 % for all 3 metrics that vary together (Holm). Changes up to 1 % count as none.
warning: careful

Configuration, A -> B:
  switch.ecn.kmin: 400KB -> 200KB
  faults[0].at: (absent) -> 1ms

metric         A          B           change    99 % interval       p       verdict
fct.p99        101.5 us   152 us      +49.75 %  +48.09 to +51.41 %  <0.001  worse
ecn.marks      1001       500.5       -50.01 %  -51.28 to -48.74 %  <0.001  different
goodput.total  90.5 Gbps  90.65 Gbps  +0.17 %   -0.02 to +0.35 %    0.014   same

Equal in all runs: drops.total.

Without a value in any run: latency.p99.

B is worse in fct.p99; different in ecn.marks.
`

func TestText(t *testing.T) {
	a, b, names := example(1)
	c, err := Compare(a, b, names, Options{Ignore: DefaultIgnore})
	require.NoError(t, err)
	c.Changes = []Change{{"switch.ecn.kmin", "400KB", "200KB"}, {"faults[0].at", "", "1ms"}}
	c.Warnings = []string{"careful"}
	var out strings.Builder
	require.NoError(t, c.WriteText(&out))
	assert.Equal(t, wantText, out.String())
}

func TestManyChangedFields(t *testing.T) {
	changes := make([]Change, 43)
	for i := range changes {
		changes[i] = Change{"f", "1", "2"}
	}
	text := changesText(changes)
	assert.Equal(t, 41, strings.Count(text, "\n"))
	assert.True(t, strings.HasSuffix(text, "\n  and 3 other fields\n"))
}

func TestWrite(t *testing.T) {
	a, b, names := example(1)
	c, err := Compare(a, b, names, Options{})
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "sub", "report")
	extra := func(dir string) error { return os.WriteFile(filepath.Join(dir, "extra"), nil, 0o644) }
	for range 2 { // the second replaces the first
		require.NoError(t, Write(dir, c, extra))
		text, err := os.ReadFile(filepath.Join(dir, "comparison.json"))
		require.NoError(t, err)
		var back Comparison
		require.NoError(t, json.Unmarshal(text, &back))
		assert.Equal(t, c.Sentence(), back.Sentence())
		assert.FileExists(t, filepath.Join(dir, "comparison.txt"))
		assert.FileExists(t, filepath.Join(dir, "extra"))
	}
	full := func(string) error { return syscall.ENOSPC }
	assert.EqualError(t, Write(dir, c, full), dir+": no results written: the disk is full (no space left on device)")
	assert.FileExists(t, filepath.Join(dir, "extra"), "the earlier one stays")
	left, err := os.ReadDir(filepath.Dir(dir))
	require.NoError(t, err)
	assert.Len(t, left, 1)

	foreign := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(foreign, "precious"), nil, 0o644))
	assert.EqualError(t, Write(foreign, c, extra), foreign+": exists and holds no comparison, so it is left alone; choose another directory with -o")
	assert.FileExists(t, filepath.Join(foreign, "precious"))
}
