package page

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/results"
)

func TestNumbersKeepTheirDigits(t *testing.T) {
	text, err := json.Marshal(map[string]any{"a": Numbers{"0.10", "", "1e+15", "-3"}, "b": Number(""), "c": Number("7.000001")})
	require.NoError(t, err)
	require.Equal(t, `{"a":[0.10,null,1e+15,-3],"b":null,"c":7.000001}`, string(text))
	_, err = json.Marshal(Numbers{"x"})
	require.ErrorContains(t, err, "invalid character 'x'")
}

// Every group keeps its extremes, whatever the values are.
func TestThinKeepsExtremes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var values Numbers
		for range rapid.IntRange(1, 400).Draw(t, "n") {
			values = append(values, Number(fmt.Sprint(rapid.IntRange(0, 50).Draw(t, "value"))))
		}
		most := rapid.IntRange(2, 100).Draw(t, "most")
		kept := thin(values, most)
		require.IsIncreasing(t, append([]int{-1}, kept...))
		require.LessOrEqual(t, len(kept), most+2)
		low, high := extremes(values, 0, len(values))
		picked := pick(values, kept)
		l, h := extremes(picked, 0, len(picked))
		require.Equal(t, []Number{values[low], values[high]}, []Number{picked[l], picked[h]})
	})
}

func TestTicks(t *testing.T) {
	require.Equal(t, []float64{0, 2, 4, 6, 8}, ticks(0, 8.4, 5))
	require.Equal(t, []float64{-0.5, 0, 0.5}, ticks(-0.5, 0.7, 5))
	require.Equal(t, []float64{3}, ticks(3, 3, 5))
	for _, c := range []struct {
		low, high float64
		want      []float64
	}{
		{0.9, 1200, []float64{1, 10, 100, 1000}},
		{9, 120, []float64{10, 20, 50, 100}},
		{1.9, 8, []float64{2, 3, 4, 5, 6, 7, 8}},
		{2.04, 2.29, []float64{2.05, 2.1, 2.15, 2.2, 2.25}}, // completion times within one digit
	} {
		require.InDeltaSlice(t, c.want, logTicks(c.low, c.high), 1e-9)
	}
	require.Equal(t, "0.25", tickText(0.25))
	require.Equal(t, "0", tickText(ticks(-1, 1, 4)[2]))
}

func TestUnits(t *testing.T) {
	for _, c := range []struct {
		unit  Unit
		value float64
		text  string
		scale Scale
	}{
		{Microseconds, 2410, "2.41 ms", Scale{"ms", 1e3}},
		{Microseconds, 0.02, "20 ns", Scale{"ns", 1e-3}},
		{Bytes, 1_600_000, "1.6 MB", Scale{"KB", 1e3}},
		{Gigabits, 98.01, "98.01 Gb/s", Scale{"Gb/s", 1}},
		{Percent, 19.95, "19.95 %", Scale{"%", 1}},
		{Plain, 12345, "12,345", Scale{"", 1}},
	} {
		require.Equal(t, c.text, c.unit.format(c.value))
		require.Equal(t, c.scale, c.unit.scale(c.value))
	}
}

// small is a chart with a level in it and one far above.
func small() *Chart {
	return &Chart{ID: "small", Title: "Small <chart>", Caption: "Two & three.", Linked: true,
		X:      Axis{Label: "Time", Unit: Microseconds, From: "0", To: "20"},
		Y:      Axis{Label: "Queue", Unit: Bytes},
		Places: Numbers{"0", "10", "20"},
		Lines:  []Line{{Name: `a "quoted" <line>`, Values: Numbers{"0", "3000", "1000"}}, {Name: "b", Values: Numbers{"", "500", "700"}}},
		Levels: []Level{{"Kmin", "2500"}, {"Kmax", "90000"}}}
}

func TestChartFigure(t *testing.T) {
	body, part, err := Charts(small())
	require.NoError(t, err)
	root, _ := parsed(t, &Document{Title: "t", Sections: []Section{{ID: "s", Title: "S", Body: body}}, Data: part.Data, Scripts: part.Scripts, Styles: part.Styles})
	figure := byID(t, root, "chart-figure-small")
	shown := text(figure)
	require.Contains(t, shown, "Small <chart>: 2 lines: queue from 0 B to 3 KB; the highest is a \"quoted\" <line> at 10 us.")
	require.Contains(t, shown, "Two & three. Levels: Kmin 2.5 KB, Kmax 90 KB (above the chart).")
	require.Regexp(t, `b\s*500 B\s*600 B\s*700 B\s*20 us`, shown)

	still := elements(figure, "svg")[0]
	require.Len(t, elements(still, "path"), 5+4+1+2, "rules of both axes, the level that fits, lines")
	require.Contains(t, text(still), "Kmin")
	require.NotContains(t, text(still), "Kmax")
}

func TestChartSentence(t *testing.T) {
	c := &Chart{Title: "Empty"}
	require.Equal(t, "Empty: nothing to draw.", c.sentence())
	c = &Chart{Title: "Pauses", Rows: []Row{{Name: "h0", Note: "paused 1 us"}}}
	require.Equal(t, "Pauses: a timeline of 1 row; the longest is h0, paused 1 us.", c.sentence())
	c = small()
	c.X.Log = true
	require.Equal(t, "Small <chart>: 2 lines over time on a logarithmic scale.", c.sentence())
}

// What chart.js reads: the looks of the plots, and which levels fit.
func TestChartWire(t *testing.T) {
	w := small().wire()
	require.Equal(t, []wireMark{{"Kmin", "2500", true}, {"Kmax", "90000", false}}, w.Levels)
	require.Equal(t, [2]int{2, 1}, [2]int{w.Lines[1].Colour, w.Lines[1].Dash})
	compared := &Line{Colour: 2, Dashed: true}
	colour, dash := compared.look(5)
	require.Equal(t, [2]int{2, 1}, [2]int{colour, dash})

	rows := (&Chart{Rows: []Row{{Bars: []Bar{{"1", "2", ""}, {"3", "4", "50"}}}}}).wire().Rows
	require.Equal(t, []wireSpan{{"1", "2"}, {"3", "4", "50"}}, rows[0].Bars)
}

// A still of a log scale, of steps and of dots has no place that is not a number.
func TestStillOfEveryKind(t *testing.T) {
	for _, c := range []*Chart{
		{X: Axis{Unit: Microseconds, Log: true}, Y: Axis{Unit: Percent, To: "100"}, Lines: []Line{{Step: true, Places: Numbers{"1", "10"}, Values: Numbers{"0", "100"}}}},
		{X: Axis{Unit: Microseconds}, Lines: []Line{{Dots: true, Places: Numbers{"5"}, Values: Numbers{"5"}}}},
		{X: Axis{From: "0", To: "9"}, Rows: []Row{{Name: "r", Bars: []Bar{{"1", "2", "25"}}}}},
		{},
	} {
		still := string(c.still(wideStill()))
		require.NotContains(t, still, "NaN")
		require.NotContains(t, still, "Inf")
		require.True(t, strings.HasSuffix(still, "</svg>"))
	}
}

// assets/README.md says how to change the version.
func TestVendoredVersion(t *testing.T) {
	source := Asset("uplot/uPlot.iife.min.js")
	require.Contains(t, source, "https://github.com/leeoniya/uPlot (v1.6.32)")
	require.Contains(t, Asset("README.md"), "uPlot](https://github.com/leeoniya/uPlot) 1.6.32")
	require.Contains(t, ChartScripts()[0], "The MIT License")
	require.Contains(t, ChartScripts()[0], "Copyright (c) 2022 Leon Sorokin")
	for _, script := range append(ChartScripts(), Asset("topology.js"), Asset("slider.js")) {
		require.NotRegexp(t, `\beval\(|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write|fetch\(|XMLHttpRequest`, script)
	}
}

// The scales of units are those in which results are printed.
func TestScalesFollowResults(t *testing.T) {
	require.Equal(t, results.Duration.Format(1e12), Microseconds.format(Microseconds.scales()[4].Size))
	require.Equal(t, results.Size.Format(1e9), Bytes.format(Bytes.scales()[3].Size))
}
