package why

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/results"
)

// Runs whose cause is known by construction: what keeps a message in its host
// is told apart. The flow takes 400 us instead of 80.
func TestOwnHost(t *testing.T) {
	// 5 MB in all at 100 Gb/s are 400 us: a fair share of 5 messages.
	many := func(r *results.Run) {
		for id := range uint32(4) {
			r.Flows = append(r.Flows, results.FlowRow{ID: id + 1, Bytes: 1_000_000, Src: 1, Start: 100 * us, Completed: 500 * us, Ideal: 80 * us})
		}
	}
	cut := func(r *results.Run) {
		r.NICs[1].CNPHandled = 7
		r.Series = append(r.Series, control("bulk", 20e9, 5e9))
	}
	for _, c := range []struct {
		name   string
		change func(r *results.Run)
		want   string
	}{
		{"many messages", many, "behind other messages of its own: 4 at a time (h1:0>leaf0 50 % used, taken over the run);"},
		{"many messages, and CNPs for another workload's", func(r *results.Run) {
			many(r)
			r.NICs[1].CNPHandled = 129
			r.Series = append(r.Series, control("bulk", 100e9, 100e9))
		}, "behind other messages of its own: 4 at a time (h1:0>leaf0 50 % used, taken over the run);"},
		{"a cut rate", cut, "congestion control had cut rates of bulk: queue pairs with data to send had 20 Gbps on average, the slowest 5 Gbps; h1 handled 7 CNPs in the run;"},
		{"a cut rate of other hosts", func(r *results.Run) { cut(r); r.NICs[1].CNPHandled = 0 },
			"but neither other messages nor congestion control account for it (h1:0>leaf0 50 % used, taken over the run);"},
		{"without CNPs", func(r *results.Run) { cut(r); r.NICs[1].CNPHandled, r.NICs[1].CongestionControl = 0, "hpcc" },
			"congestion control had cut rates of bulk: queue pairs with data to send had 20 Gbps on average, the slowest 5 Gbps;"},
		{"both", func(r *results.Run) { many(r); cut(r) },
			"behind other messages of its own: 4 at a time (h1:0>leaf0 50 % used, taken over the run); besides, " +
				"congestion control had cut rates of bulk: queue pairs with data to send had 20 Gbps on average, the slowest 5 Gbps; h1 handled 7 CNPs in the run;"},
		{"many messages, and a rate that was not sampled", func(r *results.Run) { many(r); r.NICs[1].CNPHandled = 7 },
			"behind other messages of its own: 4 at a time (h1:0>leaf0 50 % used, taken over the run); on its way"},
		{"two adapters", func(r *results.Run) {
			many(r)
			many(r)
			r.Ports = append(r.Ports, r.Ports[host1])
		}, "behind other messages of its own: 8 on its 2 links at a time (h1:0>leaf0 50 % used, taken over the run);"},
		{"others before and after", func(r *results.Run) {
			many(r)
			for i := range r.Flows[1:] {
				r.Flows[i+1].Start, r.Flows[i+1].Completed = 500*us, 900*us
			}
		}, "but neither other messages nor congestion control account for it"},
		{"one other, cut itself", func(r *results.Run) {
			many(r)
			r.Flows = r.Flows[:2]
			cut(r)
		}, "most of the time passed in h1: congestion control had cut rates of bulk"},
		{"others that are sent again and again", func(r *results.Run) {
			many(r)
			for i := range r.Flows[1:] {
				r.Flows[i+1].Completed, r.Flows[i+1].Unfinished = 0, results.RetriesSpent
			}
			r.Series = append(r.Series, results.Series{Kind: results.UtilisationSeries, Port: host1, Start: 300 * us, Step: 300 * us, Values: []float64{0.97, 1}})
		}, "behind other messages of its own: 4 at a time (h1:0>leaf0 98.5 % used in that time);"},
	} {
		run := slowRun()
		c.change(run)
		require.Contains(t, finding(t, run, "(flow 0, h1 to h0").What, ": most of the time passed in h1", c.name)
		require.Contains(t, finding(t, run, "(flow 0, h1 to h0").What, c.want, c.name)
	}
}

// slowRun has one flow that took five times as long as alone, while the queues
// on its way were short.
func slowRun() *results.Run {
	run := quiet()
	run.Flows = []results.FlowRow{{Bytes: 1_000_000, Src: 1, Priority: 3, Start: 100 * us, Completed: 500 * us, Delivered: 499 * us, Ideal: 80 * us}}
	run.Paths = []results.PathHop{{Port: host1, Kind: "data", Priority: 3}, {Port: leaf0, Kind: "data", Priority: 3}}
	run.Ports[host1].WireBytes = 6_250_000 // of 12.5 MB in 1 ms
	return run
}

// control is a series of rates that are those asked for while slowRun's flow is
// under way, and higher after it; at 300 us no queue pair had data to send.
func control(name string, mean, low float64) results.Series {
	return results.Series{Kind: results.ControlSeries, Name: name, Port: -1, Start: 150 * us, Step: 150 * us,
		Values: []float64{mean, 0, mean, 100e9, 100e9}, Low: []float64{low, 0, low, 100e9, 100e9}}
}

// Drops that came after a flow's end, or for the lack of a repetition, are not
// its cause.
func TestLossCause(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(r *results.Run)
		want   string
	}{
		{"repeated", func(r *results.Run) { r.NICs[1].Retransmitted = 5 },
			": packets were lost on its way, first at leaf0:1>h1 (no route); h1 sent 5 packets again in all."},
		{"timed out", func(r *results.Run) { r.NICs[1].AckTimeouts = 1 },
			": packets were lost on its way, first at leaf0:1>h1 (no route); h1 ran into 1 time-out."},
		{"waiting", func(r *results.Run) { r.Flows[0].Completed, r.Flows[0].Unfinished = 0, results.AwaitsTimeout },
			": packets were lost on its way, first at leaf0:1>h1 (no route); h1 was waiting for a retransmission time-out when the run ended."},
		{"too late", func(r *results.Run) { r.NICs[1].Retransmitted, r.Drops[0].First = 5, 500*us }, ": most of the time passed in h1"},
		{"never missed", func(*results.Run) {}, ": most of the time passed in h1"},
		{"a deep queue as well", func(r *results.Run) { r.NICs[1].Retransmitted, r.Queues[leaf0].PeakQueue = 5, 2_500_000 },
			"; besides, packets were lost on its way, first at leaf0:1>h1 (no route); h1 sent 5 packets again in all."},
	} {
		run := slowRun()
		dropped(run, true, "no route", "data")
		c.change(run)
		require.Contains(t, finding(t, run, "(flow 0, h1 to h0").What, c.want, c.name)
	}
}
