package scenarios

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/fabric"
	"rocesim/nic/rc"
	"rocesim/results"
	"rocesim/scenarios/model"
	"rocesim/sim"
)

// hpccSpines is four hosts on two leaves (4, 5) under two spines (6, 7).
const hpccSpines = `8 4 8
4 5 6 7
0 4 100Gbps 1us 0
1 4 100Gbps 1us 0
2 5 100Gbps 1us 0
3 5 100Gbps 1us 0
4 6 100Gbps 1us 0
4 7 100Gbps 1us 0
5 6 100Gbps 1us 0
5 7 100Gbps 1us 0
`

// importWith imports hpccSpines with flows (bytes each) to node 2, and lines
// added to hpccConfig without its window.
func importWith(t *testing.T, topology, flows, config string, sets ...string) *Import {
	t.Helper()
	base := strings.Replace(hpccConfig, "HAS_WIN 1", "HAS_WIN 0", 1)
	f := hpccFiles(t, topology, flows, base+config)
	im, err := ImportHPCC(f[0], f[1], f[2], sets)
	require.NoError(t, err)
	return im
}

const (
	oneFlow  = "1\n0 2 3 100 1000000 2\n"
	farFlows = "3\n0 1 3 100 1000000 2\n0 2 3 100 1000000 2\n3 2 3 100 1000000 2\n"
)

func runImport(t *testing.T, im *Import) *results.Run {
	t.Helper()
	run, err := Run(context.Background(), im.Scenario, RunOptions{})
	require.NoError(t, err)
	return run
}

func retransmitted(run *results.Run) (packets int64) {
	for i := range run.NICs {
		packets += run.NICs[i].Retransmitted
	}
	return packets
}

// TestImportHPCCWindow: propagation to and fro is 4 us to the host beside and 8
// us across, with 80 ns for a payload on each link. At 100 Gb/s that is 52000
// and 104000 bytes.
func TestImportHPCCWindow(t *testing.T) {
	cases := []struct {
		config  string
		windows [4]int64
		note    string
	}{
		{"HAS_WIN 0\n", [4]int64{}, ""},
		{"HAS_WIN 1\n", [4]int64{104_000, 104_000, 104_000, 104_000}, ""},
		{"HAS_WIN 1\nVAR_WIN 1\n", [4]int64{104_000, 104_000, 104_000, 104_000}, "VAR_WIN (line 17) ignored: a window stays as large as at line rate"},
		{"HAS_WIN 1\nGLOBAL_T 0\n", [4]int64{104_000, 104_000, 104_000, 52_000}, "hosts whose flows go far and near have their largest window for all, in the original each pair has its own: nodes 0"},
		{"HAS_WIN 1\nPACKET_PAYLOAD_SIZE 1500\n", [4]int64{106_500, 106_500, 106_500, 106_500}, ""}, // 71 packets hold 106000
	}
	for _, c := range cases {
		t.Run(c.config, func(t *testing.T) {
			p := importPlan(t, importWith(t, hpccSpines, farFlows, c.config))
			for i, want := range c.windows {
				assert.Equal(t, want, p.NICs[i].Window, "node %d", i)
			}
			assert.Contains(t, strings.Join(p.Notes, "\n"), c.note)
		})
	}
	p := importPlan(t, importWith(t, hpccSpines, farFlows, "HAS_WIN 1\n", "nic.preset=connectx-6-dx"))
	assert.Zero(t, p.NICs[0].Window, "a preset replaces the configuration")
}

// TestImportHPCCWindowBoundsQueue has three flows of 1 MB to one host: with
// windows at most two of 104 packets of 1048 bytes and one of 52 are in the
// network.
func TestImportHPCCWindowBoundsQueue(t *testing.T) {
	const incast = "3\n0 2 3 100 1000000 2\n1 2 3 100 1000000 2\n3 2 3 100 1000000 2\n"
	peak := func(config string) (deepest int64) {
		run := runImport(t, importWith(t, hpccSpines, incast, "ENABLE_QCN 0\n"+config))
		for i := range run.Queues {
			deepest = max(deepest, run.Queues[i].PeakQueue)
		}
		return deepest
	}
	const bound = (104 + 104 + 52) * 1048
	assert.LessOrEqual(t, peak("HAS_WIN 1\nGLOBAL_T 0\n"), int64(bound))
	assert.Greater(t, peak(""), int64(2*bound), "without a window")
}

// TestImportHPCCLoss: a link has its own error rate or the configuration's.
func TestImportHPCCLoss(t *testing.T) {
	own := strings.Replace(hpccSpines, "2 5 100Gbps 1us 0", "2 5 100Gbps 1us 0.01", 1)
	rates := func(topology, config string) map[int]float64 {
		p := importPlan(t, importWith(t, topology, oneFlow, config))
		found := map[int]float64{}
		for _, f := range p.Faults {
			assert.Equal(t, model.LinkLoss, f.Kind)
			assert.Equal(t, model.Forward|model.Backward, f.Directions)
			assert.Equal(t, fabric.AllFrames, f.Loss.Frames, "pauses too: the receiving port draws for every frame")
			assert.Zero(t, f.At)
			assert.Zero(t, f.For)
			found[f.Target] = f.Loss.Probability
		}
		return found
	}
	assert.Empty(t, rates(hpccSpines, "ERROR_RATE_PER_LINK 0.0\n"))
	assert.Equal(t, map[int]float64{2: 0.01}, rates(own, ""))
	all := map[int]float64{}
	for i := range 8 {
		all[i] = 1e-5
	}
	assert.Equal(t, all, rates(hpccSpines, "ERROR_RATE_PER_LINK 0.00001\n"))
	all[2] = 0.01
	assert.Equal(t, all, rates(own, "ERROR_RATE_PER_LINK 0.00001\n"))

	im := importWith(t, own, oneFlow, "", "nic.timeout=1ms")
	run := runImport(t, im)
	assert.Positive(t, retransmitted(run))
	assert.Len(t, im.FCT(run), 1)
	assert.Contains(t, strings.Join(run.Manifest.Notes, "\n"), "flows may never end, for the original has no time-out")
}

// TestImportHPCCLinkDown takes the links between leaf 4 and one spine down. The
// flow crosses one of them: it loses packets there and arrives over the other.
func TestImportHPCCLinkDown(t *testing.T) {
	hit := 0
	for _, spine := range []int{6, 7} {
		im := importWith(t, hpccSpines, oneFlow, fmt.Sprintf("LINK_DOWN 20 %d 4\n", spine))
		p := importPlan(t, im)
		assert.Equal(t, []model.Fault{{Kind: model.LinkDown, At: 20 * sim.Microsecond, Target: spine - 2}}, p.Faults)
		assert.Zero(t, p.Convergence)
		assert.Contains(t, strings.Join(p.Notes, "\n"), fmt.Sprintf("fault from 20 us: link 4:%d is down", spine))
		run := runImport(t, im)
		assert.Len(t, im.FCT(run), 1)
		if retransmitted(run) > 0 {
			hit++
		}
	}
	assert.Equal(t, 1, hit, "the flow has one path")
}

func TestImportHPCCLinkDownTimes(t *testing.T) {
	twice := strings.Replace(strings.Replace(hpccSpines, "8 4 8", "8 4 9", 1), "5 7 100Gbps 1us 0\n", "5 7 100Gbps 1us 0\n0 5 100Gbps 1us 0\n", 1)
	cases := []struct {
		name, topology, flows, config string
		at                            sim.Time
		links                         int
		note                          string
	}{
		{"flows from 0 s", hpccSpines, "1\n0 2 3 100 1000 0.5\n", "LINK_DOWN 7 4 6\n", 2*sim.Second + 7*sim.Microsecond, 1, ""},
		{"before the flows", hpccSpines, "1\n0 2 3 100 1000 3.5\n", "SIMULATOR_STOP_TIME 4\nLINK_DOWN 7 4 6\n", 0, 1, ""},
		{"after the end", hpccSpines, oneFlow, "LINK_DOWN 500000 4 6\n", 0, 0, "LINK_DOWN (line 16) ignored: the run ends before"},
		{"no such link", hpccSpines, oneFlow, "LINK_DOWN 7 4 5\n", 0, 0, "LINK_DOWN (line 16) ignored: the topology has no link between nodes 4 and 5"},
		{"parallel", hpccTopology, "1\n1 4 3 100 1000 2\n", "LINK_DOWN 7 3 0\n", 7 * sim.Microsecond, 2, ""},
		{"host with two", twice, oneFlow, "LINK_DOWN 7 0 5\n", 7 * sim.Microsecond, 1, "LINK_DOWN: flows of node 0 stay on the NIC whose link fails"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := importPlan(t, importWith(t, c.topology, c.flows, c.config))
			down := 0
			for _, f := range p.Faults {
				if f.Kind == model.LinkDown {
					assert.Equal(t, c.at, f.At)
					assert.Zero(t, f.For)
					down++
				}
			}
			assert.Equal(t, c.links, down)
			assert.Contains(t, strings.Join(p.Notes, "\n"), c.note)
		})
	}
}

func TestImportHPCCBackToZero(t *testing.T) {
	const endless = "L2_BACK_TO_ZERO: flows that are no whole number of chunks of %d bytes end here, in the original never"
	cases := []struct {
		config string
		want   rc.Recovery
		notes  []string
	}{
		{"L2_BACK_TO_ZERO 0\nL2_CHUNK_SIZE 1000000\n", rc.GoBackN, nil},
		{"L2_BACK_TO_ZERO 1\nL2_CHUNK_SIZE 1000000\n", rc.GoBack0, nil},
		{"L2_BACK_TO_ZERO 1\nL2_CHUNK_SIZE 2000000\n", rc.GoBack0, []string{fmt.Sprintf(endless, 2_000_000)}},
		{"L2_BACK_TO_ZERO 1\nL2_CHUNK_SIZE 4000\n", rc.GoBackN, []string{
			"L2_BACK_TO_ZERO (line 16), L2_CHUNK_SIZE (line 17) ignored: after a loss the sender goes back to the lost packet, in the original to the start of its chunk of 4000 bytes (the longest flow has 1000000)",
		}},
		{"L2_BACK_TO_ZERO 1\nL2_CHUNK_SIZE 0\n", rc.GoBackN, []string{fmt.Sprintf(endless, 0)}},
	}
	for _, c := range cases {
		t.Run(c.config, func(t *testing.T) {
			p := importPlan(t, importWith(t, hpccSpines, oneFlow, c.config))
			assert.Equal(t, c.want, p.NICs[0].Recovery)
			notes := strings.Join(p.Notes, "\n")
			for _, want := range c.notes {
				assert.Contains(t, notes, want)
			}
			if c.notes == nil {
				assert.NotContains(t, notes, "L2_")
			}
		})
	}
}

func TestRanges(t *testing.T) {
	assert.Equal(t, "7", ranges([]int{7}))
	assert.Equal(t, "0-3,7,9-10", ranges([]int{0, 1, 2, 3, 7, 9, 10}))
}

// TestImportHPCCReference: what the recorded runs of the original ask for is all
// honoured, and nothing goes wrong in them.
func TestImportHPCCReference(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob("../../shared/reference/ns3/*")
	require.NoError(t, err)
	if len(dirs) == 0 {
		t.Skip("no reference runs here")
	}
	for _, dir := range dirs {
		if _, err := os.Stat(filepath.Join(dir, "flow.txt")); err != nil {
			continue
		}
		file := func(name string) string { return filepath.Join(dir, name) }
		im, err := ImportHPCC(file("topology.txt"), file("flow.txt"), file("config.txt"), nil)
		require.NoError(t, err)
		p := importPlan(t, im)
		assert.Empty(t, p.Faults, dir)
		assert.Zero(t, p.NICs[0].Window, dir)
		assert.Equal(t, rc.GoBackN, p.NICs[0].Recovery, dir)
	}
}
