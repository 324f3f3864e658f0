package results

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/sim"
)

func text(t *testing.T, s *Summary) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, WriteText(&out, s))
	return out.String()
}

func expectations(t *testing.T, clauses ...string) []Expectation {
	t.Helper()
	var all []Expectation
	for _, c := range clauses {
		e, err := ParseExpectation(c)
		require.NoError(t, err)
		all = append(all, e)
	}
	return all
}

// The whole text, so that a change of its looks is seen in review.
func TestWriteTextGolden(t *testing.T) {
	run := tiny()
	drop(run, 3)
	run.Manifest.Notes = []string{"leaf0: no headroom row for a cable of 7 m at 100Gbps, that of 40 m is taken"}
	s := Summarise(run)
	s.Why = []Finding{{Severity: SeverityError, What: "3 packets dropped in a lossless class because headroom overran: 19,065 B needed, 10,000 B configured."},
		{Severity: SeverityInfo, What: "ECN marked 12 packets."}}
	s.Expectations = Evaluate(expectations(t, "drops.lossless == 0", "fct.p99{workload=probe} <= 10us"), NewMetrics(run))
	got := text(t, &s)
	const golden = "testdata/summary.txt"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, "run go test ./results -update and read the difference")
}

func TestTextIsNotWiderThanItSays(t *testing.T) {
	run := tiny()
	drop(run, 1_234_567_890)
	run.Nodes = []string{"server-with-a-long-name-0", "server-with-a-long-name-1", "leaf-switch-with-a-long-name"}
	run.Workloads[0].Name = "a-workload-with-a-name-beyond-all-columns"
	run.Manifest.Question = strings.Repeat("Is this question ever going to end or not? ", 8)
	run.Manifest.Stop, run.Manifest.Stall = Stalled, strings.Repeat("leaf0 waits for leaf1, ", 12)
	run.Manifest.Deadlocks = []string{"deadlock at 90 us: " + strings.Repeat("leaf0>spine0 priority 3 -> ", 12)}
	s := Summarise(run)
	s.Expectations = Evaluate(expectations(t, "fct.p99{workload=nobody,src=server-with-a-long-name-0} <= 10us"), NewMetrics(run))
	for _, line := range strings.Split(text(t, &s), "\n") {
		assert.LessOrEqual(t, utf8.RuneCountInString(line), TextWidth, line)
	}
}

// Lines do not end between a number and its unit, whatever stands behind it.
func TestNumbersKeepTheirUnits(t *testing.T) {
	for text, want := range map[string][]string{
		"used at most 17 %, of 400 Gbps": {"used at most", "17 %, of", "400 Gbps"},
		"one took 12 us; two":            {"one took", "12 us; two"},
		"within (95 %)":                  {"within", "(95 %)"},
		"2 messages, 12 sent":            {"2 messages,", "12 sent"},
		"leaf0 blocks h1 us":             {"leaf0 blocks", "h1 us"},
		"a 12 % b":                       {"a 12 % b"},
		"":                               {""},
	} {
		assert.Equal(t, want, Wrap(text, 12), text)
	}
}

func TestVerdict(t *testing.T) {
	tests := []struct {
		name     string
		change   func(*Run)
		lossless bool
		want     string
	}{
		{"lossless", func(*Run) {}, true, "LOSSLESS: no packet of a lossless class was dropped"},
		{"one drop", func(r *Run) { drop(r, 1) }, false,
			"NOT LOSSLESS: 1 packet dropped in lossless classes: headroom overrun at leaf0:0>h0 priority 3 (1, first at 55 us)"},
		{"worst of two", func(r *Run) {
			drop(r, 1200)
			drop(r, 34)
		}, false, "NOT LOSSLESS: 1,234 packets dropped in lossless classes: headroom overrun at leaf0:0>h0 priority 3 " +
			"(1,200, first at 55 us) and 1 other cause or place"},
		{"no lossless class", func(r *Run) { r.Queues = r.Queues[2:] }, false,
			"NO LOSSLESS CLASS: PFC protects no priority that carried traffic"},
		{"lossless for the host alone", func(r *Run) { r.Queues[1].Lossless = false }, false,
			"NO LOSSLESS CLASS: PFC protects no priority that carried traffic"},
		{"two hosts on a cable", func(r *Run) {
			r.Nodes, r.Ports, r.Queues = r.Nodes[:2], r.Ports[:1], r.Queues[:1]
			r.Ports[0].Peer, r.Drops, r.Storms = 1, nil, nil
		}, true, "LOSSLESS: no packet of a lossless class was dropped"},
		{"partial", func(r *Run) { r.Manifest.Stop = Interrupted }, true,
			"LOSSLESS: no packet of a lossless class was dropped (run interrupted at 100 us)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			run := tiny()
			test.change(run)
			v := Summarise(run).Verdict
			assert.Equal(t, test.want, v.Text)
			assert.Equal(t, test.lossless, v.Lossless)
			if run.Drops != nil {
				assert.Equal(t, int64(2), v.LossyDrops)
			}
		})
	}
}

// Drops that a scenario is made to show are a fact all the same, and no news.
func TestExpectedDrops(t *testing.T) {
	for _, test := range []struct {
		name     string
		clauses  []string
		expected bool
	}{
		{"none", nil, false},
		{"others", []string{"drops.total > 0", "pfc.pauses >= 0"}, false},
		{"drops", []string{"drops.lossless > 0"}, true},
		{"so many drops", []string{"drops.lossless == 5", "pfc.pauses == 77"}, true},
		{"drops at a place", []string{"drops.lossless{node=leaf0} >= 1"}, true},
		{"more drops", []string{"drops.lossless > 0", "drops.lossless > 9"}, false},
		{"not too many drops", []string{"drops.lossless < 9"}, false},
		{"no drops", []string{"drops.lossless == 0"}, false},
	} {
		run := tiny()
		drop(run, 5)
		s := Summarise(run)
		plain := s.Verdict.Text
		s.Expect(expectations(t, test.clauses...), NewMetrics(run))
		assert.Len(t, s.Expectations, len(test.clauses), test.name)
		assert.Equal(t, test.expected, s.Verdict.Expected, test.name)
		assert.False(t, s.Verdict.Lossless, test.name)
		if test.expected {
			assert.Equal(t, "NOT LOSSLESS, as this scenario expects: 5 packets dropped in lossless classes: headroom overrun at leaf0:0>h0 priority 3 (5, first at 55 us)",
				s.Verdict.Text, test.name)
		} else {
			assert.Equal(t, plain, s.Verdict.Text, test.name)
		}
	}
	run := tiny()
	run.Drops = nil
	drop(run, 5)
	s := Summarise(run)
	s.Expect(expectations(t, "drops.total > 0"), NewMetrics(run))
	assert.True(t, s.Verdict.Expected, "no lossy class dropped anything")

	s = Summarise(tiny())
	s.Expect(expectations(t, "drops.lossless > 0"), NewMetrics(tiny()))
	assert.Equal(t, "LOSSLESS: no packet of a lossless class was dropped", s.Verdict.Text)
}

func TestPFCSentence(t *testing.T) {
	s := Summarise(tiny())
	assert.Equal(t, "2 XOFF frames, the first at 40 us from leaf0:0>h0 priority 3; most paused: 5 % of the time, h0:0>leaf0 priority 3",
		s.PFC.sentence())
	assert.Equal(t, 1, s.PFC.PausedPorts)

	quiet := tiny()
	quiet.Queues[0].RxPaused, quiet.Queues[1].TxXoff, quiet.Queues[1].PeakShared = 0, 0, 37_200
	s = Summarise(quiet)
	assert.Equal(t, "quiet: no XOFF was sent; nearest: 62 % of the threshold at leaf0:0>h0 priority 3", s.PFC.sentence())
}

// The numbers follow by hand from the run that tiny returns.
func TestSummariseWorkloads(t *testing.T) {
	s := Summarise(tiny())
	require.Len(t, s.Workloads, 2)
	bulk, probe := s.Workloads[0], s.Workloads[1]
	assert.Equal(t, 2, bulk.Flows)
	assert.Equal(t, 1, bulk.Finished)
	assert.Equal(t, int64(350_000), bulk.DeliveredBytes)
	assert.Equal(t, 28.0, bulk.GoodputGbps)
	assert.Nil(t, bulk.LatencyUs)
	assert.Zero(t, bulk.Failed)
	assert.Equal(t, Distribution{N: 3, Min: 2, Mean: 3, P50: 3, P95: 4, P99: 4, P999: 4, Max: 4}, *probe.LatencyUs)
	assert.Equal(t, Distribution{N: 3, Min: 3, Mean: 6, P50: 6, P95: 9, P99: 9, P999: 9, Max: 9}, probe.FCTUs)
	assert.Equal(t, "all", s.Slowdown[0].Bytes)
	assert.Equal(t, 4, s.Slowdown[0].Slowdown.N)
	assert.Equal(t, 1, s.Slowdown[4].Slowdown.N, "100,000 B is in 30000-100000")
	assert.Equal(t, 0.5, s.Fabric.MaxUtilisation)
	assert.Equal(t, "h0:0>leaf0", s.Fabric.MaxUtilisationAt)
	assert.Equal(t, 910.0, s.Latency[0].TotalNs)

	run := tiny()
	run.Flows[1].Completed, run.Flows[1].Unfinished = 0, RetriesSpent
	assert.Equal(t, 1, Summarise(run).Workloads[run.Flows[1].Workload].Failed)
}

// The buckets of a large run add up to its whole, and each distribution is
// ordered.
func TestSummaryAddsUp(t *testing.T) {
	run := many(20_000)
	s := Summarise(run)
	n := 0
	for _, b := range s.Slowdown[1:] {
		n += b.Slowdown.N
		d := b.Slowdown
		assert.True(t, d.Min <= d.P50 && d.P50 <= d.P95 && d.P95 <= d.P99 && d.P99 <= d.P999 && d.P999 <= d.Max)
		assert.GreaterOrEqual(t, d.Min, 1.0)
	}
	assert.Equal(t, len(run.Flows), n)
	assert.Equal(t, n, s.Slowdown[0].Slowdown.N)
	assert.Equal(t, n, s.FinishedFlows)
}

func TestLongLatenciesAreSummedByKind(t *testing.T) {
	run := tiny()
	for range 5 {
		run.Latency = append(run.Latency, LatencyPart{"h0 to h1, 64 B", "leaf", "switch", 750 * sim.Nanosecond},
			LatencyPart{"h0 to h1, 64 B", "cable", "wire", 15 * sim.Nanosecond})
	}
	s := Summarise(run)
	assert.Contains(t, text(t, &s), "idle fabric: 4735.0 ns\n"+
		"  nic           900.0 ns  in 1 part\n  wire           85.0 ns  in 6 parts\n  switch       3750.0 ns  in 5 parts\n")
}

func TestEmptyRunIsSummarised(t *testing.T) {
	s := Summarise(&Run{})
	assert.Contains(t, text(t, &s), "NO LOSSLESS CLASS")
}

// A run that ended with a deadlock is partial, says so once, and can be told
// from others by a metric.
func TestDeadlockIsSummarised(t *testing.T) {
	run := tiny()
	before, err := NewMetrics(run).Value("deadlocks")
	require.NoError(t, err)
	assert.Zero(t, before)
	run.Manifest.Stop, run.Manifest.Deadlocks = Deadlocked, []string{"deadlock at 90 us: a>b priority 3 -> back to a>b"}
	s := Summarise(run)
	assert.True(t, s.Partial)
	assert.Contains(t, text(t, &s), "PARTIAL RESULTS: the run was deadlocked before its end\ndeadlock  at 90 us: a>b priority 3 -> back to a>b\n")
	n, err := NewMetrics(run).Value("deadlocks")
	require.NoError(t, err)
	assert.Equal(t, 1.0, n)
}

func TestReasonsHaveTexts(t *testing.T) {
	assert.Equal(t, "stalled", Stalled.String())
	assert.Equal(t, "deadlocked", Deadlocked.String())
	assert.Equal(t, "unknown (9)", StopReason(9).String())
	assert.Equal(t, "never-started", NeverStarted.String())
	assert.Equal(t, "unknown-9", UnfinishedReason(9).String())
	assert.Equal(t, sim.Time(0), (&FlowRow{Start: 5}).OneWay())
}
