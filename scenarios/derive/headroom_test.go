package derive

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/scenarios"
	"rocesim/sim"
)

// plan resolves a scenario.
func plan(t testing.TB, text string, set ...string) *scenarios.Plan {
	t.Helper()
	sc, err := scenarios.Parse("test.yaml", []byte(text), set)
	require.NoError(t, err)
	p, err := sc.Plan()
	require.NoError(t, err)
	return p
}

func simulate(t testing.TB, p *scenarios.Plan) *results.Run {
	t.Helper()
	run, err := p.Run(context.Background(), scenarios.RunOptions{})
	require.NoError(t, err)
	return run
}

func metric(t testing.TB, run *results.Run, name string) float64 {
	t.Helper()
	v, err := results.NewMetrics(run).Value(name)
	require.NoError(t, err)
	return v
}

// overrun pauses the peers of one switch again and again, adapters and another
// switch, with full frames both ways for the pauses to wait for. The threshold is
// static, so that headroom alone decides about loss, and ACKs are rare: they fill
// cells worse than full frames.
const overrun = `
name: overrun
stop: {time: 600us}
fabric:
  topology: dumbbell
  left: 2
  right: 2
  host_link: {rate: 100Gbps, cable: 3m}
  middle: {rate: 100Gbps, cable: 3m}
switch:
  preset: sonic-tomahawk3
  dscp_to_tc: {26: 3, 48: 6}
  buffer: {shared: 100MB, headroom_pool: 0B}
  ecn: {enabled: false}
  headroom: {bytes: 5MB}
nic: {preset: connectx-6-dx, ack_every: 0, packet_interval: 0ps, message_interval: 0ps, qp_message_interval: 0ps, pcie: 0bps}
cc: {preset: none}
workload: [{name: w, type: saturate, pairs: [[h0, h2], [h1, h2], [h3, h2], [h2, h0], [h2, h1], [h3, h2]], bytes: 1MiB, depth: 4, qps: 2}]
`

// The need of the arithmetic is what the simulator needs: the least headroom
// without loss, found by halving, is the same number of frames.
func TestNeededHeadroomIsWhatTheSimulatorNeeds(t *testing.T) {
	for _, c := range []struct{ rate, cable, response, mtu, xoff, more string }{
		{"100Gbps", "3m", "500ns", "4096", "400KB", ""},
		{"100Gbps", "300m", "0ps", "4096", "400KB", ""},
		{"25Gbps", "40m", "1638ns", "1024", "60KB", ""},
		{"400Gbps", "100m", "1158ns", "4096", "1500KB", ""},
		{"100Gbps", "40m", "2us", "1024", "400KB", "switch.forwarding=cut-through"},
		{"40Gbps", "1000m", "500ns", "2048", "60KB", "switch.buffer.cell=1B"},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			set := []string{
				"fabric.host_link={rate: " + c.rate + ", cable: " + c.cable + "}", "fabric.middle={rate: " + c.rate + ", cable: " + c.cable + "}",
				"nic.pfc.response=" + c.response, "switch.pfc.response=" + c.response, "nic.mtu=" + c.mtu,
				"switch.lossless.xoff=" + c.xoff,
			}
			if c.more != "" {
				set = append(set, c.more)
			}
			p := plan(t, overrun, set...)
			for _, h := range Headrooms(p) {
				assert.Equal(t, h.Needed, leastHeadroom(t, p, &h), "peer is a switch: %v", h.PeerIsSwitch)
			}
		})
	}
}

// leastHeadroom halves the headroom of ports, in frames, until it finds the least
// without loss.
func leastHeadroom(t *testing.T, p *scenarios.Plan, h *Headroom) int64 {
	lo, hi := int64(-1), 2*h.Frames // frames: lost at lo, not at hi
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		for _, id := range h.Ports {
			p.Switches[id.Switch].Ports[id.Port].Headroom = mid * h.Charge
		}
		if metric(t, simulate(t, p), "drops.total") == 0 {
			hi = mid
		} else {
			lo = mid
		}
	}
	for _, id := range h.Ports {
		p.Switches[id.Switch].Ports[id.Port].Headroom = h.Configured
	}
	return hi * h.Charge
}

// CASES section 2b: IEEE 802.1Qbb's worst case for frames of 4200 and 9216 bytes,
// in kilobytes. The table rounds to 0.1 KB.
func TestStandardHeadroom(t *testing.T) {
	for _, c := range []struct {
		rate  sim.Rate
		frame int64
		kb    [5]float64 // at 5, 40, 100, 300 and 500 m
	}{
		{100, 4200, [5]float64{34.4, 38.7, 46.2, 71.2, 96.2}},
		{100, 9216, [5]float64{44.4, 48.8, 56.3, 81.3, 106.3}},
		{400, 4200, [5]float64{68.9, 86.4, 116.4, 216.4, 316.4}},
		{400, 9216, [5]float64{79.0, 96.5, 126.5, 226.5, 326.5}},
	} {
		for i, metres := range []sim.Time{5, 40, 100, 300, 500} {
			got, ok := Standard(c.rate*sim.Gbps, metres*5*sim.Nanosecond, c.frame)
			require.True(t, ok)
			assert.InDelta(t, c.kb[i], float64(got)/1000, 0.1, "%v %d B %d m", c.rate, c.frame, metres)
		}
	}
	_, ok := Standard(30*sim.Gbps, 0, 4200)
	assert.False(t, ok)
}
