package why

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/sim"
)

// slowRun's flow takes 400 us instead of 80: 320 us too many. Its ACK goes back by
// host0 and leaf1, of which a pause stops it.
func TestWayBack(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(r *results.Run)
		want   string
	}{
		{"at once", func(*results.Run) {}, ": most of the time passed in h1, but neither"},
		{"half of it", func(r *results.Run) { r.Flows[0].Delivered = 330 * us; r.Queues[leaf1].PeakQueue = 2_500_000 },
			": its last byte had arrived after 230 us, and the ACK needed 170 us for the way back: the narrowest hop on it is leaf0:1>h1 (queue up to 2.5 MB, 200 us of waiting;"},
		{"in pipelines", func(r *results.Run) {
			r.Flows[0].Delivered = 330 * us
			r.Ports[leaf1].IngressLatency, r.Ports[leaf1].EgressLatency = 80*us, 80*us
		}, ": most of the time passed in h1, but neither"},
		{"less than half", func(r *results.Run) { r.Flows[0].Delivered = 370 * us },
			"; besides, its last byte had arrived after 270 us, and the ACK needed 130 us for the way back"},
		{"a quarter", func(r *results.Run) { r.Flows[0].Delivered = 410 * us },
			"; besides, its last byte had arrived after 310 us, and the ACK needed 90 us for the way back: the narrowest hop on it is"},
		{"less", func(r *results.Run) { r.Flows[0].Delivered = 430 * us }, " on its way the narrowest hop is leaf0:0>h0 (queue up to 300 KB, 24 us of waiting; link 0 % used)."},
		{"paused", func(r *results.Run) {
			r.Flows[0].Delivered = 300 * us
			r.Pauses = []results.Pause{{From: 250 * us, To: 400 * us, Port: leaf1, Priority: 3}}
		}, "the ACK needed 200 us for the way back: leaf0:1>h1 was paused 50 % of that time by h1, which waits for it."},
		{"paused in another class", func(r *results.Run) {
			r.Flows[0].Delivered = 300 * us
			r.Pauses = []results.Pause{{From: 250 * us, To: 400 * us, Port: leaf1, Priority: 4}}
		}, "for the way back: the narrowest hop"},
		{"not back yet", func(r *results.Run) { r.Flows[0].Delivered, r.Flows[0].Completed = 300*us, 0 },
			": its last byte had arrived after 200 us, and the ACK has been on the way back for 700 us: "},
		{"lost", func(r *results.Run) {
			r.Flows[0].Delivered = 200 * us
			r.NICs[1].AckTimeouts = 1
			dropped(r, true, "bit error", "ack")
		}, ": packets were lost on its way, first at leaf0:1>h1 (bit error); h1 ran into 1 time-out."},
	} {
		run := slowRun()
		for _, port := range []int32{host0, leaf1} {
			run.Paths = append(run.Paths, results.PathHop{Port: port, Kind: "ack", Priority: 3})
		}
		c.change(run)
		require.Contains(t, finding(t, run, "(flow 0, h1 to h0").What, c.want, c.name)
	}
}

// A CNP waits for the mean queue, and half of a pause that it meets.
func TestLateNotices(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(r *results.Run)
		want   string
	}{
		{"a queue", func(r *results.Run) { r.Queues[leaf1].MeanQueue = 1_000_000 },
			"Bad news comes late: on their way back to h1, CNPs wait 80 us on average at leaf0:1>h1 priority 3 ("},
		{"a pause", func(r *results.Run) { r.Pauses = []results.Pause{{From: 0, To: 400 * us, Port: host0, Priority: 3}} },
			"CNPs wait 80 us on average at h0:0>leaf0 priority 3 ("},
		{"both", func(r *results.Run) {
			r.Queues[leaf1].MeanQueue = 1_000_000
			r.Pauses = []results.Pause{{From: 0, To: 200 * us, Port: host0, Priority: 3}}
		}, "CNPs wait 100 us on average, 80 us of it at leaf0:1>h1 priority 3 ("},
		{"many short pauses", func(r *results.Run) {
			for i := range 40 {
				r.Pauses = append(r.Pauses, results.Pause{From: us * 20 * sim.Time(i), To: us*20*sim.Time(i) + 10*us, Port: host0, Priority: 3})
			}
		}, ""},
		{"nobody who listens", func(r *results.Run) { r.Queues[leaf1].MeanQueue = 1_000_000; r.NICs[1].CNPHandled = 0 }, ""},
		{"a short queue", func(r *results.Run) { r.Queues[leaf1].MeanQueue = 600_000 }, ""},
	} {
		run := slowRun()
		run.NICs[1].CNPHandled = 5
		for _, port := range []int32{host0, leaf1} {
			run.Paths = append(run.Paths, results.PathHop{Port: port, Kind: "cnp", Priority: 3})
		}
		c.change(run)
		e := newExplainer(run)
		e.lateNotices()
		if c.want == "" {
			require.Empty(t, e.findings, c.name)
			continue
		}
		require.Contains(t, e.findings[0].What, c.want, c.name)
	}
}
