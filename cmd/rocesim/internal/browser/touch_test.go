//go:build peers

package browser

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fingers are where fingers are, in the window.
type fingers [][2]float64

// touch puts fingers on the page, moves them through places and lifts them.
func (p *Page) touch(places ...fingers) {
	p.tb.Helper()
	kind := input.DispatchTouchEventTypeTouchStart
	for _, at := range places {
		var points []*input.TouchPoint
		for i, f := range at {
			id := float64(i)
			points = append(points, &input.TouchPoint{X: f[0], Y: f[1], ID: &id})
		}
		p.Do(command(input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points}))
		kind = input.DispatchTouchEventTypeTouchMove
	}
	p.Do(command(input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}}))
	p.Settle()
}

// phone opens a page on a device with a touch screen and no mouse.
func phone(b *Browser, file string) *Page {
	p := b.Open(file, 390, 800)
	p.Do(command(emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true, MaxTouchPoints: 2}))
	p.Settle()
	return p
}

// box is left, top, width and height of an element in the window, to which the
// page scrolls.
func (p *Page) box(element string) (left, top, width, height float64) {
	p.tb.Helper()
	b := Eval[[]float64](p, `(() => { const e = `+element+`; e.scrollIntoView({ behavior: "instant", block: "center" });
		const { left, top, width, height } = e.getBoundingClientRect(); return [left, top, width, height]; })()`)
	return b[0], b[1], b[2], b[3]
}

// TestTouchOnCharts zooms, moves and reads a chart with fingers.
func TestTouchOnCharts(t *testing.T) {
	p := phone(Start(t), runPage(t, simulate(t, "incast-8-1")))
	p.box(`document.querySelector(".chart")`) // it is made when it is near
	p.Settle()
	const chart = `rocesim.charts.find((c) => c.data.linked)`
	left, top, width, height := p.box(chart + `.uplot.over`)
	y := top + height/2
	at := func(share float64) [2]float64 { return [2]float64{left + share*width, y} }
	scale := func() (low, high float64) {
		s := Eval[[]float64](p, `(() => { const { min, max } = `+chart+`.uplot.scales.x; return [min, max]; })()`)
		return s[0], s[1]
	}
	_, end := scale()

	p.touch(fingers{at(0.4), at(0.6)}, fingers{at(0.35), at(0.65)}, fingers{at(0.3), at(0.7)})
	low, high := scale()
	assert.InDelta(t, end/2, high-low, end*0.01, "fingers twice as far apart show half")
	assert.InDelta(t, end/2, (low+high)/2, end*0.01, "and what was between them stays there")
	linked := Eval[[]float64](p, `rocesim.charts.filter((c) => c.data.linked).map((c) => c.uplot.scales.x.min)`)
	require.Greater(t, len(linked), 1)
	for _, other := range linked {
		assert.Equal(t, low, other, "charts over time zoom together")
	}

	p.touch(fingers{at(0.4), at(0.8)}, fingers{at(0.3), at(0.7)}, fingers{at(0.2), at(0.6)})
	movedLow, movedHigh := scale()
	assert.InDelta(t, high-low, movedHigh-movedLow, end*0.001, "moving together does not zoom")
	assert.InDelta(t, low+0.2*(high-low), movedLow, end*0.01, "what the fingers hold goes along")
	p.touch(fingers{at(0.1), at(0.3)}, fingers{at(0.5), at(0.7)}, fingers{at(0.8), at(1)})
	edgeLow, edgeHigh := scale()
	assert.Zero(t, edgeLow, "the run begins at 0")
	assert.InDelta(t, high-low, edgeHigh-edgeLow, end*0.001, "at the end of the chart nothing is squeezed")
	p.touch(fingers{at(0.1), at(0.9)}, fingers{at(0.3), at(0.7)}, fingers{at(0.45), at(0.55)})
	low, high = scale()
	assert.Equal(t, []float64{0, end}, []float64{low, high}, "fingers together show all again, and no more")

	read := func() string { return p.Text(chart + `.at.textContent`) }
	p.touch(fingers{at(0.5)})
	first := read()
	assert.Contains(t, first, "Simulated time: ", "a tap reads the values")
	p.touch(fingers{at(0.5)}, fingers{at(0.6)}, fingers{at(0.8)})
	assert.NotEqual(t, first, read(), "a finger that goes sideways reads on")
	assert.Equal(t, "time", p.Text(`document.getElementById("quantity").value`), "a tap sets the time of the drawing")
	assert.Empty(t, p.Faults())
}

// TestTouchOnDrawing chooses a node with a finger, and moves a drawing that was
// enlarged; a finger that goes up or down over a chart scrolls the page.
func TestTouchOnDrawing(t *testing.T) {
	p := phone(Start(t), runPage(t, simulate(t, "incast-8-1")))
	left, top, width, height := p.box(`document.querySelector("#network .box")`)
	p.touch(fingers{{left + width/2, top + height/2}})
	assert.True(t, p.True(`document.querySelectorAll("#links tbody tr").length > 0`), "the links of the node are listed")
	const stage = `document.querySelector(".topology .stage")`
	require.True(t, p.True(stage+`.scrollWidth <= `+stage+`.clientWidth`), "the drawing fits a phone")
	p.Click("#enlarge")
	p.Settle()
	require.True(t, p.True(stage+`.scrollWidth > `+stage+`.clientWidth`), "enlarged, it does not")
	swipe := func(x, y, dx, dy float64) {
		var way []fingers
		for i := range 11 {
			way = append(way, fingers{{x + dx*float64(i)/10, y + dy*float64(i)/10}})
		}
		p.touch(way...)
	}
	left, top, width, height = p.box(stage)
	swipe(left+0.8*width, top+height/2, -150, 0)
	assert.Greater(t, Eval[float64](p, stage+`.scrollLeft`), 100.0, "a swipe moves it")

	left, top, width, height = p.box(`rocesim.charts[0].uplot.over`)
	before := Eval[float64](p, `scrollY`)
	swipe(left+width/2, top+height/2, 0, -200)
	assert.Greater(t, Eval[float64](p, `scrollY`), before+100, "the page scrolls")
	assert.Empty(t, p.Faults())
}
