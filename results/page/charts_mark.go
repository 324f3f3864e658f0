package page

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"

	"rocesim/results"
)

// maxRanked is how many rows a ranking has.
const maxRanked = 10

// ranking is a table of what is largest, with bars.
type ranking struct {
	Title, Caption, Thing, Value string
	Rows                         []ranked
}

// ranked is one row. Width is the length of its bar in percent.
type ranked struct {
	Name, Value string
	Width       float64
}

// markTables rank the queues that marked and the adapters that were told.
func markTables(run *results.Run) (template.HTML, error) {
	var tables []ranking
	marks := markRanking(run)
	if len(marks.Rows) == 0 {
		return `<h3>ECN marks and congestion notifications</h3><p>No packet was marked.</p>`, nil
	}
	tables = append(tables, marks)
	tables = append(tables, notificationRanking(run))
	return Fill("ranking.html", tables)
}

func markRanking(run *results.Run) ranking {
	type marked struct {
		name string
		n    int64
	}
	var all []marked
	total := int64(0)
	for i := range run.Queues {
		if q := &run.Queues[i]; q.ECNMarked > 0 {
			total += q.ECNMarked
			all = append(all, marked{fmt.Sprintf("%s priority %d", run.PortName(q.Port), q.Priority), q.ECNMarked})
		}
	}
	r := ranking{Title: "Queues that marked most", Thing: "Queue", Value: "Marked (packets)"}
	slices.SortStableFunc(all, func(a, b marked) int { return cmp.Compare(b.n, a.n) })
	for _, m := range all[:min(maxRanked, len(all))] {
		r.Rows = append(r.Rows, ranked{m.name, results.Count.Format(float64(m.n)), 100 * float64(m.n) / float64(all[0].n)})
	}
	r.Caption = fmt.Sprintf("%d of %d queues that marked; %s packets in all; counters.csv.", len(r.Rows), len(all), results.Count.Format(float64(total)))
	return r
}

// notificationRanking ranks the adapters by the notifications that they acted
// upon.
func notificationRanking(run *results.Run) ranking {
	var all []*results.NICRow
	sent, handled := int64(0), int64(0)
	for i := range run.NICs {
		n := &run.NICs[i]
		sent, handled = sent+n.CNPSent, handled+n.CNPHandled
		if n.CNPHandled > 0 {
			all = append(all, n)
		}
	}
	slices.SortStableFunc(all, func(a, b *results.NICRow) int { return cmp.Compare(b.CNPHandled, a.CNPHandled) })
	r := ranking{Title: "Senders that were told most", Thing: "Sender", Value: "Acted upon (CNPs)"}
	for _, n := range all[:min(maxRanked, len(all))] {
		r.Rows = append(r.Rows, ranked{n.Name, results.Count.Format(float64(n.CNPHandled)), 100 * float64(n.CNPHandled) / float64(all[0].CNPHandled)})
	}
	if len(all) == 0 {
		r.Caption = fmt.Sprintf("Receivers sent %s CNPs; no sender acted upon any; nics.csv.", results.Count.Format(float64(sent)))
		return r
	}
	r.Caption = fmt.Sprintf("%d of %d adapters that slowed down; receivers sent %s CNPs, senders acted upon %s; nics.csv.", len(r.Rows), len(all),
		results.Count.Format(float64(sent)), results.Count.Format(float64(handled)))
	return r
}
