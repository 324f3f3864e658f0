package validation_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
)

// ns3Incast is n senders of 1 MB each to one receiver at once, on a switch
// with 33 ports.
func ns3Incast(n, bufferMiB int, ecn bool) *ns3Input {
	in := &ns3Input{hosts: 33, rate: "100Gbps", config: [][2]string{{"BUFFER_SIZE", strconv.Itoa(bufferMiB)}}}
	if !ecn {
		in.config = append(in.config, [2]string{"ENABLE_QCN", "0"})
	}
	for i := range n {
		in.flows = append(in.flows, ns3Flow{i, 32, 1_000_000, 2})
	}
	return in
}

// TestNS3PFCIncast has incast under PFC alone. The link of the receiver never
// idles, so the last flow ends to the nanosecond when the original's does:
// 4000 + (1000 n + 1) 83 + 8 ns. Which flow ends when depends on the order of
// events of one nanosecond: see DEVIATIONS.md, G1.
func TestNS3PFCIncast(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		senders int
		last    int64
		mean    float64 // completion time in ns
		pauses  float64 // XOFF frames
	}{
		{2, 170_091, 170_049.5, 32}, {8, 668_091, 652_559.6, 197}, {32, 2_660_091, 2_633_092.7, 713},
	} {
		r := runNS3(t, ns3Incast(c.senders, 2, false).load(t))
		require.Len(t, r.rows, c.senders)
		assert.Equal(t, c.last, r.rows[c.senders-1].FCTNs)
		sum := 0.0
		for _, row := range r.rows {
			sum += float64(row.FCTNs)
		}
		assert.InEpsilon(t, c.mean, sum/float64(c.senders), 0.002, "%d senders", c.senders)
		assert.InEpsilon(t, c.pauses, r.pauses(), 0.1, "%d senders", c.senders)
	}
}

// ns3Seeds is how many runs a mean is taken of where marking draws random
// numbers: the original's are unknown, and its one run is as random as each of
// ours.
const ns3Seeds = 8

// TestNS3DCQCNIncast compares the mean slowdown of incast under DCQCN, and the
// number of pauses.
func TestNS3DCQCNIncast(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		senders, bufferMiB int
		slowdown, pauses   float64 // of the original
	}{
		{2, 32, 4.690, 0}, {8, 32, 12.536, 0}, {32, 32, 29.223, 0},
		{2, 2, 1.932, 32}, {8, 2, 7.321, 252}, {32, 2, 26.850, 917},
	} {
		var slow, pauses []float64
		for seed := range ns3Seeds {
			r := runNS3(t, ns3Incast(c.senders, c.bufferMiB, true).load(t, fmt.Sprintf("seed=%d", seed+1), "output.sample=0ns"))
			require.Len(t, r.rows, c.senders)
			slow = append(slow, stat.Mean(slowdowns(r.rows), nil))
			pauses = append(pauses, float64(r.pauses()))
		}
		mean, sd := stat.MeanStdDev(slow, nil)
		t.Logf("%d senders, %d MiB: slowdown %.3f (one run varies by %.3f), original %.3f; pauses %v, original %v",
			c.senders, c.bufferMiB, mean, sd, c.slowdown, pauses, c.pauses)
		assert.InEpsilon(t, c.slowdown, mean, 0.1, "%d senders, %d MiB", c.senders, c.bufferMiB)
		assert.LessOrEqual(t, slices.Max(pauses), 1.5*c.pauses)
		assert.GreaterOrEqual(t, slices.Min(pauses), c.pauses/1.5)
	}
}
