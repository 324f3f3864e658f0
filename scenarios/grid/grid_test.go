package grid

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/results"
	"rocesim/scenarios/strict"
)

// texts lists the values of an axis given on a command line.
func texts(t *testing.T, arg string) []string {
	a, err := ParseArg(arg)
	require.NoError(t, err)
	var all []string
	for _, v := range a.Values {
		all = append(all, v.Text)
	}
	return all
}

func TestParseArg(t *testing.T) {
	for _, c := range []struct{ arg, want string }{
		{"a=1,2,3", "1|2|3"},
		{"a=1/8, 1/4 ,1", "1/8|1/4|1"},
		{"a=100KB", "100KB"},
		{"a=h[0-3],[h1,h2],{x: 1, y: 2}", "h[0-3]|[h1,h2]|{x: 1, y: 2}"},
		{`a="x,y",'z,'`, `"x,y"|'z,'`},
		{"a=b=c", "b=c"},
		// Steps stop before the end if they miss it.
		{"a={from: 100KB, to: 450KB, step: 100KB}", "100KB|200KB|300KB|400KB"},
		{"a={from: 3us, to: 0us, step: -1500ns}", "3us|1.5us|0us"},
		{"a={from: 0%, to: 100%, points: 5}", "0%|25%|50%|75%|100%"},
		{"a={from: 50KB, to: 3200KB, points: 7, log: true}", "50KB|100KB|200KB|400KB|800KB|1600KB|3200KB"},
		// 32^(1/3) = 3.175 and its square 10.08, to whole numbers of senders.
		{"a={from: 1, to: 32, points: 4, log: true}", "1|3|10|32"},
		{"a={from: 1/8, to: 1, step: 1/8}", "0.125|0.25|0.375|0.5|0.625|0.75|0.875|1"},
		{"a={from: 1KiB, to: 3KiB, step: 1KiB}", "1KiB|2KiB|3KiB"},
		// (2 - 1)/4 MiB are whole bytes; a third of a MiB, 349525.3 bytes, is not.
		{"a={from: 1MiB, to: 2MiB, points: 5}", "1MiB|1.25MiB|1.5MiB|1.75MiB|2MiB"},
		{"a={from: 1MiB, to: 2MiB, points: 4}", "1MiB|1398101B|1747627B|2MiB"},
		// A third of a byte is no size.
		{"a={from: 1B, to: 2B, points: 4}", "1B|2B"},
		{"a=5KB,{from: 10KB, to: 20KB, step: 10KB}", "5KB|10KB|20KB"},
	} {
		assert.Equal(t, c.want, strings.Join(texts(t, c.arg), "|"), c.arg)
	}
}

func TestParseArgErrors(t *testing.T) {
	for _, c := range []struct{ arg, want string }{
		{"a", "--set a: allowed: path=value,value,... such as switch.ecn.kmin=100KB,200KB"},
		{"=1,2", "allowed: path=value,value,..."},
		{"a=", "a: nothing stands between two commas or behind the equals sign"},
		{"a=1,,2", "nothing stands between two commas"},
		{"a=1,2,1", "a: 1 is given twice"},
		{"a={from: 1, to: 2}", "the range from 1 to 2 has neither step nor points"},
		{"a={from: 1, to: 1, step: 1}", "the range from 1 to 1 has a single value"},
		{"a={from: 1, to: 2, step: -1}", "steps of -1 from 1 never reach 2"},
		{"a={from: 1, to: 2, step: 0}", "steps of 0 from 1 never reach 2"},
		{"a={from: 1KB, to: 2us, step: 1KB}", "1KB to 2us is no range"},
		{"a={from: x, to: y, step: 1}", "x to y is no range"},
		{"a={from: 1KB, to: 2KB, step: 1us}", "the step 1us is not of the kind of 1KB"},
		{"a={from: 1, to: 3, step: 1, log: true}", "a range with log: true needs points, not step"},
		{"a={from: 0, to: 3, points: 3, log: true}", "has no constant ratio"},
		{"a={from: 1, to: 3, step: 1, points: 2}", "given beside step; only one of the two can hold"},
		{"a={from: 1, tto: 3, step: 1}", `unknown key "tto"; did you mean to?`},
		{"a={from: 1B, to: 1GB, step: 1B}", "from 1B to 1GB in steps of 1B are 1,000,000,000 values; at most 1,000,000 are allowed"},
		{"a={from: 1, to: 3, points: 1}", "1 is outside the allowed 2 to 1000000"},
		{"a={from: 1, to: 3, points: 5}", "from 1 to 3 are 3 whole numbers, not 5; write 1.0 for numbers with a point"},
		{"a={from: 1, to: 3, stepp: 1}", `unknown key "stepp"; did you mean step?`},
	} {
		_, err := ParseArg(c.arg)
		require.Error(t, err, c.arg)
		assert.Contains(t, err.Error(), c.want, c.arg)
	}
	for _, arg := range []string{"a={from: 1, to: 3, points: 1}", "a={from: 1, to: 3, stepp: 1}"} {
		_, err := ParseArg(arg)
		require.ErrorContains(t, err, "allowed")
		assert.NotContains(t, err.Error(), "neither step nor points", "what is refused is not missing too: %s", arg)
	}
}

// American spelling is understood, and written as the rest is.
func TestObjectiveSpelling(t *testing.T) {
	for text, want := range map[string]string{
		"minimize ecn.marks": "minimise ecn.marks", "maximize ecn.marks": "maximise ecn.marks", "minimise fct.p99": "minimise fct.p99",
	} {
		o, err := ParseObjective(text)
		require.NoError(t, err)
		assert.Equal(t, want, o.Words())
	}
}

// block decodes a sweep section.
func block(text string) (Block, error) {
	var into struct {
		Sweep Block `yaml:"sweep"`
	}
	doc, err := strict.Read("x.yaml", []byte("sweep:\n"+text))
	if err != nil {
		return Block{}, err
	}
	doc.Decode(&into)
	return into.Sweep, doc.Err()
}

func TestBlock(t *testing.T) {
	b, err := block(`
  axes:
    switch.ecn.kmin: [100KB, 200KB]
    switch.ecn.kmax: {from: 400KB, to: 800KB, step: 400KB}
    workload[w].senders: ["h[0-3]", [h1, h2]]
  linked: [[switch.ecn.kmin, switch.ecn.kmax]]
  seeds: [3, 5]
  metrics:
    - fct.p99{workload=w}
  objective: maximise ecn.marks
  pareto: [fct.p99, pfc.paused_time]
`)
	require.NoError(t, err)
	g, err := New(b.Axes, b.Linked)
	require.NoError(t, err)
	require.Len(t, g, 2)
	assert.Equal(t, "switch.ecn.kmin with switch.ecn.kmax", g[0].Name())
	n, err := g.Count(Factor{2, "seeds"})
	require.NoError(t, err)
	assert.Equal(t, 8, n, "2 linked x 2 senders x 2 seeds")
	// The last dimension changes fastest.
	var last []string
	for _, v := range g.Values(1) {
		last = append(last, v.Text)
	}
	assert.Equal(t, []string{"100KB", "400KB", "[h1, h2]"}, last)
	assert.Equal(t, "x.yaml:4:30", g[0][0].Values[1].Pos.String())
	assert.Equal(t, []uint64{3, 5}, b.Seeds.From(1))
	assert.Equal(t, results.HigherBetter, b.Objective.Direction)
	assert.Equal(t, "fct.p99{workload=w}", b.Metrics[0].Metric.String())
}

// What is written of a section reads back as the same.
func TestBlockRoundTrip(t *testing.T) {
	b, err := block(`
  axes: {a.b: [100KB, "h[0-3]", [h1, 2], {x: 1}], c: {from: 1, to: 3, step: 1}, d: [a, b, c, 4]}
  linked: [[a.b, d]]
  seeds: 4
  metrics: [jain]
  objective: goodput.total
`)
	require.NoError(t, err)
	again, err := block("  " + strings.ReplaceAll(string(strict.Encode(b)), "\n", "\n  "))
	require.NoError(t, err)
	assert.Equal(t, string(strict.Encode(b)), string(strict.Encode(again)))
	assert.Equal(t, "[h1, 2]", again.Axes[0].Values[2].Text)
	assert.Equal(t, "maximise goodput.total", again.Objective.Words())
}

func TestBlockErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"  axes: {a: []}", "x.yaml:2:13: sweep.axes.a: an empty list; an axis needs at least one value"},
		{"  axes: {a: 5}", `sweep.axes.a: "5" stands where values belong`},
		{"  axes: [a]", "a list stands where a group of fields belongs"},
		{"  axes: {a: [1, 1]}", "sweep.axes.a: 1 is given twice"},
		{"  axes: {a: {from: 1, to: 2}}", "x.yaml:2:13: sweep.axes.a: the range from 1 to 2 has neither step nor points"},
		{"  axis: {a: [1]}", `unknown key "axis"; did you mean axes?`},
		{"  metrics: [fct.p98]", `unknown metric "fct.p98"; did you mean fct.p95`},
		{"  objective: ecn.marks", `neither more nor less of ecn.marks is better in itself; allowed: "minimise ecn.marks" or "maximise ecn.marks"`},
		{"  seeds: 0", `"0" is no number of seeds; allowed: 1 to 10000`},
		{"  seeds: [1, x]", `"x" is no seed`},
		{"  seeds: [1, 1]", "the seed 1 is given twice"},
		{"  linked: a", "stands where a list of lists belongs"},
	} {
		_, err := block(c.text)
		require.Error(t, err, c.text)
		assert.Contains(t, err.Error(), c.want, c.text)
	}
}

func TestLinkErrors(t *testing.T) {
	axis := func(path string, n int) Axis { return Axis{Path: path, Values: make([]Value, n)} }
	axes := []Axis{axis("kmin", 3), axis("kmax", 2), axis("pmax", 3)}
	for _, c := range []struct {
		paths []string
		want  string
	}{
		{[]string{"kmin", "kmax"}, "kmin has 3 values and kmax has 2; axes that move together have the same number"},
		{[]string{"kmin", "pmx"}, `unknown axis "pmx"; did you mean pmax?`},
		{[]string{"kmin", "kmin"}, "kmin is linked to itself"},
		{[]string{"kmin"}, "a link needs two axes or more"},
	} {
		_, err := New(axes, []Link{{Paths: c.paths}})
		assert.ErrorContains(t, err, c.want)
	}
}

// The arithmetic of a grid that is too large is shown.
func TestTooManyRuns(t *testing.T) {
	var g Grid
	for _, path := range []string{"a", "b", "c"} {
		g = append(g, Dimension{{Path: path, Values: make([]Value, 1000)}})
	}
	_, err := g.Count(Factor{1, "seeds"})
	assert.EqualError(t, err, "1000 of a x 1000 of b x 1000 of c = 1,000,000,000 runs; at most 1,000,000 are allowed")
	n, err := g[:2].Count()
	require.NoError(t, err)
	assert.Equal(t, 1_000_000, n)
}

// Every combination of places occurs once.
func TestPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var g Grid
		total := 1
		for range rapid.IntRange(0, 4).Draw(t, "dimensions") {
			n := rapid.IntRange(1, 5).Draw(t, "places")
			g = append(g, Dimension{{Values: make([]Value, n)}})
			total *= n
		}
		seen := map[string]bool{}
		for i := range total {
			places := g.Places(i)
			again := 0
			for d, p := range places {
				again = again*g[d].Len() + p
			}
			if again != i {
				t.Fatalf("%v is combination %d, not %d", places, again, i)
			}
			seen[string(rune(i))] = true
		}
		if len(seen) != total {
			t.Fatalf("%d of %d combinations", len(seen), total)
		}
	})
}

func TestQuantities(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
		kind Kind
	}{
		{"400KB", 400e3, Size}, {"9KiB", 9216, Size}, {"2us", 2e6, Time}, {"100Gbps", 1e11, Rate},
		{"3m", 3000, Length}, {"20%", 0.2, Number}, {"1/8", 0.125, Number}, {"2^-3", 0.125, Number}, {"2^4", 16, Number},
		{"7", 7, Number}, {"1e-9", 1e-9, Number}, {"-2", -2, Number},
	} {
		q, ok := ParseQuantity(c.text)
		require.True(t, ok, c.text)
		assert.Equal(t, c.want, q.Float(), c.text)
		assert.Equal(t, c.kind, q.Kind(), c.text)
	}
	for _, text := range []string{"", "x", "1x", "1/0", "2^99x", "true", "[1]", "1..2", "1 2"} {
		_, ok := ParseQuantity(text)
		assert.False(t, ok, text)
	}
}

func TestSeeds(t *testing.T) {
	s, err := ParseSeeds("3")
	require.NoError(t, err)
	assert.Equal(t, []uint64{7, 8, 9}, s.From(7))
	assert.Equal(t, []uint64{1<<64 - 1, 0, 1}, s.From(1<<64-1))
	assert.Equal(t, []uint64{5}, Seeds{}.From(5))
}

// Whatever stands behind --set, the parser ends with values or an error.
func FuzzParseArg(f *testing.F) {
	for _, seed := range []string{"a=1,2", "a={from: 1, to: 3, step: 1}", "a=[1,{x: 2}],\"y", "=", "a={from: 1e-9, to: 2^9, points: 9, log: true}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, arg string) {
		a, err := ParseArg(arg)
		if err == nil && (a.Path == "" || len(a.Values) == 0) {
			t.Fatalf("%q gives %+v", arg, a)
		}
	})
}
