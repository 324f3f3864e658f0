//go:build peers

package browser

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/sim"
)

func TestTablesOfRunPage(t *testing.T) {
	p := Start(t).Open(runPage(t, simulate(t, "incast-8-1")), 1280, 900)
	const head = `#slowest thead button[data-column]`
	column := `[...document.querySelectorAll("#slowest tbody tr")].map((r) => r.cells[%d].textContent)`
	at := Eval[int](p, `[...document.querySelectorAll("#slowest thead th")].findIndex((th) => th.textContent === "fct_us")`)
	require.GreaterOrEqual(t, at, 0)
	p.True(fmt.Sprintf(`(() => { const b = document.querySelectorAll(%q)[%d]; b.focus(); b.click(); return true; })()`, head, at))
	assert.Equal(t, "descending", p.Text(fmt.Sprintf(`document.querySelectorAll("#slowest thead th")[%d].getAttribute("aria-sort")`, at)))
	falling := numbers(t, Eval[[]string](p, fmt.Sprintf(column, at)))
	require.Len(t, falling, 8)
	for i := range falling[1:] {
		assert.GreaterOrEqual(t, falling[i], falling[i+1])
	}
	p.Keys(kb.Enter) // the button of the column kept the focus
	assert.Equal(t, "ascending", p.Text(fmt.Sprintf(`document.querySelectorAll("#slowest thead th")[%d].getAttribute("aria-sort")`, at)))

	p.Click(`#slowest input[type="search"]`)
	p.Keys("h3")
	rows := Eval[[]string](p, `[...document.querySelectorAll("#slowest tbody tr")].map((r) => r.textContent)`)
	require.NotEmpty(t, rows)
	assert.Less(t, len(rows), 8)
	for _, row := range rows {
		assert.Contains(t, row, "h3")
	}
	assert.Empty(t, p.Faults())
}

func numbers(t *testing.T, texts []string) []float64 {
	var all []float64
	for _, text := range texts {
		v, err := strconv.ParseFloat(text, 64)
		require.NoError(t, err)
		all = append(all, v)
	}
	return all
}

func TestChartsOfRunPage(t *testing.T) {
	p := Start(t).Open(runPage(t, simulate(t, "incast-8-1")), 1280, 900)
	p.True(`(document.querySelector(".chart").scrollIntoView({ behavior: "instant" }), true)`) // it is made when it is near
	p.Settle()
	const button = `.chart .legend:not(.key-list) button`
	pressed := fmt.Sprintf(`document.querySelector(%q).getAttribute("aria-pressed")`, button)
	assert.Equal(t, "true", p.Text(pressed))
	p.Click(button)
	assert.Equal(t, "false", p.Text(pressed))
	p.Keys(" ") // it has the focus
	assert.Equal(t, "true", p.Text(pressed))

	extent := `(() => { const { min, max } = rocesim.charts[0].uplot.scales.x; return max - min; })()`
	whole := Eval[float64](p, extent)
	p.True(`(document.querySelector(".chart .plot").focus(), true)`)
	p.Keys("+")
	p.Settle()
	zoomed := Eval[float64](p, extent)
	assert.Less(t, zoomed, whole, "the plus key zooms")
	p.Keys("0")
	p.Settle()
	assert.Equal(t, whole, Eval[float64](p, extent), "0 shows all again")
	assert.Empty(t, p.Faults())
}

func TestSliderAndThemeOfRunPage(t *testing.T) {
	p := Start(t).Open(runPage(t, simulate(t, "incast-8-1")), 1280, 900)
	p.Settle()
	const moment, classes = `document.getElementById("moment-text").value`,
		`[...document.querySelectorAll("#lanes > *")].map((e) => e.dataset.lane + e.getAttribute("class")).sort().join()`
	before := p.Text(moment)
	p.Click("#first-pause")
	p.Settle()
	paused := p.Text(moment)
	assert.NotEqual(t, before, paused)
	atPause := p.Text(classes)
	p.True(`(document.getElementById("moment").focus(), true)`)
	for range 40 {
		p.Keys(kb.ArrowRight)
	}
	p.Settle()
	assert.NotEqual(t, paused, p.Text(moment), "arrows move the slider")
	assert.NotEqual(t, atPause, p.Text(classes), "the drawing follows")

	const paper = `getComputedStyle(document.body).backgroundColor`
	p.Scheme("light")
	light := p.Text(paper)
	p.Click("#theme")
	assert.NotEqual(t, light, p.Text(paper))
	assert.Equal(t, "Light theme", p.Text(`document.getElementById("theme").textContent`))
	p.Click("#theme")
	assert.Equal(t, light, p.Text(paper))
	assert.Empty(t, p.Faults())
}

// TestNamesAreNotExecuted puts markup wherever a scenario's author may choose a
// text.
func TestNamesAreNotExecuted(t *testing.T) {
	b := Start(t)
	for _, text := range []string{
		`<img src=x onerror=alert(1)>`, `</script><script>alert(2)</script>`, `"><svg onload=alert(3)>`,
		`<!--<script>alert(4)`, "\u2028alert(5)//", `javascript:alert(6)`, `{{alert(7)}}`, `' onmouseover='alert(8)`,
	} {
		run := simulate(t, "incast-8-1")
		m := &run.Manifest
		m.Name, m.Question, m.Scenario, m.Notes, m.Overrides = text, text, text, []string{text}, []string{text}
		for i := range run.Nodes {
			run.Nodes[i] += text
		}
		for i := range run.Workloads {
			run.Workloads[i].Name = text
		}
		for i := range run.Series {
			run.Series[i].Name = text
		}
		p := b.Open(runPage(t, run), 1280, 900)
		p.Settle()
		p.True(`([...document.querySelectorAll("button")].forEach((b) => b.click()), true)`)
		p.True(`(document.querySelectorAll("*").forEach((e) => e.dispatchEvent(new MouseEvent("mouseover", { bubbles: false }))), true)`)
		p.Settle()
		assert.Empty(t, p.Faults(), text)
		assert.Equal(t, text, p.Text(`document.querySelector("h1").textContent`))
		assert.Equal(t, 1, p.Requests(), text)
	}
}

// TestClusterOpensAtOnce measures the page of the README's scenario; 4 ms of it
// have all its ports and tables.
func TestClusterOpensAtOnce(t *testing.T) {
	file := runPage(t, simulate(t, "cluster-200", "stop.time=4ms"))
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Less(t, info.Size(), int64(5<<20), "a page under 5 MB")
	p := Start(t).Open(file, 1280, 900)
	p.Settle()
	took := p.WorkTime()
	assert.Positive(t, took)
	assert.Less(t, took, time.Second)
	assert.Empty(t, p.Faults())
	t.Logf("%d bytes, %v of processor time until it was drawn", info.Size(), took)
}

// TestMillionFlows opens the page of a run with a million flows: that it is made
// and shown does not take longer for it. The flows are made up, as to simulate
// them would take minutes.
func TestMillionFlows(t *testing.T) {
	run := simulate(t, "incast-8-1")
	model, end := run.Flows[0], run.Manifest.SimulatedTime
	stream := sim.NewStream(1, "browser/flows")
	run.Flows = make([]results.FlowRow, 1_000_000)
	for i := range run.Flows {
		f := &run.Flows[i]
		*f = model
		f.ID, f.Src, f.Start = uint32(i), int32(i%8), stream.Time(end/2)
		f.Delivered = f.Start + f.Ideal + stream.Exp(end/8)
		f.Completed = f.Delivered + sim.Microsecond
	}
	began := time.Now()
	file := runPage(t, run)
	made := time.Since(began)
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Less(t, info.Size(), int64(2<<20))
	p := Start(t).Open(file, 1280, 900)
	p.Settle()
	took := p.WorkTime()
	assert.Less(t, took, time.Second)
	assert.Contains(t, p.Text(`document.getElementById("flows").textContent`), "These are 1,000 of 1,000,000 rows; flows.csv has them all.")
	assert.Empty(t, p.Faults())
	t.Logf("made in %v; %d bytes, %v of processor time until it was drawn", made, info.Size(), took)
}
