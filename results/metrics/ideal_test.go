package metrics_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/fabric/packet"
	"rocesim/fabric/topo"
	"rocesim/nic/rc"
	"rocesim/results"
	"rocesim/results/metrics"
	"rocesim/scenarios/model"
	"rocesim/scenarios/workload"
	"rocesim/sim"
	switching "rocesim/switch"
)

// ethernet draws a speed of Ethernet.
func ethernet(t *rapid.T, label string) sim.Rate {
	return rapid.SampledFrom([]sim.Rate{10 * sim.Gbps, 25 * sim.Gbps, 100 * sim.Gbps, 400 * sim.Gbps, 800 * sim.Gbps}).Draw(t, label)
}

// randomNetwork is a star, a dumbbell, a ring or a leaf-spine fabric with random
// rates, delays, latencies and kinds of forwarding, alike for all switches of a
// tier, so that all paths between two hosts take the same time.
func randomNetwork(t *rapid.T) *model.Spec {
	delay := func(label string) sim.Time { return sim.Time(rapid.IntRange(1, 2_000_000).Draw(t, label)) }
	host := topo.LinkSpec{Rate: ethernet(t, "host rate"), Delay: delay("host delay")}
	up := topo.LinkSpec{Rate: ethernet(t, "uplink rate"), Delay: delay("uplink delay")}
	var g *topo.Graph
	var err error
	switch rapid.SampledFrom([]string{"star", "dumbbell", "ring", "leaf-spine"}).Draw(t, "topology") {
	case "star":
		g, err = topo.Star{Hosts: 4, HostLink: host}.Build()
	case "dumbbell":
		g, err = topo.Dumbbell{Left: 2, Right: 2, HostLink: host, Middle: up}.Build()
	case "ring":
		g, err = topo.Ring{Switches: 5, HostsPerSwitch: 1, HostLink: host, RingLink: up}.Build()
	default:
		g, err = topo.LeafSpine{Leaves: 2, Spines: 2, Hosts: 4, HostLink: host, Uplink: up}.Build()
	}
	require.NoError(t, err)
	spec := network(g)
	// Whole nanoseconds are for simulators that store and forward.
	spec.Quantum = rapid.SampledFrom([]sim.Time{1, sim.Nanosecond}).Draw(t, "quantum")
	for tier := range 2 {
		cut, in, out := rapid.Bool().Draw(t, "cut-through"), delay("ingress"), delay("egress")
		for i := range spec.Switches {
			if g.Switches[i].Tier == tier {
				c := &spec.Switches[i]
				c.CutThrough, c.IngressLatency, c.EgressLatency = cut && spec.Quantum == 1, in, out
			}
		}
	}
	tx, rx, ack := delay("tx"), delay("rx"), delay("ack")
	mtu := rapid.SampledFrom([]int{256, 1000, 1024, 4096}).Draw(t, "mtu")
	for i := range spec.NICs {
		n := &spec.NICs[i]
		n.TxLatency, n.RxLatency, n.AckLatency, n.MTU = tx, rx, ack, mtu
	}
	spec.Framing = rapid.SampledFrom([]packet.Framing{packet.RoCEv2(), packet.RoCEv2().IPv6().Tagged()}).Draw(t, "framing")
	return spec
}

// A message that is alone on the fabric takes the ideal time, to the
// picosecond, if its last packet only is acknowledged. (With an ACK a packet the
// last one can find the one before it on a slow link of the way back.)
func TestIdealIsExactAlone(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		spec := randomNetwork(rt)
		recovery := rapid.SampledFrom([]rc.Recovery{rc.GoBackN, rc.GoBack0, rc.SelectiveRepeat}).Draw(rt, "recovery")
		anyOrder := recovery == rc.GoBackN && rapid.Bool().Draw(rt, "out of order")
		for i := range spec.NICs {
			n := &spec.NICs[i]
			n.AckEvery, n.Recovery, n.OutOfOrder = 0, recovery, anyOrder
		}
		hosts := len(spec.Hosts)
		src := rapid.IntRange(0, hosts-1).Draw(rt, "src")
		dst := (src + rapid.IntRange(1, hosts-1).Draw(rt, "distance")) % hosts
		bytes := rapid.OneOf(rapid.Int64Range(1, 5000), rapid.Int64Range(1, 400_000)).Draw(rt, "bytes")
		spec.Entries = []workload.Entry{flow("alone", src, dst, bytes, 3*us)}
		run, _ := simulate(t, spec, metrics.Options{}, 0)
		require.Len(rt, run.Flows, 1)
		f := run.Flows[0]
		require.Equal(rt, f.Ideal, f.FCT())
		require.Equal(rt, 1.0, f.Slowdown())
	})
}

// No message is faster than ideal, whatever else is on its way, with PFC and
// ECN.
func TestIdealIsALowerBound(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		spec := randomNetwork(rt)
		for i := range spec.Switches {
			c := &spec.Switches[i]
			c.Buffer.Shared = 500_000
			c.Groups[3].Threshold = switching.Threshold{Dynamic: true, Alpha: switching.AlphaOne / 8}
		}
		for i := range spec.NICs {
			spec.NICs[i].ClockPPM, spec.NICs[i].Jitter = 100, 600
		}
		for i := range rapid.IntRange(2, 12).Draw(rt, "flows") {
			src := rapid.IntRange(0, len(spec.Hosts)-1).Draw(rt, "src")
			dst := (src + rapid.IntRange(1, len(spec.Hosts)-1).Draw(rt, "distance")) % len(spec.Hosts)
			bytes := rapid.Int64Range(1, 100_000).Draw(rt, "bytes")
			start := sim.Time(rapid.IntRange(0, 20).Draw(rt, "start")) * us
			spec.Entries = append(spec.Entries, flow(string(rune('a'+i)), src, dst, bytes, start))
		}
		run, _ := simulate(t, spec, metrics.Options{}, 0)
		for _, f := range run.Flows {
			require.GreaterOrEqual(rt, f.FCT(), f.Ideal)
			require.Equal(rt, f.Bytes, f.Measured)
			require.Greater(rt, f.OneWay(), sim.Time(0))
		}
	})
}

// A number to check by hand: 4096 bytes over one store-and-forward switch at
// 100 Gb/s with 50 ns cables. The frame has 62 + 16 bytes around the payload:
// twice 8 + 4174 bytes of 80 ps, then twice 8 + 66 for the ACK, and four cables.
func TestIdealByHand(t *testing.T) {
	run, _ := simulate(t, network(star(t, 2), flow("a", 0, 1, 4096, 0)), metrics.Options{}, 0)
	const want = 2*(8+4174)*80 + 2*(8+66)*80 + 4*50_000
	assert.Equal(t, sim.Time(want), run.Flows[0].Ideal)
	assert.Equal(t, sim.Time(2*(8+4174)*80+2*50_000), run.Flows[0].OneWay())
}

// The parts of a probe's latency add up to what the probe measures on an idle
// fabric.
func TestBreakdownAddsUp(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		spec := randomNetwork(rt)
		spec.Quantum = 1
		bytes := rapid.Int64Range(1, int64(spec.NICs[0].MTU)).Draw(rt, "bytes")
		src := rapid.IntRange(0, len(spec.Hosts)-1).Draw(rt, "src")
		dst := (src + rapid.IntRange(1, len(spec.Hosts)-1).Draw(rt, "distance")) % len(spec.Hosts)
		spec.Entries = []workload.Entry{workload.Latency{
			Common: workload.Common{Name: "probe", Class: workload.Class{DSCP: 26}},
			Pairs:  []workload.Pair{{Src: src, Dst: dst}}, Bytes: bytes, Every: 100 * us, Stop: 200 * us,
		}}
		run, _ := simulate(t, spec, metrics.Options{Workloads: []results.Workload{{Name: "probe", Probe: true}}}, 0)
		require.NotEmpty(rt, run.Flows)
		var sum sim.Time
		for _, p := range run.Latency {
			require.Equal(rt, run.Latency[0].Path, p.Path)
			require.Contains(rt, []string{"nic", "wire", "switch"}, p.Kind)
			sum += p.Time
		}
		for _, f := range run.Flows {
			require.Equal(rt, f.OneWay(), sum)
		}
	})
}
