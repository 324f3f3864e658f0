package hpcc

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shared is where results of the original simulator and its sample files lie
// on the developers' machines. Tests that need them are skipped elsewhere.
const shared = "../../../../shared"

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return data
}

// TestReferenceRuns reads every recorded run of the original, and predicts from
// its inputs everything in fct.txt but the completion times: ports, starts and
// ideal times, exactly.
func TestReferenceRuns(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join(shared, "reference", "ns3", "*"))
	require.NoError(t, err)
	if len(dirs) == 0 {
		t.Skip("no reference runs here")
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			topology, err := ParseTopology("topology.txt", readFile(t, filepath.Join(dir, "topology.txt")))
			require.NoError(t, err)
			set, err := ParseFlows("flow.txt", readFile(t, filepath.Join(dir, "flow.txt")), topology)
			require.NoError(t, err)
			config, err := ParseConfig("config.txt", readFile(t, filepath.Join(dir, "config.txt")))
			require.NoError(t, err)
			require.NoError(t, config.CheckRates("config.txt", topology.Graph.Rates()))
			assert.Empty(t, texts(topology.Warnings))
			assert.Empty(t, texts(set.Warnings))
			assert.Empty(t, texts(config.Warnings))
			assert.Empty(t, config.Unknown)
			comparePrediction(t, dir, topology, set, config)
		})
	}
}

func comparePrediction(t *testing.T, dir string, topology *Topology, set *FlowSet, config *Config) {
	t.Helper()
	path := filepath.Join(dir, "fct.txt")
	if _, err := os.Stat(path); err != nil {
		return // runs of long flows, of which only samples are recorded
	}
	var got []FCTRow
	for _, f := range set.Flows {
		got = append(got, FCTRow{
			SrcNode: f.SrcNode, DstNode: f.DstNode, SPort: f.SPort, DPort: f.DPort, Bytes: f.Bytes, StartNs: f.StartNs,
			IdealNs: topology.IdealNs(f.Src, f.Dst, f.Bytes, config.PayloadSize),
		})
	}
	var out bytes.Buffer
	require.NoError(t, WriteFCT(&out, got))
	assert.ElementsMatch(t, withoutFCT(readFile(t, path)), withoutFCT(out.Bytes()))
}

// withoutFCT returns the lines of an fct.txt as words, without the time that
// each flow took.
func withoutFCT(data []byte) (lines [][]string) {
	for line := range strings.Lines(string(data)) {
		words := strings.Fields(line)
		lines = append(lines, slices.Delete(words, 6, 7))
	}
	return lines
}

// TestReferencePauses reads the recorded pause frames; their nodes and ports
// must exist.
func TestReferencePauses(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(shared, "reference", "ns3", "*", "pfc.txt"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("no reference runs here")
	}
	for _, file := range files {
		topology, err := ParseTopology("topology.txt", readFile(t, filepath.Join(filepath.Dir(file), "topology.txt")))
		require.NoError(t, err)
		for line := range strings.Lines(string(readFile(t, file))) {
			var at, node, isSwitch, port int // the port counts from 1
			_, err := fmt.Sscan(line, &at, &node, &isSwitch, &port)
			require.NoError(t, err, line)
			require.Equal(t, node, topology.NodeID(node), "the runs number hosts before switches, as a graph does")
			require.Equal(t, isSwitch == 1, topology.Graph.IsSwitch(node))
			require.LessOrEqual(t, port, len(topology.Graph.Ports(node)))
		}
	}
}

// TestSampleFiles reads the files that the original and a descendant ship.
func TestSampleFiles(t *testing.T) {
	dir := filepath.Join(shared, "inputs", "hpcc")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no sample files here")
	}
	sizes := map[string][3]int{ // hosts, switches and links, as the first lines have them
		"topology.txt":                         {65, 1, 65},
		"fat.txt":                              {320, 56, 480},
		"ali_32host_10rack.txt":                {320, 28, 800},
		"conweave_fat_k4_100G_OS2.txt":         {32, 20, 64},
		"conweave_leaf_spine_128_100G_OS2.txt": {128, 16, 192},
	}
	for name, want := range sizes {
		g, err := ParseTopology(name, readFile(t, filepath.Join(dir, name)))
		require.NoError(t, err)
		require.Empty(t, g.Graph.Validate(), name)
		assert.Equal(t, want, [3]int{len(g.Graph.Hosts), len(g.Graph.Switches), len(g.Graph.Links)}, name)
	}
	g, err := ParseTopology("topology.txt", readFile(t, filepath.Join(dir, "topology.txt")))
	require.NoError(t, err)
	set, err := ParseFlows("flow.txt", readFile(t, filepath.Join(dir, "flow.txt")), g)
	require.NoError(t, err)
	assert.Len(t, set.Flows, 2, "the announced ones; others name nodes that do not exist")
	for _, name := range []string{"config.txt", "config_doc.txt"} {
		c, err := ParseConfig(name, readFile(t, filepath.Join(dir, name)))
		require.NoError(t, err)
		assert.Empty(t, c.Unknown)
		assert.Equal(t, []string{name + ":15:1: CC_MODE 3 (HPCC) is not modelled, only 1 (DCQCN) is"}, texts(c.Warnings))
	}
}
