package validation_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"rocesim/fabric/packet"
	"rocesim/scenarios"
	"rocesim/sim"
)

// A frame around PMTU bytes of payload has PMTU+62 bytes, and PMTU+82 on the
// wire; other encapsulations and control frames likewise (V-1, exact).
// The read request has the headers of the first packet of a WRITE without
// payload.
func TestV1SizesOnTheWire(t *testing.T) {
	v4 := packet.RoCEv2()
	for _, mtu := range []int{256, 512, 1024, 2048, 4096} {
		assert.Equal(t, mtu+62, v4.Frame(mtu, false))
		assert.Equal(t, mtu+82, v4.Wire(v4.Frame(mtu, false)))
		assert.Equal(t, mtu+82+20, v4.IPv6().Wire(v4.IPv6().Frame(mtu, false)), "IPv6")
		assert.Equal(t, mtu+82+4, v4.Tagged().Wire(v4.Tagged().Frame(mtu, false)), "VLAN")
		assert.Equal(t, mtu+94, v4.RoCEv1().Wire(v4.RoCEv1().Frame(mtu, false)), "RoCEv1")
	}
	assert.Equal(t, 86, v4.Wire(v4.Ack), "ACK")
	assert.Equal(t, 98, v4.Wire(v4.CNP), "CNP")
	assert.Equal(t, 98, v4.Wire(v4.Frame(0, true)), "READ request")
	assert.Equal(t, 84, v4.Wire(v4.PFC), "PFC")
}

// A WRITE of 64 KiB is 66,864 bytes in 16 packets at PMTU 4096 and 70,800
// bytes in 64 packets at PMTU 1024 (V-2, exact), by formula and as
// counted at the sender of a run.
func TestV2BytesOfOneWrite(t *testing.T) {
	for _, c := range []struct {
		mtu            string
		bytes, packets int64
	}{
		{"4096", 66_864, 16},
		{"1024", 70_800, 64},
	} {
		run := simulate(t, "wire-writes", "nic.mtu="+c.mtu, "workload[bw].messages=1", "stop={when: flows-done}")
		row := queueRow(run, "h0", "sw0", 3)
		assert.Equal(t, c.packets, row.TxPackets)
		assert.Equal(t, c.bytes, row.TxBytes+20*row.TxPackets)
		assert.Equal(t, c.bytes, run.Ports[row.Port].WireBytes)
	}
	f := packet.RoCEv2()
	assert.EqualValues(t, 66_864, f.MessageWire(64<<10, 4096))
	assert.EqualValues(t, 70_800, f.MessageWire(64<<10, 1024))
}

// A long flow without loss delivers PMTU/(PMTU+82) of the rate: 98.037 % at
// 4096, 92.586 % at 1024 (V-4, ±0.01 %). Hardware reached 97.5 and, at
// 2048, 95.2 Gb/s at 100G: the model is not below and within 1 %.
func TestV4LongFlow(t *testing.T) {
	for _, c := range []struct {
		mtu      int
		measured float64 // Gb/s; 0: none
	}{
		{4096, 97.5},
		{2048, 95.2},
		{1024, 0},
	} {
		t.Run(fmt.Sprint(c.mtu), func(t *testing.T) {
			run := simulate(t, "wire-writes", fmt.Sprintf("nic.mtu=%d", c.mtu), "workload[bw].bytes=1MiB", "stop.time=5ms")
			noLoss(t, run)
			want := 100 * float64(c.mtu) / float64(c.mtu+82)
			got := gbit(run, sim.Millisecond, nil)
			assert.InEpsilon(t, want, got, 0.0001)
			if c.measured > 0 {
				assert.GreaterOrEqual(t, got, c.measured)
				assert.InEpsilon(t, c.measured, got, 0.01)
			}
		})
	}
}

// One packet crosses a switch of 500 ns between two cables of 10 m. The last
// bit of a 4096-byte SEND arrives after 1266.56 ns when stored and 933.28 ns
// when cut through: frame and preamble, 4166 bytes, count (V-5, ±1 ns;
// here exact). A WRITE has 16 bytes of RETH more, 1.28 ns a serialisation.
func TestV5OnePacketThroughOneSwitch(t *testing.T) {
	for _, c := range []struct {
		forwarding  string
		send, write sim.Time
	}{
		{"store-and-forward", 1_266_560, 1_269_120},
		{"cut-through", 933_280, 934_560},
	} {
		t.Run(c.forwarding, func(t *testing.T) {
			sets := []string{
				"stop={when: flows-done}", "fabric.host_link.cable=10m", "switch.latency=500ns", "switch.forwarding=" + c.forwarding,
				"workload=[{name: one, type: flows, flows: [{from: h0, to: h1, bytes: 4096B, start: 1us}]}]",
			}
			run := simulate(t, "wire-writes", sets...)
			assert.Equal(t, c.write, run.Flows[0].OneWay())
			send := assemble(t, "wire-writes", func(p *scenarios.Plan) { p.Framing.First = 0 }, sets...)
			send.until(t, sim.Millisecond)
			assert.Equal(t, sim.Microsecond+c.send, send.Driver.Message(0).Delivered)
		})
	}
}

// ib_write_bw between real adapters (public reports): the payload rate that
// the framing allows, within 0.3 % of that model and of what was measured.
func TestMeasuredWriteBandwidth(t *testing.T) {
	t.Parallel()
	const cx7 = "nic.preset=connectx-7"
	for _, c := range []struct {
		name            string
		model, measured float64 // Gb/s
		sets            []string
	}{
		{"64 KiB at 100G, ConnectX-6 Dx", 98.01, 98.01, nil},
		{"the same with adaptive routing, a RETH in every packet", 97.66, 97.66, []string{"nic.out_of_order=true"}},
		{"64 KiB at 400G", 392.1, 392.1, []string{cx7, "fabric.host_link.rate=400Gbps"}},
		{"128 KiB at 400G, ConnectX-7", 392.1, 392.1, []string{cx7, "fabric.host_link.rate=400Gbps", "workload[bw].bytes=128KiB"}},
		{"16 KiB at 400G, one queue pair", 380.0, 380.0, []string{cx7, "fabric.host_link.rate=400Gbps", "workload[bw].bytes=16KiB"}},
		{"16 KiB at 400G, eight queue pairs", 391.8, 391.8, []string{cx7, "fabric.host_link.rate=400Gbps", "workload[bw].bytes=16KiB", "workload[bw].qps=8"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := simulate(t, "wire-writes", append([]string{"nic.preset=connectx-6-dx"}, c.sets...)...)
			noLoss(t, run)
			got := gbit(run, 200*sim.Microsecond, nil)
			t.Logf("%.2f Gb/s", got)
			assert.InEpsilon(t, c.model, got, 0.003)
			assert.InEpsilon(t, c.measured, got, 0.003)
		})
	}
}

// A public sweep of ib_write_bw at 100G with a path MTU of 1024 (public
// reports): within 0.3 % of the model column, 0.5 % of the measured one.
func TestMeasuredSweepMTU1024(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		bytes           string
		model, measured float64 // Gb/s
	}{
		{"2048B", 91.92, 91.47},
		{"4096B", 92.25, 92.06},
		{"16KiB", 92.50, 92.46},
		{"8MiB", 92.59, 92.39},
	} {
		t.Run(c.bytes, func(t *testing.T) {
			run := simulate(t, "wire-writes", "nic.preset=connectx-6-dx", "nic.mtu=1024", "workload[bw].bytes="+c.bytes, "workload[bw].depth=16", "stop.time=8ms")
			noLoss(t, run)
			got := gbit(run, sim.Millisecond, nil)
			t.Logf("%.2f Gb/s", got)
			assert.InEpsilon(t, c.model, got, 0.003)
			assert.InEpsilon(t, c.measured, got, 0.005)
		})
	}
}

// The same sweep up to 1024 B is bound by the adapter: 6.90 to 7.31 M messages
// a second on one queue pair (public reports, about 7.0).
func TestMeasuredMessageRate(t *testing.T) {
	for _, bytes := range []string{"2B", "64B", "1024B"} {
		run := simulate(t, "wire-writes", "nic.preset=connectx-6-dx", "nic.mtu=1024", "workload[bw].bytes="+bytes, "stop.time=500us")
		noLoss(t, run)
		rate := gbit(run, 100*sim.Microsecond, nil) * 1e9 / 8 / float64(run.Flows[0].Bytes)
		t.Logf("%s: %.2f M messages/s", bytes, rate/1e6)
		assert.GreaterOrEqual(t, rate, 6.89e6)
		assert.LessOrEqual(t, rate, 7.32e6)
	}
}

// A field report of 98.2 Gb/s of payload at 100G is more than a path MTU of 4096,
// the largest there is, allows on standard Ethernet: 98.04 however long the
// messages, and with SEND, which has no RETH, no more. It needs 75 bytes around
// a payload instead of 82, which a gap of 5 bytes between frames would leave.
func TestFieldReportAboveTheWire(t *testing.T) {
	rate := func(change func(*packet.Framing)) float64 {
		r := assemble(t, "wire-writes", func(p *scenarios.Plan) { change(&p.Framing) }, "workload[bw].bytes=8MiB", "workload[bw].depth=4", "stop.time=10ms")
		r.until(t, 10*sim.Millisecond)
		first, last := r.Driver.Message(0).Delivered, r.Driver.Message(9).Delivered
		return 9 * float64(8<<20) * 8 / float64(last-first) * 1000
	}
	assert.InDelta(t, 98.04, rate(func(*packet.Framing) {}), 0.005)
	assert.InDelta(t, 98.04, rate(func(f *packet.Framing) { f.First = 0 }), 0.005)
	assert.InDelta(t, 98.20, rate(func(f *packet.Framing) { f.Gap = 5 }), 0.005)
}
