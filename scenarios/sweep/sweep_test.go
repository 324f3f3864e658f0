package sweep

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tiny is an 8:1 incast that takes a few milliseconds to simulate.
const tiny = `name: tiny
fabric: {topology: star, hosts: 9, host_link: {rate: 100Gbps, cable: 3m}}
switch: {preset: ideal, ecn: {kmin: 40KB, kmax: 160KB, pmax: 20%}}
cc: {preset: connectx}
workload:
  - {name: burst, type: incast, senders: "h[1-8]", receivers: h0, bytes: 100KB}
expect: [drops.total == 0]
output: {plots: [], sample: 5us}
`

// write makes a scenario file in a directory of the test.
func write(t *testing.T, text string) string {
	file := filepath.Join(t.TempDir(), "tiny.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	return file
}

// run sweeps and writes tables.
func run(t *testing.T, spec Spec, opt Options) *Outcome {
	s, err := Load(spec)
	require.NoError(t, err)
	out, err := s.Run(context.Background(), opt)
	require.NoError(t, err)
	require.NoError(t, out.Write(opt.Dir, nil))
	return out
}

// tree reads all files below a directory.
func tree(t *testing.T, dir string) map[string]string {
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[rel] = string(text)
		return err
	}))
	return files
}

func grid20(file string) Spec {
	return Spec{Files: []string{file}, Sets: []string{"switch.ecn.kmin=10KB,20KB,30KB,40KB,200KB", "switch.ecn.kmax=50KB,400KB"}, Seeds: "2"}
}

// One worker or four, the files are the same, byte for byte.
func TestWorkersMakeNoDifference(t *testing.T) {
	file := write(t, tiny)
	one, four := t.TempDir(), t.TempDir()
	run(t, grid20(file), Options{Dir: one, Workers: 1, Tool: "test"})
	run(t, grid20(file), Options{Dir: four, Workers: 4, Tool: "test"})
	assert.Equal(t, tree(t, one), tree(t, four))
}

// stopping cancels after some runs, in the way of a Ctrl-C.
type stopping struct {
	Local
	after  int64
	cancel context.CancelFunc
}

func (s stopping) Execute(ctx context.Context, todo []int, job func(int) (*Job, error), done func(int, *Record, error)) error {
	var n atomic.Int64
	return s.Local.Execute(ctx, todo, job, func(i int, rec *Record, err error) {
		done(i, rec, err)
		if n.Add(1) == s.after {
			s.cancel()
		}
	})
}

// A sweep interrupted several times ends with the files of one that was not,
// and simulates no run twice.
func TestResume(t *testing.T) {
	file := write(t, tiny)
	whole, parts := t.TempDir(), t.TempDir()
	run(t, grid20(file), Options{Dir: whole, Tool: "test"})
	s, err := Load(grid20(file))
	require.NoError(t, err)
	found := 0
	for range 3 {
		ctx, cancel := context.WithCancel(context.Background())
		// Of 20 runs each sweep ends 2 to 7: each of two workers may have three
		// more under way, and all that ended are kept.
		out, err := s.Run(ctx, Options{Dir: parts, Tool: "test", Executor: stopping{Local{Workers: 2, Tool: "test"}, 2, cancel},
			Progress: func(p Progress) { found = p.Found }})
		require.NoError(t, err)
		require.True(t, out.Interrupted)
		require.NoError(t, out.Write(parts, nil))
		assert.Contains(t, out.Summary(), "PARTIAL RESULTS")
		assert.Contains(t, tree(t, parts)["sweep.json"], `"state": "interrupted"`)
	}
	assert.GreaterOrEqual(t, found, 4, "the third sweep began with what two had done")
	run(t, grid20(file), Options{Dir: parts, Tool: "test"})
	assert.Equal(t, tree(t, whole), tree(t, parts))
}

// noRuns is an executor that must not be needed.
type noRuns struct{ t *testing.T }

func (n noRuns) Execute(_ context.Context, todo []int, _ func(int) (*Job, error), _ func(int, *Record, error)) error {
	assert.Empty(n.t, todo, "runs that were done before")
	return nil
}

// A larger grid and other metrics of the whole run need no run again; another
// version of rocesim does.
func TestFinishedRunsAreKept(t *testing.T) {
	file, dir := write(t, tiny), t.TempDir()
	spec := Spec{Files: []string{file}, Sets: []string{"switch.ecn.kmin=10KB,20KB"}, Seeds: "2"}
	run(t, spec, Options{Dir: dir, Tool: "1"})
	spec.Metrics = []string{"jain"}
	run(t, spec, Options{Dir: dir, Tool: "1", Executor: noRuns{t}})

	ran := func(spec Spec, opt Options) int {
		var last Progress
		opt.Dir, opt.Progress = dir, func(p Progress) { last = p }
		run(t, spec, opt)
		return last.Runs - last.Found
	}
	spec.Sets = []string{"switch.ecn.kmin=10KB,20KB,30KB"}
	assert.Equal(t, 2, ran(spec, Options{Tool: "1"}), "two seeds of the new value")
	spec.Metrics = []string{"fct.p99{src=h1}"}
	assert.Equal(t, 6, ran(spec, Options{Tool: "1"}), "no record has this metric")
	assert.Equal(t, 0, ran(spec, Options{Tool: "1"}))
	assert.Equal(t, 6, ran(spec, Options{Tool: "2"}))
	assert.Equal(t, 6, ran(spec, Options{Tool: "2", Fresh: true}))
}

// A damaged record is noticed, said and made again.
func TestDamagedRecord(t *testing.T) {
	file, dir := write(t, tiny), t.TempDir()
	spec := Spec{Files: []string{file}, Sets: []string{"switch.ecn.kmin=10KB,20KB,30KB"}}
	run(t, spec, Options{Dir: dir, Tool: "1"})
	want := tree(t, dir)
	records, err := filepath.Glob(filepath.Join(dir, "runs", "*", "*.json"))
	require.NoError(t, err)
	require.Len(t, records, 3)
	text, err := os.ReadFile(records[0])
	require.NoError(t, err)
	for i, damaged := range [][]byte{
		bytes.Replace(text, []byte(`"seed":1`), []byte(`"seed":2`), 1), // a bit of another run
		text[:len(text)/2], // half written
		nil,
	} {
		require.NoError(t, os.WriteFile(records[i], damaged, 0o644))
	}
	var notes []string
	run(t, spec, Options{Dir: dir, Tool: "1", Note: func(s string) { notes = append(notes, s) }})
	require.Len(t, notes, 3)
	all := strings.Join(notes, "\n")
	assert.Contains(t, all, "seed-1.json: its checksum does not fit, so it was changed or only half written; the run is repeated")
	assert.Contains(t, all, "seed-1.json: not a record: unexpected end of JSON input; the run is repeated")
	assert.Equal(t, want, tree(t, dir))
}

// failing fails every third job.
type failing struct{ Local }

func (f failing) Execute(ctx context.Context, todo []int, job func(int) (*Job, error), done func(int, *Record, error)) error {
	return f.Local.Execute(ctx, todo, job, func(i int, rec *Record, err error) {
		if i%3 == 0 {
			rec, err = nil, errors.New("the machine\ncaught fire")
		}
		done(i, rec, err)
	})
}

// A failed run loses no other, is reported, and is tried again.
func TestFailedRun(t *testing.T) {
	file, dir := write(t, tiny), t.TempDir()
	spec := Spec{Files: []string{file}, Sets: []string{"switch.ecn.kmin=10KB,20KB,30KB,40KB"}, Seeds: "2"}
	out := run(t, spec, Options{Dir: dir, Tool: "1", Executor: failing{Local{Tool: "1"}}})
	assert.Equal(t, 3, out.Failed(), "rows 0, 3 and 6")
	assert.Contains(t, out.Summary(), "8 runs, 5 finished, 3 failed")
	assert.Contains(t, out.Summary(), "failed: kmin=10KB: the machine; caught fire")
	assert.Contains(t, out.Summary(), "3 of 4 settings were left out")
	out = run(t, spec, Options{Dir: dir, Tool: "1"})
	assert.Zero(t, out.Failed())
	assert.Contains(t, out.Summary(), "8 runs, 8 finished")
}

// A bug in the simulator is an error of its run.
func TestPanicIsAnError(t *testing.T) {
	job := Job{Scenario: strings.Replace(tiny, "name: tiny", "name: tiny\nstop: {time: 1ms}", 1), Metrics: []string{"nonsense"}}
	_, err := job.Run(context.Background(), "1")
	assert.ErrorContains(t, err, `unknown metric "nonsense"`)
	_, err = (*Job)(nil).Run(context.Background(), "1")
	assert.ErrorContains(t, err, "internal error: ")
}

// Jobs in the memory of earlier ones, larger, smaller and broken, are those in
// their own.
func TestRunnerIsNoMatter(t *testing.T) {
	runner := NewRunner("1")
	large := strings.Replace(tiny, "hosts: 9", "hosts: 40", 1)
	require.NotEqual(t, tiny, large)
	for i, text := range []string{tiny, large, "", tiny, tiny, large, large} {
		job := &Job{Scenario: text, Seed: uint64(i)}
		if text == "" {
			job = nil
		}
		own, ownErr := job.Run(context.Background(), "1")
		shared, sharedErr := runner(context.Background(), job)
		require.Equal(t, own, shared)
		require.Equal(t, ownErr, sharedErr)
		require.Equal(t, text == "", shared == nil)
	}
}

// A combination that cannot be, of values that can, is a row that says so.
func TestInvalidCombination(t *testing.T) {
	file, dir := write(t, tiny), t.TempDir()
	out := run(t, Spec{Files: []string{file}, Sets: []string{"switch.ecn.kmin=10KB,100KB", "switch.ecn.kmax=50KB,200KB"}}, Options{Dir: dir})
	rows := readCSV(t, filepath.Join(dir, "runs.csv"))
	stop, text := slices.Index(rows[0], "stop"), slices.Index(rows[0], "error")
	assert.Equal(t, "invalid", rows[3][stop])
	assert.Contains(t, rows[3][text], "100KB is above kmax 50KB")
	assert.Equal(t, "finished", rows[4][stop])
	assert.Contains(t, out.Summary(), "4 runs, 3 finished, 1 invalid")
}

func readCSV(t *testing.T, file string) [][]string {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	require.NoError(t, err)
	return rows
}

// Both forms of the table of runs hold the same.
func TestParquetEqualsCSV(t *testing.T) {
	file, dir := write(t, tiny), t.TempDir()
	run(t, Spec{Files: []string{file}, Sets: []string{"switch.ecn.kmin=10KB,100KB", "switch.ecn.kmax=50KB,200KB"}, Seeds: "2"}, Options{Dir: dir})
	rows := readCSV(t, filepath.Join(dir, "runs.csv"))
	data, err := os.ReadFile(filepath.Join(dir, "runs.parquet"))
	require.NoError(t, err)
	pf, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	var names []string
	for _, c := range pf.Schema().Columns() {
		names = append(names, strings.Join(c, "."))
	}
	assert.Equal(t, rows[0], names)
	reader := parquet.NewReader(pf)
	got := make([]parquet.Row, len(rows))
	n, _ := reader.ReadRows(got)
	require.Equal(t, len(rows)-1, n)
	for i, row := range got[:n] {
		for k, v := range row {
			text := rows[i+1][k]
			switch {
			case v.IsNull():
				assert.Empty(t, text, names[k])
			case v.Kind() == parquet.Double:
				assert.Equal(t, text, number(v.Double()), names[k])
			default:
				assert.Equal(t, text, v.String(), names[k])
			}
		}
	}
}

// The table has the axes as given and as numbers, and each metric with its
// unit.
func TestRunTable(t *testing.T) {
	file, dir := write(t, tiny), t.TempDir()
	run(t, Spec{Files: []string{file}, Sets: []string{"switch.ecn.pmax=20%,1", "nic.cnp.delay=0us,2us", "workload[burst].senders=h[1-4],h[1-8]"}}, Options{Dir: dir})
	rows := readCSV(t, filepath.Join(dir, "runs.csv"))
	require.Len(t, rows, 9)
	column := func(name string) int {
		k := slices.Index(rows[0], name)
		require.GreaterOrEqual(t, k, 0, "%s in %v", name, rows[0])
		return k
	}
	assert.Equal(t, "20%", rows[1][column("switch.ecn.pmax")])
	assert.Equal(t, "0.2", rows[1][column("switch.ecn.pmax_value")])
	assert.Equal(t, "2", rows[3][column("nic.cnp.delay_us")])
	assert.Equal(t, "h[1-4]", rows[1][column("workload[burst].senders")])
	assert.NotContains(t, rows[0], "workload[burst].senders_value")
	assert.Equal(t, "4", rows[1][column("flows.total")])
	assert.Equal(t, "8", rows[2][column("flows.total")])
	// 8 x 100 KB at 98 Gb/s of payload last 65 us.
	assert.Regexp(t, `^[67]\d\.\d+$`, rows[2][column("makespan_us")])
	assert.Equal(t, "", rows[1][column("latency.p99_us")], "no probes")
}

// Two scenarios side by side, each judged by itself.
func TestSeveralScenarios(t *testing.T) {
	file, dir := write(t, tiny), t.TempDir()
	other := write(t, strings.Replace(tiny, "name: tiny", "name: other", 1))
	out := run(t, Spec{Files: []string{file, other}, Sets: []string{"switch.ecn.kmin=10KB,20KB"}, Seeds: "2"}, Options{Dir: dir})
	assert.Contains(t, out.Summary(), "\ntiny, minimise fct.p99\n")
	assert.Contains(t, out.Summary(), "\nother, minimise fct.p99\n")
	assert.Contains(t, out.Summary(), "recommended  other, kmin=")
	assert.Len(t, readCSV(t, filepath.Join(dir, "runs.csv")), 1+8)
	// A name is no part of what is simulated, but of the record.
	_, err := Load(Spec{Files: []string{file, file}, Sets: []string{"switch.ecn.kmin=10KB,20KB"}})
	assert.ErrorContains(t, err, `are both named "tiny"`)
}

// The sweep section gives what the command line leaves out.
func TestBlockAndFlags(t *testing.T) {
	file := write(t, tiny+`sweep:
  axes:
    switch.ecn.kmin: [10KB, 20KB]
    switch.ecn.kmax: [100KB, 200KB]
  linked: [[switch.ecn.kmin, switch.ecn.kmax]]
  seeds: 3
  metrics: [queue.peak]
  objective: queue.peak
`)
	s, err := Load(Spec{Files: []string{file}})
	require.NoError(t, err)
	n, err := s.Runs()
	require.NoError(t, err)
	assert.Equal(t, 6, n)
	assert.Equal(t, "minimise queue.peak", s.Objective.Words())

	s, err = Load(Spec{Files: []string{file}, Sets: []string{"switch.ecn.kmax=150KB"}, Seeds: "1", Objective: "fct.mean"})
	require.NoError(t, err)
	assert.Equal(t, "minimise fct.mean", s.Objective.Words())
	n, err = s.Runs()
	require.NoError(t, err)
	assert.Equal(t, 2, n, "kmax is held, so its link is void")

	s, err = Load(Spec{Files: []string{file}, Sets: []string{"nic.cnp.delay=1us,2us,3us"}})
	require.NoError(t, err)
	n, err = s.Runs()
	require.NoError(t, err)
	assert.Equal(t, 9, n, "an axis of the command line replaces those of the file")
	assert.Equal(t, "minimise queue.peak", s.Objective.Words())
}
