package scenarios

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
)

// The standard's worst case is enough on every switch that pauses, whatever its
// pipelines hold when XOFF is decided and whatever its cells; over a long cable 25
// KB are not. Each packet has an ACK in the class of the data, which fills cells
// worst.
func TestStandardHeadroomLosesNothing(t *testing.T) {
	t.Parallel()
	for _, preset := range Presets("switch") {
		if preset.Name == "bench-100g" {
			continue // has no PFC
		}
		t.Run(preset.Name, func(t *testing.T) {
			for _, cable := range []string{"3m", "300m"} {
				run := overrun(t, preset.Name, cable, "{standard: true}")
				assert.Zero(t, metricOf(t, run, "drops.total"), cable)
				assert.NotZero(t, metricOf(t, run, "pfc.pauses"), cable)
			}
			assert.NotZero(t, metricOf(t, overrun(t, preset.Name, "300m", "{bytes: 25KB}"), "drops.lossless"))
		})
	}
}

// What single NICs are, larger packets and slow answers to a pause, counts too.
func TestStandardHeadroomOfOverrides(t *testing.T) {
	of := func(set ...string) []int64 {
		sc, err := Parse("o.yaml", []byte(`
name: o
stop: {time: 1ms}
fabric: {topology: star, hosts: 3, host_link: {rate: 100Gbps, cable: 3m}}
switch: {preset: ideal, headroom: {standard: true}}
nic: {preset: connectx-6-dx, mtu: 1024, pfc: {response: 500ns}}
cc: {preset: none}
workload: [{name: w, type: saturate, pairs: [[h0, h1]], bytes: 1MiB}]
`), set)
		require.NoError(t, err)
		p, err := sc.Plan()
		require.NoError(t, err)
		var all []int64
		for _, port := range p.Switches[0].Ports {
			all = append(all, port.Headroom)
		}
		return all
	}
	const flight = 84 + 6625 // the pause, and 530 ns at 12.5 B/ns
	assert.Equal(t, []int64{3*1122 + flight, 3*1122 + flight, 3*1122 + flight}, of())
	assert.Equal(t, []int64{3*4194 + flight, 3*4194 + flight, 3*4194 + flight}, of("nic.overrides=[{match: h1, mtu: 4096}]"))
	assert.Equal(t, []int64{3*1122 + flight, 3*1122 + flight + 6250, 3*1122 + flight}, of("nic.overrides=[{match: h1, pfc: {response: 1us}}]"))
}

// overrun runs two senders behind a pair of links and one beside the receiver
// into its 100G port, with traffic both ways, behind a low XOFF threshold.
func overrun(t *testing.T, preset, cable, headroom string) *results.Run {
	t.Helper()
	sc, err := Parse("overrun.yaml", []byte(`
name: overrun
stop: {time: 500us}
fabric:
  topology: dumbbell
  left: 2
  right: 2
  host_link: {rate: 100Gbps, cable: 3m}
  middle: {rate: 100Gbps, cable: 3m, count: 2}
nic: {preset: connectx-6-dx, ack_every: 1}
cc: {preset: none}
workload: [{name: w, type: saturate, pairs: [[h0, h2], [h1, h2], [h3, h2], [h2, h0], [h2, h1]], bytes: 1MiB, depth: 4, qps: 4}]
`), []string{
		"switch={preset: " + preset + ", lossless: {xoff: 100KB}, dscp_to_tc: {26: 3, 48: 6}, ecn: {enabled: false}, headroom: " + headroom + "}",
		"fabric.host_link.cable=" + cable, "fabric.middle.cable=" + cable,
	})
	require.NoError(t, err)
	run, err := Run(context.Background(), sc, RunOptions{})
	require.NoError(t, err)
	return run
}

func metricOf(t *testing.T, run *results.Run, name string) float64 {
	t.Helper()
	v, err := results.NewMetrics(run).Value(name)
	require.NoError(t, err)
	return v
}
