package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios/congestion"
	"rocesim/scenarios/strict"
	"rocesim/sim"
	switching "rocesim/switch"
)

// small is a scenario with two hosts on one switch; sets complete it.
const small = `
name: small
fabric: {topology: star, hosts: 2, host_link: {rate: 100Gbps, cable: 3m}}
workload: [{name: w, type: latency, pairs: [[h0, h1]], bytes: 2B, every: 10us}]
stop: {time: 1ms}
`

func planOf(t *testing.T, sets ...string) *Plan {
	t.Helper()
	sc, err := Parse("small.yaml", []byte(small), sets)
	require.NoError(t, err)
	p, err := sc.Plan()
	require.NoError(t, err)
	return p
}

// Every value of every preset has a source that the preset explains, and every
// source explains a value.
func TestPresetsHaveSources(t *testing.T) {
	for _, kind := range PresetKinds() {
		require.NotEmpty(t, Presets(kind), kind)
		for _, p := range Presets(kind) {
			t.Run(kind+"/"+p.Name, func(t *testing.T) {
				assert.Equal(t, kind, p.Kind)
				unused := map[string]bool{}
				for _, s := range p.Sources {
					unused[s.ID] = true
				}
				known := len(unused)
				require.NotEmpty(t, p.Values())
				for _, v := range p.Values() {
					assert.NotEmpty(t, v.Sources, "%s = %s has no source", v.Path, v.Value)
					for _, id := range v.Sources {
						_, ok := find(p.Sources, id)
						assert.True(t, ok, "%s cites [%s], which is not explained", v.Path, id)
						delete(unused, id)
					}
				}
				assert.Empty(t, unused, "of %d sources", known)
			})
		}
	}
}

func find(sources []PresetSource, id string) (PresetSource, bool) {
	for _, s := range sources {
		if s.ID == id {
			return s, true
		}
	}
	return PresetSource{}, false
}

// A preset gives every value of its section: nothing is left to the zero of a
// programming language.
func TestPresetsAreComplete(t *testing.T) {
	// What a preset may leave out: names, lists of exceptions, and all but one
	// of several alternatives.
	optional := map[string]bool{
		"preset": true, "overrides": true, "buffer.shared": true, "buffer.total": true, "lossless.alpha": true, "lossless.xoff": true,
		"lossy.alpha": true, "lossy.limit": true, "lossy.queue_alpha": true, "lossy.queue_limit": true,
		"pfc.priorities": true, "table": true, "queues": true,
		"ttl":     true,                   // the host's choice, not the adapter's
		"rto_low": true, "rto_high": true, // of selective repeat, which no preset has
	}
	sections := map[string]any{"switch": Switch{}, "nic": NIC{}, "cable": Medium{}, "cc": congestion.Control{}, "ecn": ECN{}}
	for _, kind := range PresetKinds() {
		for _, p := range Presets(kind) {
			given := map[string]bool{}
			for _, v := range p.Values() {
				given[v.Path] = true
			}
			for _, f := range strict.ShapeOf(sections[kind]).Describe() {
				leaf := f.Takes != "a group" && f.Takes != "a list" && f.Takes != "a map" && f.Takes != ""
				group, _, _ := strings.Cut(f.Path, ".")
				inside := kind == "switch" && (group == "ecn" || group == "headroom") ||
					group != f.Path && slices.Contains([]string{"watchdog", "bump", "receive"}, group) // not there unless given
				element := strings.Contains(f.Path, "[]")
				if leaf && !inside && !element && !optional[f.Path] {
					assert.True(t, given[f.Path], "%s/%s does not give %s", kind, p.Name, f.Path)
				}
			}
		}
	}
}

// Presets reach the endpoints with the fabric's quantum.
func TestCCPresets(t *testing.T) {
	for _, line := range []sim.Rate{25 * sim.Gbps, 100 * sim.Gbps, 400 * sim.Gbps} {
		rate := fmt.Sprintf("fabric.host_link.rate=%v", line)
		paper, connectX, hpcc := congestion.MustParams("paper", line), congestion.MustParams("connectx", line), congestion.MustParams("hpcc", line)
		hpcc.Quantum = sim.Nanosecond
		assert.Equal(t, &paper, planOf(t, rate, "cc.preset=paper").CC.Params[0])
		assert.Equal(t, &connectX, planOf(t, rate, "cc.preset=connectx").CC.Params[0])
		assert.Equal(t, &hpcc, planOf(t, rate, "cc.preset=hpcc", "fabric.quantum=1ns").CC.Params[0])
	}
	none := planOf(t, "cc.preset=none")
	assert.False(t, none.CC.DCQCN)
	assert.Nil(t, none.CC.Params)
}

// Headroom in bytes for one lossless group, from the SONiC tables: rate, cable,
// bytes as printed there (sonic-buildimage 086b03bd, pg_profile_lookup.ini).
func TestHeadroomRows(t *testing.T) {
	cases := []struct {
		preset, rate, cable string
		want                int64
	}{
		{"sonic-tomahawk", "100Gbps", "5m", 165568}, {"sonic-tomahawk", "100Gbps", "40m", 177632}, {"sonic-tomahawk", "100Gbps", "300m", 268736},
		{"sonic-tomahawk2", "100Gbps", "5m", 54080}, {"sonic-tomahawk2", "100Gbps", "40m", 59696}, {"sonic-tomahawk2", "100Gbps", "300m", 101088},
		{"sonic-tomahawk3", "100Gbps", "5m", 68580}, {"sonic-tomahawk3", "100Gbps", "40m", 74422}, {"sonic-tomahawk3", "100Gbps", "300m", 117348},
		{"sonic-tomahawk3", "400Gbps", "5m", 178562}, {"sonic-tomahawk3", "400Gbps", "40m", 201930}, {"sonic-tomahawk3", "400Gbps", "300m", 373888},
		{"sonic-tomahawk3", "400Gbps", "1km", 836676}, {"sonic-tomahawk3", "400Gbps", "2km", 1498092},
		{"sonic-tomahawk4", "100Gbps", "5m", 129032}, {"sonic-tomahawk4", "200Gbps", "40m", 240792}, {"sonic-tomahawk4", "400Gbps", "300m", 817372},
		{"sonic-tomahawk5", "100Gbps", "5m", 147066}, {"sonic-tomahawk5", "400Gbps", "5m", 393192}, {"sonic-tomahawk5", "800Gbps", "5m", 729488},
		{"sonic-trident3", "100Gbps", "300m", 160000},
		{"sonic-spectrum1", "100Gbps", "5m", 30720}, {"sonic-spectrum1", "100Gbps", "40m", 38912}, {"sonic-spectrum1", "100Gbps", "300m", 104448},
		{"sonic-spectrum4", "100Gbps", "5m", 113664}, {"sonic-spectrum4", "100Gbps", "40m", 126976}, {"sonic-spectrum4", "100Gbps", "300m", 225280},
		{"sonic-spectrum4", "400Gbps", "40m", 283648}, {"sonic-spectrum4", "800Gbps", "40m", 362496}, {"sonic-spectrum4", "800Gbps", "300m", 1150976},
	}
	for _, c := range cases {
		t.Run(c.preset+"/"+c.rate+"/"+c.cable, func(t *testing.T) {
			p := planOf(t, "switch.preset="+c.preset, "fabric.host_link={rate: "+c.rate+", cable: "+c.cable+"}")
			for _, port := range p.Switches[0].Ports {
				assert.Equal(t, c.want, port.Headroom)
			}
			assert.Empty(t, p.Notes, "the row fits exactly")
		})
	}
}

func TestHeadroomTakesTheNextLongerRowAndSaysSo(t *testing.T) {
	p := planOf(t, "switch.preset=sonic-tomahawk3", "fabric.host_link.cable=6m")
	assert.Equal(t, int64(74422), p.Switches[0].Ports[0].Headroom)
	assert.Equal(t, []string{"headroom of 100Gbps ports with 6m cable: the table's row for 40m is taken, 74422B"}, p.Notes)
	// A delay stands for the cable that has it, at 5 ns a metre.
	p = planOf(t, "switch.preset=sonic-tomahawk3", "fabric.host_link={rate: 100Gbps, delay: 200ns}")
	assert.Equal(t, int64(74422), p.Switches[0].Ports[0].Headroom)
}

// A field goes before its preset, so that another preset may change nothing.
func TestPresetNoneBesideAnAlgorithmIsSaid(t *testing.T) {
	p := planOf(t, "cc={preset: none, algorithm: dcqcn}")
	assert.Contains(t, p.Notes, "cc.preset none changes nothing beside cc.algorithm: dcqcn, which stands in the scenario and wins: set cc.algorithm: none to switch DCQCN off")
	assert.True(t, p.CC.DCQCN)
	p = planOf(t, "cc={preset: none}")
	assert.NotContains(t, strings.Join(p.Notes, "\n"), "cc.preset")
}

// The worst case of IEEE 802.1Qbb Annex O without PHY delay at MTU 4096 and 100G: 34 071 B
// over 3 m, 46 196 B over 100 m; at 400G 67 900 and 116 400 B. The response is
// that of IEEE 802.3 (394 and 905 quanta). The example has frames of 4178 bytes,
// 4198 on the wire; the largest here has 4194. The frame that crosses the threshold
// comes on top.
func TestStandardHeadroom(t *testing.T) {
	cases := []struct {
		rate, cable, response string
		want                  int64
	}{
		{"100Gbps", "3m", "2017280ps", 34071}, {"100Gbps", "100m", "2017280ps", 46196},
		{"400Gbps", "3m", "1158400ps", 67900}, {"400Gbps", "100m", "1158400ps", 116400},
	}
	for _, c := range cases {
		p := planOf(t, "fabric.host_link={rate: "+c.rate+", cable: "+c.cable+"}", "nic.pfc.response="+c.response)
		got := p.Switches[0].Ports[0].Headroom - 4194 + 2*(4198-4194)
		assert.InDelta(t, c.want, got, 1, "%s %s", c.rate, c.cable)
	}
}

// Tomahawk sends PFC at 6542 cells of 208 B and drops at 7835 (measured by
// sonic-mgmt at 100G over 300 m). The configuration must hold what leads there:
// a quarter of the pool, alpha 1, 6 cells of minimum, 1292 cells of headroom.
func TestTomahawkConfiguration(t *testing.T) {
	p := planOf(t, "switch.preset=sonic-tomahawk", "fabric.host_link.cable=300m")
	sw := p.Switches[0]
	cell := int64(sw.Buffer.Cell)
	require.Equal(t, int64(208), cell)
	group := sw.Groups[3]
	require.True(t, group.Lossless)
	assert.Equal(t, int64(switching.AlphaOne), group.Threshold.Alpha)
	minimum := group.Reserved / cell
	assert.Equal(t, int64(6), minimum)
	pool := sw.Buffer.Shared / int64(sw.Buffer.Partitions) / cell
	assert.Equal(t, int64(13071), pool)
	assert.Equal(t, int64(1292), sw.Ports[0].Headroom/cell)
	assert.Equal(t, int64(6542), minimum+(pool+1)/2, "XOFF when shared use reaches half of the pool")
	assert.Equal(t, int64(7835), minimum+(pool+1)/2+1292+1, "the first drop is behind the headroom")
}

// latency is what a 2-byte WRITE takes from posting until it is in memory, with
// one switch: both NICs, the wire twice, the switch, the frame sent twice, or
// once if the switch cuts through.
func latency(p *Plan) sim.Time {
	frame := int64(p.Framing.Frame(2, true) + p.Framing.Preamble)
	sw := &p.Switches[0]
	t := p.NICs[0].TxLatency + sw.IngressLatency + sw.EgressLatency + p.NICs[1].RxLatency
	for e := range 2 {
		link := p.Graph.Links[p.Graph.Ports(e)[0].Link]
		t += link.Delay
		if e == 0 || !sw.CutThrough {
			t += link.Rate.TxTimeCeil(frame)
		}
	}
	return t
}

// Row 20: a 2-byte WRITE between ConnectX-5 adapters through one leaf
// takes 2.10 us.
func TestLatencyConnectX5(t *testing.T) {
	p := planOf(t, "switch.preset=bench-100g", "nic.preset=connectx-5")
	assert.InDelta(t, 2.10, latency(p).Micros(), 0.005)
	// Row 37: a switch adds 538 ns to a round trip.
	sw := &p.Switches[0]
	assert.InDelta(t, 538, 2*(sw.IngressLatency+sw.EgressLatency).Nanos(), 5)
}

// The user's field report: about 1.3 us through one current switch.
func TestLatencyConnectX7(t *testing.T) {
	p := planOf(t, "switch.preset=sonic-spectrum4", "nic.preset=connectx-7", "fabric.host_link.rate=400Gbps")
	assert.InDelta(t, 1.3, latency(p).Micros(), 0.05)
}

// What the HPCC ns-3 simulator does: 48 bytes of headers, ACKs of 60, pauses of 43, nothing
// on the wire around them; headroom 37.5 KB at 100G and 1 us, 150 KB at 400G;
// a shift of 3, of 1 at 400G beside 100G hosts; 4 KiB of reserve.
func TestHPCCPresets(t *testing.T) {
	sc, err := Parse("hpcc.yaml", []byte(`
name: hpcc
fabric:
  topology: leaf-spine
  leaves: 2
  spines: 1
  hosts: 2
  host_link: {rate: 100Gbps, delay: 1us}
  uplink: {rate: 400Gbps, delay: 1us}
switch: {preset: hpcc-ns3}
nic: {preset: hpcc-ns3}
cc: {preset: hpcc}
workload: [{name: w, type: flows, flows: [{from: h0, to: h1, bytes: 1MB}]}]
`), nil)
	require.NoError(t, err)
	p, err := sc.Plan()
	require.NoError(t, err)
	assert.Empty(t, p.Warnings)
	assert.Equal(t, 1048, p.Framing.Wire(p.Framing.Frame(1000, true)))
	assert.Equal(t, 49, p.Framing.Frame(1, true))
	assert.Equal(t, 60, p.Framing.Ack)
	assert.Equal(t, 43, p.Framing.PFC)
	leaf := p.Switches[0]
	assert.Equal(t, int64(37_500), leaf.Ports[0].Headroom)
	assert.Equal(t, int64(150_000), leaf.Ports[1].Headroom)
	assert.Equal(t, int64(switching.AlphaOne/8), leaf.Ports[0].Threshold.Alpha)
	assert.Equal(t, int64(switching.AlphaOne/2), leaf.Ports[1].Threshold.Alpha)
	assert.Equal(t, int64(32<<20)-37_500-150_000-2*4096, leaf.Buffer.Shared)
	assert.Equal(t, int64(400_000), leaf.Ports[0].RED.Kmin)
	assert.Equal(t, int64(6_400_000), leaf.Ports[1].RED.Kmax)
	assert.True(t, leaf.Groups[3].LiveXon)
	assert.True(t, p.NICs[0].EchoCNP)
	assert.Equal(t, 1, p.NICs[0].AckEvery)
	assert.Equal(t, uint8(1<<3), p.NICs[0].PFC)
}

// The thresholds of a 100G port under what a scenario says beside its preset:
// what is given means what it says, whatever rate or table the preset is about.
func TestGivenThresholdsMeanWhatTheySay(t *testing.T) {
	cases := []struct {
		ecn        string
		kmin, kmax int64
	}{
		{"{preset: alibaba}", 400_000, 1_600_000}, // 100 and 400 KB per 25 Gb/s
		{"{kmin: 400KB, kmax: 1600KB}", 400_000, 1_600_000},
		{"{preset: alibaba, kmin: 40KB, kmax: 160KB, pmax: 5%}", 40_000, 160_000},
		{"{kmin: 40KB, kmax: 160KB, per: 10Gbps}", 400_000, 1_600_000},
		{"{per: 50Gbps}", 200_000, 800_000},
		{"{preset: simai}", 400_000, 1_600_000}, // its row for 100G
		{"{preset: simai, kmin: 50KB, kmax: 60KB}", 50_000, 60_000},
	}
	for _, c := range cases {
		for _, preset := range []string{"ideal", "hpcc-ns3", "sonic-tomahawk3"} {
			if preset == "sonic-tomahawk3" && !strings.Contains(c.ecn, "preset") {
				continue // its own thresholds are for all rates
			}
			p := planOf(t, "switch={preset: "+preset+", ecn: "+c.ecn+"}")
			red := p.Switches[0].Ports[0].RED
			if red == nil {
				red = p.Switches[0].Queues[3].RED
			}
			assert.Equal(t, []int64{c.kmin, c.kmax}, []int64{red.Kmin, red.Kmax}, "%s %s", preset, c.ecn)
		}
	}
}
