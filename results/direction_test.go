package results

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Every metric is on one of three lists: a new one has to be thought about.
func TestDirections(t *testing.T) {
	higher := []string{"goodput", "goodput.total", "goodput.flow.min", "goodput.flow.mean", "jain", "flows.finished"}
	// More of these is a fact about the load, or the share of the luckiest flow.
	neutral := []string{"fct.min", "slowdown.min", "goodput.flow.max", "flows.total", "ecn.marks",
		"utilisation.max", "utilisation.min", "utilisation.mean", "cnp.sent", "cnp.handled"}
	lower := []string{
		"drops.lossless", "drops.lossy", "drops.total",
		"fct.mean", "fct.p50", "fct.p95", "fct.p99", "fct.p99.9", "fct.max",
		"latency.mean", "latency.p50", "latency.p95", "latency.p99", "latency.p99.9", "latency.max", "latency.min",
		"slowdown.mean", "slowdown.p50", "slowdown.p95", "slowdown.p99", "slowdown.p99.9", "slowdown.max",
		"makespan", "flows.unfinished", "flows.failed",
		"pfc.pauses", "pfc.paused_time", "pfc.paused_time_fraction.max", "pfc.xoff_approach.max", "pfcwd.storms", "pfcwd.drops",
		"queue.peak", "queue.mean", "headroom.peak", "deadlocks",
		"retransmits", "out_of_buffer", "out_of_sequence", "ack_timeouts",
	}
	all := slices.Concat(higher, neutral, lower)
	assert.ElementsMatch(t, MetricNames(), all)
	for _, name := range all {
		want := Neutral
		switch {
		case slices.Contains(higher, name):
			want = HigherBetter
		case slices.Contains(lower, name):
			want = LowerBetter
		}
		assert.Equal(t, want, BetterDirection(name), name)
	}
}
