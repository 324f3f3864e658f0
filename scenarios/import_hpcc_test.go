package scenarios

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios/importer/hpcc"
	"rocesim/sim"
	switching "rocesim/switch"
)

// The files of a small run: four hosts on two switches, whose ids do not follow
// those of the hosts.
const (
	hpccTopology = `6 2 6
0 3
1 0 100Gbps 1000ns 0
2 0 100Gbps 1000ns 0
0 3 400Gbps 1000ns 0
0 3 400Gbps 1000ns 0
4 3 100Gbps 1000ns 0
5 3 100Gbps 1000ns 0.001
`
	hpccFlows = `5
1 4 3 100 3000 2.000001
2 4 3 100 3000 2.000001
1 4 3 200 1000 2.000002
1 2 5 100 70000 2.000000
1 4 3 100 20 2.000100
`
	hpccConfig = `PACKET_PAYLOAD_SIZE 1000
ENABLE_QCN 1
CC_MODE 1
HAS_WIN 1
KMAX_MAP 2 100000000000 1600 400000000000 6400
KMIN_MAP 2 100000000000 400 400000000000 1600
PMAX_MAP 2 100000000000 0.20 400000000000 0.20
BUFFER_SIZE 16
SIMULATOR_STOP_TIME 2.5
ACK_HIGH_PRIO 1
RP_TIMER 300
EWMA_GAIN 0.00390625
RATE_AI 20Mb/s
RATE_HAI 200Mb/s
L2_ACK_INTERVAL 1
`
)

// hpccFiles writes the three files and returns their paths.
func hpccFiles(t *testing.T, topology, flows, config string) (paths [3]string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "my run, 1")
	require.NoError(t, os.Mkdir(dir, 0o755))
	for i, text := range []string{topology, flows, config} {
		paths[i] = filepath.Join(dir, []string{"topology.txt", "flow.txt", "config.txt"}[i])
		require.NoError(t, os.WriteFile(paths[i], []byte(text), 0o644))
	}
	return paths
}

func importSmall(t *testing.T, sets ...string) *Import {
	t.Helper()
	f := hpccFiles(t, hpccTopology, hpccFlows, hpccConfig)
	im, err := ImportHPCC(f[0], f[1], f[2], sets)
	require.NoError(t, err)
	return im
}

func importPlan(t *testing.T, im *Import) *Plan {
	t.Helper()
	p, err := im.Scenario.Plan()
	require.NoError(t, err)
	return p
}

func TestImportHPCC(t *testing.T) {
	im := importSmall(t)
	p := importPlan(t, im)
	assert.Equal(t, "hpcc-my-run-1", p.Name)
	assert.Equal(t, sim.Nanosecond, p.Quantum, "times are floored")
	assert.Equal(t, 500*sim.Millisecond, p.StopTime, "from the second in which the first flow starts")
	assert.True(t, p.StopWhenDone)
	assert.Equal(t, []string{"flows-pg3-port100", "flows-pg3-port200", "flows-pg5-port100"}, p.Names)

	// The hash of the original sees node ids.
	assert.Equal(t, []uint32{hpcc.IP(1), hpcc.IP(2), hpcc.IP(4), hpcc.IP(5)}, p.Addresses)
	for i, id := range []uint32{0, 3} {
		assert.Equal(t, switching.Murmur3, p.Switches[i].Routing)
		assert.Equal(t, id, p.Switches[i].HashSeed)
	}

	// The MMU of the original: reserve, headroom, threshold and ECN by rate.
	sw := &p.Switches[0]
	assert.Equal(t, uint8(1<<3|1<<5), sw.PFC.Enabled, "the priorities of the flows")
	assert.Equal(t, int64(37_500), sw.Ports[0].Headroom)
	assert.Equal(t, int64(150_000), sw.Ports[2].Headroom)
	assert.Equal(t, int64(switching.AlphaOne/8), sw.Ports[0].Threshold.Alpha)
	assert.Equal(t, int64(switching.AlphaOne/2), sw.Ports[2].Threshold.Alpha)
	assert.Equal(t, int64(400_000), sw.Ports[0].RED.Kmin)
	assert.Equal(t, int64(6_400_000), sw.Ports[2].RED.Kmax)
	assert.Equal(t, int64(16<<20-2*(2*37_500+2*150_000+4*4096)), sw.Buffer.Shared)

	n := &p.NICs[0]
	assert.Equal(t, 1000, n.MTU)
	assert.True(t, n.EchoCNP)
	assert.True(t, n.AcksUnpaused)
	assert.Equal(t, 1, n.AckEvery)
	assert.Equal(t, 500*sim.Microsecond, n.NakInterval)
	assert.Equal(t, 20*sim.Mbps, p.CC.Params[0].RateAI)
	assert.Equal(t, 300*sim.Microsecond, p.CC.Params[0].TimerPeriod)
}

// TestImportHPCCNotes tells what the files ask for in vain.
func TestImportHPCCNotes(t *testing.T) {
	notes := strings.Join(importPlan(t, importSmall(t)).Notes, "\n")
	assert.Contains(t, notes, "topology.txt:6:1: parallel to the link in line 5")
	assert.Contains(t, notes, "flow.txt:5:1: this flow starts before the one in line 4")
	assert.Contains(t, notes, "fault all the time: link 5:3 loses frames with probability 0.001")
}

// TestImportHPCCFCT checks the rows that a run gives: in order of completion,
// on the clock of the file, with the original's ports.
func TestImportHPCCFCT(t *testing.T) {
	im := importSmall(t)
	run, err := Run(context.Background(), im.Scenario, RunOptions{})
	require.NoError(t, err)
	rows := im.FCT(run)
	require.Len(t, rows, 5)
	byBytes := map[int64]hpcc.FCTRow{}
	for i, r := range rows {
		byBytes[r.Bytes] = r
		if i > 0 {
			assert.LessOrEqual(t, rows[i-1].StartNs+rows[i-1].FCTNs, r.StartNs+r.FCTNs)
		}
	}
	last := byBytes[20]
	assert.Equal(t, hpcc.FCTRow{
		SrcNode: 1, DstNode: 4, SPort: 10002, DPort: 100, Bytes: 20, StartNs: 2_000_100_000,
		// 68 and 60 bytes over 100G, 400G and 100G, floored, and 6 us of wire.
		FCTNs: 6000 + 5 + 1 + 5 + 4 + 1 + 4,
		// The original's formula has a full payload on each link.
		IdealNs: 6000 + 80 + 20 + 80 + 5,
	}, last)

	dir := t.TempDir()
	require.NoError(t, im.WriteFCT(dir, run))
	data, err := os.ReadFile(filepath.Join(dir, "fct.txt"))
	require.NoError(t, err)
	var want bytes.Buffer
	require.NoError(t, hpcc.WriteFCT(&want, rows))
	assert.Equal(t, want.String(), string(data))
	assert.Error(t, im.WriteFCT(filepath.Join(dir, "missing"), run))
}

// TestImportHPCCPresets turns an imported run to a real NIC and switch: then
// their values hold instead of the configuration's.
func TestImportHPCCPresets(t *testing.T) {
	im := importSmall(t, "nic.preset=connectx-6-dx", "switch.preset=sonic-tomahawk3", "cc.preset=connectx")
	p := importPlan(t, im)
	assert.Equal(t, sim.Picosecond, p.Quantum, "times are exact")
	assert.False(t, p.NICs[0].AcksUnpaused)
	assert.Equal(t, 1000, p.NICs[0].MTU, "the traffic stays")
	assert.Equal(t, 5*sim.Mbps, p.CC.Params[0].RateAI)
	assert.Empty(t, p.Warnings, "the traffic's class is lossless there too")
	run, err := Run(context.Background(), im.Scenario, RunOptions{})
	require.NoError(t, err)
	for _, row := range im.FCT(run) {
		assert.Greater(t, row.FCTNs, row.IdealNs, "a real NIC takes longer")
	}
}

// TestImportHPCCWithoutConfig takes the presets' values.
func TestImportHPCCWithoutConfig(t *testing.T) {
	f := hpccFiles(t, hpccTopology, hpccFlows, "")
	im, err := ImportHPCC(f[0], f[1], "", []string{"name=plain", "workload[flows-pg3-port100].flows[0].bytes=5000B"})
	require.NoError(t, err)
	p := importPlan(t, im)
	assert.Equal(t, "plain", p.Name)
	assert.Equal(t, sim.Second, p.StopTime)
	assert.Equal(t, 20*sim.Mbps, p.CC.Params[0].RateAI, "5 Mb/s for each 25 Gb/s")
	run, err := Run(context.Background(), im.Scenario, RunOptions{})
	require.NoError(t, err)
	assert.Equal(t, int64(5000), run.Flows[1].Bytes, "--set reaches flows that stand first in their entry")
}

// Their runs may have a stop time of hours, as they end with the last flow; stop.max
// may not.
func TestImportHPCCEndsInTime(t *testing.T) {
	f := hpccFiles(t, hpccTopology, hpccFlows, strings.Replace(hpccConfig, "2.5", "5000", 1))
	im, err := ImportHPCC(f[0], f[1], f[2], nil)
	require.NoError(t, err)
	assert.Equal(t, 60*sim.Second, importPlan(t, im).StopTime)
}

func TestImportHPCCErrors(t *testing.T) {
	broken := hpccFiles(t, "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 fast 1us 0\n", hpccFlows, "RP_TIMER x\n")
	good := hpccFiles(t, hpccTopology, hpccFlows, strings.Replace(hpccConfig, "2.5", "1.5", 1))
	rates := hpccFiles(t, hpccTopology, hpccFlows,
		"KMAX_MAP 1 100000000000 1600\nKMIN_MAP 1 100000000000 400\nPMAX_MAP 1 100000000000 0.20\n")
	cases := []struct {
		name  string
		files [3]string
		sets  []string
		want  []string
	}{
		{"broken files", broken, nil, []string{
			broken[0] + `:4:5: "fast" is not allowed, must be a rate from 1Mbps to 100Tbps like 100Gbps or 50Mb/s`,
			broken[2] + `:1:10: "x" is not allowed, must be a time in us from 0 to 6e+07`,
		}},
		{"missing files", [3]string{"no-topology.txt", good[1], "no-config.txt"}, nil, []string{
			"no-topology.txt: there is no such file",
			"no-config.txt: there is no such file",
		}},
		{"end before the beginning", good, nil, []string{
			good[2] + ": SIMULATOR_STOP_TIME is 1.5s, must be later than 2s, the second in which the first flow starts",
		}},
		{"no thresholds for a rate", rates, nil, []string{
			rates[2] + ": the topology has links of 400Gbps, for which there must be values in KMIN_MAP, KMAX_MAP and PMAX_MAP",
		}},
		{"bad flags", [3]string{good[0], good[1], ""}, []string{"nic.mtuu=1", "switch.preset=tomahawk"}, []string{
			`--set nic.mtuu=1: nic.mtuu: unknown key`,
			`--set switch.preset=tomahawk: switch.preset: unknown switch preset`,
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := ImportHPCC(c.files[0], c.files[1], c.files[2], c.sets)
			var all Errors
			require.ErrorAs(t, err, &all)
			require.Len(t, all, len(c.want), "%v", err)
			for i, want := range c.want {
				assert.Contains(t, all[i].Error(), want)
			}
		})
	}
}
