package derive

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios"
)

// Mean of ideal over slowest, in percent, of 20,000 trials.
func TestSlowestOfEqualWays(t *testing.T) {
	for _, c := range []struct {
		flows, ways int
		percent     float64
	}{{8, 8, 41}, {16, 8, 50}, {32, 8, 58}, {64, 8, 66}, {128, 8, 74}, {4, 4, 51}, {32, 4, 74}, {16, 16, 34}} {
		assert.InDelta(t, c.percent, 100*ECMPOdds(c.flows, c.ways).Slowest, 1, "%d flows on %d ways", c.flows, c.ways)
	}
}

// V-7: 8 flows on 8 links, and 64 on 8.
func TestOddsOfV7(t *testing.T) {
	o := ECMPOdds(8, 8)
	assert.InDelta(t, 5.251, o.Busy, 0.001)
	assert.InDelta(t, 2.59, o.MeanMax, 0.05)
	assert.InDelta(t, 0.0024, 1-o.Collision, 0.0001)
	assert.InDelta(t, 12.2, ECMPOdds(64, 8).MeanMax, 0.2)
	assert.Equal(t, 1.0, ECMPOdds(9, 8).Collision)
	assert.InDelta(t, 0.125, ECMPOdds(2, 8).Collision, 1e-12)
	assert.Equal(t, 1.0, ECMPOdds(1, 8).Slowest)
}

// Flows of a workload are counted where their switch has a choice, in every tier.
func TestSpreadsCountFlowsByTier(t *testing.T) {
	p := plan(t, `
name: spread
stop: {time: 1ms}
fabric: {topology: fat-tree, k: 4, host_link: {rate: 100Gbps, cable: 3m}, uplink: {rate: 100Gbps, cable: 30m}}
switch: {preset: sonic-tomahawk3, dscp_to_tc: {26: 3}}
nic: {preset: connectx-6-dx}
cc: {preset: none}
workload:
  - {name: a, type: saturate, pairs: [[h0, h15], [h0, h3], [h0, h1]], bytes: 1MiB, qps: 8}
  - {name: probe, type: latency, pairs: [[h0, h15]], bytes: 64B, every: 20us}
`)
	assert.Equal(t, 8, NewTraffic(p).FanIn())
	spreads := NewTraffic(p).Spreads()
	require.Len(t, spreads, 2)
	assert.Equal(t, 16, spreads[0].Flows, "edge: those to another edge")
	assert.Equal(t, [3]int{0, 2, 1}, [3]int{spreads[0].Tier, spreads[0].Ways, spreads[0].Switches})
	assert.Equal(t, 4, spreads[1].Flows, "each aggregation switch has half of those to another pod")
	assert.Equal(t, [3]int{1, 2, 2}, [3]int{spreads[1].Tier, spreads[1].Ways, spreads[1].Switches})
	assert.False(t, spreads[0].SameSeed)
}

func TestSameSeedIsSeen(t *testing.T) {
	for name, same := range map[string]bool{"same-hash-seed": true, "cluster-200": false} {
		e, err := scenarios.FindScenario(name)
		require.NoError(t, err)
		for _, s := range NewTraffic(plan(t, string(e.Text))).Spreads() {
			assert.Equal(t, same, s.SameSeed, name)
		}
	}
}
