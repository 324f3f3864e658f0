package why

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/results"
)

// The three answers, with their short form, all that is behind it and where to
// look, for runs in which one thing each is out of the ordinary.
func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		name     string
		change   func(run *results.Run)
		question int
		short    string
		text     string
		severity results.Severity
		node     string
	}{
		{"quiet", nil, 0, "Yes: no packet of a lossless class was dropped.", "No headroom was used at all.", results.SeverityInfo, ""},
		{"headroom used", func(run *results.Run) { run.Queues[leaf1].PeakHeadroom = 9_000 }, 0, "Yes: no packet of a lossless class was dropped.",
			"The fullest headroom was that of leaf0:1>h1 priority 3: 9 KB of its 40 KB, 22.5 %.", results.SeverityInfo, "leaf0"},
		{"interrupted", func(run *results.Run) { run.Manifest.Stop = results.Interrupted }, 0, "So far: no packet of a lossless class was dropped.",
			"No headroom was used at all.", results.SeverityWarning, ""},
		{"lossless drop", func(run *results.Run) { dropped(run, true, "no route", "data") }, 0, "No: 7 packets of lossless classes dropped.",
			"7 packets dropped in a lossless class because leaf0 knows no next hop to their destination. The first at 55 us; 7 of them at leaf0:1>h1 priority 3.",
			results.SeverityError, "leaf0"},
		{"lossy drop", func(run *results.Run) { dropped(run, false, "WRED", "data") }, 0, "Yes: no packet of a lossless class was dropped.",
			"No headroom was used at all. Lossy classes, which may drop, dropped 7 packets.", results.SeverityInfo, ""},
		{"no class", func(run *results.Run) {
			for i := range run.Queues {
				run.Queues[i].Lossless = false
			}
		}, 0, "There was nothing to keep lossless.", "PFC protects no priority that carried traffic.", results.SeverityWarning, ""},

		{"never fired", nil, 1, "Nowhere: no XOFF was sent.",
			"PFC never fired because the deepest priority group reached 22 % of its lowest XOFF threshold (297 KB of 1.35 MB) at leaf0:1>h1 priority 3.",
			results.SeverityInfo, ""},
		{"fired", func(run *results.Run) {
			q := &run.Queues[leaf1]
			q.TxXoff, q.FirstXoff, q.FirstXoffUse, q.FirstXoffThreshold, q.PeakShared = 5, 40*us, 1_352_000, 1_350_000, 1_352_000
			run.Queues[host1].RxPaused, run.Queues[leaf0].Kmin = 125*us, 100_000
		}, 1, "At leaf0:1>h1 priority 3, 40 us into the run: it paused h1.",
			"Its priority group held 1.352 MB then, and the XOFF threshold was 1.35 MB: its packets waited for leaf0:0>h0, whose queue grew to 300 KB. " +
				"In all, 5 XOFF frames paused 1 sending port; paused longest: h1:0>leaf0 priority 3, 12.5 % of the run.", results.SeverityInfo, "leaf0"},
		{"a host fired", func(run *results.Run) {
			q := &run.Queues[host0]
			q.TxXoff, q.FirstXoff = 2, 10*us
		}, 1, "At h0:0>leaf0 priority 3, 10 us into the run: it paused leaf0.",
			"h0 is a host: the congestion begins in its receive side, not in the fabric.", results.SeverityWarning, "h0"},

		{"no flows", nil, 2, "The run has no flows.", "", results.SeverityInfo, ""},
		{"fast", flows(results.FlowRow{Completed: 15 * us, Delivered: 14 * us, Ideal: 10 * us}), 2,
			"None: the slowest took 1.5 times as long as alone on an idle fabric.", "", results.SeverityInfo, ""},
		{"slow", flows(results.FlowRow{ID: 4, Src: 1, Completed: 150 * us, Delivered: 14 * us, Ideal: 10 * us}, results.FlowRow{Completed: 10 * us, Ideal: 10 * us}), 2,
			"1 of 2 finished flows took more than twice as long as alone on an idle fabric.",
			"The slowest is flow 4 of bulk, h1 to h0: 15 times as long.", results.SeverityInfo, ""},
		{"failed", flows(results.FlowRow{Ideal: 10 * us, Unfinished: results.RetriesSpent}), 2, "1 flow failed: queue pairs gave up.", "", results.SeverityError, ""},
		{"under way", flows(results.FlowRow{Ideal: 10 * us, Unfinished: results.RunEnded}), 2,
			"1 of 1 flow had not finished when the run ended; 1 had taken more than twice the time that a fair share of the links gives.", "", results.SeverityWarning, ""},
		{"datagrams", flows(results.FlowRow{Delivered: 10 * us, Unfinished: results.NotAcknowledged}), 2,
			"No flow has a completion that could be compared with an ideal time; datagrams have none.", "", results.SeverityInfo, ""},
		{"datagrams under way", flows(results.FlowRow{Delivered: 10 * us, Unfinished: results.NotAcknowledged}, results.FlowRow{Unfinished: results.RunEnded}), 2,
			"1 of 2 flows had not finished when the run ended.", "The others have no completion that could be compared with an ideal time, as datagrams have none.",
			results.SeverityWarning, ""},
	} {
		run := quiet()
		if c.change != nil {
			c.change(run)
		}
		a := Answers(run)[c.question]
		require.Equal(t, c.short, a.Short, c.name)
		require.Equal(t, c.text, strings.Join(a.Text, " "), c.name)
		require.Equal(t, c.severity, a.Severity, c.name)
		require.Equal(t, c.node, a.Node, c.name)
	}
}

func flows(rows ...results.FlowRow) func(*results.Run) {
	return func(run *results.Run) { run.Flows = rows }
}

// A flow that is still under way may be the slowest of all; its path tells why.
func TestSlowestFlowMayBeUnfinished(t *testing.T) {
	run := quiet()
	run.Flows = []results.FlowRow{
		{ID: 1, Src: 1, Completed: 150 * us, Ideal: 10 * us},
		{ID: 2, Src: 1, Ideal: 10 * us, Bytes: 1000, Priority: 3, Unfinished: results.RunEnded},
	}
	run.Paths = []results.PathHop{{Flow: 2, Port: host1, Kind: "data", Priority: 3}, {Flow: 2, Port: leaf0, Kind: "data", Priority: 3}}
	a := Answers(run)[2]
	require.Equal(t, "bulk", a.Workload)
	require.Equal(t, "1 of 2 flows had not finished when the run ended; 1 had taken more than twice the time that a fair share of the links gives.", a.Short)
	require.Equal(t, "So did 1 that finished.", a.Text[0])
	require.Contains(t, a.Text[1], "The slowest message of bulk (flow 2, h1 to h0, 1 KB) has taken 1 ms instead of 10 us alone, 100 times as long: most of the time passed in h1")
}
