package scenarios

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/nic"
	"rocesim/scenarios/strict"
	"rocesim/scenarios/workload"
	"rocesim/sim"
	switching "rocesim/switch"
)

// The resolved form is the scenario: reading it changes nothing.
func TestResolvedReadsBack(t *testing.T) {
	t.Parallel()
	for _, e := range Library() {
		t.Run(e.Name, func(t *testing.T) {
			sc, err := Parse(e.Name, e.Text, nil)
			require.NoError(t, err)
			again, err := Parse(e.Name, sc.Resolved(), nil)
			require.NoError(t, err)
			assert.Equal(t, string(sc.Resolved()), string(again.Resolved()))
			first, err := sc.Plan()
			require.NoError(t, err)
			second, err := again.Plan()
			require.NoError(t, err)
			assert.Equal(t, first.Switches, second.Switches)
			assert.Equal(t, first.NICs, second.NICs)
			assert.Equal(t, first.Workload, second.Workload)
			assert.Equal(t, first.CC, second.CC)
			assert.Equal(t, first.Graph.Links, second.Graph.Links)
		})
	}
}

// cluster-200 as the README describes it: 200 servers with two 100G NICs each.
func TestCluster200(t *testing.T) {
	sc, err := Load("cluster-200.yaml", nil)
	require.NoError(t, err)
	p, err := sc.Plan()
	require.NoError(t, err)
	assert.Len(t, p.Graph.Hosts, 200)
	assert.Len(t, p.NICs, 400)
	assert.Len(t, p.Switches, 25)
	assert.Equal(t, 20*sim.Millisecond, p.StopTime)
	assert.False(t, p.StopWhenDone)
	leaf, spine := &p.Switches[0], &p.Switches[20]
	assert.Len(t, leaf.Ports, 25, "20 hosts and 5 spines")
	assert.Len(t, spine.Ports, 20)
	assert.Equal(t, uint8(3), leaf.Classes.DSCPToTC[26])
	assert.Equal(t, uint8(6), leaf.Classes.DSCPToTC[48])
	assert.Equal(t, uint8(1), leaf.Classes.DSCPToTC[20])
	assert.Equal(t, int64(68580), leaf.Ports[0].Headroom, "100G over 3 m takes the row for 5 m")
	assert.Equal(t, int64(201930), leaf.Ports[20].Headroom, "400G over 30 m takes the row for 40 m")
	assert.Equal(t, &switching.REDProfile{Kmin: 400_000, Kmax: 1_600_000, Pmax: 858993459, MarkOnly: true}, leaf.Queues[3].RED)
	assert.Nil(t, leaf.Queues[0].RED)
	assert.True(t, leaf.Queues[0].Lossy)
	assert.False(t, leaf.Queues[3].Lossy)
	assert.Equal(t, uint8(1<<3|1<<4), leaf.PFC.Enabled)
	// 65535 quanta at 400G last 83.885 us; half of that.
	assert.InDelta(t, 41.94, leaf.PFC.Refresh.Micros(), 0.01)
	assert.NotEqual(t, leaf.HashSeed, spine.HashSeed)
	assert.Equal(t, uint8(1<<3|1<<4), p.NICs[0].PFC)
	assert.Equal(t, uint8(3), p.NICs[0].DSCPToPriority[26])
	assert.Equal(t, uint8(6), p.NICs[0].DSCPToPriority[48])
	assert.Equal(t, []string{"shuffle", "storage", "probe"}, p.Names)
	storage := p.Workload[1].(workload.Incast)
	assert.Len(t, storage.Senders, 32)
	assert.Len(t, storage.Receivers, 1)
	assert.NotContains(t, storage.Senders, storage.Receivers[0])
	assert.Len(t, p.Workload[2].(workload.Latency).Pairs, 16)
}

func TestDrawsDependOnTheSeedOnly(t *testing.T) {
	text := `
name: draws
fabric: {topology: star, hosts: 40, host_link: {rate: 100Gbps, cable: 3m}}
stop: {time: 1ms}
workload:
  - {name: a, type: incast, senders: 5, receivers: "h[0-3]", bytes: 1KB}
  - {name: b, type: latency, pairs: 30, bytes: 2B, every: 10us}
`
	draw := func(set ...string) (workload.Incast, workload.Latency) {
		sc, err := Parse("draws.yaml", []byte(text), set)
		require.NoError(t, err)
		p, err := sc.Plan()
		require.NoError(t, err)
		return p.Workload[0].(workload.Incast), p.Workload[1].(workload.Latency)
	}
	a, b := draw()
	again, _ := draw("workload[b].pairs=2")
	assert.Equal(t, a, again, "an entry's draws do not depend on the others")
	other, _ := draw("seed=2")
	assert.NotEqual(t, a.Senders, other.Senders)
	assert.Equal(t, []int{0, 1, 2, 3}, a.Receivers)
	for _, s := range a.Senders {
		assert.Greater(t, s, 3, "drawn senders keep clear of the receivers")
	}
	assert.Len(t, b.Pairs, 30)
	seen := map[int]int{}
	for _, p := range b.Pairs[:20] {
		seen[p.Src]++
		seen[p.Dst]++
	}
	assert.Len(t, seen, 40, "20 pairs of 40 hosts share none")
}

func TestOverrides(t *testing.T) {
	sc, err := Parse("o.yaml", []byte(`
name: overrides
fabric:
  topology: leaf-spine
  leaves: 2
  spines: 2
  hosts: 4
  host_link: {rate: 100Gbps, cable: 3m}
  uplink: {rate: 100Gbps, cable: 30m}
  overrides:
    - {match: "leaf0:spine*", rate: 40Gbps, cable: 100m}
    - {match: "h3:*", delay: 7us}
switch:
  overrides:
    - {match: leaf1, pfc: {enabled: false}, ecn: {enabled: false}, dscp_to_tc: {26: 0}}
    - {match: "spine*", lossless: {xoff: 100KB}, headroom: {bytes: 0B}, latency: 1us}
nic:
  overrides:
    - {match: h2, mtu: 1024, pfc: {enabled: false}}
workload:
  - {name: w, type: flows, flows: [{from: h0, to: h3, bytes: 1MB}]}
`), nil)
	require.NoError(t, err)
	p, err := sc.Plan()
	require.NoError(t, err)
	slow := 0
	for _, l := range p.Graph.Links {
		switch {
		case strings.HasPrefix(l.Name, "leaf0:"):
			slow++
			assert.Equal(t, 40*sim.Gbps, l.Rate)
			assert.Equal(t, 500*sim.Nanosecond, l.Delay)
		case strings.HasPrefix(l.Name, "h3:"):
			assert.Equal(t, 7*sim.Microsecond, l.Delay)
		}
	}
	assert.Equal(t, 2, slow)
	leaf0, leaf1, spine0 := &p.Switches[0], &p.Switches[1], &p.Switches[2]
	assert.Equal(t, uint8(1<<3), leaf0.PFC.Enabled)
	assert.Zero(t, leaf1.PFC.Enabled)
	assert.NotNil(t, leaf0.Queues[3].RED)
	assert.Nil(t, leaf1.Queues[3].RED)
	assert.Equal(t, uint8(3), leaf0.Classes.DSCPToTC[26])
	assert.Equal(t, uint8(0), leaf1.Classes.DSCPToTC[26])
	assert.True(t, leaf0.Groups[3].Threshold.Dynamic)
	assert.Equal(t, switching.Threshold{Static: 100_000}, spine0.Groups[3].Threshold)
	assert.Zero(t, spine0.Ports[0].Headroom)
	assert.Equal(t, 500*sim.Nanosecond, spine0.IngressLatency)
	assert.Equal(t, 500*sim.Nanosecond, spine0.EgressLatency)
	assert.Equal(t, 4096, p.NICs[0].MTU)
	assert.Equal(t, 1024, p.NICs[2].MTU)
	assert.Zero(t, p.NICs[2].PFC)
	assert.Equal(t, []string{"data with DSCP 26 lands in a lossy class of 1 of 4 switches (leaf1); lossless are the classes of priorities [3]: set switch.overrides[0].dscp_to_tc: {26: 3}"}, p.Warnings)
}

// The most frequent mistake: SONiC's default map makes only DSCP 3 and 4
// lossless, adapters use 26 (SONiC's qos_config.j2).
func TestDSCPWarnings(t *testing.T) {
	p := planOf(t, "switch.preset=sonic-tomahawk3")
	assert.Equal(t, []string{"data with DSCP 26 lands in a lossy class of 1 of 1 switches (sw0); lossless are the classes of priorities [3 4]: set switch.dscp_to_tc: {26: 3}, or nic: {dscp: 3, dscp_to_priority: {3: 3}}, which the map knows"}, p.Warnings)
	p = planOf(t, "switch.preset=sonic-tomahawk3", "switch.dscp_to_tc={26: 3}")
	assert.Empty(t, p.Warnings)
	p = planOf(t, "switch.preset=sonic-tomahawk3", "nic.dscp=3")
	require.Len(t, p.Warnings, 1)
	assert.Contains(t, p.Warnings[0], "NICs send it with priority 0 and will not stop: set nic.dscp_to_priority: {3: 3}")
	p = planOf(t, "switch.preset=sonic-tomahawk3", "nic.dscp=3", "nic.dscp_to_priority={3: 3}")
	assert.Empty(t, p.Warnings)
}

func TestECNThresholds(t *testing.T) {
	red := func(rate, ecn string) *switching.REDProfile {
		p := planOf(t, "fabric.host_link.rate="+rate, "switch.ecn="+ecn)
		if r := p.Switches[0].Ports[0].RED; r != nil {
			return r
		}
		return p.Switches[0].Queues[3].RED
	}
	// HPCC issue 21: 100 and 400 KB for each 25G.
	assert.Equal(t, int64(400_000), red("100Gbps", "{preset: alibaba}").Kmin)
	assert.Equal(t, int64(6_400_000), red("400Gbps", "{preset: alibaba}").Kmax)
	assert.Equal(t, int64(100_000), red("400Gbps", "{preset: conweave}").Kmin)
	assert.Equal(t, int64(300_000), red("100Gbps", "{preset: dctcp}").Kmax)
	// SimAI's table by rate.
	assert.Equal(t, int64(300_000), red("200Gbps", "{preset: simai}").Kmin)
	assert.Equal(t, uint64(3435973837), red("200Gbps", "{preset: simai}").Pmax, "80 %")
	assert.Equal(t, int64(100_000), red("40Gbps", "{preset: simai}").Kmin, "no row: the base")
	own := red("100Gbps", "{preset: dcqcn-paper, at: enqueue, inclusive: true, weight: 9, cap_at_pmax: true, mark_only: false}")
	assert.Equal(t, &switching.REDProfile{Kmin: 5000, Kmax: 200_000, Pmax: 42949673, CapAtPmax: true, AtEnqueue: true, WithDeparting: true, Weight: 9}, own)
}

func TestWorkloadTypes(t *testing.T) {
	sc, err := Parse("w.yaml", []byte(`
name: types
fabric: {topology: star, hosts: 8, nics_per_host: 2, host_link: {rate: 100Gbps, cable: 3m}}
stop: {time: 1ms}
workload:
  - {name: f, type: flows, dscp: 0, no_cc: true, flows: [{from: h0, to: h1, bytes: 1MB, start: 5us, src_port: 10, dst_port: 100}]}
  - {name: p, type: permutation, hosts: "h[0-3]", bytes: 1MiB, partners: 2, qps: 3, rounds: 4, gap: 1us, barrier: true}
  - {name: a, type: all-to-all, hosts: [h1, h2, "h[5-6]"], bytes: 1KiB, window: 2, stop: 500us}
  - {name: o, type: poisson, sources: "h[0-3]", destinations: "h[4-7]", cdf: websearch, load: 30%, flows: 7, reuse: true}
  - {name: z, type: poisson, sizes: [{bytes: 1KB, below: 50%}, {bytes: 1MB, below: 100%}], load: 10%}
  - {name: s, type: saturate, nic: 2, pairs: [[h0, h1]], bytes: 64KiB, depth: 8, qps: 2, gap: 1us, burst: {messages: 128, pause: 4us}}
  - {name: d, type: datagrams, pairs: [[h0, h1]], rate: 50Gbps, bytes: 4KiB, steps: [{at: 10us, rate: 60Gbps}]}
`), nil)
	require.NoError(t, err)
	p, err := sc.Plan()
	require.NoError(t, err)
	assert.Equal(t, []string{"flows", "permutation", "all-to-all", "poisson", "poisson", "saturate", "datagrams"}, p.Types)
	common := func(name string) workload.Common {
		return workload.Common{Name: name, Class: workload.Class{DSCP: 26}}
	}
	assert.Equal(t, workload.Flows{
		Common: workload.Common{Name: "f", Class: workload.Class{NoCC: true}},
		Flows:  []workload.Flow{{Pair: workload.Pair{Src: 0, Dst: 1}, Bytes: 1_000_000, Start: 5 * sim.Microsecond, SrcPort: 10, DstPort: 100}},
	}, p.Workload[0])
	assert.Equal(t, workload.Permutation{
		Common: common("p"), Repeat: workload.Repeat{Rounds: 4, Gap: sim.Microsecond, Barrier: true},
		Hosts: []int{0, 1, 2, 3}, Bytes: 1 << 20, Partners: 2, QPs: 3,
	}, p.Workload[1])
	assert.Equal(t, workload.AllToAll{
		Common: common("a"), Repeat: workload.Repeat{Stop: 500 * sim.Microsecond}, Hosts: []int{1, 2, 5, 6}, Bytes: 1024, Window: 2,
	}, p.Workload[2])
	poisson := p.Workload[3].(workload.Poisson)
	assert.Equal(t, []int{4, 5, 6, 7}, poisson.Destinations)
	assert.InDelta(t, 0.3, poisson.Load, 1e-12)
	assert.Equal(t, 7, poisson.Flows)
	assert.Len(t, p.Workload[4].(workload.Poisson).Sources, 8)
	saturate := p.Workload[5].(workload.Saturate)
	assert.Equal(t, workload.NIC(2), saturate.NIC)
	assert.Equal(t, workload.Burst{Messages: 128, Pause: 4 * sim.Microsecond}, saturate.Burst)
	assert.Equal(t, []workload.RateStep{{At: 10 * sim.Microsecond, Rate: 60 * sim.Gbps}}, p.Workload[6].(workload.Datagrams).Steps)
	again, err := Parse("again.yaml", sc.Resolved(), nil)
	require.NoError(t, err)
	assert.Equal(t, string(sc.Resolved()), string(again.Resolved()))
}

func TestTopologies(t *testing.T) {
	link := "{rate: 100Gbps, cable: 3m}"
	cases := []struct {
		fabric                 string
		hosts, nics, sw, links int
	}{
		{"{topology: star, hosts: 3, nics_per_host: 2, host_link: L}", 3, 6, 1, 6},
		{"{topology: dumbbell, left: 2, right: 3, host_link: L, middle: L}", 5, 5, 2, 6},
		{"{topology: leaf-spine, leaves: 4, spines: 2, hosts: 8, host_link: L, uplink: {rate: 100Gbps, cable: 3m, count: 4}}", 8, 8, 6, 8 + 4*2*4},
		{"{topology: fat-tree, k: 4, host_link: L, uplink: L}", 16, 16, 20, 48},
		{"{topology: ring, switches: 3, hosts_per_switch: 2, host_link: L, ring_link: L}", 6, 6, 3, 9},
		{"{topology: explicit, hosts: [a, {name: b, nics: 2}], switches: [s], links: [{a: a, b: s, rate: 1Gbps, cable: 1m}, {a: b, b: s, rate: 1Gbps, delay: 1us}, {a: b, b: s, rate: 1Gbps, cable: 1m}]}", 2, 3, 1, 3},
	}
	for _, c := range cases {
		text := fmt.Sprintf("name: t\nfabric: %s\nworkload: [{name: w, type: permutation, bytes: 1KB}]\n", strings.ReplaceAll(c.fabric, "L", link))
		sc, err := Parse("t.yaml", []byte(text), nil)
		require.NoError(t, err, c.fabric)
		p, err := sc.Plan()
		require.NoError(t, err)
		assert.Equal(t, []int{c.hosts, c.nics, c.sw, c.links},
			[]int{len(p.Graph.Hosts), len(p.NICs), len(p.Switches), len(p.Graph.Links)}, c.fabric)
		again, err := Parse("again.yaml", sc.Resolved(), nil)
		require.NoError(t, err, c.fabric)
		assert.Equal(t, string(sc.Resolved()), string(again.Resolved()))
	}
}

func TestMedium(t *testing.T) {
	p := planOf(t, "fabric.medium.preset=copper")
	// 3 m at 4.76 ns and 100 ns of forward error correction.
	assert.Equal(t, sim.Time(3*4760+100_000), p.Graph.Links[0].Delay)
	p = planOf(t)
	assert.Equal(t, 15*sim.Nanosecond, p.Graph.Links[0].Delay)
}

func TestNICOptions(t *testing.T) {
	p := planOf(t, "nic={preset: ideal, arbitration: message, cnp: {scope: port, echo: true}, dscp_to_priority: {26: 5}, framing: rocev2-ipv6, pfc: {priorities: [5]}}")
	n := p.NICs[0]
	assert.True(t, n.PerMessage)
	assert.Equal(t, nic.PerPort, n.CNPScope)
	assert.True(t, n.EchoCNP)
	assert.Equal(t, uint8(5), n.DSCPToPriority[26])
	assert.Equal(t, uint8(1<<5), n.PFC)
	assert.Equal(t, 4096+82, p.Framing.Frame(4096, false))
	require.Len(t, p.Warnings, 1)
	assert.Equal(t, "switch sw0 pauses priority 3 for traffic with DSCP 26, but NICs send it with priority 5 and will not stop: set nic.dscp_to_priority: {26: 3}", p.Warnings[0])
}

func TestDistributionsAreNamed(t *testing.T) {
	for _, f := range strict.ShapeOf(Poisson{}).Describe() {
		if f.Path == "cdf" {
			assert.Equal(t, strings.Join(workload.CDFNames(), ", "), f.Allowed)
		}
	}
}

// Every key has a description, and its limits are in its own notation.
func TestKeysAreDescribed(t *testing.T) {
	sections := []any{
		Scenario{}, Star{}, Dumbbell{}, LeafSpine{}, FatTree{}, Ring{}, Explicit{}, ExplicitLink{},
		Flows{}, Incast{}, Permutation{}, AllToAll{}, Poisson{}, Saturate{}, Latency{}, Datagrams{}, Preset{},
	}
	for _, s := range sections {
		for _, f := range strict.ShapeOf(s).Describe() {
			assert.NotEmpty(t, f.Doc, "%T.%s", s, f.Path)
			assert.Regexp(t, `^[a-z0-9_.\[\]]+$`, f.Path)
		}
	}
}

func TestDistributionFiles(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sizes.txt"), []byte("0 0\n1000 15\n2000000 100"), 0o644))
	text := strings.Replace(small, "type: latency, pairs: [[h0, h1]], bytes: 2B, every: 10us", "type: poisson, cdf_file: sizes.txt, load: 10%", 1)
	file := filepath.Join(dir, "s.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	sc, err := Load(file, nil)
	require.NoError(t, err)
	p, err := sc.Plan()
	require.NoError(t, err)
	points := p.Workload[0].(workload.Poisson).Sizes.Points()
	assert.Equal(t, int64(1000), points[len(points)-2].Bytes)
	assert.InDelta(t, 15, points[len(points)-2].Percent, 1e-9)
	again, err := Parse("elsewhere.yaml", sc.Resolved(), nil)
	require.NoError(t, err, "the resolved scenario needs no other file")
	assert.Equal(t, string(sc.Resolved()), string(again.Resolved()))

	_, err = Load(file, []string{"workload[w].cdf_file=none.txt"})
	require.Error(t, err)
	assert.Equal(t, "--set workload[w].cdf_file=none.txt: workload[0].cdf_file: "+filepath.Join(dir, "none.txt")+": there is no such file", err.Error())
	_, err = Load(file, []string{"workload[w].cdf_file=/dev/zero"})
	assert.ErrorContains(t, err, "/dev/zero is not a file")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sizes.txt"), []byte("0 0\n1000 x\n2000000 50"), 0o644))
	_, err = Load(file, nil)
	assert.ErrorContains(t, err, "sizes.txt:2:6: ")
	checkErrors(t, err)
}
