package results

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/sim"
)

// The expected numbers follow by hand from the run that tiny returns.
func TestMetricValues(t *testing.T) {
	m := NewMetrics(tiny())
	tests := []struct {
		name   string
		labels []Label
		want   float64
	}{
		{"drops.lossless", nil, 0},
		{"drops.lossy", nil, 2},
		{"drops.total", []Label{{"node", "leaf0"}}, 2},
		{"drops.total", []Label{{"cause", "WRED"}}, 0},
		{"fct.max", nil, 20e6},
		{"fct.min", labelled("probe"), 3e6},
		{"fct.p50", labelled("probe"), 6e6},
		{"fct.mean", []Label{{"bucket", "0-3000"}}, 6e6}, // (3+6+9)/3 us
		{"latency.mean", nil, 3e6},                       // (2+3+4)/3 us
		{"latency.p99", labelled("bulk"), 19e6},
		{"slowdown.max", nil, 3}, // probe 9 us over 3 us
		{"slowdown.p50", labelled("bulk"), 2},
		// bulk: 350,000 B from 0 to the end at 100 us.
		{"goodput", labelled("bulk"), 350_000 * 8 / 100e-6},
		{"goodput.total", nil, 350_192 * 8 / 100e-6},
		{"goodput.flow.max", labelled("bulk"), 100_000 * 8 / 19e-6},
		{"goodput.flow.min", labelled("bulk"), 250_000 * 8 / 80e-6},
		{"makespan", labelled("probe"), 49e6}, // 10 us to 59 us
		{"flows.total", nil, 5},
		{"flows.finished", nil, 4},
		{"flows.unfinished", labelled("bulk"), 1},
		{"flows.unfinished", []Label{{"src", "h0"}}, 0},
		{"flows.failed", nil, 0},
		{"pfc.pauses", nil, 2},
		{"pfc.pauses", []Label{{"node", "h0"}}, 0},
		{"pfc.paused_time", nil, 5e6},
		{"pfc.paused_time_fraction.max", nil, 0.05},
		{"pfc.xoff_approach.max", []Label{{"priority", "3"}}, 1},
		{"ecn.marks", nil, 12},
		{"queue.peak", nil, 70_000},
		{"queue.peak", []Label{{"tier", "host>leaf"}}, 0},
		{"queue.mean", nil, 1500.5},
		{"headroom.peak", nil, 9_000},
		{"utilisation.max", nil, 0.5}, // 625,000 B of 1.25 MB in 100 us
		{"utilisation.min", nil, 0},
		{"utilisation.mean", []Label{{"tier", "leaf>host"}}, 0.125},
		{"cnp.sent", nil, 6},
		{"cnp.handled", []Label{{"node", "h0"}}, 5},
		{"retransmits", nil, 8},
		{"out_of_sequence", nil, 3},
		{"ack_timeouts", nil, 1},
	}
	for _, test := range tests {
		got, err := m.Value(test.name, test.labels...)
		require.NoError(t, err, test.name)
		assert.InEpsilon(t, 1+test.want, 1+got, 1e-12, "%s%v", test.name, test.labels)
	}
}

func TestGoodputLeavesOutTheWarmUp(t *testing.T) {
	run := tiny()
	run.Manifest.MeasureFrom = 60 * sim.Microsecond
	run.Flows = run.Flows[:2]
	run.Flows[0].Measured = 0 // delivered before
	run.Flows[1].Measured = 125_000
	m := NewMetrics(run)
	for _, name := range []string{"goodput", "goodput.total", "goodput.flow.min"} {
		got, err := m.Value(name)
		require.NoError(t, err)
		assert.InEpsilon(t, 25e9, got, 1e-12, "%s: 125 KB in 40 us", name)
	}
}

func TestDatagramsFinishByDelivery(t *testing.T) {
	run := tiny()
	run.Flows = []FlowRow{
		{Bytes: 10, Delivered: 5, Unfinished: NotAcknowledged},
		{Bytes: 10, Unfinished: NotAcknowledged},
		{Bytes: 10, Unfinished: RetriesSpent},
	}
	m := NewMetrics(run)
	for name, want := range map[string]float64{"flows.finished": 1, "flows.unfinished": 2, "flows.failed": 1} {
		got, err := m.Value(name)
		require.NoError(t, err)
		assert.Equal(t, want, got, name)
	}
	run.Flows = run.Flows[:1]
	got, err := NewMetrics(run).Value("makespan")
	require.NoError(t, err)
	assert.Equal(t, 5.0, got)
}

func TestMetricErrors(t *testing.T) {
	m := NewMetrics(&Run{})
	tests := []struct {
		name   string
		labels []Label
		want   string
	}{
		{"fct.p9", nil, `unknown metric "fct.p9"; did you mean fct.p95, fct.p99, fct.p50?`},
		{"fct.p99", nil, "no such flow finished"},
		{"latency.p99", nil, "no such probe was delivered"},
		{"goodput", nil, "no such flow ran in the time measured"},
		{"makespan", nil, "there is no such flow"},
		{"utilisation.max", nil, "there is no such link"},
		{"pfc.paused_time_fraction.max", nil, "no time was simulated"},
		{"fct.p99", labelled("a"), `there is no workload "a": the run has none`},
		{"fct.p99", []Label{{"tier", "x"}}, `fct.p99 cannot be narrowed by "tier", allowed: workload, src, dst, bucket`},
	}
	for _, test := range tests {
		_, err := m.Value(test.name, test.labels...)
		assert.EqualError(t, err, test.want)
	}
}

func TestFormat(t *testing.T) {
	assert.Equal(t, "2.41 ms", Duration.Format(2.41e9))
	assert.Equal(t, "0 s", Duration.Format(0))
	assert.Equal(t, "98.01 Gbps", DataRate.Format(98.0099e9))
	assert.Equal(t, "1.361 MB", Size.Format(1_360_736))
	assert.Equal(t, "1,234,567", Count.Format(1234567))
	assert.Equal(t, "12.5", Count.Format(12.5))
	assert.Equal(t, "0.05", Ratio.Format(0.05))
	assert.Equal(t, "1.235e-05", Ratio.Format(0.000012346))
	assert.Equal(t, "-1,000", thousands(-1000))
}
