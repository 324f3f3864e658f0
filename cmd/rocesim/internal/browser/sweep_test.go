//go:build peers

package browser

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/scenarios/sweep"
	"rocesim/scenarios/versus"
)

// settings are the rows of settings.csv by the names of columns.
func settings(t *testing.T, dir string) []map[string]string {
	f, err := os.Open(filepath.Join(dir, "settings.csv"))
	require.NoError(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	var all []map[string]string
	for _, row := range rows[1:] {
		one := map[string]string{}
		for i, name := range rows[0] {
			one[name] = row[i]
		}
		all = append(all, one)
	}
	return all
}

// choose sets a select box as a reader does.
func choose(p *Page, id, value string) {
	p.tb.Helper()
	p.True(fmt.Sprintf(`(() => { const s = document.getElementById(%q); s.value = %q; s.dispatchEvent(new Event("change")); return s.value === %q; })()`, id, value, value))
}

// TestHeatmapsAreTheTable compares every cell of every metric with
// settings.csv, formatted as the summary formats it.
func TestHeatmapsAreTheTable(t *testing.T) {
	dir := sweepDir(t, "incast-32-1", grid())
	rows := settings(t, dir)
	p := Start(t).Open(filepath.Join(dir, "report.html"), 1280, 900)
	names := Eval[[]string](p, `[...document.querySelectorAll("#slice-metric option")].map((o) => o.textContent)`)
	require.Greater(t, len(names), 20)
	compared := 0
	for i, name := range names {
		subject, err := results.ParseSubject(name)
		require.NoError(t, err)
		mean, interval := sweep.ColumnName(subject, "_mean"), sweep.ColumnName(subject, "_ci95")
		choose(p, "slice-metric", strconv.Itoa(i))
		for preset, word := range []string{"paper", "connectx"} {
			choose(p, "slice-held-2", strconv.Itoa(preset))
			cells := Eval[[][]string](p, `[...document.querySelectorAll(".heat tbody tr")].map((r) => [...r.cells].slice(1).map((c) => (c.querySelector(".mean") || { textContent: "" }).textContent + "|" + (c.querySelector(".half") || { textContent: "" }).textContent))`)
			var want [][]string
			for _, row := range rows {
				if row["cc.preset"] != word {
					continue
				}
				if row["switch.lossless.alpha"] == "1/8" {
					want = append(want, nil)
				}
				text := shown(t, subject, row[mean]) + "|"
				if half := shown(t, subject, row[interval]); half != "" && half != shown(t, subject, "0") {
					text += "± " + half
				}
				want[len(want)-1] = append(want[len(want)-1], text)
				compared++
			}
			assert.Equal(t, want, cells, name)
		}
	}
	t.Logf("%d cells of %d metrics", compared, len(names))
	assert.Empty(t, p.Faults())
}

// shown formats a number of a column.
func shown(t *testing.T, s results.Subject, text string) string {
	if text == "" {
		return ""
	}
	v, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	_, scale := s.Info().Unit.Column()
	return s.Info().Unit.Format(v * scale)
}

func TestSelectsOfHeatmap(t *testing.T) {
	dir := sweepDir(t, "incast-32-1", grid())
	p := Start(t).Open(filepath.Join(dir, "report.html"), 1280, 900)
	caption := `document.querySelector(".heat caption").textContent`
	assert.Contains(t, p.Text(caption), "over switch.lossless.alpha and switch.ecn.kmin")
	choose(p, "slice-across", "2")
	assert.Contains(t, p.Text(caption), "over cc.preset and switch.ecn.kmin, alpha=")
	const curves, dots = `document.querySelectorAll("#lines .curve").length`, `document.querySelectorAll("#lines path > title").length`
	assert.Equal(t, [2]int{0, 4}, [2]int{Eval[int](p, curves), Eval[int](p, dots)}, "presets are words, which nothing joins")
	choose(p, "slice-down", "2")
	assert.Equal(t, [2]int{2, 4}, [2]int{Eval[int](p, curves), Eval[int](p, dots)}, "sizes are numbers")
	assert.Contains(t, p.Text(caption), "over switch.ecn.kmin and cc.preset, alpha=", "one that is chosen twice changes places")
	assert.Equal(t, "slice-down", p.Text(`(document.getElementById("slice-down").focus(), document.activeElement.id)`))
	assert.Equal(t, 1, Eval[int](p, `document.querySelectorAll(".heat td.best").length`), "the recommended setting is seen at first")
	assert.Contains(t, p.Text(`document.querySelector(".heat td.best").title`), "connectx")
}

// Two sweeps are seen over each other: a line for each side, with intervals.
func TestSidesOfSweepsOverTheGrid(t *testing.T) {
	result, err := versus.Compare(context.Background(), sweepDir(t, "incast-32-1", presets("paper")), sweepDir(t, "incast-32-1", presets("connectx")), versus.Options{})
	require.NoError(t, err)
	doc, err := result.Page()
	p := Start(t).Open(written(t, doc, err), 1280, 900)
	p.Settle()
	assert.Equal(t, "side=A, side=B", p.Text(`[...document.querySelectorAll("#lines .legend button")].map((b) => b.textContent).join(", ")`))
	assert.Equal(t, 2, Eval[int](p, `document.querySelectorAll("#lines .curve").length`))
	assert.Positive(t, Eval[int](p, `document.querySelectorAll("#lines .error").length`), "error bars")
	assert.Contains(t, p.Text(`document.querySelector(".heat caption").textContent`), "over switch.ecn.kmin and side, alpha=1/8")
	choose(p, "slice-held-2", "1")
	assert.Contains(t, p.Text(`document.querySelector(".heat caption").textContent`), "alpha=1/4")
	assert.Empty(t, p.Faults())
}

func TestUnmetSettingsAreHatched(t *testing.T) {
	dir := sweepDir(t, "incast-8-1", grid())
	p := Start(t).Open(filepath.Join(dir, "report.html"), 1280, 900)
	hatched := 0
	for preset := range 2 {
		choose(p, "slice-held-2", strconv.Itoa(preset))
		hatched += Eval[int](p, `document.querySelectorAll(".heat td.unmet").length`)
		assert.Equal(t, Eval[int](p, `document.querySelectorAll(".heat td.unmet").length`), Eval[int](p, `[...document.querySelectorAll(".heat td .note")].filter((n) => n.textContent.includes("unmet")).length`), "in words too")
	}
	want := 0
	for _, row := range settings(t, dir) {
		if row["runs_unmet"] != "0" {
			want++
		}
	}
	require.Positive(t, want)
	assert.Equal(t, want, hatched)
	assert.Contains(t, p.Text(`document.querySelector(".shades").textContent`), "an expectation is not met")
}

func TestLinesAndFrontOfSweep(t *testing.T) {
	dir := sweepDir(t, "incast-32-1", grid())
	p := Start(t).Open(filepath.Join(dir, "report.html"), 1280, 900)
	p.Settle()
	curves := `document.querySelectorAll("#lines .curve").length`
	assert.Equal(t, 2, Eval[int](p, curves))
	p.Click("#lines .legend button")
	assert.Equal(t, 1, Eval[int](p, curves))
	assert.Equal(t, "false", p.Text(`document.querySelector("#lines .legend button").getAttribute("aria-pressed")`))
	p.Keys(kb.Enter)
	assert.Equal(t, 2, Eval[int](p, curves), "the button kept the focus")
	assert.Positive(t, Eval[int](p, `document.querySelectorAll("#lines .error").length`), "error bars")

	front := 0
	for _, row := range settings(t, dir) {
		if row["pareto"] == "1" {
			front++
		}
	}
	assert.Equal(t, front, Eval[int](p, `document.querySelectorAll("[data-point]").length`))
	assert.Equal(t, front, Eval[int](p, `document.querySelectorAll("#front-table tbody tr").length`))
	p.True(`(document.querySelector("[data-point]").focus(), true)`)
	assert.Contains(t, p.Text(`document.getElementById("front-name").textContent`), "on the front")
	point := Eval[[]float64](p, `(() => { const e = [...document.querySelectorAll("#front-plot .other")].reduce((a, b) => (Number(b.getAttribute("cx")) > Number(a.getAttribute("cx")) ? b : a)); e.scrollIntoView({ block: "center", behavior: "instant" }); const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`)
	p.Hover(point[0], point[1])
	said := p.Text(`document.getElementById("front-name").textContent`)
	assert.True(t, strings.HasPrefix(said, "kmin=") && !strings.Contains(said, "on the front"), said)
	assert.Empty(t, p.Faults())
}
