package validation_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/fabric/packet"
	"rocesim/results"
	"rocesim/scenarios"
)

// The UDP source port of a queue pair, as Linux derives it from the flow label
// or from the two queue pair numbers (V-6, exact).
func TestV6SourcePort(t *testing.T) {
	for _, c := range []struct {
		label, local, remote uint32
		want                 uint16
	}{
		{0, 0x11, 0x22, 0xC242},
		{0, 0x1A2B, 0x3C4D, 0xF2AA},
		{0, 0xD02, 0x10B, 0xD120},
		{0x12345, 0, 0, 0xE341},
		{0xFFFFF, 0, 0, 0xFFC0},
	} {
		assert.Equal(t, c.want, packet.SourcePort(c.label, c.local, c.remote), "flow label %#x, queue pairs %#x and %#x", c.label, c.local, c.remote)
	}
}

// Flows over eight equal links, hashed by the switch over their real 5-tuples,
// fall like balls into bins: of 8 flows 5.251 links are busy in the mean, the
// busiest has 2.59, and 8!/8^8 = 0.24 % of the seeds have no collision; of 64
// flows the busiest link has 12.2 (V-7, 2000 seeds and more).
func TestV7FlowsOverEqualLinks(t *testing.T) {
	t.Parallel()
	t.Run("8 flows", func(t *testing.T) {
		t.Parallel()
		busy, most, perfect := hashedFlows(t, 1, 2500)
		assert.InDelta(t, 5.251, busy, 0.05)
		assert.InDelta(t, 2.59, most, 0.05)
		assert.InDelta(t, 0.0024, perfect, 0.002)
	})
	t.Run("64 flows", func(t *testing.T) {
		t.Parallel()
		_, most, _ := hashedFlows(t, 8, 2000)
		assert.InDelta(t, 12.2, most, 0.2)
	})
}

// hashedFlows sends one packet on each of qps queue pairs between 8 pairs of
// hosts over 8 parallel links, once per seed. It returns the mean number of
// busy links, the mean of the highest number of flows on one, and the fraction
// of seeds in which no two flows met.
func hashedFlows(t *testing.T, qps, seeds int) (busy, most, perfect float64) {
	t.Helper()
	plan, err := parse(t, "wire-ecmp", fmt.Sprintf("workload[pairs].qps=%d", qps)).Plan()
	require.NoError(t, err)
	var memory scenarios.Memory
	for seed := range seeds {
		other, err := plan.WithSeed(uint64(seed))
		require.NoError(t, err)
		used, highest := linksUsed(t, other, &memory)
		busy += float64(used)
		most += float64(highest)
		if used == 8 && highest == 1 {
			perfect++
		}
	}
	n := float64(seeds)
	return busy / n, most / n, perfect / n
}

// linksUsed runs a plan and counts the data packets on the links from sw0 to
// sw1.
func linksUsed(t *testing.T, p *scenarios.Plan, memory *scenarios.Memory) (used, highest int) {
	t.Helper()
	run, err := p.Run(context.Background(), scenarios.RunOptions{MetricsOnly: true, Memory: memory})
	require.NoError(t, err)
	require.Equal(t, results.Finished, run.Manifest.Stop)
	for i := range run.Queues {
		q := &run.Queues[i]
		port := run.Ports[q.Port]
		if q.Priority != dataQueue || q.TxPackets == 0 || run.Nodes[port.Node] != "sw0" || run.Nodes[port.Peer] != "sw1" {
			continue
		}
		used++
		highest = max(highest, int(q.TxPackets))
	}
	return used, highest
}
