package check

import (
	"context"
	"encoding/xml"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/results"
	"rocesim/results/compare"
)

func load(t *testing.T, sets ...string) *Result {
	t.Helper()
	r, err := Load(t.Context(), "testdata/fabric.yaml", sets...)
	require.NoError(t, err)
	return r
}

func TestResult(t *testing.T) {
	r := load(t)
	require.NoError(t, r.Err())
	require.NoError(t, r.Expect("flows.finished == 4"))
	assert.ErrorContains(t, r.Expect("flows.finished == 5", "jain >= 2"), "flows.finished = 4, expected == 5: FAILED\njain = ")
	assert.EqualError(t, r.Expect("flows.finished"), `expectation "flows.finished": column 15: want one of == != < <= > >= ~= after flows.finished, found the end`)
	_, err := r.Value("latency.p99")
	assert.EqualError(t, err, `metric "latency.p99": no such probe was delivered`)
	_, err = r.Value("p99")
	assert.ErrorContains(t, err, `metric "p99": column 1: unknown metric "p99"`)
	assert.ErrorContains(t, load(t, "expect=[fct.max <= 1us]").Err(), "fct.max = ")
}

func TestInterruptedRunIsNoResult(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Load(ctx, "testdata/fabric.yaml")
	assert.ErrorIs(t, err, context.Canceled)
}

// A baseline that was written reads back equal, and its own run has not drifted,
// whatever the tolerance.
func TestBaselineOfTheSameRun(t *testing.T) {
	r := load(t)
	b := NewBaseline(r, nil)
	b.Tolerance["default"] = "0%"
	assert.Greater(t, len(b.Metrics), 40)
	file := filepath.Join(t.TempDir(), "fabric.baseline.json")
	require.NoError(t, b.Write(file))
	back, err := ReadBaseline(file)
	require.NoError(t, err)
	assert.True(t, back.same(b))
	assert.Equal(t, b.Tool, back.Tool)
	drifts, err := r.Drifts(file)
	require.NoError(t, err)
	assert.Empty(t, drifts)
	assert.Equal(t, b, NewBaseline(r, back), "an update of nothing")

	none, err := ReadBaseline("testdata/none.json")
	require.NoError(t, err)
	assert.Nil(t, none)
	_, err = r.Drifts("testdata/none.json")
	assert.EqualError(t, err, "testdata/none.json: there is no such baseline; write it with: rocesim test --update")
}

// Texts, expectations and what is recorded are no part of the configuration;
// all that the model sees is.
func TestConfiguration(t *testing.T) {
	want := configuration(load(t).Scenario)
	for _, set := range []string{"name=other", "question=What?", `question="Two lines:\nor three:"`, "expect=[jain >= 0]", "output.sample=1us", "output.plots=[]", "sweep={seeds: 3}", "tune={budget: 20}"} {
		assert.Equal(t, want, configuration(load(t, set).Scenario), set)
	}
	for _, set := range []string{"seed=2", "nic.mtu=1024", "workload[burst].bytes=1KB"} {
		assert.NotEqual(t, want, configuration(load(t, set).Scenario), set)
	}
}

func TestTolerances(t *testing.T) {
	r := load(t)
	now, err := r.Value("fct.p99")
	require.NoError(t, err)
	for _, c := range []struct {
		metric    string
		was       float64
		tolerance map[string]string
		want      compare.Verdict
	}{
		{"fct.p99", now * 0.99, nil, compare.Same}, // 2 % unless said
		{"fct.p99", now * 0.97, nil, compare.Worse},
		{"fct.p99", now * 1.03, nil, compare.Better},
		{"fct.p99", now * 0.97, map[string]string{"default": "5%"}, compare.Same},
		{"fct.p99", now * 0.97, map[string]string{"default": "5%", "fct.p99": "1%"}, compare.Worse},
		{"fct.p99{workload=burst}", now * 0.97, map[string]string{"fct.p99": "1%", "fct.p99{workload=burst}": "5%"}, compare.Same},
		{"fct.p99", now - 900e3, map[string]string{"fct.p99": "1us"}, compare.Same},
		{"fct.p99", now - 1100e3, map[string]string{"fct.p99": "1us"}, compare.Worse},
		{"flows.finished", 5, map[string]string{"default": "0%"}, compare.Worse},
		{"flows.total", 5, map[string]string{"flows.total": "1"}, compare.Same},
		{"flows.total", 6, map[string]string{"flows.total": "1"}, compare.Different},
		{"drops.total", 0, nil, compare.Same},
		{"latency.p99", 1000, nil, compare.NoValue},
	} {
		b := &Baseline{Scenario: "fabric", Seed: 1, Tolerance: c.tolerance, Metrics: map[string]float64{c.metric: c.was}}
		require.Empty(t, b.check())
		d, err := b.drift(r, c.metric)
		require.NoError(t, err)
		assert.Equal(t, c.want, d.Verdict, "%s %v %v", c.metric, c.was, c.tolerance)
	}
}

func TestUnreadableBaselines(t *testing.T) {
	file := filepath.Join(t.TempDir(), "b.json")
	for _, c := range []struct{ text, want string }{
		{"{\n\"format\": }", ":2:11: not a baseline: invalid character '}' looking for beginning of value"},
		{"", ":1:1: not a baseline: unexpected end of JSON input"},
		{"{\n\"format\": \"rocesim baseline 1\",\n\"seed\": \"one\"}", ":3:9: seed: cannot be string"},
		{"{\"format\": \"rocesim baseline 1\",\n\t\"metrics\": {\"jain\": 1,\n\t\"fct.p99\": {\"was\": 1}}}", ":3:13: metrics.fct.p99: cannot be object"},
		{"[]", ": not a baseline: it should be a JSON object"},
		{"{\"seed\": 1,\n \"format\": \"rocesim report 1\"}", `:2:12: format is "rocesim report 1", so it is no baseline of rocesim`},
		{`{"seed": 1}`, `: format is "", so it is no baseline of rocesim`},
		{`{"format": "rocesim baseline 1", "tolerances": {"default": "1%"}}`,
			`:1:34: unknown field "tolerances"; did you mean tolerance? (allowed: configuration, fingerprint, format, metrics, scenario, seed, tolerance, tool_version)`},
		{`{"format": "rocesim baseline 1", "tolerance": {"fct.p98": "1%"}}`, `:1:48: tolerance: unknown metric "fct.p98"; did you mean fct.p95?`},
		{`{"format": "rocesim baseline 1", "tolerance": {"defualt": "1%"}}`, `:1:48: tolerance: unknown metric "defualt"; did you mean default?`},
		{`{"format": "rocesim baseline 1", "tolerance": {"x": "1%"}}`, `:1:48: tolerance: unknown metric "x"; allowed: default, or a metric such as fct.p99`},
		{`{"format": "rocesim baseline 1", "tolerance": {"fct.p99{wrkload=a}": "1%"}}`,
			`:1:48: tolerance: fct.p99{wrkload=a}: column 9: fct.p99 cannot be narrowed by "wrkload", allowed: workload, src, dst, bucket`},
		// All mistakes, in the order of the file; one of a tolerance once, however
		// many metrics it is for.
		{"{\"format\": \"rocesim baseline 1\",\n\"metrics\": {\"fct.p98\": 1, \"fct.p99\": 1, \"fct.p50\": 1},\n\"tolerance\": {\"default\": \"a bit\"}, \"sed\": 1}",
			`:2:13: metrics: fct.p98: column 1: unknown metric "fct.p98"; did you mean fct.p95, fct.p99, fct.p50?` + "\n" +
				file + `:3:26: tolerance.default: "a bit" is no tolerance; allowed: a share, such as 5%, or for fct.p50 a time (ps, ns, us, ms, s)` + "\n" +
				file + `:3:36: unknown field "sed"; did you mean seed? (allowed: configuration, fingerprint, format, metrics, scenario, seed, tolerance, tool_version)`},
	} {
		require.NoError(t, os.WriteFile(file, []byte(c.text), 0o644))
		_, err := ReadBaseline(file)
		assert.EqualError(t, err, file+c.want)
	}
}

func TestForeignBaselines(t *testing.T) {
	r := load(t)
	_, err := (&Baseline{Scenario: "other", Seed: 1}).Drifts(r)
	assert.EqualError(t, err, "it is a baseline of scenario other, not of fabric")
	file := filepath.Join(t.TempDir(), "b.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"format": "rocesim baseline 1", "scenario": "fabric", "seed": 2}`), 0o644))
	_, err = r.Drifts(file)
	assert.EqualError(t, err, file+":1:64: it was made with seed 2, not with 1; metrics of different seeds differ by chance")
	_, err = (&Baseline{Scenario: "fabric", Seed: 2}).Drifts(r)
	assert.EqualError(t, err, "it was made with seed 2, not with 1; metrics of different seeds differ by chance")
}

// Reports come in the order of the files, whichever ends first.
func TestOrderOfReports(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "n")
		order := rapid.Permutation(numbers(n)).Draw(t, "order")
		var got []*Report
		all := make([]*Report, n)
		q := inOrder{reports: make([]*Report, n), done: func(r *Report) { got = append(got, r) }}
		for _, i := range order {
			all[i] = &Report{}
			q.put(i, all[i])
		}
		require.Len(t, got, n)
		for i := range all {
			require.Same(t, all[i], got[i])
		}
	})
}

func numbers(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func TestStatus(t *testing.T) {
	worse := []Drift{{Verdict: compare.Worse}}
	better := []Drift{{Verdict: compare.Better}}
	for _, c := range []struct {
		r    Report
		want Status
	}{
		{Report{}, Passed},
		{Report{Err: errors.New("x"), Fatal: "y"}, Broken},
		{Report{Fatal: "y"}, Failed},
		{Report{Outcomes: []results.Outcome{{OK: true}, {}}}, Failed},
		{Report{Drifts: worse, failOn: compare.Worse}, Failed},
		{Report{Drifts: []Drift{{Verdict: compare.NoValue}}, failOn: compare.Worse}, Failed},
		{Report{Drifts: better, failOn: compare.Worse}, Passed},
		{Report{Drifts: better, failOn: compare.Different}, Failed},
		{Report{Drifts: worse, failOn: "never"}, Passed},
		{Report{FingerprintWas: "1", FingerprintIs: "2", failOn: compare.Different}, Passed},
	} {
		assert.Equal(t, c.want, c.r.Status())
	}
}

// A run that deadlocks fails, unless the scenario is about deadlocks.
func TestFatal(t *testing.T) {
	r := load(t)
	r.Run.Manifest.Stop, r.Run.Manifest.Deadlocks = results.Deadlocked, []string{"deadlock of a and b"}
	assert.EqualError(t, r.Err(), "the run ended with a deadlock of a and b")
	r.Scenario.Expect = append(r.Scenario.Expect, "deadlocks == 1")
	assert.NoError(t, r.Err())
	r.Run.Manifest.Stop, r.Run.Manifest.Stall = results.Stalled, "h0 waits"
	assert.EqualError(t, r.Err(), "the run stalled: h0 waits")
}

func TestJUnitIsXML(t *testing.T) {
	reports := []*Report{
		{Path: "a<b>.yaml", Err: errors.New("first \"line\"\nsecond & last")},
		{Path: "c.yaml", Outcomes: []results.Outcome{{Expectation: "jain >= 2", Text: "jain = 1"}}, Baseline: "c.json",
			Drifts: []Drift{{Metric: "fct.p99", Was: 1, Verdict: compare.NoValue}, {Metric: "jain", Was: 1, Is: 2, HasValue: true, Verdict: compare.Better}}, failOn: compare.Worse},
	}
	var out strings.Builder
	require.NoError(t, WriteJUnit(&out, reports))
	var back junitSuites
	require.NoError(t, xml.Unmarshal([]byte(out.String()), &back))
	assert.Equal(t, []int{4, 2, 1}, []int{back.Tests, back.Failures, back.Errors})
	assert.Equal(t, "a<b>.yaml", back.Suites[0].Name)
	assert.Equal(t, "first \"line\"", back.Suites[0].Cases[0].Error.Message)
	assert.Equal(t, "fct.p99 has no value; it was 1", back.Suites[1].Cases[2].Failure.Message)
	assert.Contains(t, back.Suites[1].Cases[2].Out, "jain is better: 1 -> 2")
}

func TestGitHubEscapes(t *testing.T) {
	var out strings.Builder
	r := &Report{Path: "a,b.yaml", Err: errors.New("50% wrong\nand more")}
	require.NoError(t, r.WriteGitHub(&out))
	assert.Equal(t, "::error file=a%2Cb.yaml,line=1,title=not tested::50%25 wrong%0Aand more\n", out.String())
}

// However many metrics moved, they are one error and one notice: GitHub shows ten
// of a step. Mistakes in a scenario are where they are.
func TestGitHubAnnotations(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "wrong.yaml")
	require.NoError(t, os.WriteFile(path, []byte("name: x\nfabric:\n  topology: sta\n"), 0o644))
	_, err := Load(t.Context(), path, "seed=x")
	require.Error(t, err)
	var out strings.Builder
	require.NoError(t, (&Report{Path: path, Err: err}).WriteGitHub(&out))
	assert.Contains(t, out.String(), "::error file="+path+",line=3,col=13,title=not tested::"+path+`:3:13: fabric.topology: unknown value "sta"; did you mean star?`)
	assert.Contains(t, out.String(), ",line=1,title=not tested::--set seed=x: ")

	baseline := filepath.Join(dir, "wrong.baseline.json")
	scenario, err := os.ReadFile("testdata/fabric.yaml")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, scenario, 0o644))
	require.NoError(t, os.WriteFile(baseline, []byte("{\n  \"format\": \"rocesim baseline 0\"}"), 0o644))
	out.Reset()
	require.NoError(t, File(t.Context(), path, Options{}).WriteGitHub(&out))
	assert.Contains(t, out.String(), "::error file="+baseline+",line=2,col=13,title=not tested::"+baseline+`:2:13: format is "rocesim baseline 0", written by rocesim `)

	out.Reset()
	moved := func(metric string, verdict compare.Verdict) Drift {
		return Drift{Metric: metric, Was: 1, Is: 2, HasValue: true, Verdict: verdict, Tolerance: "2%"}
	}
	r := &Report{Path: "a.yaml", failOn: compare.Worse, Drifts: []Drift{
		moved("fct.max", compare.Worse), moved("cnp.sent", compare.Different), moved("fct.p99", compare.Worse), moved("jain", compare.Better)}}
	require.NoError(t, r.WriteGitHub(&out))
	assert.Equal(t, `::error file=a.yaml,line=1,title=not as in the baseline::fct.max is worse: 1 -> 2 (+100.00 %25, tolerance 2%25)%0Afct.p99 is worse: 1 -> 2 (+100.00 %25, tolerance 2%25)
::notice file=a.yaml,line=1,title=not as in the baseline::cnp.sent is different: 1 -> 2 (+100.00 %25, tolerance 2%25)%0Ajain is better: 1 -> 2 (+100.00 %25, tolerance 2%25)
`, out.String())
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	write("b.yaml", "fabric: {}\n")
	write("a.yml", "# comment\nworkload: []\n")
	write("preset.yaml", "name: x\nmtu: 1\nnotes: 'the fabric: none'\n")
	write("sub/c.yaml", "fabric : {}\n")
	write("sub/testdata/d.yaml", "fabric: {}\n")
	write(".git/e.yaml", "fabric: {}\n")
	write("sub/notes.txt", "fabric: {}\n")
	for _, c := range []struct{ patterns, want []string }{
		{[]string{"."}, []string{"a.yml", "b.yaml"}},
		{[]string{"./..."}, []string{"a.yml", "b.yaml", "sub/c.yaml"}},
		{[]string{"sub/testdata", "b.yaml", "."}, []string{"sub/testdata/d.yaml", "b.yaml", "a.yml"}},
		{[]string{"preset.yaml"}, []string{"preset.yaml"}}, // named, so meant
	} {
		var patterns, want []string
		for _, p := range c.patterns {
			patterns = append(patterns, dir+"/"+p)
		}
		for _, w := range c.want {
			want = append(want, filepath.Join(dir, w))
		}
		got, err := Find(patterns)
		require.NoError(t, err)
		for i := range got {
			got[i] = filepath.Clean(got[i])
		}
		assert.Equal(t, want, got, c.patterns)
	}
}

// FuzzReadBaseline reads anything without panic, and what it accepts compares.
func FuzzReadBaseline(f *testing.F) {
	f.Add([]byte(`{"format": "rocesim baseline 1", "scenario": "fabric", "seed": 1, "tolerance": {"default": "1%"}, "metrics": {"fct.p99": 1}}`))
	f.Add([]byte(`{"format": "rocesim baseline 1", "metrics": {"jain": -1e300}}`))
	f.Add([]byte(`[]`))
	r, err := Load(context.Background(), "testdata/fabric.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file := filepath.Join(t.TempDir(), "b.json")
		require.NoError(t, os.WriteFile(file, text, 0o644))
		b, err := ReadBaseline(file)
		if err != nil {
			assert.NotContains(t, err.Error(), "check.Baseline", "no Go type in a message to users")
			return
		}
		b.Scenario, b.Seed = "fabric", 1
		_, err = b.Drifts(r)
		assert.NoError(t, err)
	})
}
