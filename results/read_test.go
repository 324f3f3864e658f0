package results

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/sim"
)

// written returns a directory with the tiny run in it.
func written(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tiny")
	write(t, dir, tiny())
	return dir
}

func TestReadReturnsWhatWasWritten(t *testing.T) {
	run, err := Read(written(t))
	require.NoError(t, err)
	assert.Equal(t, tiny(), run)
}

func TestReadOfAnEmptyRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "empty")
	write(t, dir, &Run{})
	run, err := Read(dir)
	require.NoError(t, err)
	assert.Equal(t, &Run{}, run)
}

// Names with commas, quotes and line breaks, partial runs, and any counter come
// back as they were; floating-point values as they are on disk, so that writing
// again gives equal bytes.
func TestReadRoundTrip(t *testing.T) {
	parent := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		run := tiny()
		run.Manifest.Stop = rapid.SampledFrom([]StopReason{Finished, StoppedTime, Interrupted, Stalled, Deadlocked}).Draw(t, "stop")
		run.Manifest.Stall = rapid.String().Draw(t, "stall")
		run.Manifest.Source = rapid.SliceOfN(rapid.String(), 1, 3).Draw(t, "source")
		run.Manifest.Deadlocks = rapid.SliceOfN(rapid.String(), 1, 3).Draw(t, "deadlocks")
		run.Nodes[1] = rapid.StringMatching(`[a-z ,"]{2,8}x`).Draw(t, "node")
		run.Workloads[0].Name = rapid.StringMatching(`[a-z ,"\n]{2,8}y`).Draw(t, "workload")
		f := &run.Flows[1]
		f.Bytes = rapid.Int64Min(1).Draw(t, "bytes")
		f.Start = sim.Time(rapid.Int64Range(0, 1e15).Draw(t, "start"))
		f.Unfinished = rapid.SampledFrom([]UnfinishedReason{RunEnded, RetriesSpent, NotAcknowledged, NeverStarted}).Draw(t, "reason")
		run.Ports[0].Rate = sim.Rate(rapid.Int64Range(1, 1e14).Draw(t, "rate"))
		run.Queues[1].MeanQueue = rapid.Float64Range(0, 1e9).Draw(t, "mean")
		run.Queues[1].TxBytes = rapid.Int64Min(0).Draw(t, "tx")
		run.Series[1].Name = run.Workloads[0].Name
		run.Series[7].Name = run.Workloads[0].Name

		n++
		first, second := filepath.Join(parent, "a", string(rune('a'+n%26))), filepath.Join(parent, "b")
		s := Summarise(run)
		require.NoError(t, Write(first, run, &s))
		back, err := Read(first)
		require.NoError(t, err)
		again := Summarise(back)
		require.NoError(t, Write(second, back, &again))
		for _, file := range append(Files(), FileDoc{Name: "manifest.json"}) {
			a, err := os.ReadFile(filepath.Join(first, file.Name))
			require.NoError(t, err)
			b, err := os.ReadFile(filepath.Join(second, file.Name))
			require.NoError(t, err)
			require.Equal(t, string(a), string(b), file.Name)
		}
	})
}

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct {
		name, file, old, new, want string
	}{
		{"another version", "manifest.json", "rocesim run 4", "rocesim run 2",
			`DIR/manifest.json: format is "rocesim run 2", written by rocesim 0.1.0; this version reads "rocesim run 4": simulate the scenario again`},
		{"another program", "manifest.json", "rocesim run 4", "npm", `DIR/manifest.json: format is "npm", so rocesim did not write it`},
		{"broken manifest", "manifest.json", `"seed": 7,`, `"seed" 7,`,
			`DIR/manifest.json:6: not a manifest of a run: invalid character '7' after object key`},
		{"text for a number", "manifest.json", `"seed": 7,`, `"seed": "x",`,
			`DIR/manifest.json:6: not a manifest of a run: json: cannot unmarshal string into Go struct field manifestJSON.seed of type uint64`},
		{"unknown end", "manifest.json", `"stop": "stopped"`, `"stop": "paused"`,
			`DIR/manifest.json: stop: "paused" is not finished, stopped, interrupted, stalled or deadlocked`},
		{"no fingerprint", "manifest.json", `0000000000000abc`, `zz`, `DIR/manifest.json: fingerprint: "zz" is not a hexadecimal number`},
		{"renamed column", "flows.csv", "size_bytes", "size", `DIR/flows.csv:1: column 7 is "size", want "size_bytes"`},
		{"no number", "flows.csv", "1,bulk,h1,h0,3,49153,500000", "1,bulk,h1,h0,3,49153,many", `DIR/flows.csv:3: size_bytes: "many" is not a whole number`},
		{"negative", "flows.csv", "500000,250000", "500000,-1", `DIR/flows.csv:3: measured_bytes: "-1" is not a whole number`},
		{"too large", "flows.csv", "49153", "70000", `DIR/flows.csv:3: udp_source_port: "70000" is not a whole number`},
		{"unknown node", "flows.csv", "1,bulk,h1,h0", "1,bulk,h9,h0", `DIR/flows.csv:3: src: "h9" is not a node in nodes.csv`},
		{"unknown workload", "flows.csv", "1,bulk", "1,bulky", `DIR/flows.csv:3: workload: "bulky" is not a workload in workloads.csv`},
		{"unknown reason", "flows.csv", "run-ended", "tired",
			`DIR/flows.csv:3: unfinished_reason: "tired" is not empty or one of run-ended, retries-exceeded, datagram, never-started, paused, waiting-for-timeout, window-full, waiting-for-ack`},
		{"too exact", "flows.csv", "0,19,20,10,20,2,", "0,19.0000001,20,10,20,2,",
			`DIR/flows.csv:2: delivered_us: "19.0000001" is not a number with at most 6 decimals`},
		{"derived value", "flows.csv", "0,19,20,10,20,2,", "0,19,20,10,20,1,",
			`DIR/flows.csv:2: slowdown_ratio: "1" does not follow from the other columns, which give "2"`},
		{"lost comma", "flows.csv", "1,bulk,h1", "1,bulk h1", `DIR/flows.csv:3: 14 columns, want 15`},
		{"open quote", "flows.csv", "1,bulk,h1", `1,bulk,"h1`, `DIR/flows.csv:6: extraneous or missing " in quoted-field`},
		{"flag", "workloads.csv", "latency,1", "latency,yes", `DIR/workloads.csv:3: probe_flag: "yes" is not 0 or 1`},
		{"unknown port", "pauses.csv", "h0,0,leaf0,3,40,43", "h0,5,leaf0,3,40,43", `DIR/pauses.csv:2: port: links.csv has no port 5 of h0`},
		{"other peer", "pauses.csv", "h0,0,leaf0,3,40,43", "h0,0,h1,3,40,43",
			`DIR/pauses.csv:2: peer: "h1" does not follow from the other columns, which give "leaf0"`},
		{"rate", "links.csv", "host>leaf,100", "host>leaf,fast", `DIR/links.csv:2: rate_gbps: "fast" is not a number`},
		{"not finite", "counters.csv", "1500.5", "NaN", `DIR/counters.csv:3: queue_mean_bytes: "NaN" is not a number`},
		{"missing sample", "series/queues.csv", "leaf0,0,h0,3,100,", "leaf0,0,h0,3,110,",
			`DIR/series/queues.csv:4: depth_bytes: the sample does not follow at the step of those before it`},
		{"unknown counter", "series/cnps.csv", "h1,np_cnp_sent,50", "h1,cnp_lost,50",
			`DIR/series/cnps.csv:4: counter: "cnp_lost" is not np_cnp_sent or rp_cnp_handled`},
		{"bound", "series/dcqcn.csv", "60,40,80", "60,few,80", `DIR/series/dcqcn.csv:2: rate_min_gbps: "few" is not a number`},
		{"plausible edit", "nics.csv", "h0,h0,dcqcn,0,0,5", "h0,h0,dcqcn,0,0,6",
			`DIR/nics.csv: changed since the run was written, its SHA-256 is not the one in manifest.json; simulate the scenario again`},
		{"cut off", "pauses.csv", "h0,0,leaf0,3,50,52\n", "", `DIR/pauses.csv: changed since the run was written`},
		{"empty file", "drops.csv", "*", "", `DIR/drops.csv: empty, want at least the line of column names`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := written(t)
			path := filepath.Join(dir, c.file)
			before, err := os.ReadFile(path)
			require.NoError(t, err)
			after := strings.Replace(string(before), c.old, c.new, 1)
			if c.old == "*" {
				after = c.new
			}
			require.NotEqual(t, string(before), after)
			require.NoError(t, os.WriteFile(path, []byte(after), 0o644))
			_, err = Read(dir)
			require.ErrorContains(t, err, strings.ReplaceAll(c.want, "DIR", dir))
		})
	}
}

func TestReadOfWhatIsNoRun(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	_, err := Read(missing)
	require.EqualError(t, err, missing+": no such directory; a run directory is what rocesim run wrote, by default below results/runs")
	file := filepath.Join(t.TempDir(), "tiny.yaml")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err = Read(file)
	require.EqualError(t, err, file+": a file and no run directory; name the directory that rocesim run wrote, by default below results/runs")
	other := t.TempDir()
	_, err = Read(other)
	require.EqualError(t, err, other+": not a run directory, it has no manifest.json; name the directory that rocesim run wrote, by default below results/runs")
	for _, f := range Files() {
		dir := written(t)
		require.NoError(t, os.Remove(filepath.Join(dir, f.Name)))
		_, err = Read(dir)
		require.EqualError(t, err, filepath.Join(dir, f.Name)+": missing, so the run directory is not complete; simulate the scenario again")
	}
}

// No table text makes Read panic or hang.
func FuzzReadTable(f *testing.F) {
	dir := f.TempDir()
	run := tiny()
	s := Summarise(run)
	if err := Write(filepath.Join(dir, "tiny"), run, &s); err != nil {
		f.Fatal(err)
	}
	files := Files()
	for i, doc := range files {
		text, err := os.ReadFile(filepath.Join(dir, "tiny", doc.Name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), string(text))
	}
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		run := tiny()
		run.Flows, run.Queues, run.NICs, run.Drops, run.Pauses, run.Paths, run.Latency, run.Series = nil, nil, nil, nil, nil, nil, nil, nil
		table := run.tables()[int(which)%len(files)]
		if table.file == "nodes.csv" || table.file == "workloads.csv" || table.file == "links.csv" {
			run = &Run{}
			table = run.tables()[int(which)%len(files)]
		}
		if err := table.read("f", strings.NewReader(text)); err != nil {
			require.Regexp(t, `^f:(\d+:| empty)`, err.Error())
		}
	})
}
