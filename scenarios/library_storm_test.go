package scenarios_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/sim"
)

// closerLooks are what runs of the library must show besides what their
// scenarios expect and their baselines say.
func closerLooks() map[string]func(*testing.T, *results.Run) {
	return map[string]func(*testing.T, *results.Run){
		"pause-storm":          pauseStormStopsTheFabric,
		"pause-storm-watchdog": watchdogSavesTheFabric,
	}
}

// goodput is the mean delivery rate in bit/s of a workload over a span of a run.
func goodput(t *testing.T, run *results.Run, workload string, from, to sim.Time) float64 {
	t.Helper()
	sum, n := 0.0, 0
	for i := range run.Series {
		s := &run.Series[i]
		if s.Kind != results.RateSeries || s.Name != workload {
			continue
		}
		for k, v := range s.Values {
			if end := s.At(k); end-s.Step >= from && end <= to {
				sum += v
				n++
			}
		}
	}
	require.Positive(t, n, "samples of %s", workload)
	return sum / float64(n)
}

// One NIC that sends XOFF for ever stops the traffic of its priorities between
// all other hosts: below 10 % once buffers are full. Another class goes on
// (L22; Guo et al., SIGCOMM 2016, section 4.3).
func pauseStormStopsTheFabric(t *testing.T, run *results.Run) {
	before := goodput(t, run, "others", 200*sim.Microsecond, sim.Millisecond)
	after := goodput(t, run, "others", 8*sim.Millisecond, 20*sim.Millisecond)
	assert.Less(t, after, 0.1*before)
	assert.InEpsilon(t, 64e9, goodput(t, run, "lossy", 8*sim.Millisecond, 20*sim.Millisecond), 0.05, "2 % of 32 hosts")

	trees := results.PauseTrees(run)
	host, ok := trees[0].RootHost(run)
	require.True(t, ok)
	assert.Equal(t, "h0", run.Nodes[host], "the root")
	assert.Equal(t, "leaf0:0>h0", run.PortName(trees[0].Ports[0].Port))
	assert.Equal(t, sim.Millisecond, trees[0].Ports[0].First/sim.Millisecond*sim.Millisecond, "since the storm began")
	assert.Greater(t, len(trees[0].Ports), 40, "ports in the tree")
	deepest := 0
	for _, p := range trees[0].Ports {
		deepest = max(deepest, p.Depth)
	}
	assert.Equal(t, 3, deepest, "leaf to spine to leaf to host")
}

// With a watchdog at the ports to hosts the others are back above 95 % of what
// they ask for, and only what was for h0 is lost (L22).
func watchdogSavesTheFabric(t *testing.T, run *results.Run) {
	require.Len(t, run.Storms, 1)
	assert.Equal(t, "leaf0:0>h0", run.PortName(run.Storms[0].Port))
	assert.True(t, run.Storms[0].Detected >= 11*sim.Millisecond && run.Storms[0].Detected <= 21*sim.Millisecond, run.Storms[0].Detected)
	const offered = 0.2 * 31 * 100e9
	assert.Greater(t, goodput(t, run, "others", 22*sim.Millisecond, 30*sim.Millisecond), 0.95*offered)
	dropped := int64(0)
	for i := range run.Drops {
		assert.Equal(t, "PFC watchdog", run.Drops[i].Cause)
		dropped += run.Drops[i].Packets
	}
	assert.Equal(t, run.Storms[0].TxDropped, dropped, "all that was lost waited for h0")
	for i := range run.Flows {
		if f := &run.Flows[i]; f.Dst != 0 {
			require.NotZero(t, f.Completed, "flow %d to %s", f.ID, run.Nodes[f.Dst])
		}
	}
}
