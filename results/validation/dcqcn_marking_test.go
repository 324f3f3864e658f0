package validation_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/sim"
)

// V-24: RED at a constant queue over 10^6 packets (docs/accuracy.md). One host
// sends at line rate without congestion control, another adds a burst once: from
// then on the egress takes a packet and gets one, and every departing packet
// leaves the same queue behind.
func TestV24MarkingAtConstantQueue(t *testing.T) {
	t.Parallel()
	const packets = 1_000_000
	for _, c := range []struct {
		behind int     // packets of 1000 bytes that a departing one leaves
		marks  float64 // of 10^6
		within float64 // three standard deviations
	}{
		{5, 0, 0},               // Kmin itself marks nothing
		{100, 4871.8, 210},      // 1 % x 95/195
		{200, 10_000, 3 * 99.5}, // Kmax: 1 %
		{201, packets, 0},       // above Kmax: all
	} {
		t.Run(fmt.Sprint(c.behind), func(t *testing.T) {
			t.Parallel()
			b := build(t, "dcqcn-incast.yaml",
				"cc={preset: none}", "fabric.host_link.rate=100Gbps", fmt.Sprintf(
					"workload[load].flows=[{from: h1, to: h0, bytes: 1TB}, {from: h2, to: h0, bytes: %dB, start: 1us}]",
					952*c.behind))
			sw, port := b.egress("h0")
			slot := sw.Port(port).Rate().TxTimeCeil(1000)
			b.run(100 * sim.Microsecond)
			before := b.read(sw, port)
			steady := true
			require.NoError(t, b.m.Sample(queueSample, func(sim.Time) {
				steady = steady && sw.QueueBytes(port, dataQueue) == int64(1000*c.behind)
			}))
			b.run(before.at + packets*slot)
			after := b.read(sw, port)
			require.True(t, steady, "the queue must be constant")
			require.EqualValues(t, packets, after.sent-before.sent)
			assert.InDelta(t, c.marks, float64(after.marked-before.marked), c.within)
		})
	}
}

// V-25: the notification point alone: all packets are marked and no sender
// reacts. One CNP per flow and interval, at the first packet after it; with
// packets s apart that is every ceil(N/s) packets (docs/accuracy.md).
func TestV25NotificationInterval(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		flows    int
		mtu      int
		interval sim.Time
		rate     float64 // CNPs per flow and second
		epsilon  float64
	}{
		// Two flows halve the rate of each; 50 us are many packets.
		{"paper, one flow", 1, 1024, 50 * sim.Microsecond, 20_000, 0.005},
		{"paper, two flows", 2, 1024, 50 * sim.Microsecond, 20_000, 0.005},
		{"adapter, MTU 4096", 1, 4096, 4 * sim.Microsecond, quantised(4*sim.Microsecond, 4096), 0.0005},
		{"adapter, MTU 1024", 1, 1024, 4 * sim.Microsecond, quantised(4*sim.Microsecond, 1024), 0.0005},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sets := append(incastSets(c.flows, 0),
				"fabric.host_link.rate=100Gbps", "nic.framing=rocev2", fmt.Sprintf("nic.mtu=%d", c.mtu),
				"switch.pfc={enabled: true}", "switch.lossless.xoff=100KB",
				"switch.ecn={preset: dcqcn-paper, kmin: 0B, kmax: 1B, pmax: 100%, inclusive: true}",
				"cc={preset: none}", fmt.Sprintf("cc.cnp_interval=%dps", int64(c.interval)))
			f := build(t, "dcqcn-incast.yaml", sets...).measure("h0", sim.Millisecond, 101*sim.Millisecond)
			t.Log(f)
			require.EqualValues(t, 1, f.marked)
			assert.InEpsilon(t, c.rate, f.cnpRate, c.epsilon)
		})
	}
}

// quantised is the CNP rate of one flow at 100 G: 249.3 k at MTU 4096, 245.7 k
// at 1024 for 4 us.
func quantised(interval sim.Time, mtu int64) float64 {
	s := (100 * sim.Gbps).TxTimeCeil(mtu + 82).Seconds()
	return 1 / (math.Ceil(interval.Seconds()/s) * s)
}
