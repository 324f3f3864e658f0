package validation_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/sim"
)

// A 400G port stays busy under a 3:1 incast: frames and their 20 bytes of
// preamble and gap are 400.00 Gb/s (row 1, +-0.05 %), 4158 bytes a
// middle frame and 16 more for the first of a WRITE.
func TestRow1BusyPort(t *testing.T) {
	run := simulate(t, "pfc-incast", "fabric.hosts=4", "fabric.host_link.rate=400Gbps", "switch.lossless.xoff=1MB",
		"workload=[{name: load, type: saturate, pairs: [[h0, h3], [h1, h3], [h2, h3]], bytes: 128KiB, depth: 8}]")
	noLoss(t, run)
	row := queueRow(run, "sw0", "h3", lossless)
	wire := float64(row.TxBytes+20*row.TxPackets) * 8
	assert.InEpsilon(t, 400e9, wire/run.Manifest.SimulatedTime.Seconds(), 0.0005)
	assert.InDelta(t, 4158+16./32, float64(row.TxBytes)/float64(row.TxPackets), 0.1)
}

// A ConnectX-7 with one queue pair and messages of 128 KiB reaches 392.1 Gb/s at
// 400G, eight queue pairs 391.5 to 391.8 from 16 KiB to 1 MiB (row 2:
// 392.15 less 0.2 %).
func TestRow2ConnectX7(t *testing.T) {
	for _, load := range []string{"bytes: 128KiB, qps: 1", "bytes: 16KiB, qps: 8", "bytes: 1MiB, qps: 8"} {
		run := simulate(t, "wire-writes", "nic.preset=connectx-7", "fabric.host_link.rate=400Gbps", "stop.time=4ms",
			"output.sample=100us", "workload=[{name: bw, type: saturate, pairs: [[h0, h1]], depth: 16, "+load+"}]")
		noLoss(t, run)
		got := sampled(t, run, "bw", sim.Millisecond)
		t.Logf("%s: %.2f Gb/s", load, got)
		assert.GreaterOrEqual(t, got, 392.15*(1-0.002), load)
		assert.LessOrEqual(t, got, 392.16, load)
	}
}

// Four hosts in a ring over one leaf have 97.98 Gb/s each, 391.94 together
// (row 3: not above 98.04, not below 97.5, no drop).
func TestRow3Ring(t *testing.T) {
	t.Parallel()
	run := simulate(t, "hardware-ring")
	noLoss(t, run)
	sum := 0.0
	for i := range 4 {
		got := sampled(t, run, fmt.Sprint("from", i), sim.Millisecond)
		t.Logf("from h%d: %.2f Gb/s", i, got)
		assert.GreaterOrEqual(t, got, 97.5, i)
		assert.LessOrEqual(t, got, 98.04, i)
		sum += got
	}
	assert.InEpsilon(t, 391.94, sum, 0.005)
}

// Two hosts in both directions have 195.0 Gb/s together, and no counter moves
// whether with one queue pair or 320 a direction (row 3).
func TestRow3Duplex(t *testing.T) {
	for _, load := range []string{"depth: 16, qps: 1", "depth: 1, qps: 320"} {
		run := simulate(t, "hardware-ring", "stop.time=8ms",
			"workload=[{name: duplex, type: saturate, pairs: [[h0, h1], [h1, h0]], bytes: 64KiB, "+load+"}]")
		noLoss(t, run)
		got := sampled(t, run, "duplex", 2*sim.Millisecond)
		t.Logf("%s: %.2f Gb/s", load, got)
		assert.GreaterOrEqual(t, got, 2*97.5, load)
		assert.LessOrEqual(t, got, 2*98.04, load)
	}
}

// A path MTU of 1024 instead of 4096 costs 5.66 % at 1 MiB (row 4, by
// ratio only; +-0.25 points).
func TestRow4PathMTU(t *testing.T) {
	rate := func(mtu int) float64 {
		run := simulate(t, "hardware-ring", fmt.Sprintf("nic.mtu=%d", mtu),
			"workload=[{name: bw, type: saturate, pairs: [[h0, h1]], bytes: 1MiB, depth: 4}]")
		noLoss(t, run)
		return gbit(run, sim.Millisecond, nil)
	}
	assert.InDelta(t, 5.66, 100*(1-rate(1024)/rate(4096)), 0.25)
}

// Two senders of 512-byte WRITEs fill a 100G port with 20.49 M messages a second
// of 590 bytes: 96.71 Gb/s of frames, 83.94 of payload (row 5, +-0.2 %).
// PFC keeps the port busy here; the bench had losses instead.
func TestRow5SmallWrites(t *testing.T) {
	run := simulate(t, "pfc-incast", "nic.preset=connectx-5", "switch.lossless.xoff=100KB", "stop.time=1ms",
		"workload=[{name: small, type: saturate, pairs: [[h0, h2], [h1, h2]], bytes: 512B, depth: 64, qps: 4}]")
	noLoss(t, run)
	row := queueRow(run, "sw0", "h2", lossless)
	assert.EqualValues(t, 590, float64(row.TxBytes)/float64(row.TxPackets))
	payload := gbit(run, 200*sim.Microsecond, nil)
	t.Logf("%.2f Gb/s", payload)
	assert.InEpsilon(t, 83.94, payload, 0.002)
	assert.InEpsilon(t, 20.492e6, payload*1e9/8/512, 0.002)
	assert.InEpsilon(t, 96.71, payload*590/512, 0.002)
}

// Two paced senders overload a port by an excess; its 5.2 MB are full, and the
// first packet is dropped, after B/excess (row 11: 9.06, 4.14 and 2.05 ms
// were measured, +-10 % for the first two, +-45 % for the third).
func TestRow11FirstDrop(t *testing.T) {
	for _, c := range []struct {
		excess    float64 // Gb/s
		measured  float64 // ms
		tolerance float64
	}{
		{4.76, 9.06, 0.10},
		{9.73, 4.14, 0.10},
		{19.68, 2.05, 0.45},
	} {
		run := simulate(t, "hardware-paced", fmt.Sprintf("workload[paced].rate=%.3fGbps", 50+c.excess/2))
		require.NotEmpty(t, run.Drops)
		first := run.Drops[0].First
		for _, d := range run.Drops {
			first = min(first, d.First)
			assert.Equal(t, "egress limit", d.Cause)
		}
		t.Logf("excess %.2f Gb/s: first drop after %v, measured %.2f ms", c.excess, first, c.measured)
		assert.InEpsilon(t, c.measured, first.Seconds()*1e3, c.tolerance)
	}
}

// Of what two senders that react to nothing offer at line rate, half arrives
// (row 14: 0.500 +-0.001).
func TestRow14UnreactingSenders(t *testing.T) {
	run := simulate(t, "hardware-paced", "workload[paced].rate=100Gbps")
	sent := queueRow(run, "h0", "sw0", lossless).TxPackets + queueRow(run, "h1", "sw0", lossless).TxPackets
	delivered := queueRow(run, "h2", "sw0", lossless).RxPackets
	assert.InDelta(t, 0.500, float64(delivered)/float64(sent), 0.001)
	assert.Zero(t, metric(t, run, "pfc.pauses"))
}

// One sender to two receivers at 1 MiB has 97.825 Gb/s, split 50.000 to 50.000,
// and every counter stands still (row 16: 97.4 to 98.04).
func TestRow16FanOut(t *testing.T) {
	t.Parallel()
	run := simulate(t, "hardware-ring", "stop.time=20ms",
		"workload=[{name: fan, type: saturate, pairs: [[h0, h1], [h0, h2]], bytes: 1MiB, depth: 4}]")
	noLoss(t, run)
	one, two := gbit(run, sim.Millisecond, to(run, "h1")), gbit(run, sim.Millisecond, to(run, "h2"))
	t.Logf("%.3f + %.3f Gb/s", one, two)
	assert.GreaterOrEqual(t, one+two, 97.4)
	assert.LessOrEqual(t, one+two, 98.04)
	assert.InEpsilon(t, one, two, 0.00005)
}

// Bursts of 128 messages with a gap have bytes/(burst+gap) of goodput (hardware
// Row 23: +-0.2 %), and paced like this nothing is lost.
func TestRow23BurstsAndGaps(t *testing.T) {
	for _, bytes := range []int{8 << 10, 64 << 10} {
		burst := burstTime(t, bytes)
		for _, gap := range []sim.Time{4 * sim.Microsecond, 100 * sim.Microsecond} {
			run := simulate(t, "hardware-ring", "stop.time=10ms", bursts(bytes, gap, 0))
			noLoss(t, run)
			law := float64(128*bytes) * 8 / float64(burst+gap) * 1000
			last := (len(run.Flows) - 1) / 128
			got := float64(128*bytes*last) * 8 / float64(run.Flows[128*last].Start-run.Flows[0].Start) * 1000
			t.Logf("%d B, gap %v: %.3f Gb/s, law %.3f", bytes, gap, got, law)
			assert.InEpsilon(t, law, got, 0.002)
		}
	}
}

func bursts(bytes int, gap sim.Time, messages int) string {
	limit := ""
	if messages > 0 {
		limit = fmt.Sprintf(", messages: %d", messages)
	}
	return fmt.Sprintf("workload=[{name: bursts, type: saturate, pairs: [[h0, h1]], bytes: %dB, depth: 128, burst: {messages: 128, pause: %v}%s}]", bytes, gap, limit)
}

// burstTime is how long one burst takes, from posting to its last completion.
func burstTime(t *testing.T, bytes int) sim.Time {
	t.Helper()
	run := simulate(t, "hardware-ring", "stop={when: flows-done}", bursts(bytes, sim.Microsecond, 128))
	return sim.Time(metric(t, run, "makespan"))
}
