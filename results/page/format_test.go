package page

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/results"
	"rocesim/sim"
)

func TestRounded(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "7": "7", "12161.943142": "12161.943", "340.5": "340.5", "1.250": "1.250", "-2.00049": "-2",
		"0.4149465280692569": "0.4149", "0.00123456": "0.001235", "0.00000": "0", "1.5e-12345": "1.5e-12345", "2903220605": "2903220605",
	} {
		require.Equal(t, want, rounded(text), text)
	}
}

// A rounded number is near the one of the file, and rounding it again changes
// nothing.
func TestRoundedIsNear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64Range(-1e9, 1e9).Draw(t, "value")
		text := results.FloatText(v)
		require.InDelta(t, Number(text).float(), Number(rounded(text)).float(), 0.00051)
		require.Equal(t, rounded(text), rounded(rounded(text)))
	})
}

func TestProse(t *testing.T) {
	require.Equal(t, "took 2.9\u00a0ms of 4\u00a0s, 40\u00a0% and 12\u00a0KB at 98\u00a0Gbps, \u00b1\u00a03\u00a0us; 3 servers, 5 sets, 7 bytes",
		prose("took 2.9 ms of 4 s, 40 % and 12 KB at 98 Gbps, \u00b1 3 us; 3 servers, 5 sets, 7 bytes"))
}

func TestCapital(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "no setting qualifies": "No setting qualifies", "kmin=400KB, alpha=1/8: fct.p99 is 2 ms": "kmin=400KB, alpha=1/8: fct.p99 is 2 ms",
		"fct.p99 is 2 ms": "fct.p99 is 2 ms", "\u00e9tat final": "\u00c9tat final",
	} {
		require.Equal(t, want, capital(text))
	}
}

func TestPicked(t *testing.T) {
	for _, c := range []struct {
		n, all int
		which  string
		want   string
	}{{1, 1, "that marked", "the only queue"}, {3, 3, "that marked", "all 3 queues"}, {2, 9, "that marked", "the 2 of 9 queues that marked"}, {2, 9, "", "2 of 9 queues"}} {
		require.Equal(t, c.want, picked(c.n, c.all, "queue", "queues", c.which))
	}
}

// The drawing begins with what went wrong.
func TestQuantities(t *testing.T) {
	lossless := []results.DropRow{{Lossless: true, Packets: 1, Cause: "x"}}
	for _, c := range []struct {
		drops   []results.DropRow
		paused  sim.Time
		dropped int64
		want    string
	}{
		{nil, 0, 0, "utilisation"}, {nil, 9 * us, 0, "utilisation"}, {nil, 10 * us, 0, "paused"},
		{lossless, 500 * us, 1, "dropped"}, {[]results.DropRow{{Packets: 1, Cause: "x"}}, 0, 1, "utilisation"},
	} {
		run := busy("x")
		run.Manifest.SimulatedTime, run.Drops = 1000*us, c.drops
		var chosen []string
		for _, q := range quantities(run, []load{{}, {paused: c.paused, dropped: c.dropped}}) {
			if q.Chosen {
				chosen = append(chosen, q.Name)
			}
		}
		require.Equal(t, []string{c.want}, chosen)
	}
}
