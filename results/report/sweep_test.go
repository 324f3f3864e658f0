package report

import (
	"bytes"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
)

// svgTexts returns the texts of a plot in the order in which they are drawn.
func svgTexts(t *testing.T, p *Plot) string {
	var out, again bytes.Buffer
	require.NoError(t, p.WriteSVG(&out))
	require.NoError(t, p.WriteSVG(&again))
	assert.Equal(t, out.String(), again.String(), "drawn twice")
	var all []string
	for _, m := range regexp.MustCompile(`(?s)<text[^>]*>(.*?)</text>`).FindAllStringSubmatch(out.String(), -1) {
		all = append(all, m[1])
	}
	return strings.Join(all, "|")
}

func sweepCaptions() Captions {
	return Captions{Name: "x", Title: "Title", Subtitle: "subtitle", Value: "fct.p99", Unit: results.Duration}
}

func sizes() Axis {
	return Axis{Label: "switch.ecn.kmin", Places: []string{"10KB", "100KB", "1MB"}, Numbers: []float64{1e4, 1e5, 1e6}}
}

func TestHeatmap(t *testing.T) {
	nan := math.NaN()
	y := Axis{Label: "alpha", Places: []string{"1/8", "1"}}
	texts := svgTexts(t, Heatmap(sweepCaptions(), sizes(), y, [][]Cell{
		{{Value: 1e6, Half: 2e3}, {Value: 0, Half: 0}, {Value: nan, Half: nan, Note: "invalid"}},
		{{Value: 3e9, Half: nan, Note: "1 of 5 unmet"}, {Value: 2e6, Half: nan, Marked: true}, {Value: 5e6, Half: nan}},
	}))
	for _, want := range []string{"1 us|±2 ns", "|0|", "invalid", "3 ms|1 of 5 unmet", "switch.ecn.kmin", "1/8", "1MB", "recommended", "750 us"} {
		assert.Contains(t, texts, want)
	}
	assert.NotContains(t, texts, "NaN")
}

// Of many columns only the colours fit.
func TestWideHeatmap(t *testing.T) {
	x := Axis{Label: "n", Places: make([]string, 30)}
	texts := svgTexts(t, Heatmap(sweepCaptions(), x, Axis{Places: []string{"a"}}, [][]Cell{make([]Cell, 30)}))
	assert.NotContains(t, texts, "±")
}

// Places that are words have no order: nothing joins them.
func TestTrendsOfWords(t *testing.T) {
	lines := []Trend{{Name: "a", Points: []TrendPoint{{0, 1e6, math.NaN()}, {1, 2e6, math.NaN()}, {2, 4e6, math.NaN()}}}, {Name: "b"}}
	const joined = `(?i)<path d="M[^"]*L[^"]*" style="[^"]*stroke:#0072b2`
	require.Regexp(t, joined, svg(t, Trends(sweepCaptions(), sizes(), lines)))
	words := sizes()
	words.Numbers = nil
	text := svg(t, Trends(sweepCaptions(), words, lines))
	require.NotRegexp(t, joined, text)
	require.Regexp(t, `(?i)fill:#0072b2`, text, "dots")
	lines[0].Points[1].Half = 1e5
	require.Regexp(t, joined, svg(t, Trends(sweepCaptions(), words, lines)), "an interval")
}

func TestTrends(t *testing.T) {
	var lines []Trend
	for _, name := range strings.Fields("a b c d e f g h i") {
		lines = append(lines, Trend{Name: "line " + name, Points: []TrendPoint{{0, 1e6, 1e5}, {1, 2e6, math.NaN()}, {2, 4e6, 0}}})
	}
	texts := svgTexts(t, Trends(sweepCaptions(), sizes(), lines))
	for _, want := range []string{"fct.p99 (us)", "switch.ecn.kmin (log scale)", "100KB", "line a", "line i", "7 of 9 drawn"} {
		assert.Contains(t, texts, want)
	}
	texts = svgTexts(t, Trends(sweepCaptions(), Axis{Label: "senders", Places: []string{"h1", "h2", "h3"}}, lines[:1]))
	assert.Contains(t, texts, "h2")
	assert.NotContains(t, texts, "line a", "a single line needs no legend")
}

func TestFront(t *testing.T) {
	x := Captions{Value: "pfc.paused_time", Unit: results.Duration}
	texts := svgTexts(t, Front(sweepCaptions(), x, []FrontPoint{
		{X: 3e6, Y: 1e6, Name: "kmin=3", Best: true},
		{X: 1e6, Y: 3e6, Name: "kmin=1, kmax=9", Best: true, Marked: true},
		{X: 3e6, Y: 1e6, Name: "kmin=4", Best: true},
		{X: 3e6, Y: 3e6, Name: "kmin=5"},
	}))
	for _, want := range []string{"1  kmin=1", "kmax=9", "2  kmin=3", "3  kmin=4", "|2, 3", "Pareto front", "recommended", "other settings", "pfc.paused_time (us)"} {
		assert.Contains(t, texts, want)
	}
	assert.NotContains(t, texts, "kmin=5")
}

func TestSpread(t *testing.T) {
	assert.Equal(t, []int{0, 1, 2}, spread(3, 7))
	assert.Equal(t, []int{0, 4, 9}, spread(10, 3))
	assert.Equal(t, 0.5, position(2, 1, 3))
	assert.InDelta(t, 0.5, position(10, 1, 100), 1e-9, "a wide range is logarithmic")
	assert.InDelta(t, 10, valueAt(0.5, 1, 100), 1e-9)
}
