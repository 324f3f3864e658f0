package sweep

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"text/tabwriter"

	"rocesim/results"
)

// longestList is how many lines a list in the summary has at most.
const longestList = 12

// Summary is what a person reads first.
func (o *Outcome) Summary() string {
	var b bytes.Buffer
	o.heading(&b)
	for source := range o.sources {
		fmt.Fprintf(&b, "\n%s, %s\n", o.sources[source].base.Name, o.Objective.Words())
		if a, ok := o.advise(source); ok {
			for i, line := range o.sentences(a) {
				fmt.Fprintf(&b, "  %-13s%s\n", []string{"recommended", ""}[min(i, 1)], line)
			}
		} else {
			fmt.Fprintf(&b, "  %s\n", o.noneQualifies(source))
		}
		o.metricsText(&b, source)
		o.frontText(&b, source)
	}
	o.problems(&b)
	return b.String()
}

// noneQualifies says why there is no recommended setting, and which
// expectation was missed most often.
func (o *Outcome) noneQualifies(source int) string {
	text := fmt.Sprintf("no setting qualifies: in each a run missed an expectation, stalled, failed or has no %s", o.Objective.Metric)
	missed, most := map[string]int{}, ""
	runs := 0
	for i := range o.rows {
		if r := &o.rows[i]; o.settings[r.setting].source == source {
			runs++
			for _, clause := range r.unmet {
				missed[clause]++
				if missed[clause] > missed[most] {
					most = clause
				}
			}
		}
	}
	if most != "" {
		text += fmt.Sprintf("; %s was missed in %d of %d runs", most, missed[most], runs)
	}
	return text
}

// heading says what was run.
func (o *Outcome) heading(b *bytes.Buffer) {
	counts := map[string]int{}
	for i := range o.rows {
		counts[o.stop(&o.rows[i])]++
	}
	seeds := len(o.sources[0].seeds)
	fmt.Fprintf(b, "%s x %s = %s", plural(len(o.settings), "setting"), plural(seeds, "seed"), plural(len(o.rows), "run"))
	for _, stop := range []string{"finished", "stopped", "stalled", "deadlocked", "failed", "invalid", "missing"} {
		if counts[stop] > 0 {
			fmt.Fprintf(b, ", %d %s", counts[stop], stop)
		}
	}
	b.WriteString("\n")
	if o.Interrupted {
		b.WriteString("PARTIAL RESULTS: the sweep was interrupted; the same command goes on where it was\n")
	}
	for _, d := range o.Grid {
		for _, a := range d {
			var values []string
			for _, v := range a.Values {
				values = append(values, v.Text)
			}
			if len(values) > longestList {
				values = slices.Concat(values[:longestList-2], []string{"..."}, values[len(values)-1:])
			}
			fmt.Fprintf(b, "  %s: %s\n", a.Path, joinWords(values))
		}
	}
}

func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + one + "s"
}

func joinWords(words []string) string {
	var b bytes.Buffer
	for i, w := range words {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(w)
	}
	return b.String()
}

// longestTable is how many settings the table of the summary has at most.
const longestTable = 20

// metricsText shows the metrics that were asked for, setting by setting, from
// best to worst at the objective: the recommended one is the first. Those that
// do not qualify come last, in the order of the grid.
func (o *Outcome) metricsText(b *bytes.Buffer, source int) {
	if !o.asked {
		return
	}
	ranked, unfit := o.rank(source)
	all := slices.Concat(ranked, unfit)
	fmt.Fprintf(b, "  the metrics asked for, %s, the best at %s first:\n", plural(len(all), "setting"), o.Objective.Metric)
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "    setting")
	for _, m := range o.metricsOf(source) {
		fmt.Fprintf(w, "\t%s", m)
	}
	fmt.Fprintln(w)
	for n, i := range all[:min(len(all), longestTable)] {
		fmt.Fprintf(w, "    %s", o.words(&o.settings[i]))
		for _, m := range o.metricsOf(source) {
			fmt.Fprintf(w, "\t%s", format(m, o.estimate(i, m)))
		}
		if n >= len(ranked) {
			fmt.Fprint(w, "\tleft out")
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	if more := len(all) - longestTable; more > 0 {
		fmt.Fprintf(b, "    and %s more, which are in settings.csv\n", plural(more, "setting"))
	}
}

// frontText lists the Pareto front.
func (o *Outcome) frontText(b *bytes.Buffer, source int) {
	front := o.front(source)
	if len(front) < 2 {
		return
	}
	fmt.Fprintf(b, "  Pareto front of %s and %s, %d settings:\n", o.Pareto[0], o.Pareto[1], len(front))
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for n, i := range front {
		if n == longestList {
			fmt.Fprintf(w, "    and %d more in settings.csv\n", len(front)-n)
			break
		}
		fmt.Fprintf(w, "    %s\t%s\t%s\n", o.words(&o.settings[i]), format(o.Pareto[0], o.estimate(i, o.Pareto[0])), format(o.Pareto[1], o.estimate(i, o.Pareto[1])))
	}
	w.Flush()
}

// problems lists what failed, each text once, and the first combination that
// cannot be.
func (o *Outcome) problems(b *bytes.Buffer) {
	for i := range o.settings {
		if one := &o.settings[i]; one.invalid != "" {
			fmt.Fprintf(b, "\nthe first invalid combination: %s\n", one.invalid)
			break
		}
	}
	seen := map[string]bool{}
	for i := range o.rows {
		r := &o.rows[i]
		if r.failure == "" || seen[r.failure] {
			continue
		}
		seen[r.failure] = true
		if len(seen) <= longestList {
			fmt.Fprintf(b, "\nfailed: %s: %s\n", o.words(&o.settings[r.setting]), r.failure)
		}
	}
	if len(seen) > longestList {
		fmt.Fprintf(b, "\nand %d other reasons in runs.csv\n", len(seen)-longestList)
	}
}

// settingTable has one row for each setting: means over the seeds.
func (o *Outcome) settingTable() table {
	t := table{rows: len(o.settings)}
	t.columns = o.settingColumns(func(i int) *setting { return &o.settings[i] })
	ranks, fronts := o.ranks()
	t.columns = append(t.columns,
		column{"runs", real, func(i int) string { return strconv.Itoa(o.done(i)) }},
		column{"runs_unmet", real, func(i int) string { return strconv.Itoa(o.unmet(i)) }},
		column{"recommended", real, func(i int) string { return strconv.Itoa(ranks[i]) }},
		column{"pareto", real, func(i int) string { return strconv.Itoa(fronts[i]) }},
	)
	for _, c := range o.columns {
		_, scale := c.Info().Unit.Column()
		t.columns = append(t.columns,
			column{columnName(c, "_mean"), real, func(i int) string { return number(o.estimate(i, c).Mean / scale) }},
			column{columnName(c, "_ci95"), real, func(i int) string { return number(o.estimate(i, c).Half / scale) }},
		)
	}
	return t
}

// done counts the runs of a setting that have a record.
func (o *Outcome) done(settingIndex int) int {
	n := 0
	for _, r := range o.runs(settingIndex) {
		if r.values != nil {
			n++
		}
	}
	return n
}

// ranks marks the recommended settings and those of the Pareto fronts with 1.
func (o *Outcome) ranks() (recommended, pareto []int) {
	recommended, pareto = make([]int, len(o.settings)), make([]int, len(o.settings))
	for source := range o.sources {
		if a, ok := o.advise(source); ok {
			recommended[a.Best] = 1
		}
		for _, i := range o.front(source) {
			pareto[i] = 1
		}
	}
	return recommended, pareto
}

// Failed counts the runs that failed.
func (o *Outcome) Failed() int {
	n := 0
	for i := range o.rows {
		if o.rows[i].failure != "" {
			n++
		}
	}
	return n
}

// metricsOf lists the metrics that a scenario knows.
func (o *Outcome) metricsOf(source int) []results.Subject {
	var all []results.Subject
	for _, m := range o.Metrics {
		if o.sources[source].knows(m) {
			all = append(all, m)
		}
	}
	return all
}
