package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
	"gonum.org/v1/plot/plotter"
	"pgregory.net/rapid"

	"rocesim/results"
)

var update = flag.Bool("update", false, "rewrite the golden SVG files")

func svg(t *testing.T, p *Plot) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, p.WriteSVG(&out))
	return out.String()
}

// The SVG text of every plot of a small run is compared, so that a change of
// looks is seen in review. After -update, look at the PNG of
// TestWriteMakesBothFormats too.
func TestGolden(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("made on amd64; the last digits of exp and log differ between processors")
	}
	plots := Plots(small())
	require.Len(t, plots, 8)
	for _, p := range plots {
		golden := filepath.Join("testdata", p.Name+".svg")
		got := svg(t, p)
		if *update {
			require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		assert.True(t, string(want) == got, "%s differs: run go test ./results/report -update and look at it", golden)
	}
}

func TestWriteMakesBothFormats(t *testing.T) {
	dir := t.TempDir()
	run := cluster()
	require.NoError(t, Write(dir, run, everything()))
	for _, p := range Plots(run) {
		file, err := os.Open(filepath.Join(dir, "plots", p.Name+".png"))
		require.NoError(t, err)
		image, err := png.Decode(file)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		assert.Equal(t, 1600, image.Bounds().Dx())
		assert.Equal(t, 900, image.Bounds().Dy())
		text, err := os.ReadFile(filepath.Join(dir, "plots", p.Name+".svg"))
		require.NoError(t, err)
		assert.Less(t, len(text), 300_000, "%s: curves are thinned", p.Name)
		assertXML(t, string(text))
	}
}

// everything chooses all plots in both formats.
func everything() Options { return Options{Plots: Names(), Formats: []string{"png", "svg"}} }

// Only what is chosen is drawn; with nothing chosen there is no directory.
func TestWriteMakesWhatIsChosen(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Write(dir, small(), Options{Plots: []string{"rates", "fct_cdf"}, Formats: []string{"svg"}}))
	files, err := filepath.Glob(filepath.Join(dir, "plots", "*"))
	require.NoError(t, err)
	assert.Equal(t, []string{filepath.Join(dir, "plots", "fct_cdf.svg"), filepath.Join(dir, "plots", "rates.svg")}, files)
	for _, o := range []Options{{Formats: []string{"png"}}, {Plots: []string{"rates"}}} {
		dir := t.TempDir()
		require.NoError(t, Write(dir, small(), o))
		assert.NoDirExists(t, filepath.Join(dir, "plots"))
	}
}

// Each plot has the name that it is chosen by.
func TestPlotNames(t *testing.T) { assert.Equal(t, Names(), names(Plots(small()))) }

func assertXML(t *testing.T, text string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			require.NoError(t, err)
		}
	}
}

func TestSameRunSameBytes(t *testing.T) {
	first, second := Plots(cluster()), Plots(cluster())
	for i := range first {
		assert.True(t, svg(t, first[i]) == svg(t, second[i]), first[i].Name)
	}
	var a, b bytes.Buffer
	require.NoError(t, first[0].WritePNG(&a))
	require.NoError(t, second[0].WritePNG(&b))
	assert.True(t, bytes.Equal(a.Bytes(), b.Bytes()))
}

// Plots that are drawn at once have the bytes that each has alone, also those
// that one run is drawn into at the same time.
func TestPlotsDrawnAtOnce(t *testing.T) {
	run := small()
	dirs := []string{t.TempDir(), t.TempDir()}
	var group errgroup.Group
	for _, dir := range dirs {
		group.Go(func() error { return Write(dir, run, everything()) })
	}
	require.NoError(t, group.Wait())
	for _, p := range Plots(run) {
		for format, write := range map[string]func(io.Writer) error{"png": p.WritePNG, "svg": p.WriteSVG} {
			var alone bytes.Buffer
			require.NoError(t, write(&alone))
			for _, dir := range dirs {
				text, err := os.ReadFile(filepath.Join(dir, "plots", p.Name+"."+format))
				require.NoError(t, err)
				require.True(t, bytes.Equal(alone.Bytes(), text), "%s.%s", p.Name, format)
			}
		}
	}
}

// The error is that of the first plot in their order, whichever fails first,
// and the others are written.
func TestFirstPlotThatFails(t *testing.T) {
	dir := t.TempDir()
	names := Names()
	for _, name := range names[2:4] { // a directory stands where the file goes
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "plots", name+".svg", "taken"), 0o755))
	}
	for range 10 {
		err := Write(dir, small(), Options{Plots: names, Formats: []string{"svg"}})
		require.ErrorContains(t, err, "plots: ")
		require.ErrorContains(t, err, names[2]+".svg")
	}
	for _, name := range append(names[:2:2], names[4:]...) {
		require.FileExists(t, filepath.Join(dir, "plots", name+".svg"))
	}
}

// BenchmarkWritePlots draws all plots of a run into PNG and SVG files.
func BenchmarkWritePlots(b *testing.B) {
	run := cluster()
	for b.Loop() {
		require.NoError(b, Write(b.TempDir(), run, everything()))
	}
}

func names(plots []*Plot) []string {
	var all []string
	for _, p := range plots {
		all = append(all, p.Name)
	}
	return all
}

func TestQuietPFCSaysSo(t *testing.T) {
	run := cluster()
	run.Pauses = nil
	text := svg(t, pfcTimeline(run))
	assert.Contains(t, text, "No port was paused at any time.")
	assert.Contains(t, text, "Nearest to XOFF: 62 % of the threshold, at leaf0:0&gt;h0 priority 3")
}

func TestPlotsWithoutDataAreLeftOut(t *testing.T) {
	plots := Plots(&results.Run{})
	assert.Equal(t, []string{"pfc_timeline"}, names(plots))
	assertXML(t, svg(t, plots[0]))
}

// Runs at the edge of what a plot can show are drawn without panic, with
// finite coordinates.
func TestExtremeRunsAreDrawn(t *testing.T) {
	one := small()
	one.Flows = one.Flows[:1]
	one.Series = nil
	idle := small()
	for i := range idle.Ports {
		idle.Ports[i].WireBytes = 0
	}
	for i := range idle.Series {
		clear(idle.Series[i].Values)
	}
	paused := cluster()
	for i := range paused.Ports {
		paused.Pauses = append(paused.Pauses, results.Pause{From: 0, To: paused.Manifest.SimulatedTime, Port: int32(i), Priority: 4})
	}
	for name, run := range map[string]*results.Run{"one": one, "idle": idle, "crowded": crowded(), "paused": paused} {
		for _, p := range Plots(run) {
			text := svg(t, p)
			assertXML(t, text)
			assert.NotContains(t, text, "NaN", "%s %s", name, p.Name)
			assert.NotContains(t, text, "Inf", "%s %s", name, p.Name)
		}
	}
	assert.True(t, strings.Contains(svg(t, pfcTimeline(paused)), "24 of 170 paused ports"), "160 of priority 4, 10 of priority 3")
}

func TestUnwritablePlace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	require.ErrorContains(t, Write(file, small(), everything()), "plots: ")
}

func TestThinPeaksKeepsPeaks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ys := rapid.SliceOfN(rapid.Float64Range(0, 1e6), 1, 5000).Draw(t, "ys")
		xys := make(plotter.XYs, len(ys))
		for i, y := range ys {
			xys[i] = plotter.XY{X: float64(i), Y: y}
		}
		thin := thinPeaks(xys)
		require.LessOrEqual(t, len(thin), maxPoints)
		low, high := math.Inf(1), math.Inf(-1)
		for i, p := range thin {
			low, high = min(low, p.Y), max(high, p.Y)
			require.Equal(t, ys[int(p.X)], p.Y, "only points that were there")
			require.True(t, i == 0 || thin[i-1].X < p.X, "in order")
		}
		require.Equal(t, slices.Max(ys), high)
		require.Equal(t, slices.Min(ys), low)
	})
}

func TestThinMeansKeepsTheMean(t *testing.T) {
	xys := make(plotter.XYs, 4000)
	for i := range xys {
		xys[i] = plotter.XY{X: float64(i), Y: float64(i % 10)}
	}
	thin := thinMeans(xys)
	require.Len(t, thin, 200)
	for _, p := range thin {
		assert.Equal(t, 4.5, p.Y)
	}
	assert.Equal(t, 3999.0, thin[199].X)
}

// One step of the timeline is end/600; the shade says which part was paused.
func TestPauseLevels(t *testing.T) {
	const step = 1000
	levels := pauseLevels([]results.Pause{
		{From: 0, To: 1},                             // a trace of the first step
		{From: 2 * step, To: 2*step + 250},           // a quarter
		{From: 3 * step, To: 3*step + 251},           // just more
		{From: 4 * step, To: 6 * step},               // two whole steps
		{From: 7*step + 500, To: 8*step + 500},       // two halves
		{From: 599 * step, To: timeBins*step + 5000}, // beyond the end
	}, timeBins*step)
	assert.Equal(t, []int{1, 0, 1, 2, 4, 4, 0, 2, 2, 0}, levels[:10])
	assert.Equal(t, 4, levels[599])
}

func TestTicks(t *testing.T) {
	label := func(low, high float64) (all []string) {
		for _, tick := range (linearTicks{}).Ticks(low, high) {
			all = append(all, tick.Label)
		}
		return all
	}
	assert.Equal(t, []string{"0", "5", "10", "15", "20"}, label(0, 20))
	assert.Equal(t, []string{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}, label(0, 1))
	assert.Equal(t, []string{"0", "500", "1,000", "1,500", "2,000", "2,500", "3,000"}, label(0, 3000))
	var logs []string
	for _, tick := range (logTicks{}).Ticks(1, 1000) {
		if tick.Label != "" {
			logs = append(logs, tick.Label)
		}
	}
	assert.Equal(t, []string{"1", "2", "5", "10", "20", "50", "100", "200", "500", "1,000"}, logs)
	assert.Equal(t, 20.0, niceTop(19.1))
	assert.Equal(t, 1.0, niceTop(0))
	assert.Equal(t, "-1,234,567.50", group("-1234567.50"))
}

func TestLogRangeHoldsItsEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(1e-3, 1e6).Draw(t, "low")
		high := low * rapid.Float64Range(1, 1e6).Draw(t, "factor")
		from, to := logRange(low, high)
		require.LessOrEqual(t, from, low)
		require.Greater(t, to, high)
		require.Greater(t, from*10.001, low, "no wider than needed")
	})
}

func TestBucketLabels(t *testing.T) {
	var got []string
	for _, b := range results.Buckets() {
		got = append(got, bucketLabel(b))
	}
	assert.Equal(t, []string{"up to 3 KB", "3-10 KB", "10-30 KB", "30-100 KB", "100-300 KB", "300 KB - 1 MB", "1-3 MB", "over 3 MB"}, got)
}

// The panels of congestion control are those that have something to show, and
// workloads that nothing slowed down are left out.
func TestCongestionControlPanels(t *testing.T) {
	kinds := func(run *results.Run, drop ...results.SeriesKind) *results.Run {
		run.Series = slices.DeleteFunc(run.Series, func(s results.Series) bool { return slices.Contains(drop, s.Kind) })
		return run
	}
	all := congestionControl(cluster())
	assert.Len(t, all.below, 2)
	text := svg(t, all)
	assert.Contains(t, text, "storage slowest")
	assert.NotContains(t, text, "shuffle slowest")
	assert.Len(t, congestionControl(kinds(cluster(), results.ControlSeries)).below, 1)
	assert.Len(t, congestionControl(kinds(cluster(), results.ControlSeries, results.CNPSentSeries, results.CNPHandledSeries)).below, 0)
	assert.Nil(t, congestionControl(kinds(cluster(), results.MarkSeries, results.CNPSentSeries, results.CNPHandledSeries)))
}
