package validation_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"rocesim/results"
	"rocesim/scenarios"
	"rocesim/sim"
)

// ns3Long is n endless flows to one receiver that start 5 ms apart; the run is
// 50 ms long.
func ns3Long(n int) *ns3Input {
	in := &ns3Input{hosts: 5, rate: "100Gbps", config: [][2]string{{"SIMULATOR_STOP_TIME", "2.05"}}}
	for i := range n {
		in.flows = append(in.flows, ns3Flow{i, 4, 4_000_000_000, 2 + 0.005*float64(i)})
	}
	return in
}

// TestNS3LongFlows compares what settles under DCQCN from 20 ms on: goodput,
// and the queue at the receiver's port in samples of 50 us. Expected numbers
// are evaluated from the original's samples in the same way. The queue swings
// by tens of KB from one 5 ms window to the next, in both programs.
func TestNS3LongFlows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		flows      int
		sum        float64 // of goodputs in Gb/s
		spread     float64 // of single goodputs around the mean, as a part of it
		mean, tail float64 // queue: mean and 99th percentile in bytes
	}{
		{2, 95.4, 0.05, 179_400, 506_184}, {4, 95.9, 0.5, 221_000, 560_680},
	} {
		var means, tails []float64
		for seed := range 4 {
			set := fmt.Sprintf("seed=%d", seed+1)
			run := runNS3(t, ns3Long(c.flows).load(t, set, "output.sample=50us")).run
			rates := goodputs(t, run, ns3Long(c.flows).load(t, set, "output.sample=0ns", "stop.max=20ms"))
			sum := 0.0
			for _, r := range rates {
				sum += r
				assert.InEpsilon(t, c.sum/float64(c.flows), r, c.spread, "%d flows: %v", c.flows, rates)
			}
			assert.InEpsilon(t, c.sum, sum, 0.01, "%d flows: %v", c.flows, rates)
			depth := receiverQueue(t, run, 20*sim.Millisecond)
			means = append(means, stat.Mean(depth, nil))
			slices.Sort(depth)
			tails = append(tails, stat.Quantile(0.99, stat.Empirical, depth, nil))
		}
		t.Logf("%d flows: mean queue %.0f, original %.0f; 99th percentile %.0f, original %.0f", c.flows, means, c.mean, tails, c.tail)
		assert.InEpsilon(t, c.mean, stat.Mean(means, nil), 0.15, "%d flows", c.flows)
		assert.InEpsilon(t, c.tail, stat.Mean(tails, nil), 0.1, "%d flows", c.flows)
	}
}

// goodputs are those of each flow in Gb/s from 20 to 50 ms: what the whole run
// delivered less what one does that ends at 20 ms, which is the same until then.
func goodputs(t *testing.T, whole *results.Run, until20ms *scenarios.Import) []float64 {
	t.Helper()
	first := runNS3(t, until20ms).run
	require.Len(t, first.Flows, len(whole.Flows))
	var out []float64
	for i := range whole.Flows {
		out = append(out, float64(whole.Flows[i].Measured-first.Flows[i].Measured)*8/30e6)
	}
	return out
}

// receiverQueue is the sampled depth in bytes of the queue to host 4 after an
// instant.
func receiverQueue(t *testing.T, run *results.Run, from sim.Time) []float64 {
	t.Helper()
	for i := range run.Series {
		s := &run.Series[i]
		if s.Kind != results.QueueSeries || run.Nodes[run.Ports[s.Port].Peer] != "4" {
			continue
		}
		var depth []float64
		for k, v := range s.Values {
			if s.At(k) >= from {
				depth = append(depth, v)
			}
		}
		require.NotEmpty(t, depth)
		return depth
	}
	require.Fail(t, "no samples of the queue")
	return nil
}
