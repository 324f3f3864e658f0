package page

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"rocesim/results"
	"rocesim/sim"
)

// uneven is a run with values that need all their digits, more pauses than are
// drawn one by one, and more samples than are drawn.
func uneven() *results.Run {
	run := busy("uneven")
	run.Manifest.SimulatedTime = 50_000*us + 1
	queue, rate := &run.Series[0], &run.Series[1]
	queue.Start, queue.Step, queue.Values = 10*us, 10*us, nil
	for i := range 5000 {
		queue.Values = append(queue.Values, float64((i*7919)%123457)*101/7)
	}
	rate.Start, rate.Step, rate.Values = 500*us, 500*us, nil
	for i := range 100 {
		rate.Values = append(rate.Values, float64(i)*1e9/3)
	}
	other := *queue
	other.Port, other.Values = 3, slices.Clone(queue.Values)
	slices.Reverse(other.Values)
	run.Series = append(run.Series, other)
	run.Pauses = nil
	for i := range sim.Time(1000) {
		run.Pauses = append(run.Pauses, results.Pause{From: 40*us*i + 12345, To: 40*us*i + 7*us + 1, Port: 1, Priority: 3})
	}
	run.Pauses = append(run.Pauses, results.Pause{From: 49_000 * us, To: 50_000*us + 1, Port: 2, Priority: 3})
	return run
}

// embedded returns the charts and data that the page of a run holds.
func embedded(t *testing.T, run *results.Run) map[string]map[string]any {
	root, _ := parsed(t, pageOf(t, run))
	all := map[string]map[string]any{}
	for _, e := range elements(root, "script") {
		if kind, _ := attribute(e, "type"); kind != "application/json" {
			continue
		}
		id, _ := attribute(e, "id")
		decoder := json.NewDecoder(bytes.NewBufferString(scriptText(e)))
		decoder.UseNumber() // digits count
		var value any
		require.NoError(t, decoder.Decode(&value), id)
		if object, ok := value.(map[string]any); ok {
			all[id] = object
		}
	}
	return all
}

func scriptText(e *html.Node) string {
	if e.FirstChild == nil {
		return ""
	}
	return e.FirstChild.Data
}

// column returns the cells of a column of a run directory's file, by the cells
// of the others that name a row.
func column(t *testing.T, dir, file, name string) []string {
	f, err := os.Open(filepath.Join(dir, file))
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	at := slices.Index(rows[0], name)
	require.GreaterOrEqual(t, at, 0, "%s has no %s", file, name)
	var cells []string
	for _, row := range rows[1:] {
		cells = append(cells, row[at])
	}
	return cells
}

func numbersOf(t *testing.T, value any) []string {
	list, ok := value.([]any)
	require.True(t, ok, "%v", value)
	var texts []string
	for _, v := range list {
		texts = append(texts, fmt.Sprint(v))
	}
	return texts
}

// Every number that a chart draws stands with the same digits in the CSV file
// that its caption names.
func TestChartsHaveTheNumbersOfTheFiles(t *testing.T) {
	run := uneven()
	dir := filepath.Join(t.TempDir(), "run")
	s := results.Summarise(run)
	require.NoError(t, results.Write(dir, run, &s))
	data := embedded(t, run)

	for _, c := range []struct{ chart, file, time, value string }{
		{"chart-queues", "series/queues.csv", "time_us", "depth_bytes"},
		{"chart-rates", "series/rates.csv", "time_us", "goodput_gbps"},
		{"chart-marks", "series/marks.csv", "time_us", "ecn_marked_packets"},
		{"chart-cnps", "series/cnps.csv", "time_us", "cnp_packets"},
		{"chart-use", "series/utilisation.csv", "time_us", "utilisation_ratio"}, // strips
	} {
		times, values := column(t, dir, c.file, c.time), column(t, dir, c.file, c.value)
		cells := map[string]bool{}
		for i := range times {
			cells[times[i]+" "+values[i]] = true
		}
		places := numbersOf(t, data[c.chart]["places"])
		lines, ok := data[c.chart]["lines"].([]any)
		if !ok {
			lines = data[c.chart]["rows"].([]any)
		}
		require.NotEmpty(t, lines, c.chart)
		for _, line := range lines {
			for i, v := range numbersOf(t, line.(map[string]any)["values"]) {
				require.True(t, cells[places[i]+" "+v], "%s: %s at %s", c.file, v, places[i])
			}
		}
	}
	for i, name := range []string{"rate_mean_gbps", "rate_min_gbps", "rate_max_gbps"} {
		line := data["chart-dcqcn-1"]["lines"].([]any)[i].(map[string]any)
		require.Equal(t, []any{json.Number(column(t, dir, "series/dcqcn.csv", name)[0]), nil}, line["values"], "no value where nobody sends")
	}
	depths := column(t, dir, "series/queues.csv", "depth_bytes")
	for _, queue := range data["timeline-data"]["queues"].([]any) {
		require.Subset(t, depths, numbersOf(t, queue.(map[string]any)["values"]))
	}
	bounds := append(column(t, dir, "pauses.csv", "from_us"), column(t, dir, "pauses.csv", "to_us")...)
	for _, pause := range data["timeline-data"]["pauses"].([]any) {
		require.Subset(t, bounds, numbersOf(t, pause.(map[string]any)["times"]))
	}
	require.Equal(t, "0.012345", fmt.Sprint(data["timeline-data"]["first"]))
	fct := data["chart-fct"]["lines"].([]any)
	require.Len(t, fct, 2)
	for _, line := range fct {
		require.Subset(t, column(t, dir, "flows.csv", "fct_us"), numbersOf(t, line.(map[string]any)["places"]))
	}
	probe := data["chart-probes"]["lines"].([]any)[0].(map[string]any)
	require.Equal(t, []string{"20"}, numbersOf(t, probe["places"]))
	require.Equal(t, []string{"3"}, numbersOf(t, probe["values"]))
}

// The drawing's numbers are those of links.csv and counters.csv.
func TestDrawingHasTheNumbersOfTheFiles(t *testing.T) {
	run := busy("tiny")
	run.Queues[2].EgressDrops, run.Queues[3].IngressDrops = 2, 1 // what arrives at a port was sent by its peer
	dir := filepath.Join(t.TempDir(), "run")
	s := results.Summarise(run)
	require.NoError(t, results.Write(dir, run, &s))
	utilisation := column(t, dir, "links.csv", "utilisation_ratio")
	for i, port := range embedded(t, run)["topology-data"]["ports"].([]any) {
		load := numbersOf(t, port.(map[string]any)["load"])
		require.Equal(t, utilisation[i], load[0])
	}
	loads := newNetwork(run).loads()
	require.Equal(t, []int64{0, 1, 2, 0}, []int64{loads[0].dropped, loads[1].dropped, loads[2].dropped, loads[3].dropped})
	require.Equal(t, 100*us, loads[1].paused)
}

// Long series are in the page as a whole. Where they have more values than a
// still can tell apart, it has their mean in a shade from the lowest to the
// highest.
func TestCrowdedStill(t *testing.T) {
	run := uneven()
	c := queueChart(run)
	require.Len(t, c.Places, 5000)
	require.Len(t, c.Lines[0].Values, 5000)
	require.Nil(t, c.Lines[1].Places, "one for both")
	f := c.frame(wideStill())
	line, shade := c.points(&c.Lines[0], &f)
	require.Len(t, line, wideStill().points)
	require.Len(t, shade, 2*len(line))
	top := shade[0].y
	for i, p := range line {
		require.Greater(t, p.y, shade[i].y)
		require.Less(t, p.y, shade[len(shade)-1-i].y)
		top = min(top, shade[i].y)
	}
	require.InDelta(t, f.y(slices.Max(run.Series[0].Values)), top, 1e-3, "no peak is lost")
	require.Contains(t, string(c.still(wideStill())), `<path class="shade m1"`)
	require.NotContains(t, string(queueChart(busy("short")).still(wideStill())), "shade")
}

// How notifications work is drawn: whose they are, how far rates fell, and what
// none slowed down.
func TestControlCharts(t *testing.T) {
	run := busy("tiny")
	names := func(c *Chart) (all []string) {
		for _, l := range c.Lines {
			all = append(all, l.Name)
		}
		return all
	}
	require.Equal(t, []string{"tiny priority 3"}, names(markChart(run)))
	require.Equal(t, "Packets marked in each 500 us, by the only sampled queue; series/marks.csv.", markChart(run).Caption)
	require.Equal(t, []string{"sent, all NICs", "handled, all NICs", "handled, h1/tiny"}, names(noticeChart(run)))
	run.Series[3].Values[0] = 100 // one notification of a hundred is not told from none
	require.Equal(t, []string{"sent, all NICs", "handled, all NICs"}, names(noticeChart(run)))

	require.Len(t, controlCharts(run), 1)
	flat := func(name string, rate float64) results.Series {
		return results.Series{Kind: results.ControlSeries, Name: name, Port: -1, Start: 500 * us, Step: 500 * us,
			Values: []float64{rate, rate}, Low: []float64{rate, rate}, High: []float64{rate, rate}}
	}
	run.Series = append(run.Series, flat("probe tiny", 100e9), flat("flow 0 h1>h0", 10e9), flat("flow 1 h1>h0", 20e9))
	charts := controlCharts(run)
	require.Len(t, charts, 2)
	require.Equal(t, []string{"mean", "slowest", "fastest"}, names(charts[0]))
	require.Contains(t, charts[0].Caption, "series/dcqcn.csv. Not slowed down, as far as sampled: probe tiny.")
	require.Equal(t, []string{"flow 0 h1>h0", "flow 1 h1>h0"}, names(charts[1]), "the slowest first")
	require.Contains(t, charts[1].Caption, "the 2 slowest of 2")

	use := useChart(run)
	require.Regexp(t, `^[\d.]+ % in use on average, at most 75\.12 %$`, use.Rows[0].Note)
	still := string(use.still(wideStill()))
	require.Equal(t, len(use.Places)*len(use.Rows), strings.Count(still, `<rect class="strip"`))
	require.Contains(t, still, fmt.Sprintf(`fill-opacity="%.2f"`, shade(0.7512)))
	require.Contains(t, use.sentence(), "Utilisation of links: 1 strip, the darker the more; the first is")

	run.Series = run.Series[:2]
	require.Nil(t, markChart(run))
	require.Nil(t, noticeChart(run))
	require.Nil(t, useChart(run))
	require.Empty(t, controlCharts(run))
}

func TestPauseCharts(t *testing.T) {
	run := uneven()
	charts := pauseCharts(run)
	timeline, share := charts[0], charts[1]
	require.Equal(t, []string{"h1 uneven:0>leaf0 uneven priority 3", "leaf0 uneven:0>h0 uneven priority 3"}, []string{timeline.Rows[0].Name, timeline.Rows[1].Name})
	require.Equal(t, "paused 6.988 ms in 1,000 pauses, 13.98 % of the run", timeline.Rows[0].Note)
	require.Contains(t, timeline.Caption, "Of rows with more than 300 pauses, the shade is the share of each 250 us")
	require.Equal(t, []Bar{{From: "49000", To: "50000.000001"}}, timeline.Rows[1].Bars)

	// 7 of every 40 us are paused for 40 ms; shares of all steps add up to the whole.
	require.Len(t, share.Places, 200)
	sum := 0.0
	for _, v := range share.Lines[0].Values {
		sum += v.float()
	}
	require.InDelta(t, 13.98*200, sum, 1)
	require.Equal(t, Number("100"), share.Lines[1].Values[199])

	run.Pauses = nil
	require.Empty(t, pauseCharts(run))
	require.Equal(t, "<p>No port was paused at any time, so there is no timeline of pauses. Nearest to XOFF: 100.3\u00a0% of the threshold, at leaf0 uneven:1&gt;h1 uneven priority 3.</p>", string(quietText(run)))
}

// Of many flows the tail is kept.
func TestStepsOf(t *testing.T) {
	var times []sim.Time
	for i := range sim.Time(100_000) {
		times = append(times, (i+1)*us)
	}
	line := stepsOf(times)
	require.Less(t, len(line.Places), 700)
	require.Equal(t, Number("100000"), line.Places[len(line.Places)-1])
	require.Equal(t, Number("100"), line.Values[len(line.Values)-1])
	require.Equal(t, []Number{"1", "0"}, []Number{line.Places[0], line.Values[0]})
	require.Contains(t, line.Places, Number("99996"), "the tail is finer than the rest")
}

func TestMarksAreRanked(t *testing.T) {
	run := busy("tiny")
	body, err := markTables(run)
	require.NoError(t, err)
	require.Contains(t, string(body), "No packet was marked.")
	run.Queues[2].ECNMarked, run.Queues[1].ECNMarked = 2000, 500
	body, err = markTables(run)
	require.NoError(t, err)
	require.Contains(t, string(body), "Receivers sent 3 CNPs; no sender acted upon any; nics.csv.")
	run.NICs[1].CNPHandled = 40
	body, err = markTables(run)
	require.NoError(t, err)
	root, err := html.Parse(bytes.NewBufferString(string(body)))
	require.NoError(t, err)
	shown := text(root)
	require.Contains(t, shown, "2 of 2 queues that marked; 2,500 packets in all; counters.csv.")
	require.Regexp(t, `leaf0 tiny:0>h0 tiny priority 32,000\s+h1 tiny:0>leaf0 tiny priority 3500`, shown)
	require.Contains(t, shown, "1 of 1 adapters that slowed down; receivers sent 3 CNPs, senders acted upon 40; nics.csv.")
	require.Contains(t, string(body), `<rect width="25.0"`)
}

func TestRunWithoutSeries(t *testing.T) {
	run := busy("bare")
	run.Series, run.Pauses, run.Flows = nil, nil, nil
	part, err := RunCharts(run)
	require.NoError(t, err)
	require.Contains(t, string(part.Sections[0].Body), "The run has no time series")
	require.Contains(t, string(part.Sections[1].Body), "No flow finished")
	require.Nil(t, newTimeline(run))
}
