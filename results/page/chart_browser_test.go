//go:build peers

package page

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"rocesim/results"
)

// opened is a page in Chromium.
type opened struct {
	t        *testing.T
	ctx      context.Context
	lock     sync.Mutex
	problems []string
}

// open shows the page of a run in a window of its own. Errors of scripts and
// what the content security policy refused fail the test at its end.
func open(t *testing.T, run *results.Run) *opened {
	file := filepath.Join(t.TempDir(), "report.html")
	f, err := os.Create(file)
	require.NoError(t, err)
	require.NoError(t, pageOf(t, run).Write(f))
	require.NoError(t, f.Close())

	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(1280, 1000),
		chromedp.WSURLReadTimeout(deadline), chromedp.Flag("force-prefers-reduced-motion", true))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, end := chromedp.NewContext(allocator)
	t.Cleanup(end)
	p := &opened{t: t, ctx: ctx}
	require.NoError(t, chromedp.Listen(ctx, p.hear))
	ctx, cancel := context.WithTimeout(ctx, deadline)
	t.Cleanup(cancel)
	p.ctx = ctx
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate("file://"+file), chromedp.WaitVisible("#network")))
	t.Cleanup(p.quiet)
	return p
}

// hear keeps what went wrong in the page.
func (p *opened) hear(event any) {
	p.lock.Lock()
	defer p.lock.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		p.problems = append(p.problems, fmt.Sprint(e.ExceptionDetails.Text, e.ExceptionDetails.Exception))
	case *log.EventEntryAdded:
		p.problems = append(p.problems, e.Entry.Text)
	}
}

// quiet fails if something went wrong.
func (p *opened) quiet() {
	p.lock.Lock()
	defer p.lock.Unlock()
	require.Empty(p.t, p.problems)
}

// settled waits until the page has done what was asked of it, and is drawn: a
// machine under load is slow.
func settled(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
	const drawn = `new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => done(true))), 50))`
	_, err := chromedp.Evaluate[bool](drawn, chromedp.EvalAwaitPromise)(ctx, t)
	return chromedp.Void{}, err
}

// deadline is how long Chromium may take to start, and a test may use the page.
const deadline = 4 * time.Minute

// value evaluates an expression of the page.
func value[T any](p *opened, expression string) T {
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression))
	require.NoError(p.t, err, expression)
	return v
}

// visible are the visible ranges of charts over time.
func (p *opened) visible() [][2]float64 {
	return value[[][2]float64](p, `rocesim.charts.filter((c) => c.data.linked).map((c) => [c.uplot.scales.x.min, c.uplot.scales.x.max])`)
}

// corner is where a chart's lines begin, and how large their room is.
func (p *opened) corner(id string) (x, y, width float64) {
	p.t.Helper()
	require.NoError(p.t, chromedp.Do(p.ctx, chromedp.ScrollIntoView("#chart-figure-"+id),
		chromedp.WaitVisible("#chart-figure-"+id+" .u-over"), settled))
	r := value[[]float64](p, fmt.Sprintf(`(() => { const r = document.querySelector("#chart-figure-%s .u-over").getBoundingClientRect();
		return [r.left, r.top, r.width]; })()`, id))
	return r[0], r[1], r[2]
}

func TestChartsZoomTogether(t *testing.T) {
	p := open(t, uneven())
	x, y, width := p.corner("queues")
	require.NoError(t, chromedp.Do(p.ctx,
		chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x+width/4, y+40, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x+width/3, y+40, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x+width/2, y+40, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, x+width/2, y+40, chromedp.ButtonLeft), settled))
	ranges := p.visible()
	require.GreaterOrEqual(t, len(ranges), 2)
	for _, r := range ranges {
		require.InDelta(t, 12_500, r[0], 100)
		require.InDelta(t, 25_000, r[1], 100)
	}
	// A chart that is drawn later follows.
	p.corner("rates")
	require.Equal(t, ranges[0], p.visible()[len(p.visible())-1])

	require.NoError(t, chromedp.Do(p.ctx, chromedp.Focus("#chart-figure-queues .plot"), chromedp.KeyEvent("+"), settled))
	require.InDelta(t, 6_250, p.visible()[0][1]-p.visible()[0][0], 50)
	require.NoError(t, chromedp.Do(p.ctx, chromedp.KeyEvent("0"), settled))
	for _, r := range p.visible() {
		require.Equal(t, [2]float64{0, 50_000.000001}, r)
	}
}

func TestCursorShowsValues(t *testing.T) {
	p := open(t, busy("tiny"))
	p.corner("queues")
	require.NoError(t, chromedp.Do(p.ctx, chromedp.Focus("#chart-figure-queues .plot"),
		chromedp.KeyEvent(kb.ArrowRight), settled)) // arrow right
	require.Equal(t, "Simulated time: 500 us", value[string](p, `document.querySelector("#chart-figure-queues .at").textContent`))
	require.Equal(t, "300 KB", value[string](p, `document.querySelector("#chart-figure-queues .value").textContent`))
	require.Contains(t, value[string](p, `document.getElementById("announcements").textContent`), "priority 3: 300 KB")

	require.NoError(t, chromedp.Do(p.ctx, chromedp.Click("#chart-figure-queues .canvas .legend button")))
	require.Equal(t, "false", value[string](p, `document.querySelector("#chart-figure-queues .canvas .legend button").getAttribute("aria-pressed")`))
	require.False(t, value[bool](p, `rocesim.charts[0].uplot.series[1].show`))
}

// Of more samples than can be told apart a line is drawn as their mean between
// lowest and highest; the cursor has each sample, and so has a part of the chart.
func TestCrowdedLines(t *testing.T) {
	run := uneven()
	p := open(t, run)
	_, _, width := p.corner("queues")
	const drawn = `rocesim.charts[0].drawn[1]`
	require.InDelta(t, width/5, value[float64](p, drawn+`.length`), 2, "a point for each 5 pixels")
	require.True(t, value[bool](p, drawn+`.slice(1, -1).every((p) => p.top < p.y && p.y < p.bottom)`))
	peak := slices.Max(run.Series[0].Values)
	require.InDelta(t, value[float64](p, fmt.Sprintf(`rocesim.charts[0].uplot.valToPos(%v, "y", true)`, peak)),
		value[float64](p, `Math.min(...`+drawn+`.map((p) => p.top))`), 0.01, "no peak is lost")

	require.NoError(t, chromedp.Do(p.ctx, chromedp.Focus("#chart-figure-queues .plot"), chromedp.KeyEvent(kb.ArrowRight), settled))
	require.Equal(t, results.Size.Format(run.Series[0].Values[1]), value[string](p, `document.querySelector("#chart-figure-queues .value").textContent`))

	require.True(t, value[bool](p, `(rocesim.charts[0].uplot.setScale("x", { min: 10000, max: 12000 }), true)`))
	require.NoError(t, chromedp.Do(p.ctx, settled))
	require.InDelta(t, 201, value[float64](p, drawn+`.length`), 2, "all samples of 2 ms")
	require.True(t, value[bool](p, drawn+`.every((p) => p.top === p.y && p.y === p.bottom)`))
}

// A strip has the value of each sample under the cursor.
func TestStripsShowValues(t *testing.T) {
	run := busy("tiny")
	p := open(t, run)
	p.corner("use")
	require.NoError(t, chromedp.Do(p.ctx, chromedp.Focus("#chart-figure-use .plot"), chromedp.KeyEvent(kb.ArrowRight), settled))
	c := useChart(run)
	want := fmt.Sprintf("Simulated time: %s: %s %s", c.X.Unit.format(c.Places[1].float()), c.Rows[0].Name, c.Y.Unit.format(c.Rows[0].Values[1].float()))
	require.Equal(t, want, value[string](p, `document.querySelector("#chart-figure-use .at").textContent`))
	require.Contains(t, value[string](p, `document.getElementById("announcements").textContent`), want)
}

func TestSliderShowsPauses(t *testing.T) {
	p := open(t, busy("tiny"))
	require.Zero(t, value[int](p, `document.querySelectorAll(".lane.held").length`))
	require.NoError(t, chromedp.Do(p.ctx, chromedp.Click("#first-pause"), settled))
	require.Equal(t, "40 us", value[string](p, `document.getElementById("moment-text").value`))
	require.Equal(t, 1, value[int](p, `document.querySelectorAll(".lane.held").length`))
	require.Contains(t, value[string](p, `document.getElementById("state").textContent`), "Paused now or in the 500 us before: h1 tiny:0>leaf0 tiny.")
	require.Equal(t, "time", value[string](p, `document.getElementById("quantity").value`))

	// A key moves by one sample, a click into a chart to its time.
	require.NoError(t, chromedp.Do(p.ctx, chromedp.Focus("#moment"), chromedp.KeyEvent(kb.ArrowRight), settled))
	require.Equal(t, "500 us", value[string](p, `document.getElementById("moment-text").value`))
	require.Contains(t, value[string](p, `document.getElementById("state").textContent`), "Deepest sampled queue: leaf0 tiny:0>h0 tiny priority 3, 300 KB.")
	x, y, width := p.corner("queues")
	require.NoError(t, chromedp.Do(p.ctx, chromedp.MouseClickXY(x+width*0.25, y+30), settled))
	require.InDelta(t, 250, value[float64](p, `parseFloat(document.getElementById("moment-text").value)`), 3)
	require.InDelta(t, width*0.25, value[float64](p, `parseFloat(document.querySelector("#chart-figure-queues .now").style.left)`), 2)

	// A node lists its links.
	require.NoError(t, chromedp.Do(p.ctx, chromedp.Focus(`[data-group="0"]`), chromedp.KeyEvent("\r")))
	require.Equal(t, 4, value[int](p, `document.querySelectorAll("#links tbody tr").length`))
}

// Numbers are printed as the summary of a run prints them.
func TestScriptsPrintNumbersAsResultsDo(t *testing.T) {
	p := open(t, busy("tiny"))
	scales := map[Unit]string{
		Microseconds: `rocesim.data("chart-queues").x.scales`,
		Bytes:        `rocesim.data("chart-queues").y.scales`,
		Percent:      `rocesim.data("chart-fct").y.scales`,
	}
	for unit, scale := range scales {
		for _, v := range []float64{0, 0.02, 1, 1.5, 999.96, 1000, 2410, 65536, 123456, 1.6e6} {
			require.Equal(t, unit.format(v), value[string](p, fmt.Sprintf("chartFormat.value(%s, %v)", scale, v)), "%v %s", v, unit)
		}
	}
}
