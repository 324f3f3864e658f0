package why

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/sim"
)

// waiting is quiet with a benchmark from h1 to h0: depth messages of 125 KB at a
// time, which take 10 us on the line and 2 us to be acknowledged, and the next
// one comes a gap after each completion. At 100 Gb/s 150 KB are on their way in
// these 12 us.
func waiting(depth int, gap sim.Time) *results.Run {
	run := quiet()
	run.Workloads[0].Type = "saturate"
	for i := range 24 {
		f := results.FlowRow{ID: uint32(i), Src: 1, Priority: 3, SourcePort: 49152, Bytes: 125_000, Ideal: 12 * us}
		f.Start = sim.Time(i/depth) * (12*us + gap)
		f.Completed = f.Start + 12*us
		run.Flows = append(run.Flows, f)
	}
	run.Ports[host1].WireBytes = 2_125_000 // of 12.5 MB in 1 ms
	return run
}

// A sender that waits for itself, and what would fill its line. By hand, for one
// message and 11 us: 125 KB in 12 + 11 us are 43.478 Gb/s; in 23 us the line
// takes 287.5 KB, which is 2.3 messages; with 13 us beside its time on the line,
// a message X uses 90 % of it if X/(X + 162.5 KB) = 0.9, which is 1.4625 MB.
func TestNotTheFabric(t *testing.T) {
	for _, c := range []struct {
		name         string
		run          *results.Run
		what, remedy string
	}{
		{"a gap", waiting(1, 11*us), "Not the fabric: messages of bulk are as fast as alone (slowdown 1.00), and the links of h1 and its receivers at most 17 % used. " +
			"h1 has 1 message of 125 KB outstanding; one takes 12 us, and the next is posted 11 us after a completion. 125 KB every 23 us are 43.48 Gbps of 100 Gbps.",
			"have 3 messages of 125 KB outstanding to fill the line (depth or qps of bulk), or larger ones: 1.5 MB for 90 % of it (bytes), or post sooner after a completion (gap)"},
		{"two, and a gap", waiting(2, 38*us), "h1 has 2 messages of 125 KB outstanding; one takes 12 us, and the next is posted 38 us after a completion. 250 KB every 50 us are 40 Gbps of 100 Gbps.",
			"have 5 messages of 125 KB outstanding"},
		{"small messages", changed(waiting(1, 0), func(r *results.Run) {
			for i := range r.Flows {
				r.Flows[i].Bytes = 15_000 // 1.2 us on the line
			}
		}), "h1 has 1 message of 15 KB outstanding; one takes 12 us. 15 KB every 12 us are 10 Gbps of 100 Gbps.",
			"have 10 messages of 15 KB outstanding to fill the line (depth or qps of bulk), or larger ones: 1.3 MB for 90 % of it (bytes)"},
		{"two queue pairs", changed(waiting(1, 20*us), func(r *results.Run) {
			for i := range r.Flows {
				r.Flows[i].SourcePort += uint16(i % 2)
				r.Flows[i].Start = sim.Time(i/2) * 50 * us
				r.Flows[i].Completed = r.Flows[i].Start + 12*us
			}
		}), "h1 has 2 messages of 125 KB outstanding; one takes 12 us, and the next is posted 38 us after a completion.", "have 5 messages"},
		{"an exchange of two hosts", changed(waiting(1, 11*us), func(r *results.Run) {
			r.Workloads[0].Type = "permutation"
			for _, f := range r.Flows {
				f.ID, f.Src, f.Dst = f.ID+100, 0, 1
				r.Flows = append(r.Flows, f)
			}
		}), "h1, the fastest of 2 senders, has 1 message", "to fill the line (qps of bulk)"},
	} {
		f := finding(t, c.run, "Not the fabric")
		require.Contains(t, f.What, c.what, c.name)
		require.Contains(t, f.Remedy, c.remedy, c.name)
		require.Equal(t, results.SeverityInfo, f.Severity)
		require.Equal(t, "bulk", f.Where)
		require.Equal(t, f, Top(Explain(c.run))[0], "a quiet run says it in its summary")
		answer := Answers(c.run)[2]
		require.Equal(t, "None: the slowest took 1 times as long as alone on an idle fabric.", answer.Short)
		require.Equal(t, []string{f.What}, answer.Text, c.name)
	}
}

// Warnings come first, and leave room for it in a summary.
func TestNotTheFabricBesidesWarnings(t *testing.T) {
	run := waiting(1, 11*us)
	run.Queues[leaf1].Headroom = 5000
	top := Top(Explain(run))
	require.Len(t, top, 2)
	require.Contains(t, top[0].What, "Headroom is smaller than the worst case")
	require.Contains(t, top[1].What, "Not the fabric")
}

func changed(run *results.Run, change func(r *results.Run)) *results.Run {
	change(run)
	return run
}

// What is not a sender's own waiting, or not known to be.
func TestPerhapsTheFabric(t *testing.T) {
	for _, c := range []struct {
		name   string
		gap    sim.Time
		change func(r *results.Run)
	}{
		{"a full line", 0, nil}, // 125 KB in 12 us are 83 Gb/s
		{"messages that are held up", 20 * us, func(r *results.Run) {
			for i := range r.Flows {
				r.Flows[i].Completed += 2 * us
			}
		}},
		{"messages at a load", 11 * us, func(r *results.Run) { r.Workloads[0].Type = "poisson" }},
		{"a queue pair that failed", 11 * us, func(r *results.Run) {
			f := &r.Flows[len(r.Flows)-1]
			f.Completed, f.Unfinished = 0, results.RetriesSpent
		}},
		{"a last message that takes long", 11 * us, func(r *results.Run) {
			f := &r.Flows[len(r.Flows)-1]
			f.Completed, f.Unfinished = 0, results.RunEnded
		}},
		{"no ideal time", 11 * us, func(r *results.Run) { r.Flows[3].Ideal = 0 }},
		{"a paused host", 11 * us, func(r *results.Run) { r.Queues[host1].RxPaused = 20 * us }},
		{"others on the receiver's link", 11 * us, func(r *results.Run) { r.Ports[leaf0].WireBytes = 10_000_000 }},
		{"three messages", 11 * us, func(r *results.Run) { r.Flows = r.Flows[:3] }},
		{"one batch of messages", 11 * us, func(r *results.Run) {
			for i := range r.Flows {
				r.Flows[i].Start, r.Flows[i].Completed = 0, 12*us
			}
		}},
	} {
		run := waiting(1, c.gap)
		if c.change != nil {
			c.change(run)
		}
		for _, f := range Explain(run) {
			require.False(t, strings.HasPrefix(f.What, "Not the fabric"), "%s: %s", c.name, f.What)
		}
	}
}
