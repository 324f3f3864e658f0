package page

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"rocesim/results"
	"rocesim/results/why"
	"rocesim/sim"
)

const us = sim.Microsecond

// busy is a run with a row in each table: h1 sends to h0 through a leaf that
// pauses it, a message in a lossy class is lost, and a watchdog acts. name is
// put wherever a scenario's author may choose a text.
func busy(name string) *results.Run {
	port := func(node, number, peer, peerNumber int32, bytes int64) results.PortRow {
		return results.PortRow{Node: node, Number: number, Peer: peer, PeerNumber: peerNumber, Rate: 100 * sim.Gbps, Tier: name,
			Delay: 50 * sim.Nanosecond, Response: 500 * sim.Nanosecond, WireBytes: bytes}
	}
	return &results.Run{
		Manifest: results.Manifest{Name: name, Question: name + "?", Tool: "0.1.0", Seed: 7, Scenario: "name: " + name + "\n", Fingerprint: 0xabc,
			Overrides: []string{"name=" + name}, Notes: []string{name}, Deadlocks: []string{name},
			Stop: results.Interrupted, SimulatedTime: 1000 * us, LargestFrame: 4178, PauseFrame: 84, Events: 100, PacketHops: 50, Stall: name},
		Nodes:     []string{"h0 " + name, "h1 " + name, "leaf0 " + name},
		Workloads: []results.Workload{{Name: name, Type: "flows"}, {Name: "probe " + name, Type: "latency", Probe: true}},
		Flows: []results.FlowRow{
			{ID: 0, Src: 1, Bytes: 1_000_000, Measured: 1_000_000, Start: 10 * us, Delivered: 399 * us, Completed: 400 * us, Ideal: 100 * us, Priority: 3, SourcePort: 49152},
			{ID: 1, Src: 1, Bytes: 1_000_000, Start: 10 * us, Ideal: 100 * us, Priority: 3, Unfinished: results.RunEnded},
			{ID: 2, Workload: 1, Src: 0, Dst: 1, Bytes: 64, Measured: 64, Start: 20 * us, Delivered: 23 * us, Completed: 25 * us, Ideal: 4 * us},
		},
		Ports: []results.PortRow{port(0, 0, 2, 0, 0), port(1, 0, 2, 1, 6_250_000), port(2, 0, 0, 0, 1_250_000), port(2, 1, 1, 0, 0)},
		Queues: []results.QueueRow{
			{Port: 0, Priority: 3, Lossless: true, PFC: true, RxPackets: 1000},
			{Port: 1, Priority: 3, Lossless: true, PFC: true, TxPackets: 1000, RxPause: 2, RxXoff: 1, RxPaused: 100 * us, RxTransitions: 1},
			{Port: 2, Priority: 3, Lossless: true, PFC: true, TxPackets: 1000, PeakQueue: 300_000, MeanQueue: 1234.5, Headroom: 40_000, Kmin: 400_000, Kmax: 1_600_000},
			{Port: 3, Priority: 3, Lossless: true, PFC: true, RxPackets: 1000, RxBytes: 4_158_000, PeakShared: 301_000, XoffMin: 300_000, Headroom: 40_000,
				TxPause: 2, TxXoff: 1, TxPaused: 100 * us, FirstXoff: 40 * us, FirstXoffUse: 301_000, FirstXoffThreshold: 300_000, PeakHeadroom: 9_000},
		},
		NICs: []results.NICRow{{Node: 0, Name: "h0/" + name, CongestionControl: name, CNPSent: 3}, {Node: 1, Name: "h1/" + name, Retransmitted: 2}},
		Drops: []results.DropRow{{Port: 2, Priority: 0, Cause: name, Kind: "data", Packets: 2, Bytes: 130, First: 60 * us},
			{Port: 3, Priority: 3, Lossless: true, Cause: name, Kind: "data", Packets: 1, Bytes: 130, First: 70 * us}},
		Storms:  []results.StormRow{{Port: 3, Priority: 3, Action: "drop", Detected: 45 * us, Restored: 90 * us}},
		Pauses:  []results.Pause{{From: 40 * us, To: 140 * us, Port: 1, Priority: 3}},
		Paths:   []results.PathHop{{Flow: 0, Port: 1, Kind: "data", Priority: 3}, {Flow: 0, Port: 2, Kind: "data", Priority: 3}},
		Latency: []results.LatencyPart{{Path: name, Component: name, Kind: "nic", Time: 900 * sim.Nanosecond}},
		Series: []results.Series{
			{Kind: results.QueueSeries, Name: name, Port: 2, Priority: 3, Step: 500 * us, Values: []float64{0, 300_000, 500.25},
				Marks: []results.Mark{{Label: "Kmin", Value: 400_000}}},
			{Kind: results.RateSeries, Name: name, Port: -1, Start: 500 * us, Step: 500 * us, Values: []float64{40e9, 20e9}},
			{Kind: results.MarkSeries, Name: name, Port: 2, Priority: 3, Start: 500 * us, Step: 500 * us, Values: []float64{1234, 7}},
			{Kind: results.CNPSentSeries, Name: results.AllNICs, Port: -1, Start: 500 * us, Step: 500 * us, Values: []float64{3, 0}},
			{Kind: results.CNPHandledSeries, Name: results.AllNICs, Port: -1, Start: 500 * us, Step: 500 * us, Values: []float64{2, 1}},
			{Kind: results.CNPHandledSeries, Name: "h1/" + name, Port: -1, Start: 500 * us, Step: 500 * us, Values: []float64{1, 0}},
			{Kind: results.ControlSeries, Name: name, Port: -1, Start: 500 * us, Step: 500 * us, Values: []float64{200e9 / 3, 0},
				Low: []float64{10e9, 0}, High: []float64{100e9, 0}},
			{Kind: results.UtilisationSeries, Name: name, Port: 1, Start: 500 * us, Step: 500 * us, Values: []float64{0.7512345, 0.25}},
		},
	}
}

// pageOf makes the page of a run with one expectation met and one not.
func pageOf(t testing.TB, run *results.Run) *Document {
	s := results.Summarise(run)
	name := run.Manifest.Name
	s.Expectations = []results.Outcome{{OK: true, Text: "drops.lossless = 0, expected == 0: ok"},
		{Text: "goodput{workload=" + name + "} = 1 Gbps, expected > 2 Gbps: FAILED"}}
	d, err := Run(run, why.NewReport(run), Extra{Summary: &s, Differences: []Difference{{name, name, name}}})
	require.NoError(t, err)
	return d
}

// The banner of drops is red, unless the scenario is made to show them.
func TestBannerOfExpectedDrops(t *testing.T) {
	for _, c := range []struct{ clause, class, want string }{
		{"drops.lossless > 0", "banner warn", "NOT LOSSLESS, as this scenario expects: 1 packet dropped"},
		{"drops.lossless < 5", "banner bad", "NOT LOSSLESS: 1 packet dropped"},
		{"drops.lossless == 0", "banner bad", "NOT LOSSLESS: 1 packet dropped"},
	} {
		run := busy("tiny")
		s := results.Summarise(run)
		e, err := results.ParseExpectation(c.clause)
		require.NoError(t, err)
		s.Expect([]results.Expectation{e}, results.NewMetrics(run))
		d, err := Run(run, why.NewReport(run), Extra{Summary: &s})
		require.NoError(t, err)
		_, banner, found := strings.Cut(string(d.Lead), `<div class="`+c.class+`">`+"\n<p class=\"headline\">")
		require.True(t, found, "%s: %s", c.clause, d.Lead)
		require.True(t, strings.HasPrefix(banner, c.want), banner)
	}
}

func TestRunPageSaysWhatHappened(t *testing.T) {
	root, _ := parsed(t, pageOf(t, busy("tiny")))
	page := text(elements(root, "main")[0])
	for _, want := range []string{
		"Partial run", "The run was interrupted at 1 ms and did not reach the end",
		"NOT LOSSLESS: 1 packet dropped in lossless classes", "1 of 2 expectations met",
		"No: 1 packet of lossless classes dropped.",
		"At leaf0 tiny:1>h1 tiny priority 3, 40 us into the run: it paused h1 tiny.",
		"Its priority group held 301 KB then, and the XOFF threshold was 300 KB",
		"not met goodput{workload=tiny} = 1 Gbps, expected > 2 Gbps",
		"tiny instead of tiny", // a difference from a preset
		"rocesim run tiny.yaml --set name=tiny",
		"0000000000000abc",
	} {
		require.Contains(t, page, want)
	}
	require.Equal(t, "Run: tiny", text(elements(root, "title")[0]))
}

// Every table of the page has the texts of the CSV file, in its rows and in the
// data that scripts sort.
func TestTablesHaveTheNumbersOfTheFiles(t *testing.T) {
	run := busy("tiny")
	dir := filepath.Join(t.TempDir(), "run")
	s := results.Summarise(run)
	require.NoError(t, results.Write(dir, run, &s))
	root, _ := parsed(t, pageOf(t, run))
	for id, file := range map[string]string{"slowest": "flows.csv", "counters": "counters.csv", "nics": "nics.csv", "pauses": "pauses.csv",
		"drops": "drops.csv", "storms": "storms.csv", "links-table": "links.csv"} {
		f, err := os.Open(filepath.Join(dir, file))
		require.NoError(t, err)
		rows, err := csv.NewReader(f).ReadAll()
		require.NoError(t, err)
		require.NoError(t, f.Close())

		var data tableData
		require.NoError(t, json.Unmarshal([]byte(text(byID(t, root, id+"-data"))), &data))
		require.ElementsMatch(t, rows[1:], data.Rows, file)
		for c, column := range data.Columns {
			require.Equal(t, rows[0][c], column.Name)
			require.NotEmpty(t, column.Doc, column.Name)
		}
		body := elements(byID(t, root, id), "tbody")[0]
		shown := elements(body, "tr")
		require.Len(t, shown, len(rows)-1)
		for i, row := range shown {
			cells := elements(row, "td")
			column := 0
			for c := range data.Columns {
				if data.Columns[c].Shown {
					require.Equal(t, data.Rows[i][c], text(cells[column]), "%s %s", file, data.Columns[c].Name)
					column++
				}
			}
			require.Len(t, cells, column)
		}
	}
}

func TestRunPageIsAccessible(t *testing.T) {
	root, source := parsed(t, pageOf(t, busy("tiny")))
	level := 0
	for _, h := range elements(root, "h1", "h2", "h3", "h4", "h5", "h6") {
		next := int(h.Data[1] - '0')
		require.LessOrEqual(t, next, level+1, "heading %q", text(h))
		level = next
	}
	require.Len(t, elements(root, "h1"), 1)
	require.Len(t, elements(root, "main"), 1)
	for _, table := range elements(root, "table") {
		require.Len(t, elements(table, "caption"), 1)
		for _, th := range elements(table, "th") {
			_, scoped := attribute(th, "scope")
			require.True(t, scoped, text(th))
		}
	}
	ids := map[string]bool{}
	for _, e := range elements(root) {
		if id, ok := attribute(e, "id"); ok {
			require.False(t, ids[id], "ID %q twice", id)
			ids[id] = true
		}
	}
	for _, a := range elements(root, "a") {
		to, _ := attribute(a, "href")
		require.True(t, strings.HasPrefix(to, "#") && ids[to[1:]], "link to %q", to)
	}
	for _, section := range elements(root, "section") {
		label, _ := attribute(section, "aria-labelledby")
		require.True(t, ids[label], label)
	}
	for _, e := range elements(root) {
		for _, a := range e.Attr {
			require.False(t, strings.HasPrefix(a.Key, "on") || a.Key == "style", "%s has %s, which the policy forbids", e.Data, a.Key)
		}
	}
	require.NotRegexp(t, `\beval\(|new Function|document\.write|innerHTML`, withoutLibrary(source))
}

// withoutLibrary removes scripts that are not ours: minified ones.
func withoutLibrary(source string) string {
	return regexp.MustCompile(`(?s)<script>/\*! https://github\.com/leeoniya/uPlot.*?</script>`).ReplaceAllString(source, "")
}

// What is chosen by the author of a scenario, or by whoever edited a run
// directory, stays text.
func TestNamesNeverBecomeMarkup(t *testing.T) {
	root, _ := parsed(t, pageOf(t, busy("name")))
	want := shape(root)
	for _, name := range []string{
		`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `</script><script>alert(1)</script>`, `<!--`, `-->`, `]]>`,
		`</pre></details></style><b>`, "'\u2028\u2029`", `{{.Name}}`, `&lt;b&gt;`, `javascript:alert(1)`, `' onfocus='alert(1)`, "a\x00b",
	} {
		root, _ := parsed(t, pageOf(t, busy(name)))
		require.Equal(t, want, shape(root), name)
		for _, script := range elements(root, "script") {
			require.NotContains(t, text(script), "\u2028", "a line end to scripts")
		}
		if !strings.ContainsRune(name, 0) { // HTML has no such character
			require.Contains(t, text(elements(root, "h1")[0]), strings.TrimSpace(name))
		}
	}
}

func TestRunWithoutAnything(t *testing.T) {
	for _, run := range []*results.Run{{}, {Manifest: results.Manifest{Name: "empty", Stop: results.StoppedTime}, Nodes: []string{"h0"},
		Workloads: []results.Workload{{Name: "never"}}}} {
		d, err := Run(run, why.NewReport(run), Extra{})
		require.NoError(t, err)
		root, _ := parsed(t, d)
		page := text(elements(root, "main")[0])
		for _, want := range []string{"The run has no flows: nothing was sent before it ended.", "No port carried anything.", "PFC paused nobody.",
			"Nothing was dropped.", "There was nothing to keep lossless."} {
			require.Contains(t, page, want)
		}
	}
}

// A page of many flows has the slowest thousand and says so.
func TestManyFlows(t *testing.T) {
	run := busy("many")
	stream := sim.NewStream(1, "results/page")
	run.Flows = make([]results.FlowRow, 300_000)
	for i := range run.Flows {
		f := &run.Flows[i]
		*f = results.FlowRow{ID: uint32(i), Bytes: 65536, Start: stream.Time(900 * us), Ideal: 8 * us, Src: 1, Priority: 3}
		f.Completed = f.Start + f.Ideal + stream.Exp(20*us)
		f.Delivered = f.Completed - us
	}
	run.Flows[123_456].Completed += 500 * us
	root, source := parsed(t, pageOf(t, run))
	require.Less(t, len(source), 1_000_000)
	require.Contains(t, text(byID(t, root, "flows")), "These are 1,000 of 300,000 rows; flows.csv has them all.")
	first := elements(elements(byID(t, root, "slowest"), "tbody")[0], "td")[0]
	require.Equal(t, "123456", text(first), "the slowest flow comes first")
}

func TestLongScenarioIsCut(t *testing.T) {
	run := busy("long")
	run.Manifest.Scenario = strings.Repeat("- {from: h0, to: h1}\n", 100_000)
	root, source := parsed(t, pageOf(t, run))
	require.Less(t, len(source), 2_000_000)
	shown := text(byID(t, root, "yaml"))
	require.Regexp(t, `# and 90,4\d\d more lines, which manifest\.json has$`, shown)
}

func TestCommand(t *testing.T) {
	run := busy("x")
	for _, c := range []struct {
		source, overrides []string
		want              string
	}{
		{nil, nil, "rocesim run x.yaml"},
		{[]string{"my fabric.yaml"}, nil, "rocesim run 'my fabric.yaml'"},
		{[]string{"--topology", "t.txt", "--flows", "f.txt"}, []string{"seed=2"}, "rocesim run --topology t.txt --flows f.txt --set seed=2"},
		{nil, []string{"seed=2", "workload[storage].senders=4", "name=it's"}, `rocesim run x.yaml --set seed=2 --set 'workload[storage].senders=4' --set 'name=it'\''s'`},
	} {
		run.Manifest.Source, run.Manifest.Overrides = c.source, c.overrides
		require.Equal(t, c.want, (&runPage{Run: run}).command())
	}
}

// FuzzRunPage puts any text in all places; the page keeps its shape.
func FuzzRunPage(f *testing.F) {
	for _, seed := range []string{"name", "</script>", "<!--<script>", `"'><svg onload=x>`, "\xff\xfe", "\u2028"} {
		f.Add(seed)
	}
	root, _ := parsed(f, pageOf(f, busy("name")))
	want := shape(root)
	f.Fuzz(func(t *testing.T, name string) {
		if strings.TrimSpace(name) == "" {
			return // there is nothing to show
		}
		root, _ := parsed(t, pageOf(t, busy(name)))
		require.Equal(t, want, shape(root))
	})
}

// FuzzDocument puts any text into title, kind, foot, headings and data.
func FuzzDocument(f *testing.F) {
	f.Add("title", "value")
	f.Add("</title><script>", "</script><b onclick=x>")
	f.Add(`"><x y="`, "\u2029<!-- <script>")
	make := func(t testing.TB, title, value string) *html.Node {
		d := &Document{Title: title, Kind: title, Foot: title, Sections: []Section{{ID: "s", Title: title, Body: paragraph(value)}},
			Data: []Data{{"d", map[string]string{value: value}}}}
		root, _ := parsed(t, d)
		return root
	}
	want := shape(make(f, "title", "value"))
	f.Fuzz(func(t *testing.T, title, value string) {
		if title == "" || value == "" {
			return
		}
		require.Equal(t, want, shape(make(t, title, value)))
	})
}
