package page

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"rocesim/results"
)

// tableRows is how many rows of a file a page holds: more make it large and slow,
// and are read better with other tools.
const tableRows = 1000

// fileTable says which rows and columns of a CSV file a page shows.
type fileTable struct {
	id, file, caption string
	// main columns are seen at first, space separated; all if empty.
	main string
	// order of the rows; nil is that of the file. What says what the order is:
	// "the slowest first".
	order func(p *runPage) []int32
	what  string
	// empty replaces a table without rows.
	empty string
}

// table returns the HTML of a table and puts its data on the page.
func (p *runPage) table(t *fileTable) template.HTML {
	file, ok := p.TextTable(t.file)
	if !ok {
		p.keep(fmt.Errorf("page: results have no %s", t.file))
		return ""
	}
	if file.Rows == 0 {
		return paragraph(t.empty)
	}
	shown := &Table{ID: t.id, Caption: t.caption, Narrow: t.main == ""}
	main := strings.Fields(t.main)
	for _, c := range file.Columns {
		shown.Columns = append(shown.Columns, Column{Name: c.Name, Doc: c.Doc, Main: slices.Contains(main, c.Name)})
	}
	shown.Rows = rowsOf(p, t, file)
	return p.introduced(shown, fmt.Sprintf("%s %s %s", file.Doc, cutText(file.Rows, t.file), sentence(t.what)))
}

// rowsOf returns the first rows in a table's order.
func rowsOf(p *runPage, t *fileTable, file *results.TextTable) [][]string {
	n := min(tableRows, file.Rows)
	rows := make([][]string, n)
	if t.order != nil {
		for i, row := range t.order(p)[:n] {
			rows[i] = file.Row(int(row))
		}
		return rows
	}
	for i := range rows {
		rows[i] = file.Row(i)
	}
	return rows
}

// cutText says if there are more rows than a page holds.
func cutText(rows int, file string) string {
	if rows <= tableRows {
		return ""
	}
	return fmt.Sprintf("These are %s of %s rows; %s has them all.", count(tableRows), count(rows), file)
}

func sentence(text string) string {
	if text == "" {
		return ""
	}
	return capital(text) + "."
}

// capital begins a text with a capital letter, unless its first word is a name, as
// kmin=100KB and fct.p99 are.
func capital(text string) string {
	word, _, _ := strings.Cut(text, " ")
	if word == "" || strings.ContainsAny(word, "=._") {
		return text
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// introduced returns a table below a paragraph, and puts its data on the page.
func (p *runPage) introduced(t *Table, intro string) template.HTML {
	body, err := t.Body()
	p.keep(err)
	p.doc.Data = append(p.doc.Data, t.Data())
	return paragraph(strings.Join(strings.Fields(intro), " ")) + body
}

// paragraph returns text as a paragraph.
func paragraph(text string) template.HTML {
	if text == "" {
		return ""
	}
	return template.HTML("<p>" + template.HTMLEscapeString(text) + "</p>\n")
}

func heading(id, text string) template.HTML {
	return template.HTML(fmt.Sprintf("<h3 id=\"%s\">%s</h3>\n", id, template.HTMLEscapeString(text)))
}

// flows is the section about workloads and the slowest flows.
func (p *runPage) flows() {
	if len(p.Run.Flows) == 0 {
		p.section("flows", "Flows", paragraph("The run has no flows: nothing was sent before it ended."))
		return
	}
	body := p.introduced(p.workloads(), "One row per workload of the scenario; times are of finished flows.")
	body += heading("slowest-title", "The slowest flows") + p.table(&fileTable{
		id: "slowest", file: "flows.csv", caption: "The slowest flows", order: (*runPage).slowestFirst,
		what: "flows that failed come first, then those that took longest for their ideal time, unfinished ones included",
		main: "flow workload src dst priority size_bytes start_us fct_us ideal_us slowdown_ratio unfinished_reason",
	})
	p.section("flows", "Flows", body)
}

// workloads has what summary.json says about each workload.
func (p *runPage) workloads() *Table {
	t := &Table{ID: "workloads", Caption: "Workloads", Narrow: true, Columns: []Column{
		{Name: "workload", Doc: "its name"}, {Name: "type", Doc: "the scenario's word, such as incast"},
		metricColumn("flows", "flows.total"), metricColumn("finished", "flows.finished"), metricColumn("failed", "flows.failed"),
		{Name: "delivered_bytes", Doc: "payload delivered in the time measured"}, metricColumn("goodput_gbps", "goodput"),
		metricColumn("fct_us p50", "fct.p50"), metricColumn("fct_us p99", "fct.p99"), metricColumn("fct_us max", "fct.max"),
		metricColumn("slowdown p50", "slowdown.p50"), metricColumn("slowdown p99", "slowdown.p99"), metricColumn("slowdown max", "slowdown.max"),
	}}
	for i := range p.summary.Workloads {
		w := &p.summary.Workloads[i]
		row := []string{w.Name, w.Type, fmt.Sprint(w.Flows), fmt.Sprint(w.Finished), fmt.Sprint(w.Failed),
			fmt.Sprint(w.DeliveredBytes), decimal(w.GoodputGbps)}
		row = append(row, distribution(&w.FCTUs)...)
		t.Rows = append(t.Rows, append(row, distribution(&w.SlowdownAll)...))
	}
	return t
}

// metricColumn is a column that has the meaning of a metric.
func metricColumn(name, metric string) Column {
	info, _ := results.DescribeMetric(metric)
	return Column{Name: name, Doc: info.Doc}
}

// distribution returns median, 99th percentile and maximum as summary.json has
// them; nothing if there is no value.
func distribution(d *results.Distribution) []string {
	if d.N == 0 {
		return []string{"", "", ""}
	}
	return []string{decimal(d.P50), decimal(d.P99), decimal(d.Max)}
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// slowestFirst orders flows: failed ones, then by the time that they took, or
// have taken so far, over their ideal time.
func (p *runPage) slowestFirst() []int32 {
	keys := make([]float64, len(p.Run.Flows))
	for i := range p.Run.Flows {
		f := &p.Run.Flows[i]
		end := f.Completed
		if end == 0 && f.Unfinished != results.NotAcknowledged {
			end = p.Manifest.SimulatedTime
		}
		switch {
		case f.Unfinished == results.RetriesSpent:
			keys[i] = 1e300
		case f.Ideal > 0 && end > f.Start:
			keys[i] = float64(end-f.Start) / float64(f.Ideal)
		}
	}
	return descending(len(keys), func(a, b int32) int { return cmp.Compare(keys[a], keys[b]) })
}

// descending returns 0..n-1, the largest first; equal ones keep their order.
func descending(n int, compare func(a, b int32) int) []int32 {
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(compare(b, a), cmp.Compare(a, b)) })
	return order
}

// tables are the sections of counters.
func (p *runPage) tables() {
	p.section("ports", "Ports and priorities", p.table(&fileTable{
		id: "counters", file: "counters.csv", caption: "Counters of ports and priorities", order: (*runPage).troubleFirst,
		what: "those with drops come first, then those that paused or were paused, then the deepest queues",
		main: "node port peer priority tx_prioN_xoff_frames first_xoff_us rx_prioN_pause_duration_us SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES " +
			"SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS SAI_QUEUE_STAT_DROPPED_PACKETS SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS",
		empty: "No port carried anything.",
	}))
	pauses := p.table(&fileTable{id: "pauses", file: "pauses.csv", caption: "Pauses", what: "in the order of time",
		empty: "PFC paused nobody."})
	if len(p.Storms) > 0 {
		pauses += heading("storms-title", "Storms that watchdogs detected") + p.table(&fileTable{id: "storms", file: "storms.csv", caption: "Storms"})
	}
	p.section("pauses-section", "Pauses", pauses)
	p.section("drops-section", "Drops", p.table(&fileTable{id: "drops", file: "drops.csv", caption: "Drops",
		order: (*runPage).mostDroppedFirst, what: "lossless classes come first, then the largest counts", empty: "Nothing was dropped."}))
	p.section("hosts", "NICs", p.table(&fileTable{id: "nics", file: "nics.csv", caption: "Counters of NICs", order: (*runPage).busyNICsFirst,
		what: "those that lost or repeated packets come first, then those with most congestion notification",
		main: "node nic np_cnp_sent np_ecn_marked_roce_packets rp_cnp_handled out_of_sequence packet_seq_err local_ack_timeout_err " +
			"out_of_buffer retransmitted_packets", empty: "The run has no NICs."}))
	p.section("links-section", "Links", p.table(&fileTable{id: "links-table", file: "links.csv", caption: "Links", order: (*runPage).busiestFirst,
		what: "the busiest come first", main: "node port peer tier rate_gbps cable_delay_us tx_wire_bytes utilisation_ratio",
		empty: "The run has no links."}))
}

func (p *runPage) troubleFirst() []int32 {
	return descending(len(p.Queues), func(a, b int32) int {
		x, y := &p.Queues[a], &p.Queues[b]
		return cmp.Or(cmp.Compare(x.EgressDrops+x.IngressDrops, y.EgressDrops+y.IngressDrops),
			cmp.Compare(x.TxPaused+x.RxPaused, y.TxPaused+y.RxPaused), cmp.Compare(x.PeakQueue, y.PeakQueue))
	})
}

func (p *runPage) mostDroppedFirst() []int32 {
	return descending(len(p.Drops), func(a, b int32) int {
		x, y := &p.Drops[a], &p.Drops[b]
		if x.Lossless != y.Lossless {
			if x.Lossless {
				return 1
			}
			return -1
		}
		return cmp.Compare(x.Packets, y.Packets)
	})
}

func (p *runPage) busyNICsFirst() []int32 {
	return descending(len(p.NICs), func(a, b int32) int {
		x, y := &p.NICs[a], &p.NICs[b]
		return cmp.Or(cmp.Compare(x.OutOfBuffer+x.Retransmitted, y.OutOfBuffer+y.Retransmitted),
			cmp.Compare(x.CNPSent+x.CNPHandled, y.CNPSent+y.CNPHandled))
	})
}

func (p *runPage) busiestFirst() []int32 {
	return descending(len(p.Ports), func(a, b int32) int {
		return cmp.Compare(p.Ports[a].Utilisation(p.Manifest.SimulatedTime), p.Ports[b].Utilisation(p.Manifest.SimulatedTime))
	})
}
