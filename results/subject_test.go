package results

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseSubject(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"fct.p99", "fct.p99"},
		{" fct.p99 { workload = storage , src=h0 } ", "fct.p99{workload=storage,src=h0}"},
	} {
		s, err := ParseSubject(c.text)
		require.NoError(t, err)
		assert.Equal(t, c.want, s.String())
		assert.Equal(t, Duration, s.Info().Unit)
	}
	for _, c := range []struct{ text, want string }{
		{"", "column 1: want the name of a metric, such as drops.lossless, found the end"},
		{"fct.p98", `column 1: unknown metric "fct.p98"; did you mean fct.p95, fct.p99, fct.p50?`},
		{"fct.p99{cause=x}", `column 9: fct.p99 cannot be narrowed by "cause", allowed: workload, src, dst, bucket`},
		{"fct.p99 <= 3ms", `column 9: the metric should end here, found "<= 3ms"`},
	} {
		_, err := ParseSubject(c.text)
		assert.EqualError(t, err, c.want)
	}
}

// The subjects that comparisons begin with are metrics that there are.
func TestSubjectsAreMetrics(t *testing.T) {
	for _, list := range [][]Subject{MainSubjects([]string{"a", "b"}), AllSubjects([]string{"a", "b"})} {
		for _, s := range list {
			parsed, err := ParseSubject(s.String())
			require.NoError(t, err)
			assert.Equal(t, s, parsed)
		}
	}
	assert.Len(t, AllSubjects([]string{"only"}), len(MetricNames()))
}

func TestBetterDirection(t *testing.T) {
	for metric, want := range map[string]Direction{
		"fct.p99": LowerBetter, "goodput.flow.min": HigherBetter, "flows.finished": HigherBetter,
		"flows.failed": LowerBetter, "flows.total": Neutral, "ecn.marks": Neutral, "utilisation.max": Neutral,
		"drops.lossless": LowerBetter, "pfc.paused_time_fraction.max": LowerBetter,
	} {
		assert.Equal(t, want, BetterDirection(metric), metric)
	}
	assert.Equal(t, "lower is better", LowerBetter.String())
}
