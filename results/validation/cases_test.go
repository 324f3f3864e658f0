package validation_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/sim"
	switching "rocesim/switch"
)

// L01: one queue pair with messages of 128 KiB at 400G: 400 x 4096/4178 =
// 392.15 Gb/s (NVIDIA/nccl issue 2409, L01; +-0.3 %), no pause, no CNP.
func TestL01LineRateAnchor(t *testing.T) {
	run := simulate(t, "wire-writes", "nic={preset: connectx-7, dscp: 3}", "switch.preset=sonic-spectrum4",
		"fabric.host_link={rate: 400Gbps, cable: 5m}", "workload[bw].bytes=128KiB", "cc.preset=connectx")
	noLoss(t, run)
	got := gbit(run, 200*sim.Microsecond, nil)
	t.Logf("%.2f Gb/s", got)
	assert.InEpsilon(t, 392.15, got, 0.003)
	assert.Zero(t, metric(t, run, "pfc.pauses"))
}

// L02: at 25G with a path MTU of 1024 one flow has 25 x 1024/1106 = 23.1 Gb/s;
// two have 11.6 each in a lossless class; in a lossy class with a shallow buffer
// and go-back-N they have less than half of that (linux-rdma/perftest issue 219,
// about 20 % there; L02).
func TestL02LossyClassCollapses(t *testing.T) {
	t.Parallel()
	const warmUp = 2 * sim.Millisecond
	alone := simulate(t, "cases-small", "workload=[{name: a, type: saturate, pairs: [[h0, h2]], bytes: 64KiB, depth: 128}]")
	noLoss(t, alone)
	assert.InEpsilon(t, 23.1, sampled(t, alone, "a", warmUp), 0.005)

	fair := simulate(t, "cases-small")
	noLoss(t, fair)
	a, b := sampled(t, fair, "a", warmUp), sampled(t, fair, "b", warmUp)
	t.Logf("lossless: %.2f + %.2f Gb/s", a, b)
	assert.InEpsilon(t, 11.6, a, 0.01)
	assert.InEpsilon(t, 11.6, b, 0.01)
	assert.InEpsilon(t, 23.1, a+b, 0.005)

	lossy := simulate(t, "cases-small", "stop.time=200ms", "switch.dscp_to_tc={26: 0}", "switch.lossy={alpha: 8, queue_limit: 60KB}")
	sum := sampled(t, lossy, "a", warmUp) + sampled(t, lossy, "b", warmUp)
	drops := metric(t, lossy, "drops.total")
	t.Logf("lossy: %.2f Gb/s, %.0f drops, %.0f retransmits", sum, drops, metric(t, lossy, "retransmits"))
	assert.NotZero(t, drops)
	assert.InDelta(t, drops, metric(t, lossy, "drops.lossless", results.Label{Key: "cause", Value: "lossy mapping, egress limit"}), 0,
		"the senders take the class for lossless, the switch does not")
	assert.Less(t, sum, (a+b)/2)
}

// L12: with 44 KB of headroom, 5 m of cable and 9216-byte frames a sender may
// take (headroom - 2 MTU - cable)/12.5 B/ns, about 2 us, to obey a pause (sonic-mgmt
// pull requests 7025 and 6924; L12). Up to there nothing is dropped; from
// where headroom/12.5 B/ns is passed even without the two frames, always.
func TestL12SlowPauseResponse(t *testing.T) {
	t.Parallel()
	const headroom, frame = 44_000, 9216
	safe := sim.Time((headroom - 2*frame) * 80)
	hopeless := sim.Time(headroom * 80)
	dropped := false
	for response := sim.Time(0); response <= 10*sim.Microsecond; response += 250 * sim.Nanosecond {
		r := assemble(t, "pfc-blocked", nil, "fabric.host_link={rate: 100Gbps, cable: 5m}", "nic.mtu=9000",
			fmt.Sprintf("switch.headroom.bytes=%dB", headroom), fmt.Sprintf("nic.pfc.response=%dns", response/sim.Nanosecond), bothWays("97Gbps"))
		r.stop(0, 1, lossless)
		r.until(t, 100*sim.Microsecond)
		drops := r.Switches[0].Drops(switching.DropHeadroom)
		switch {
		case response <= safe-50*sim.Nanosecond:
			assert.Zero(t, drops, "response %v", response)
		case response >= hopeless:
			assert.NotZero(t, drops, "response %v", response)
		}
		if drops > 0 && !dropped {
			t.Logf("drops from a response of %v on; safe up to %v by formula", response, safe)
			dropped = true
		}
		assert.Equal(t, dropped, drops > 0, "drops once begun go on: %v", response)
	}
}

// L14: a dynamic threshold falls while groups fill. Two ports with priorities 3
// and 4 under alpha 1 have 0.20 of the pool each, the first alone 0.50; under 1/8
// 1, 4, 16 and 32 groups have .111, .083, .042 and .025 (sonic-mgmt issue 7113;
// L14, +-1 packet).
func TestL14ThresholdMovesWhileFilling(t *testing.T) {
	t.Parallel()
	greedyGroups(t, "1", 2, 2, 1./5)
	greedyGroups(t, "1", 1, 1, 1./2)
	for groups, share := range map[int]float64{1: 1. / 9, 4: 1. / 12, 16: 1. / 24, 32: 1. / 40} {
		greedyGroups(t, "1/8", groups, 1, share)
	}
}

// L44: 64 flows over four parallel links use all four, for about four times the
// throughput of one (HPCC issue 43, where parallel links collapsed into one;
// L44).
func TestL44ParallelLinks(t *testing.T) {
	t.Parallel()
	four := simulate(t, "cases-parallel")
	noLoss(t, four)
	one := simulate(t, "cases-parallel", "fabric.middle.count=1")
	used := 0
	for _, p := range four.Ports {
		if four.Nodes[p.Node] == "sw0" && four.Nodes[p.Peer] == "sw1" {
			used++
			t.Logf("link %d: %.1f %%", used, 100*p.Utilisation(four.Manifest.SimulatedTime))
			assert.Greater(t, p.Utilisation(four.Manifest.SimulatedTime), 0.9)
		}
	}
	assert.Equal(t, 4, used)
	ratio := sampled(t, four, "all", 500*sim.Microsecond) / sampled(t, one, "all", 500*sim.Microsecond)
	t.Logf("%.2f times the throughput of one link", ratio)
	assert.InDelta(t, 4, ratio, 0.4)
}

// L45: 1001 flows of 8 packets, 8 MB, from all of 9 racks into one 10G port with
// 8 MB of buffer need at least 6.4 ms and lose nothing with proper headroom (HPCC
// issue 15, where packets were lost; L45).
func TestL45ThousandFlows(t *testing.T) {
	t.Parallel()
	run := simulate(t, "cases-thousand")
	noLoss(t, run)
	require.EqualValues(t, 1001, metric(t, run, "flows.finished"))
	makespan := sim.Time(metric(t, run, "makespan"))
	t.Logf("%v, %.0f XOFF", makespan, metric(t, run, "pfc.pauses"))
	assert.GreaterOrEqual(t, makespan, 6400*sim.Microsecond)
	// 1001 messages of 8 packets, one of them with 16 bytes more.
	wire := sim.Time(1001*(8*1082+16)) * 800
	assert.LessOrEqual(t, makespan, wire*102/100, "the port must not idle")
	assert.NotZero(t, metric(t, run, "pfc.pauses"))
}

// L46: of two equal senders at a full tail-drop queue each loses half, within a
// few per cent over seeds (openfabric-systems/simllm pull request 196: 0.5 % over
// eight streams on hardware; L46).
func TestL46SimultaneousArrivals(t *testing.T) {
	t.Parallel()
	var lost [2]float64
	for seed := range 8 {
		run := simulate(t, "hardware-paced", "workload[paced].rate=100Gbps", "stop.time=8ms", fmt.Sprintf("seed=%d", seed+1))
		var of [2]float64
		for _, d := range run.Drops {
			peer := run.Nodes[run.Ports[d.Port].Peer]
			of[peer[1]-'0'] += float64(d.Packets)
		}
		t.Logf("seed %d: %.0f and %.0f packets lost", seed+1, of[0], of[1])
		lost[0] += of[0]
		lost[1] += of[1]
	}
	assert.InDelta(t, 0.5, lost[0]/(lost[0]+lost[1]), 0.03)
}
