package why

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/sim"
)

// A healthy all-to-all is slow only by comparison with an idle fabric. 10
// messages of 1 MB share 100 Gb/s: 800 us; alone each takes 80 us.
func TestFairShare(t *testing.T) {
	shared := func(n int) *results.Run {
		run := quiet()
		run.Ports[host1].WireBytes, run.Ports[host0].WireBytes = 10_000_000, 10_000
		for id := range n {
			run.Flows = append(run.Flows, results.FlowRow{ID: uint32(id), Bytes: 1_000_000, Src: 1, Priority: 3, Completed: 800 * us, Ideal: 80 * us})
		}
		return run
	}
	for _, c := range []struct {
		name        string
		run         func() *results.Run
		fair        sim.Time // of flow 0
		short, text string
	}{
		{"ten share", func() *results.Run { return shared(10) }, 800 * us, "None: all finished flows had their fair share of the links.",
			"10 of 10 finished flows took more than twice as long as alone on an idle fabric: on average 10 messages at a time shared the links of their hosts."},
		{"alone", func() *results.Run { return shared(1) }, 80 * us, "1 of 1 finished flow took more than twice as long as alone on an idle fabric.",
			"The slowest is flow 0 of bulk, h1 to h0: 10 times as long."},
		{"two links", func() *results.Run {
			run := shared(10)
			run.Ports = append(run.Ports, run.Ports[host1])
			for i := range run.Flows {
				run.Flows[i].Dst = 2 // has no adapter here
			}
			return run
		}, 440 * us, "None: all finished flows had their fair share of the links.",
			"10 of 10 finished flows took more than twice as long as alone on an idle fabric: on average 10 messages at a time shared the links of their hosts."},
		{"held up together", func() *results.Run { // their bytes do not account for the time, though they are many
			run := shared(10)
			for i := range run.Flows {
				run.Flows[i].Completed = 8000 * us
			}
			return run
		}, 800 * us, "10 of 10 finished flows took more than twice as long as alone on an idle fabric.", "The slowest is flow 0 of bulk, h1 to h0: 100 times as long."},
		{"one of them held up", func() *results.Run {
			run := shared(10)
			run.Flows[0].Completed = 1900 * us
			return run
		}, 80*us + 9*800*us*80/1900, "1 of 10 finished flows took more than twice as long as a fair share of the links gives.",
			"10 of 10 finished flows took more than twice as long as alone on an idle fabric: on average 9.5 messages at a time shared the links of their hosts."},
		{"a small one", func() *results.Run { // takes turns by the frame: 10 of 4178 B are 3.342 us
			run := shared(10)
			run.Flows = append([]results.FlowRow{{ID: 99, Bytes: 64, Src: 1, Start: 100 * us, Completed: 105 * us, Ideal: us}}, run.Flows...)
			return run
		}, us + 3_342_400, "None: all finished flows had their fair share of the links.",
			"11 of 11 finished flows took more than twice as long as alone on an idle fabric: on average 10 messages at a time shared the links of their hosts."},
		{"a large one", func() *results.Run { // waits for the other's bytes, not for turns with as many of its own: 100 KB are 8 us
			run := shared(1)
			run.Flows = append(run.Flows, results.FlowRow{ID: 1, Bytes: 100_000, Src: 1, Priority: 3, Completed: 800 * us, Ideal: 8 * us})
			return run
		}, 88 * us, "2 of 2 finished flows took more than twice as long as alone on an idle fabric.", "The slowest is flow 1 of bulk, h1 to h0: 100 times as long."},
	} {
		run := c.run()
		fair, _ := newExplainer(run).fairShares()
		require.InDelta(t, float64(c.fair), float64(fair[0]), float64(us)/100, c.name)
		a := Answers(run)[2]
		require.Equal(t, c.short, a.Short, c.name)
		require.Equal(t, c.text, a.Text[0], c.name)
	}
}
