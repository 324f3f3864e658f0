package results

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestParseExpectation(t *testing.T) {
	tests := []struct {
		text      string
		metric    string
		labels    []Label
		op        Operator
		value     float64
		tolerance float64
	}{
		// Clauses of docs/scenarios.md and of cluster-200.
		{"drops.lossless == 0", "drops.lossless", nil, Equal, 0, 0},
		{"fct.p99{workload=storage} <= 3ms", "fct.p99", labelled("storage"), LessEqual, 3e9, 0},
		{"pfc.paused_time_fraction.max <= 0.05", "pfc.paused_time_fraction.max", nil, LessEqual, 0.05, 0},
		// 98.01 Gb/s are measured with ConnectX-6 Dx.
		{"goodput{workload=a} ~= 98.01Gbps +- 0.3%", "goodput", labelled("a"), Near, 98.01e9, 98.01e9 * 0.003},
		{"queue.peak ~= 1361KB +- 2KB", "queue.peak", nil, Near, 1361e3, 2e3},
		{"  queue.peak{ node = leaf3 , priority=3 }<9KiB ", "queue.peak", []Label{{"node", "leaf3"}, {"priority", "3"}}, Less, 9216, 0},
		{"fct.p99.9>1 us", "fct.p99.9", nil, Greater, 1e6, 0},
		{"utilisation.max >= 5 %", "utilisation.max", nil, GreaterEqual, 0.05, 0},
		{"jain != 1", "jain", nil, NotEqual, 1, 0},
		{"fct.max <= 2.41us", "fct.max", nil, LessEqual, 2_410_000, 0},
		// Products that are not whole in floating point.
		{"fct.max <= 8.2us", "fct.max", nil, LessEqual, 8_200_000, 0},
		{"makespan == 1.005s", "makespan", nil, Equal, 1_005_000_000_000, 0},
		{"goodput.total == 16.1Gbps", "goodput.total", nil, Equal, 16_100_000_000, 0},
		{"drops.lossy{cause=egress limit} == 2", "drops.lossy", []Label{{"cause", "egress limit"}}, Equal, 2, 0},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			e, err := ParseExpectation(test.text)
			require.NoError(t, err)
			assert.Equal(t, strings.TrimSpace(test.text), e.Text)
			assert.Equal(t, test.metric, e.Metric)
			assert.Equal(t, test.labels, e.Labels)
			assert.Equal(t, test.op, e.Op)
			assert.Equal(t, test.value, e.Value, "value in base units")
			assert.InDelta(t, test.tolerance, e.Tolerance, 1e-3, "tolerance in base units")
		})
	}
}

func TestParseExpectationErrors(t *testing.T) {
	tests := []struct {
		text, want string
	}{
		{"", "column 1: want the name of a metric, such as drops.lossless, found the end"},
		{"== 3", `column 1: want the name of a metric, such as drops.lossless, found "== 3"`},
		{"drop.lossless == 0", `column 1: unknown metric "drop.lossless"; did you mean drops.lossless?`},
		{"fct.p98 < 1ms", `column 1: unknown metric "fct.p98"; did you mean fct.p95, fct.p99, fct.p50?`},
		{"fct.percentile99 < 1ms", `column 1: unknown metric "fct.percentile99"; did you mean fct.mean, fct.p50, fct.p95?`},
		{"fct.p99 <= 3", `column 12: "3" has no unit, want a time (ps, ns, us, ms, s)`},
		{"fct.p99 <= 3MB", `column 12: "MB" is not a valid unit here, want a time (ps, ns, us, ms, s)`},
		{"goodput >= 90Gb", `column 12: "Gb" is not a valid unit here, want a rate (bps, Kbps, Mbps, Gbps, Tbps)`},
		{"queue.peak < 1.2.3KB", `column 14: "1.2.3" is not a number`},
		{"drops.lossless == 0ms", `column 19: "ms" is not a valid unit here, want a plain number`},
		{"jain >= -1", `column 9: want a ratio (0.05 or 5%), found "-1"`},
		{"fct.p99{host=h1} < 1ms", `column 9: fct.p99 cannot be narrowed by "host", allowed: workload, src, dst, bucket`},
		{"goodput.total{workload=a} > 1Gbps", `column 15: goodput.total cannot be narrowed by "workload", it takes no braces`},
		{"fct.p99{workload} < 1ms", `column 17: want = after workload, found "} < 1ms"`},
		{"fct.p99{workload=} < 1ms", "column 18: workload has no value"},
		{"fct.p99{workload=a,workload=b} < 1ms", "column 20: workload is given twice"},
		{"fct.p99{workload=a < 1ms", "column 25: want , or } in the braces, found the end"},
		{"fct.p99 = 1ms", `column 9: want one of == != < <= > >= ~= after fct.p99, found "= 1ms"`},
		{"fct.p99", "column 8: want one of == != < <= > >= ~= after fct.p99, found the end"},
		{"fct.p99 < 1ms 2ms", `column 15: the clause should end here, found "2ms"`},
		{"fct.p99 ~= 1ms", "column 15: ~= needs a tolerance, such as +- 1%, found the end"},
		{"fct.p99 < 1ms +- 1%", "column 15: a tolerance goes with ~= only, not with <"},
		{"fct.p99 ~= 1ms +- 1", `column 19: "1" has no unit, want a time (ps, ns, us, ms, s)`},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			_, err := ParseExpectation(test.text)
			require.EqualError(t, err, test.want)
			var syntax *SyntaxError
			require.True(t, errors.As(err, &syntax))
		})
	}
}

func TestEveryMetricCanBeExpectedAndMeasured(t *testing.T) {
	run := tiny()
	run.Flows = append(run.Flows[:1], run.Flows[2:]...) // makespan needs all flows finished
	m := NewMetrics(run)
	bounds := map[Unit]string{Count: "0", Duration: "0ps", DataRate: "0bps", Size: "0B", Ratio: "0%"}
	for _, info := range Catalogue() {
		e, err := ParseExpectation(info.Name + " >= " + bounds[info.Unit])
		require.NoError(t, err)
		outcomes := Evaluate([]Expectation{e}, m)
		assert.True(t, outcomes[0].OK, outcomes[0].Text)
		assert.NotEmpty(t, info.Doc)
	}
}

func TestEvaluateTexts(t *testing.T) {
	run := tiny()
	drop(run, 1)
	m := NewMetrics(run)
	tests := []struct {
		clause string
		ok     bool
		want   string
	}{
		{"fct.p99{workload=bulk} <= 3ms", true,
			"fct.p99{workload=bulk} = 20 us (without 1 of 2 flows, unfinished), expected <= 3 ms: ok"},
		{"drops.lossless == 0", false, "drops.lossless = 1, expected == 0: FAILED"},
		{"latency.max ~= 4.1us +- 5%", true, "latency.max = 4 us, expected ~= 4.1 us +- 5%: ok"},
		{"latency.max ~= 4.1us +- 50ns", false, "latency.max = 4 us, expected ~= 4.1 us +- 50 ns: FAILED"},
		{"queue.mean <= 1500B", false, "queue.mean = 1.5005 KB, expected <= 1500 B: FAILED"},
		{"makespan{workload=bulk} < 1s", false,
			"makespan{workload=bulk} has no value (1 of 2 flows did not finish), expected < 1 s: FAILED"},
		{"fct.p99{workload=bulky} < 1s", false,
			`fct.p99{workload=bulky} has no value (there is no workload "bulky", but bulk), expected < 1 s: FAILED`},
		{"fct.p99{bucket=3000000-inf} < 1s", false,
			"fct.p99{bucket=3000000-inf} has no value (no such flow finished), expected < 1 s: FAILED"},
		{"queue.peak{priority=9} < 1B", false,
			`queue.peak{priority=9} has no value (priority "9": want a number from 0 to 7), expected < 1 B: FAILED`},
	}
	for _, test := range tests {
		t.Run(test.clause, func(t *testing.T) {
			e, err := ParseExpectation(test.clause)
			require.NoError(t, err)
			o := Evaluate([]Expectation{e}, m)[0]
			assert.Equal(t, test.want, o.Text)
			assert.Equal(t, test.ok, o.OK)
			assert.Equal(t, test.clause, o.Expectation)
		})
	}
}

func TestOperators(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Float64Range(0, 1e15).Draw(t, "value")
		bound := rapid.Float64Range(0, 1e15).Draw(t, "bound")
		holds := func(op Operator) bool { return (&Expectation{Op: op, Value: bound}).holds(value) }
		assert.Equal(t, holds(Equal), !holds(NotEqual))
		assert.Equal(t, holds(Less), !holds(GreaterEqual))
		assert.Equal(t, holds(Greater), !holds(LessEqual))
		assert.Equal(t, holds(LessEqual), holds(Less) || holds(Equal))
	})
}

func FuzzParseExpectation(f *testing.F) {
	for _, seed := range []string{
		"drops.lossless == 0", "fct.p99{workload=storage} <= 3ms", "goodput{workload=a} ~= 98.01Gbps +- 0.3%",
		"queue.peak{node=leaf3,priority=3} < 9KiB", "fct.p99{", "jain >= 5 %", "{}", "fct.p99 ~= 1ms +- 1", "\xff", "a{=,}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := ParseExpectation(text)
		if err != nil {
			var syntax *SyntaxError
			require.True(t, errors.As(err, &syntax))
			require.GreaterOrEqual(t, syntax.Column, 1)
			require.LessOrEqual(t, syntax.Column, len(text)+1)
			return
		}
		again, err := ParseExpectation(e.Text)
		require.NoError(t, err)
		require.Equal(t, e, again, "parsing the trimmed text gives the same clause")
	})
}
