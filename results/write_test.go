package results

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/sim"
)

// contents reads every file below dir.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[name] = string(text)
		return err
	}))
	return files
}

func write(t *testing.T, dir string, run *Run) {
	t.Helper()
	s := Summarise(run)
	require.NoError(t, Write(dir, run, &s))
}

func TestWriteMakesAllDocumentedFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b", "tiny")
	write(t, dir, tiny())
	files := contents(t, dir)
	want := []string{"manifest.json", "summary.json", "summary.txt"}
	for _, f := range Files() {
		want = append(want, f.Name)
		rows, err := csv.NewReader(strings.NewReader(files[f.Name])).ReadAll()
		require.NoError(t, err, f.Name)
		require.Greater(t, len(rows), 1, f.Name)
		for i, c := range f.Columns {
			assert.Equal(t, c.Name, rows[0][i])
		}
	}
	assert.Len(t, files, len(want))
	for _, name := range want {
		assert.Contains(t, files, name)
	}
	left, err := os.ReadDir(filepath.Dir(dir))
	require.NoError(t, err)
	assert.Len(t, left, 1, "nothing unfinished is left behind")
}

func TestFlowsCSV(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tiny")
	write(t, dir, tiny())
	lines := strings.Split(contents(t, dir)["flows.csv"], "\n")
	assert.Equal(t, "flow,workload,src,dst,priority,udp_source_port,size_bytes,measured_bytes,start_us,delivered_us,"+
		"completed_us,ideal_us,fct_us,slowdown_ratio,unfinished_reason", lines[0])
	assert.Equal(t, "0,bulk,h0,h1,3,49152,100000,100000,0,19,20,10,20,2,", lines[1])
	assert.Equal(t, "1,bulk,h1,h0,3,49153,500000,250000,20,,,45,,,run-ended", lines[2])
}

func TestSeriesCSV(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tiny")
	write(t, dir, tiny())
	files := contents(t, dir)
	assert.Equal(t, "node,port,peer,priority,time_us,depth_bytes\n"+
		"leaf0,0,h0,3,0,0\nleaf0,0,h0,3,50,70000\nleaf0,0,h0,3,100,500.25\n", files["series/queues.csv"])
	assert.Equal(t, "name,time_us,goodput_gbps\nbulk,50,40\nbulk,100,20\n", files["series/rates.csv"])
	assert.Equal(t, "node,port,peer,time_us,utilisation_ratio\nh0,0,leaf0,50,0.75\nh0,0,leaf0,100,0.25\n", files["series/utilisation.csv"])
	assert.Equal(t, "node,port,peer,priority,time_us,ecn_marked_packets\nleaf0,0,h0,3,50,9\nleaf0,0,h0,3,100,3\n", files["series/marks.csv"])
	assert.Equal(t, "name,counter,time_us,cnp_packets\nall NICs,np_cnp_sent,50,4\nall NICs,np_cnp_sent,100,2\n"+
		"h1,np_cnp_sent,50,4\nh1,np_cnp_sent,100,2\nh0,rp_cnp_handled,50,3\nh0,rp_cnp_handled,100,2\n", files["series/cnps.csv"])
	assert.Equal(t, "name,time_us,rate_mean_gbps,rate_min_gbps,rate_max_gbps\nbulk,50,60,40,80\nbulk,100,,,\n", files["series/dcqcn.csv"])
}

func TestManifestJSON(t *testing.T) {
	run := tiny()
	run.Manifest.Stop = Interrupted
	run.Manifest.Source, run.Manifest.Overrides = []string{"fabric.yaml"}, []string{"cc.algorithm=none"}
	dir := filepath.Join(t.TempDir(), "tiny")
	write(t, dir, run)
	var got map[string]any
	require.NoError(t, json.Unmarshal([]byte(contents(t, dir)["manifest.json"]), &got))
	assert.Len(t, got["files"], len(Files()), "the hash of every table")
	delete(got, "files")
	text, err := json.Marshal(got)
	require.NoError(t, err)
	assert.JSONEq(t, `{"format": "rocesim run 4", "tool_version": "0.1.0", "name": "tiny", "question": "Does it add up?",
		"seed": 7, "source": ["fabric.yaml"], "overrides": ["cc.algorithm=none"], "fingerprint": "0000000000000abc", "simulated_us": 100,
		"measure_from_us": 0, "stop": "interrupted", "partial": true, "events": 100, "packet_hops": 40,
		"largest_frame_wire_bytes": 4178, "pause_frame_wire_bytes": 84, "scenario": "name: tiny\n"}`, string(text))
}

func TestSameRunSameBytes(t *testing.T) {
	parent := t.TempDir()
	write(t, filepath.Join(parent, "a"), tiny())
	write(t, filepath.Join(parent, "b"), tiny())
	assert.Equal(t, contents(t, filepath.Join(parent, "a")), contents(t, filepath.Join(parent, "b")))
}

func TestWriteReplacesItsOwnDirectoryOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tiny")
	write(t, dir, tiny())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "stale.csv"), nil, 0o644))
	require.NoError(t, CheckDir(dir))
	write(t, dir, tiny())
	assert.NotContains(t, contents(t, dir), "stale.csv", "an old run leaves nothing behind")

	for name, manifest := range map[string]string{"none": "", "text": "hello", "other": `{"format": "npm"}`} {
		foreign := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.Mkdir(foreign, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(foreign, "thesis.tex"), []byte("text"), 0o644))
		if manifest != "" {
			require.NoError(t, os.WriteFile(filepath.Join(foreign, "manifest.json"), []byte(manifest), 0o644))
		}
		before := contents(t, foreign)
		want := foreign + ": exists and was not made by rocesim, so it is left alone; choose another directory with -o"
		s := Summarise(tiny())
		require.EqualError(t, Write(foreign, tiny(), &s), want)
		require.EqualError(t, CheckDir(foreign), want)
		assert.Equal(t, before, contents(t, foreign))
	}
}

func TestWriteTakesAnEmptyDirectory(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, tiny())
	assert.Contains(t, contents(t, dir), "manifest.json")
}

func TestFileInTheWay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	s := Summarise(tiny())
	for _, dir := range []string{file, filepath.Join(file, "run"), filepath.Join(file, "runs", "run")} {
		for _, err := range []error{Write(dir, tiny(), &s), CheckDir(dir)} {
			require.ErrorContains(t, err, dir+": ")
			require.ErrorContains(t, err, "a file is in the way")
		}
	}
}

// A failure on the way leaves neither a directory that looks complete nor
// anything beside it, and what was there before stays.
func TestFailureLeavesThingsAsTheyWere(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "tiny")
	full := func(string) error { return &fs.PathError{Op: "write", Path: "plots/fct_cdf.png", Err: syscall.ENOSPC} }
	s := Summarise(tiny())
	want := dir + ": no results written: the disk is full (write plots/fct_cdf.png: no space left on device)"
	require.EqualError(t, Write(dir, tiny(), &s, full), want)
	left, err := os.ReadDir(parent)
	require.NoError(t, err)
	assert.Empty(t, left)

	write(t, dir, tiny())
	before := contents(t, dir)
	other := tiny()
	other.Manifest.Seed = 8
	require.EqualError(t, Write(dir, other, &s, full), want)
	assert.Equal(t, before, contents(t, dir))
}

func TestExtrasWriteIntoTheDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tiny")
	s := Summarise(tiny())
	require.NoError(t, Write(dir, tiny(), &s, func(dir string) error {
		return os.WriteFile(filepath.Join(dir, "fct.txt"), []byte("x"), 0o644)
	}))
	assert.Equal(t, "x", contents(t, dir)["fct.txt"])
}

func TestExplain(t *testing.T) {
	for err, want := range map[error]string{
		syscall.EROFS:       "d: no results written: no permission to write there (read-only file system)",
		fs.ErrPermission:    "d: no results written: no permission to write there (permission denied)",
		errors.New("crash"): "d: no results written: crash",
	} {
		assert.EqualError(t, explain("d", err), want)
	}
	assert.NoError(t, explain("d", nil))
}

// A million flows are written without being held as text.
func TestLargeTablesAreStreamed(t *testing.T) {
	run := many(50_000)
	flows := (&layout{Run: run}).flowTable()
	allocations := testing.AllocsPerRun(1, func() {
		require.NoError(t, flows.write(io.Discard))
	})
	assert.Less(t, allocations, 100.0, "none per row")
}

func TestAppendMicrosIsExact(t *testing.T) {
	assert.Equal(t, "0", string(appendMicros(nil, 0)))
	assert.Equal(t, "0.000001", string(appendMicros(nil, 1)))
	assert.Equal(t, "12.5", string(appendMicros(nil, 12_500_000)))
	assert.Equal(t, "-1.25", string(appendMicros(nil, -1_250_000)))
	rapid.Check(t, func(t *rapid.T) {
		ps := rapid.Int64Range(0, int64(sim.Never)).Draw(t, "ps")
		whole, fraction, _ := strings.Cut(string(appendMicros(nil, sim.Time(ps))), ".")
		back, err := strconv.ParseInt(whole+(fraction + "000000")[:6], 10, 64)
		require.NoError(t, err)
		require.Equal(t, ps, back)
	})
}

func TestAppendFloatAndText(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 1.0 / 3: "0.333333", 123456789: "123457000", 1e-9: "1e-09", 97.5: "97.5"} {
		assert.Equal(t, want, string(appendFloat(nil, v)))
	}
	for s, want := range map[string]string{"h0": "h0", "a,b": `"a,b"`, `say "x"`: `"say ""x"""`, "two\nlines": "\"two\nlines\""} {
		assert.Equal(t, want, string(appendText(nil, s)))
	}
}

func TestSummaryJSONIsStable(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tiny")
	write(t, dir, tiny())
	var s Summary
	require.NoError(t, json.Unmarshal([]byte(contents(t, dir)["summary.json"]), &s))
	assert.Equal(t, Summarise(tiny()), s, "reading it back gives the same summary")
}
