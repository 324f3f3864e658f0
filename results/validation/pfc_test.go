package validation_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/fabric/packet"
	"rocesim/results"
	"rocesim/sim"
	switching "rocesim/switch"
)

// lossless is the PFC priority of RoCE traffic in the presets (DSCP 26).
const lossless = 3

// A pause of Q quanta silences a saturated link for Q x 512 bits, give or take
// one frame: 1000 quanta are 5.12 us at 100G and 1.28 us at 400G, and 65535
// quanta that nobody refreshes 335.54 us at 100G (V-9).
func TestV9PauseLastsItsQuanta(t *testing.T) {
	for _, c := range []struct {
		quanta uint16
		rate   sim.Rate
		want   sim.Time
	}{
		{1000, 100 * sim.Gbps, 5_120_000},
		{1000, 400 * sim.Gbps, 1_280_000},
		{65535, 100 * sim.Gbps, 335_539_200},
	} {
		t.Run(fmt.Sprint(c.quanta, c.rate), func(t *testing.T) {
			r := assemble(t, "wire-writes", nil, "workload[bw].bytes=4096B", fmt.Sprintf("fabric.host_link.rate=%v", c.rate))
			r.until(t, 50*sim.Microsecond)
			r.NICs.NIC(0).ReceivePause(50*sim.Microsecond, 0, packet.Pause{Vector: 1 << lossless, Quanta: c.quanta})
			r.until(t, 500*sim.Microsecond)
			frame := c.rate.TxTimeCeil(4096 + 82 + 16)
			silence := longestSilence(r) - frame
			assert.InDelta(t, float64(c.want), float64(silence), float64(frame))
			assert.Equal(t, c.want, r.NICs.NIC(0).Port.Stats().Paused[lossless])
		})
	}
}

// longestSilence is the longest time between two deliveries.
func longestSilence(r *rig) sim.Time {
	var longest, before sim.Time
	for i := range r.Driver.Len() {
		at := r.Driver.Message(uint32(i)).Delivered
		if at == sim.Never {
			break
		}
		if before > 0 {
			longest = max(longest, at-before)
		}
		before = at
	}
	return longest
}

// After XOFF, 1 us of cable either way and the pause frame let between 25,084
// and 33,440 bytes of wire in at 100G, by where in a frame the pause meets the
// sender and whether the switch's own port is busy with one (V-10; the
// packet that triggers XOFF is not counted, its gap is). The lower bound waits
// for the gap behind the pause frame, 12 bytes; a port obeys at its last bit
// (DEVIATIONS H1).
func TestV10BytesAfterXoff(t *testing.T) {
	idle := bytesAfterXoff(t)
	assert.GreaterOrEqual(t, idle, int64(25_084-packet.InterFrameGap))
	assert.LessOrEqual(t, idle, int64(25_084+4178))
	for _, rate := range []string{"100Gbps", "97Gbps", "91Gbps", "83Gbps", "61Gbps"} { // other phases at XOFF
		busy := bytesAfterXoff(t, bothWays(rate))
		t.Logf("port towards the sender idle: %d B of wire, busy at %s: %d B", idle, rate, busy)
		assert.GreaterOrEqual(t, busy, idle)
		assert.LessOrEqual(t, busy, int64(33_440))
	}
}

// bytesAfterXoff is what the port of a blocked sender receives after XOFF, in
// bytes on the wire.
func bytesAfterXoff(t *testing.T, sets ...string) int64 {
	t.Helper()
	r := assemble(t, "pfc-blocked", nil, sets...)
	r.stop(0, 1, lossless)
	var before switching.GroupStats
	r.onPause = func(_ sim.Time, sw *switching.Switch, port, _ int, _ bool) { before = sw.Group(port, lossless) }
	r.until(t, 100*sim.Microsecond)
	require.Len(t, r.xoff, 1)
	after := r.Switches[0].Group(0, lossless)
	require.Zero(t, r.Switches[0].Drops(switching.DropHeadroom))
	return packet.InterFrameGap + int64(after.Bytes-before.Bytes) + 20*int64(after.Packets-before.Packets)
}

// bothWays adds load at a rate against the direction of the first, in a class
// that is not paused.
func bothWays(rate string) string {
	return "workload=[" +
		"{name: load, type: saturate, pairs: [[h0, h1]], bytes: 64KiB, depth: 64}," +
		"{name: back, type: datagrams, pairs: [[h1, h0]], dscp: 0, bytes: 4096B, rate: " + rate + "}]"
}

// A headroom of what arrives after XOFF loses nothing, one byte less does, and
// so do 20,000 bytes (V-10).
func TestV10HeadroomMustHoldIt(t *testing.T) {
	used := func(headroom int64) (peak int64, drops uint64) {
		r := assemble(t, "pfc-blocked", nil, fmt.Sprintf("switch.headroom.bytes=%dB", headroom), bothWays("97Gbps"))
		r.stop(0, 1, lossless)
		r.until(t, 100*sim.Microsecond)
		return r.Switches[0].Group(0, lossless).PeakHeadroom, r.Switches[0].Drops(switching.DropHeadroom)
	}
	need, drops := used(1_000_000)
	require.Zero(t, drops)
	_, drops = used(need)
	assert.Zero(t, drops, "headroom of %d B", need)
	_, drops = used(need - 1)
	assert.NotZero(t, drops, "headroom of %d B", need-1)
	_, drops = used(20_000)
	assert.NotZero(t, drops, "headroom of 20,000 B")
}

// Two senders fill a 100G port. Each ingress gains 50 Gb/s: XOFF at 100 KB
// comes 16.0 us after the overload begins, give or take a packet. From then on
// each sender has half of the wire within 1 %, and nothing is lost (V-13).
func TestV13TwoToOneIncast(t *testing.T) {
	t.Parallel()
	run := simulate(t, "pfc-incast", "switch.lossless.xoff=100KB")
	noLoss(t, run)
	const packetTime = 334_240 // ps, 4178 bytes
	for _, h := range []string{"h0", "h1"} {
		row := queueRow(run, "sw0", h, lossless)
		require.NotZero(t, row.TxXoff)
		// The overload begins when the first packets are in: cables have no delay.
		assert.InDelta(t, 16_000_000, float64(row.FirstXoff-packetTime), packetTime, h)
		share := 4178. / 4096 * gbit(run, sim.Millisecond, from(run, h))
		assert.InEpsilon(t, 50, share, 0.01, h)
	}
}

// Incast without congestion control is lossless and wastes nothing: the last
// byte of N x 1 MiB to a 100G port arrives not before, and within 1 % of, what
// the wire needs (V-51: 684.53, 1369.07 and 2738.14 us for 8, 16 and 32).
func TestV51IncastAtWireSpeed(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]sim.Time{8: 684_530, 16: 1_369_070, 32: 2_738_140} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			run := simulate(t, "pfc-incast", "stop={when: flows-done}", "switch.lossless.xoff=100KB", fmt.Sprintf("fabric.hosts=%d", n+1),
				fmt.Sprintf("workload=[{name: incast, type: incast, senders: \"h[0-%d]\", receivers: [h%d], bytes: 1MiB}]", n-1, n))
			noLoss(t, run)
			require.NotZero(t, metric(t, run, "pfc.pauses"))
			last := sim.Time(0)
			for i := range run.Flows {
				last = max(last, run.Flows[i].Delivered)
			}
			t.Logf("last byte after %v, %d XOFF", last, int(metric(t, run, "pfc.pauses")))
			assert.GreaterOrEqual(t, last, want*sim.Nanosecond)
			assert.LessOrEqual(t, last, want*sim.Nanosecond*101/100)
		})
	}
}

// A transport time-out of code c is 4.096 us x 2^c: 67.109 ms, 1.0737 s and
// 4.295 s for 14, 18 and 20. Behind a path that loses everything, a queue pair
// with 7 retries goes into error after eight of them, at 536.9 ms for code 14
// (V-45, exact).
func TestV45RetriesEndInAnError(t *testing.T) {
	for code, timeout := range map[int]sim.Time{14: 67_108_864, 18: 1_073_741_824, 20: 4_294_967_296} { // ns
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			require.Equal(t, timeout, sim.Time(4096)<<code, "4.096 us x 2^code")
			run := simulate(t, "wire-writes", "stop={when: flows-done, max: 60s}", "workload[bw]={name: bw, type: flows, flows: [{from: h0, to: h1, bytes: 4096B}]}",
				"switch.dscp_to_tc={26: 0}", "switch.lossy={limit: 1B, queue_limit: 1B}", fmt.Sprintf("nic.timeout=%dns", timeout))
			assert.Equal(t, 8*timeout*sim.Nanosecond, run.Manifest.SimulatedTime)
			assert.Equal(t, results.RetriesSpent, run.Flows[0].Unfinished)
			assert.EqualValues(t, 8, metric(t, run, "ack_timeouts"))
			assert.EqualValues(t, 7, metric(t, run, "retransmits"))
			assert.EqualValues(t, 8, metric(t, run, "drops.total"))
			assert.EqualValues(t, 1, metric(t, run, "flows.failed"))
		})
	}
}
