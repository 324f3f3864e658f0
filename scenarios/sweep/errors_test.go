package sweep

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tryAll loads and resolves: the error of either.
func tryAll(t *testing.T, spec Spec) error {
	s, err := Load(spec)
	if err != nil {
		return err
	}
	_, err = s.Run(context.Background(), Options{Dir: t.TempDir(), Executor: noRuns{t}})
	return err
}

func TestErrors(t *testing.T) {
	file := write(t, tiny)
	for _, c := range []struct {
		name string
		spec Spec
		want string
	}{
		{"no field", Spec{Sets: []string{"switch.ecn.kmn=10KB,20KB"}}, `--set switch.ecn.kmn=10KB: switch.ecn.kmn: unknown key "kmn"; did you mean kmin?`},
		{"no element", Spec{Sets: []string{"workload[brst].bytes=10KB,20KB"}}, `--set workload[brst].bytes=10KB: workload[brst].bytes: the list has no element "brst" (it has: burst)`},
		{"out of range", Spec{Sets: []string{"switch.ecn.kmin=10KB,20TB"}}, "--set switch.ecn.kmin=20TB: switch.ecn.kmin: 20TB is outside the allowed 0B to 1GB"},
		{"wrong unit", Spec{Sets: []string{"switch.ecn.kmin=10KB,20us"}}, `"20us" has the unknown unit "us"`},
		{"fits nothing", Spec{Sets: []string{"switch.ecn.kmin=10KB,1MB", "switch.ecn.kmax=100KB,200KB"}}, "--set switch.ecn.kmin=1MB: switch.ecn.kmin: 1MB is above kmax 100KB"},
		{"fixed and wrong", Spec{Sets: []string{"switch.ecn.kmin=1MB", "seed=2"}}, "--set switch.ecn.kmin=1MB: switch.ecn.kmin: 1MB is above kmax 160KB"},
		{"nothing", Spec{}, "there is nothing to compare: one setting and one seed"},
		{"seed", Spec{Sets: []string{"seed=1,2"}}, "seed: seeds are given with --seeds or sweep.seeds"},
		{"output", Spec{Sets: []string{"output.sample=1us,2us"}}, "output.sample: a sweep writes tables of all runs, not the output of single ones"},
		{"name", Spec{Sets: []string{"name=a,b"}}, "name: this changes no result"},
		{"itself", Spec{Sets: []string{"sweep.seeds=1,2"}}, "sweep.seeds: a sweep cannot vary itself"},
		{"too many", Spec{Sets: []string{"switch.ecn.kmin={from: 1B, to: 1001B, step: 1B}"}, Seeds: "1000"},
			"1001 of switch.ecn.kmin x 1000 seeds = 1,001,000 runs; at most 1,000,000 are allowed"},
		{"metric", Spec{Seeds: "2", Metrics: []string{"fct.p98"}}, `--metrics fct.p98: column 1: unknown metric "fct.p98"; did you mean fct.p95`},
		{"workload", Spec{Seeds: "2", Metrics: []string{"fct.p99{workload=brst}"}}, `unknown workload "brst"; did you mean burst?`},
		{"node", Spec{Seeds: "2", Objective: "queue.peak{node=sw9}"}, `--objective: queue.peak{node=sw9}: unknown node "sw9"; did you mean sw0?`},
		{"objective", Spec{Seeds: "2", Objective: "cnp.sent"}, `--objective: neither more nor less of cnp.sent is better in itself`},
		{"one of a pair", Spec{Seeds: "2", Pareto: []string{"jain"}}, "a Pareto front is between two different metrics"},
		{"neutral pair", Spec{Seeds: "2", Pareto: []string{"jain", "ecn.marks"}}, "--pareto ecn.marks: neither more nor less of ecn.marks is better, so there is nothing to trade"},
		{"seeds", Spec{Seeds: "none"}, `--seeds: "none" is no number of seeds`},
		{"twice", Spec{Sets: []string{"switch.ecn.kmin=1KB,2KB", "switch.ecn.kmin=3KB,4KB"}}, "switch.ecn.kmin: this axis is given twice"},
		{"an axis and held", Spec{Sets: []string{"switch.ecn.kmin=1KB,2KB", "switch.ecn.kmin=3KB"}}, "--set switch.ecn.kmin=3KB: switch.ecn.kmin: this axis is given twice"},
		{"held and an axis", Spec{Sets: []string{"switch.ecn.kmin=3KB", "switch.ecn.kmin=1KB,2KB"}}, "switch.ecn.kmin: this axis is given twice"},
		{"elsewhere", Spec{Sets: []string{"switch.preset=ideal,sonic-tomahawk", "fabric.host_link.rate=400Gbps"}},
			"allowed: headroom: {bytes: 100KB}, {standard: true}, or a table with that row; with preset=sonic-tomahawk"},
		{"link", Spec{Sets: []string{"switch.ecn.kmin=1KB,2KB"}, Links: []string{"switch.ecn.kmin,switch.ecn.kmax"}}, `--link switch.ecn.kmin,switch.ecn.kmax: unknown axis "switch.ecn.kmax"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.spec.Files = []string{file}
			assert.ErrorContains(t, tryAll(t, c.spec), c.want)
		})
	}
}

// A misspelt axis is one mistake, however many values it has.
func TestOneMistakeOneError(t *testing.T) {
	err := tryAll(t, Spec{Files: []string{write(t, tiny)}, Sets: []string{"switch.ecn.kmn={from: 10KB, to: 900KB, step: 10KB}"}})
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "\n")
}

// Errors of the section are at their places in the file.
func TestErrorsOfTheSection(t *testing.T) {
	for _, c := range []struct{ sweep, want string }{
		{"{axes: {switch.ecn.kmin: [10KB, 20TB]}}", ":9:40: switch.ecn.kmin: 20TB is outside the allowed 0B to 1GB"},
		{"{axes: {switch.ecn.kmn: [10KB, 20KB]}}", `:9:33: switch.ecn.kmn: unknown key "kmn"`},
		{"{seeds: 2, metrics: [\"fct.p99{workload=x}\"]}", `:9:29: fct.p99{workload=x}: unknown workload "x"`},
		{"{seeds: 2, scenarios: [other.yaml]}", "other.yaml: there is no such file"},
		{"{seeds: 2, scenarios: [other.yaml]}", ":9:31: sweep.scenarios: "},
		{"{seeds: 2, scenarios: [tiny.yaml]}", ":9:31: sweep.scenarios: "},
		{"{seeds: 2, scenarios: [[a.yaml]]}", ":9:31: sweep.scenarios[0]: a list stands where a scenario file belongs, such as other.yaml"},
		{"{axes: {switch.ecn.kmin: [1KB, 2KB]}, linked: [[switch.ecn.kmin, x]]}", `:9:55: unknown axis "x"`},
	} {
		file := write(t, tiny+"sweep: "+c.sweep+"\n")
		err := tryAll(t, Spec{Files: []string{file}})
		require.Error(t, err, c.sweep)
		assert.Contains(t, err.Error(), c.want, c.sweep)
	}
}

// A sweep that cannot begin leaves what an earlier one wrote into the directory.
func TestRefusedSweepChangesNothing(t *testing.T) {
	file, dir := write(t, tiny), t.TempDir()
	run := func(kmin string) error {
		s, err := Load(Spec{Files: []string{file}, Sets: []string{"switch.ecn.kmin=" + kmin}})
		require.NoError(t, err)
		out, err := s.Run(context.Background(), Options{Dir: dir})
		if err != nil {
			return err
		}
		return out.Write(dir, nil)
	}
	require.NoError(t, run("10KB,20KB"))
	want := tree(t, dir)
	require.ErrorContains(t, run("10KB,20TB"), "20TB is outside the allowed 0B to 1GB")
	assert.Equal(t, want, tree(t, dir))
	missing := filepath.Join(dir, "missing")
	s, err := Load(Spec{Files: []string{file}, Sets: []string{"switch.ecn.kmin=10KB,20TB"}})
	require.NoError(t, err)
	_, err = s.Run(context.Background(), Options{Dir: missing})
	require.Error(t, err)
	assert.NoDirExists(t, missing)
}

// A directory that something else made is left alone.
func TestForeignDirectory(t *testing.T) {
	s, err := Load(Spec{Files: []string{write(t, tiny)}, Seeds: "2"})
	require.NoError(t, err)
	dir := t.TempDir()
	letter := filepath.Join(dir, "letter.txt")
	require.NoError(t, os.WriteFile(letter, []byte("dear"), 0o644))
	_, err = s.Run(context.Background(), Options{Dir: dir})
	assert.EqualError(t, err, dir+": exists and was not made by rocesim sweep, so it is left alone; choose another directory with -o")
	_, err = s.Run(context.Background(), Options{Dir: letter})
	assert.ErrorContains(t, err, "letter.txt: cannot be used as a sweep directory: ")
}
