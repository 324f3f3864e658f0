package validation_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/scenarios"
	"rocesim/scenarios/importer/hpcc"
)

// The ns3 tests repeat runs of the HPCC ns-3 simulator
// (alibaba-edu/High-Precision-Congestion-Control, commit 9f4be2a, DCQCN) from
// its own three input files and compare completion times. Expected numbers are
// what that program printed.

// ns3Input is one run: hosts around one switch, 1 us of cable each.
type ns3Input struct {
	hosts  int
	rate   string      // of all links
	flows  []ns3Flow   // in order of start
	config [][2]string // keys changed in testdata/ns3/config.txt
}

// ns3Flow is one line of flow.txt.
type ns3Flow struct {
	from, to int
	bytes    int64
	start    float64 // in s
}

// write puts the files into dir.
func (in *ns3Input) write(tb testing.TB, dir string) {
	tb.Helper()
	var topology, flows bytes.Buffer
	fmt.Fprintf(&topology, "%d 1 %d\n%d\n", in.hosts+1, in.hosts, in.hosts)
	for i := range in.hosts {
		fmt.Fprintf(&topology, "%d %d %s 1000ns 0.000000\n", i, in.hosts, in.rate)
	}
	fmt.Fprintln(&flows, len(in.flows))
	for _, f := range in.flows {
		fmt.Fprintf(&flows, "%d %d 3 100 %d %.9f\n", f.from, f.to, f.bytes, f.start)
	}
	config, err := os.ReadFile(filepath.Join("testdata", "ns3", "config.txt"))
	require.NoError(tb, err)
	for _, kv := range in.config {
		config = fmt.Appendf(config, "%s %s\n", kv[0], kv[1])
	}
	for name, text := range map[string][]byte{"topology.txt": topology.Bytes(), "flow.txt": flows.Bytes(), "config.txt": config} {
		require.NoError(tb, os.WriteFile(filepath.Join(dir, name), text, 0o644))
	}
}

// load imports the run, changed as by --set.
func (in *ns3Input) load(tb testing.TB, sets ...string) *scenarios.Import {
	tb.Helper()
	dir := tb.TempDir()
	in.write(tb, dir)
	return importNS3(tb, dir, sets...)
}

// importNS3 imports the three files in dir.
func importNS3(tb testing.TB, dir string, sets ...string) *scenarios.Import {
	tb.Helper()
	file := func(name string) string { return filepath.Join(dir, name) }
	im, err := scenarios.ImportHPCC(file("topology.txt"), file("flow.txt"), file("config.txt"), sets)
	require.NoError(tb, err)
	return im
}

// ns3Result is a run and its fct.txt.
type ns3Result struct {
	run  *results.Run
	rows []hpcc.FCTRow
}

func runNS3(tb testing.TB, im *scenarios.Import) ns3Result {
	tb.Helper()
	run, err := scenarios.Run(context.Background(), im.Scenario, scenarios.RunOptions{})
	require.NoError(tb, err)
	return ns3Result{run, im.FCT(run)}
}

// fcts are the completion times in ns, in the order of completion.
func (r *ns3Result) fcts() []int64 {
	var out []int64
	for _, row := range r.rows {
		out = append(out, row.FCTNs)
	}
	return out
}

// slowdowns are completion times over the reference's ideal ones.
func slowdowns(rows []hpcc.FCTRow) []float64 {
	var out []float64
	for _, row := range rows {
		out = append(out, float64(row.FCTNs)/float64(row.IdealNs))
	}
	return out
}

// pauses is the number of XOFF frames that switches sent.
func (r *ns3Result) pauses() int64 {
	var n int64
	for i := range r.run.Queues {
		n += r.run.Queues[i].TxXoff
	}
	return n
}
