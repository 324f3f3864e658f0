package derive

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/scenarios"
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

// With frequent ACKs in the class of the data more than full frames need is lost,
// and never more than is reserved for any frames: found by halving, in cells. The
// more of the time a port is paused, the more ACKs come for each packet.
func TestAcksNeedNoMoreThanAnyFrames(t *testing.T) {
	beyond := 0
	for _, c := range []struct{ rate, cable, response, mtu, xoff string }{
		{"25Gbps", "40m", "1638ns", "1024", "60KB"},
		{"100Gbps", "3m", "500ns", "4096", "400KB"},
		{"400Gbps", "100m", "1158ns", "4096", "1500KB"},
	} {
		for _, ack := range []string{"1", "2", "4"} {
			p := plan(t, overrun, "fabric.host_link={rate: "+c.rate+", cable: "+c.cable+"}", "fabric.middle={rate: "+c.rate+", cable: "+c.cable+"}",
				"nic.pfc.response="+c.response, "switch.pfc.response="+c.response, "nic.mtu="+c.mtu,
				"switch.lossless.xoff="+c.xoff, "nic.ack_every="+ack, "stop.time=300us")
			for _, h := range Headrooms(p) {
				least := leastInSteps(t, p, &h, h.Cell, h.AnyFrames.Total/h.Cell+1)
				assert.LessOrEqual(t, least, h.AnyFrames.Total, "%v ack_every %s", c, ack)
				if least > h.Needed {
					beyond++
				}
			}
		}
	}
	assert.Greater(t, beyond, 9, "cases with ACKs that need more than full frames")
}

// Small messages take far more than full frames, if the pause has to wait for full
// frames the other way, and no more than is reserved for any frames.
func TestSmallMessagesNeedNoMoreThanAnyFrames(t *testing.T) {
	p := plan(t, overrun, "workload=[{name: small, type: saturate, pairs: [[h0, h2], [h1, h2], [h3, h2]], bytes: 1B, depth: 64, qps: 32}, "+
		"{name: large, type: saturate, pairs: [[h2, h0], [h2, h1], [h2, h3]], bytes: 1MiB, depth: 4}]", "switch.lossless.xoff=60KB")
	for _, h := range Headrooms(p) {
		least := leastInSteps(t, p, &h, h.Cell, h.AnyFrames.Total/h.Cell+1)
		assert.LessOrEqual(t, least, h.AnyFrames.Total)
		assert.Greater(t, 2*least, 3*h.Needed)
	}
}

// leastHeadroom halves the headroom of ports, in frames, until it finds the least
// without loss.
func leastHeadroom(t *testing.T, p *scenarios.Plan, h *Headroom) int64 {
	return leastInSteps(t, p, h, h.Charge, 2*h.Frames)
}

// leastInSteps does so in steps of a size; hi steps are enough.
func leastInSteps(t *testing.T, p *scenarios.Plan, h *Headroom, step, hi int64) int64 {
	lo := int64(-1) // lost at lo, not at hi
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		for _, id := range h.Ports {
			p.Switches[id.Switch].Ports[id.Port].Headroom = mid * step
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
	return hi * step
}

// The standard's worst case, which a scenario may ask for, is enough for any mix of
// frames by the arithmetic that judges it, whatever the neighbours are like.
func TestStandardIsEnoughForAnyFrames(t *testing.T) {
	const text = `
name: standard
fabric: {topology: leaf-spine, leaves: 2, spines: 2, hosts: 4, host_link: {rate: 100Gbps, cable: 3m}, uplink: {rate: 400Gbps, cable: 300m}}
switch: {preset: sonic-tomahawk3, headroom: {standard: true}, buffer: {shared: 1GB, headroom_pool: 0B}}
nic: {preset: connectx-7}
workload: [{name: w, type: latency, pairs: 2, bytes: 64B, every: 1us}]
stop: {time: 1us}
`
	for _, set := range []string{
		"seed=1", "switch.latency=5us", "switch.ingress_share=0", "switch.ingress_share=1", "switch.pfc.response=3us", "nic.pfc.response=3us", "nic.mtu=9000",
		`switch.overrides=[{match: "spine*", latency: 20us, pfc: {response: 4us}}]`, `nic.overrides=[{match: h0, mtu: 9000}]`,
	} {
		all := Headrooms(plan(t, text, set))
		require.NotEmpty(t, all)
		for i := range all {
			h := &all[i]
			assert.GreaterOrEqual(t, h.Configured, h.AnyFrames.Total, "%s: %v", set, h.Ports)
			assert.GreaterOrEqual(t, h.AnyFrames.Total, h.Needed, "%s: %v", set, h.Ports)
		}
	}
}

// Without PFC a switch sends no pauses, whatever priorities it has as lossless.
func TestHeadroomWithoutPauses(t *testing.T) {
	for on, set := range map[bool]string{true: "switch.pfc.enabled=true", false: "switch.pfc.enabled=false"} {
		for _, h := range Headrooms(plan(t, overrun, set)) {
			assert.Equal(t, on, h.Pauses, set)
		}
	}
}
