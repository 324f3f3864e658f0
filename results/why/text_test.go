package why

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
)

func TestReportText(t *testing.T) {
	run := quiet()
	q := &run.Queues[leaf1]
	q.TxXoff, q.FirstXoff, q.PeakShared, q.PeakHeadroom = 5, 40*us, 1_350_000, 9_000
	run.Queues[leaf0].RxPaused = 125 * us
	run.Queues = append(run.Queues, results.QueueRow{Port: leaf0, Priority: 0, TxPackets: 9, PeakQueue: 60_000, IngressDrops: 2})
	var out strings.Builder
	require.NoError(t, NewReport(run).WriteText(&out, -1))
	_, tables, found := strings.Cut(out.String(), "\n\nEgress")
	require.True(t, found, out.String())
	assert.Equal(t, ` queues against ECN thresholds, the deepest first:
port                     prio   deepest      Kmin      Kmax    marked    paused
leaf0:0>h0                  3     300KB     400KB     1.6MB         -     12.5%
leaf0:0>h0                 0*      60KB         -         -         -         -
* a lossy class

Ingress priority groups against XOFF and headroom, the nearest first:
port                     prio      peak      XOFF  headroom        of    needed     XOFFs     drops
leaf0:0>h0                 0*         -         -         -         -         -         -         2
leaf0:1>h1                  3    1.35MB    1.35MB       9KB      40KB   20.79KB         5         -
* a lossy class
`, tables)

	out.Reset()
	require.NoError(t, NewReport(run).WriteText(&out, 1))
	assert.Equal(t, 2, strings.Count(out.String(), "and 1 row more; --all shows them"))
	for _, line := range strings.Split(out.String(), "\n") {
		assert.LessOrEqual(t, len(line), results.TextWidth)
	}
}

func TestReportJSON(t *testing.T) {
	text, err := json.Marshal(NewReport(quiet()))
	require.NoError(t, err)
	var r struct {
		Name     string
		Findings []map[string]any
		Levels   []map[string]any
	}
	require.NoError(t, json.Unmarshal(text, &r))
	assert.Equal(t, "quiet", r.Name)
	assert.Equal(t, "info", r.Findings[0]["severity"])
	assert.Len(t, r.Levels, 2)
	assert.InDelta(t, 297_000, r.Levels[0]["peak_shared_bytes"], 0)
}

// A quiet run has no tables; a run without findings says nothing.
func TestReportOfNothing(t *testing.T) {
	var out strings.Builder
	require.NoError(t, (&Report{}).WriteText(&out, -1))
	assert.Empty(t, out.String())
}
