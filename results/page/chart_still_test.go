package page

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A logarithmic axis names three places at least, however little it spans.
func TestLogTicksAreEnough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(1e-3, 1e6).Draw(t, "low")
		high := low * rapid.Float64Range(1.01, 1e5).Draw(t, "factor")
		at := logTicks(low, high)
		require.GreaterOrEqual(t, len(at), leastTicks)
		for _, v := range at {
			require.True(t, v >= low*(1-1e-6) && v <= high*(1+1e-6), "%v of %v to %v", v, low, high)
		}
	})
}

// Values that are close together fill the chart, and its axis says so.
func TestFittedAxis(t *testing.T) {
	c := &Chart{ID: "c", Title: "Search", X: Axis{Label: "Setting"}, Y: Axis{Label: "p99", Fit: true},
		Lines: []Line{{Name: "tried", Places: Numbers{"0", "1"}, Values: Numbers{"100", "110"}}}}
	from, to := c.spanY()
	require.InDelta(t, 99.4, from, 1e-9)
	require.InDelta(t, 110.6, to, 1e-9)
	require.Contains(t, string(c.still(wideStill())), ">p99, not from 0</text>")

	c.Lines[0].Values[0] = "10"
	from, _ = c.spanY()
	require.Zero(t, from, "0 is near")
	require.NotContains(t, string(c.still(wideStill())), "not from 0")
}

// Names of levels cover neither each other nor, where there is room, a line.
func TestNamesOfLevelsDoNotOverlap(t *testing.T) {
	f := &frame{left: 64, right: 748, top: 12, bottom: 218}
	var taken []labelBox
	for i, y := range []float64{150, 154, 158, 160} {
		b := f.freePlace(y, 100, nil, taken, nil)
		require.Zero(t, b.overlaps(taken), "level %d", i)
		taken = append(taken, b)
	}
	peak := [][]point{{{x: 600, y: 218}, {x: 690, y: 20}, {x: 748, y: 218}}}
	require.Zero(t, f.freePlace(100, 150, peak, nil, nil).crossings(peak))
	require.Equal(t, 1, labelBox{left: 600, bottom: 150, width: 40}.crossings(peak))
	require.Zero(t, f.freePlace(100, 100, nil, nil, []float64{100, 94}).through([]float64{100, 94}))
	require.Less(t, f.freePlace(14, 100, nil, nil, nil).bottom-textHeight, f.bottom)
}

// On a phone the text of a still is 9 pixels high or more: it is drawn for that
// width, and nothing in it is wider.
func TestNarrowStill(t *testing.T) {
	c := &Chart{ID: "c", Title: "Paused", X: Axis{Label: "Time", Unit: Microseconds, From: "0", To: "10"},
		Rows: []Row{{Name: "spine1:3>leaf3 with a long name priority 3", Bars: []Bar{{From: "1", To: "2"}}}}}
	still := string(c.still(narrowStill()))
	require.Contains(t, still, fmt.Sprintf(`class="still narrow" viewBox="0 0 %.0f `, narrowStill().width))
	require.Contains(t, still, ">spine1:3&gt;leaf3 with \u2026</text>")
	const phone, margins, text = 390, 30, 11
	require.GreaterOrEqual(t, text*(phone-margins)/narrowStill().width, 9.0)
}
