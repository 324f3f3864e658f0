//go:build peers

package browser

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/results/page"
	"rocesim/results/why"
	"rocesim/scenarios"
	"rocesim/scenarios/sweep"
	"rocesim/scenarios/tune"
	"rocesim/scenarios/versus"
)

// library writes a built-in scenario into a directory and returns the file.
func library(t testing.TB, name string) string {
	entry, err := scenarios.FindScenario(name)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), name+".yaml")
	require.NoError(t, os.WriteFile(file, entry.Text, 0o644))
	return file
}

// simulate runs a built-in scenario with changes.
func simulate(t testing.TB, name string, sets ...string) *results.Run {
	sc, err := scenarios.Load(library(t, name), sets)
	require.NoError(t, err)
	run, err := scenarios.Run(context.Background(), sc, scenarios.RunOptions{Tool: "test"})
	require.NoError(t, err)
	return run
}

// written writes a page into a file.
func written(t testing.TB, doc *page.Document, err error) string {
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "report.html")
	f, err := os.Create(file)
	require.NoError(t, err)
	require.NoError(t, doc.Write(f))
	require.NoError(t, f.Close())
	return file
}

func runPage(t testing.TB, run *results.Run) string {
	doc, err := page.Run(run, why.NewReport(run), page.Extra{})
	return written(t, doc, err)
}

// sweepDir sweeps a built-in scenario.
func sweepDir(t testing.TB, name string, spec sweep.Spec) string {
	spec.Files = []string{library(t, name)}
	s, err := sweep.Load(spec)
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "sweep")
	out, err := s.Run(context.Background(), sweep.Options{Dir: dir, Tool: "test"})
	require.NoError(t, err)
	require.NoError(t, out.Write(dir, nil))
	return dir
}

// searchDir searches for the best setting of a built-in scenario.
func searchDir(t testing.TB, name string) string {
	p, err := tune.Load(tune.Spec{File: library(t, name), Params: []string{"switch.ecn.kmin=50KB..400KB:log"}, Minimise: []string{"fct.p99"}, Budget: 8, Seeds: "1"})
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "search")
	out, err := p.Run(context.Background(), tune.Options{Dir: dir, Tool: "test", Executor: sweep.Local{Workers: 2, Tool: "test"}, Progress: func(tune.Progress) {}})
	require.NoError(t, err)
	require.NoError(t, out.Write(dir, nil))
	return dir
}

// grid is a sweep with settings that miss an expectation and others that do
// not, and three axes.
func grid() sweep.Spec {
	return sweep.Spec{Seeds: "3", Sets: []string{"switch.ecn.kmin=50KB,200KB", "switch.lossless.alpha=1/8,1/4,1", "cc.preset=paper,connectx"}}
}

// presets is a sweep over thresholds with one preset of DCQCN.
func presets(preset string) sweep.Spec {
	return sweep.Spec{Seeds: "3", Sets: []string{"switch.ecn.kmin=100KB,200KB", "switch.lossless.alpha=1/8,1/4", "cc.preset=" + preset}}
}

// proper checks what every page must be: without faults, accessible in both
// themes, without scrolling sideways on a phone, printable.
func proper(t *testing.T, p *Page, name string) {
	t.Helper()
	for _, theme := range []string{"light", "dark"} {
		p.Scheme(theme)
		assert.Empty(t, p.Axe(), "%s in the %s theme", name, theme)
		p.Screenshot(name + "-" + theme)
	}
	p.Scheme("light")
	for _, width := range []int64{360, 390, 768} {
		p.Resize(width, 800)
		assert.LessOrEqual(t, Eval[int64](p, `document.documentElement.scrollWidth`), width, "%s scrolls sideways", name)
	}
	p.Resize(390, 800)
	p.Screenshot(name + "-phone")
	p.Resize(1280, 900)
	pdf := p.PDF()
	require.True(t, len(pdf) > 4 && string(pdf[:5]) == "%PDF-", "%s does not print", name)
	if dir := os.Getenv(ScreenshotsVariable); dir != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".pdf"), pdf, 0o644))
	}
	assert.Empty(t, Eval[[]string](p, unnamed), "%s: controls without a name", name)
	assert.Empty(t, Eval[[]string](p, `[...document.querySelectorAll("table")].filter((t) => !t.caption || !t.caption.textContent.trim()).map((t) => t.outerHTML.slice(0, 200))`), "%s: tables without a caption", name)
	assert.Empty(t, Eval[[]string](p, skippedHeadings), "%s: headings that skip a level", name)
	assert.Empty(t, p.Faults(), name)
	assert.Equal(t, 1, p.Requests(), "%s loads something", name)
}

// unnamed lists controls that a screen reader could not name.
const unnamed = `[...document.querySelectorAll("button, input, select, summary, a[href]")].filter((e) =>
	!(e.textContent.trim() || e.getAttribute("aria-label") || [...(e.labels || [])].some((l) => l.textContent.trim()))).map((e) => e.outerHTML.slice(0, 200))`

// skippedHeadings lists headings more than one level below the one before.
const skippedHeadings = `(() => {
	let last = 0;
	return [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter((h) => !h.hidden && h.checkVisibility()).flatMap((h) => {
		const level = Number(h.tagName[1]);
		const skipped = level > last + 1;
		last = level;
		return skipped ? [h.outerHTML.slice(0, 200)] : [];
	});
})()`

// TestPagesAreProper holds for every kind of page.
func TestPagesAreProper(t *testing.T) {
	b := Start(t)
	run := simulate(t, "incast-8-1")
	result, err := versus.Run(context.Background(), library(t, "incast-8-1"), library(t, "incast-8-1"), versus.Options{Seeds: 3, SetsB: []string{"cc.preset=connectx"}})
	require.NoError(t, err)
	comparison, err := result.Page()
	require.NoError(t, err)
	sweeps, err := versus.Compare(context.Background(), sweepDir(t, "incast-32-1", presets("paper")), sweepDir(t, "incast-32-1", presets("connectx")), versus.Options{})
	require.NoError(t, err)
	sides, err := sweeps.Page()
	quiet := simulate(t, "single-flow", "output.sample=0us")
	for name, file := range map[string]string{
		"run":        runPage(t, run),
		"quiet":      runPage(t, quiet),
		"sweep":      filepath.Join(sweepDir(t, "incast-32-1", grid()), "report.html"),
		"unmet":      filepath.Join(sweepDir(t, "incast-8-1", grid()), "report.html"),
		"search":     filepath.Join(searchDir(t, "incast-32-1"), "report.html"),
		"comparison": written(t, comparison, err),
		"sides":      written(t, sides, err),
	} {
		t.Run(name, func(t *testing.T) { proper(t, b.Open(file, 1280, 900), name) })
	}
}
