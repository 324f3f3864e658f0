//go:build peers

package browser

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPictureOfTheReport takes the picture that the README and docs/report.md
// show.
func TestPictureOfTheReport(t *testing.T) {
	p := Start(t).Open(runPage(t, simulate(t, "incast-32-1")), 1200, 1090)
	p.Scheme("light")
	p.FirstScreen("report-incast-32-1")
	assert.Empty(t, p.Faults())
}

// A logarithmic axis names three places at least, also within a digit: 32
// messages of an incast end almost together.
func TestLogarithmicAxisOfChart(t *testing.T) {
	p := Start(t).Open(runPage(t, simulate(t, "incast-32-1")), 1280, 900)
	p.True(`(document.querySelector("#chart-figure-fct").scrollIntoView({ behavior: "instant" }), true)`)
	p.Settle()
	const log = `rocesim.charts.find((c) => c.data.x.log)`
	const ticks = log + `.uplot.axes[0]._values.filter((v) => v).length`
	require.GreaterOrEqual(t, Eval[int](p, ticks), 3)
	p.True(`(() => { const c = ` + log + `; const { min, max } = c.uplot.scales.x; const middle = (min + max) / 2;
		c.uplot.setScale("x", { min: middle, max: middle * 1.04 }); return true; })()`)
	p.Settle()
	require.GreaterOrEqual(t, Eval[int](p, ticks), 3, "zoomed")
	assert.Empty(t, p.Faults())
}
