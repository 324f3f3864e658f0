package tune

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"rocesim/results"
	"rocesim/scenarios/grid"
	"rocesim/scenarios/sweep"
)

// Outcome is a search that has ended, perhaps before its end.
type Outcome struct {
	*Problem
	// Trials are in the order in which they were chosen; the first is the
	// scenario as it is.
	Trials []*Trial
	// Best is the place of the best one, -1 without any.
	Best int
	// Influence is how much of the variation of the ranks over the box each
	// parameter explains, alone and together with others, as a share; nil if
	// there is too little to tell.
	Influence []float64
	// Interrupted says that the budget was not used up.
	Interrupted bool

	check            []*Trial // the scenario as it is and the best, with other seeds
	impossible, runs int
	scales           []float64
}

// choose finds the best trial; of equals the first.
func (o *Outcome) choose() {
	o.Best = -1
	for i, t := range o.Trials {
		if o.Best < 0 || compare(t, o.Trials[o.Best]) < 0 {
			o.Best = i
		}
	}
}

// Met reports whether a setting was found that meets every condition.
func (o *Outcome) Met() bool { return o.Best >= 0 && o.Trials[o.Best].Violation == 0 }

// Gain is how much less the best setting costs than the scenario as it is, by
// the seeds of the search and by those of the check; N is 0 where that is not
// known.
func (o *Outcome) Gain() (searched, checked sweep.Estimate) {
	if o.Best < 0 {
		return sweep.NewEstimate(nil), sweep.NewEstimate(nil)
	}
	searched = o.difference(o.Trials[0], o.Trials[o.Best])
	if o.check == nil {
		return searched, sweep.NewEstimate(nil)
	}
	return searched, o.difference(o.check[0], o.check[1])
}

// difference compares two trials seed by seed.
func (o *Outcome) difference(a, b *Trial) sweep.Estimate {
	x, y := o.costs(a), o.costs(b)
	var all []float64
	for i := range min(len(x), len(y)) {
		all = append(all, x[i]-y[i])
	}
	return sweep.NewEstimate(all)
}

// costs are those of a trial's runs; nil unless all have one. The only goal is
// in its unit: it is told as a metric, not as a sum.
func (o *Outcome) costs(t *Trial) []float64 {
	scales := o.scales
	if len(o.Goals) == 1 {
		scales = []float64{1}
	}
	var all []float64
	for _, r := range t.results {
		values := make([]float64, len(o.Goals))
		for i := range o.Goals {
			values[i] = valueOf(r.Record, o.Goals[i].Objective.Metric)
		}
		c := o.cost(values, scales)
		if math.IsNaN(c) {
			return nil
		}
		all = append(all, c)
	}
	return all
}

// Improved reports whether the best setting is better than the scenario as it
// is by more than chance explains: with the seeds of the check, or without a
// check with those of the search. One that meets the conditions where the
// scenario does not is better too.
func (o *Outcome) Improved() bool {
	if o.Best <= 0 || !o.Met() || o.check != nil && o.check[1].Violation > 0 {
		return false
	}
	if o.Trials[0].Violation > 0 {
		return true
	}
	searched, checked := o.Gain()
	if checked.N > 0 {
		return certain(checked)
	}
	return certain(searched)
}

// certain reports whether a gain is above what chance explains.
func certain(e sweep.Estimate) bool { return e.Mean > 0 && e.Beyond() }

// Summary is what a person reads first.
func (o *Outcome) Summary() string {
	var b bytes.Buffer
	o.heading(&b)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	if o.Best < 0 {
		fmt.Fprint(w, "  best\tnothing has been tried to its end\n")
	} else {
		first, best := o.Trials[0], o.Trials[o.Best]
		fmt.Fprintf(w, "  as it is\t%s\n", o.describe(first))
		if o.Best > 0 {
			fmt.Fprintf(w, "  best\t%s\n", o.describe(best))
			o.gains(w)
		}
		fmt.Fprintf(w, "  verdict\t%s\n", o.verdict())
		if ends := o.atEnds(); len(ends) > 0 {
			fmt.Fprintf(w, "  range\tthe best %s is an end of its range: what lies beyond was not searched\n", strings.Join(ends, ", "))
		}
		o.influenceText(w)
	}
	w.Flush()
	o.pathText(&b)
	return b.String()
}

// heading says what was searched for and how much was run.
func (o *Outcome) heading(b *bytes.Buffer) {
	var goals, conditions []string
	for i := range o.Goals {
		words := o.Goals[i].Objective.Words()
		if len(o.Goals) > 1 {
			words += fmt.Sprintf(" (weight %g)", o.Goals[i].Weight)
		}
		goals = append(goals, words)
	}
	for i := range o.conditions {
		conditions = append(conditions, o.conditions[i].Text)
	}
	fmt.Fprintf(b, "%s, %s\n", o.base.Name, strings.Join(goals, ", "))
	if conditions != nil {
		fmt.Fprintf(b, "  subject to %s\n", strings.Join(conditions, ", "))
	}
	for i := range o.Params {
		fmt.Fprintf(b, "  %s = %s\n", o.Params[i].Path, o.Params[i].Words())
	}
	fmt.Fprintf(b, "%d of %d runs: %s", o.runs, o.budget, o.size())
	switch {
	case o.check == nil && !o.Interrupted && o.checkSeeds() > 0:
		fmt.Fprintf(b, ", and %d left that would have checked an improvement", 2*o.checkSeeds())
	case o.check != nil:
		fmt.Fprintf(b, ", and 2 settings x %d other seeds to check", len(o.check[0].results))
	}
	if o.impossible > 0 {
		fmt.Fprintf(b, "; %d settings that no scenario can have were left out", o.impossible)
	}
	b.WriteString("\n")
	if o.Interrupted {
		b.WriteString("PARTIAL RESULTS: the search was interrupted; the same command goes on where it was\n")
	}
	if !o.Interrupted && len(o.Trials) < o.settings() {
		b.WriteString("there is no other setting left to try\n")
	}
}

// describe words a trial: its values, its metrics, what it misses.
func (o *Outcome) describe(t *Trial) string {
	var parts []string
	for i := range o.Goals {
		m := o.Goals[i].Objective.Metric
		parts = append(parts, fmt.Sprintf("%s is %s", m, o.mean(t, m)))
	}
	text := o.words(t) + ": " + strings.Join(parts, ", ")
	if t.Violation > 0 {
		text += "; it misses " + o.missed(t)
	}
	return text
}

// mean formats the mean of a metric over the seeds.
func (o *Outcome) mean(t *Trial, m results.Subject) string {
	e := o.estimate(t, m)
	switch {
	case math.IsNaN(e.Mean):
		return "unknown"
	case e.N < 2 || e.Half == 0:
		return m.Info().Unit.Format(e.Mean)
	}
	return m.Info().Unit.Format(e.Mean) + " +-" + m.Info().Unit.Format(e.Half)
}

// words lists the values of a trial.
func (o *Outcome) words(t *Trial) string {
	var parts []string
	for i, v := range t.Values {
		if v == "" {
			v = "?"
		}
		parts = append(parts, o.short(i)+"="+v)
	}
	return strings.Join(parts, ", ")
}

// short is the last step of a parameter's path, or the path if another one
// ends alike.
func (o *Outcome) short(i int) string {
	last := func(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }
	for j := range o.Params {
		if j != i && last(o.Params[j].Path) == last(o.Params[i].Path) {
			return o.Params[i].Path
		}
	}
	return last(o.Params[i].Path)
}

// gains words the gain by both kinds of seeds.
func (o *Outcome) gains(w *tabwriter.Writer) {
	searched, checked := o.Gain()
	if searched.N > 0 {
		fmt.Fprintf(w, "  change\t%s, with the seeds that chose it\n", o.gain(searched, o.Trials[0]))
	}
	if checked.N > 0 {
		text := o.gain(checked, o.check[0]) + ", with other seeds"
		if o.check[1].Violation > 0 {
			text += "; but with these the best setting misses " + o.missed(o.check[1])
		}
		fmt.Fprintf(w, "  check\t%s\n", text)
	}
}

// gain words one gain; from is the scenario as it is.
func (o *Outcome) gain(e sweep.Estimate, from *Trial) string {
	format := func(v float64) string { return fmt.Sprintf("%.3g of the weighted sum", v) }
	if len(o.Goals) == 1 {
		format = o.Goals[0].Objective.Metric.Info().Unit.Format
	}
	word := "better"
	if e.Mean < 0 {
		word = "worse"
	}
	text := format(math.Abs(e.Mean)) + " " + word
	if before := math.Abs(sum(o.costs(from)) / float64(e.N)); before > 0 {
		text = fmt.Sprintf("%s %% %s (%s)", results.Ratio.Format(100*math.Abs(e.Mean)/before), word, format(math.Abs(e.Mean)))
	}
	switch {
	case e.N < 2:
		return text + "; one seed cannot tell whether that is chance"
	case e.Beyond():
		return text + ", beyond the 95 % confidence interval of the difference, +-" + format(e.Half)
	}
	return text + ", within the 95 % confidence interval of the difference, +-" + format(e.Half)
}

// verdict says what follows.
func (o *Outcome) verdict() string {
	best := o.Trials[o.Best]
	switch {
	case !o.Met():
		return fmt.Sprintf("no setting meets the conditions; the nearest misses %s", o.missed(best))
	case o.Best == 0:
		return "no improvement: the scenario as it is is the best of all that was tried"
	case o.check != nil && o.check[1].Violation > 0:
		return "no improvement that holds: with other seeds the best setting misses a condition"
	case o.Improved() && o.Trials[0].Violation > 0:
		return "the best setting meets the conditions, which the scenario as it is does not"
	case o.Improved():
		return "the best setting is better than the scenario as it is, by more than chance explains"
	}
	return "no improvement that chance would not explain: more seeds can tell, or keep the scenario as it is"
}

// atEnds lists the parameters of which the best value is an end of the range,
// so that there may be better ones beyond it.
func (o *Outcome) atEnds() []string {
	var all []string
	for i := range o.Params {
		p, value := &o.Params[i], o.Trials[o.Best].Values[i]
		if o.Best > 0 && p.List == nil && (value == p.Low || value == p.High) {
			all = append(all, o.short(i)+"="+value)
		}
	}
	return all
}

// influenceText lists the parameters, the one that matters most first.
func (o *Outcome) influenceText(w *tabwriter.Writer) {
	if o.Influence == nil {
		return
	}
	var parts []string
	for i, share := range o.Influence {
		parts = append(parts, fmt.Sprintf("%s %.0f %%", o.short(i), 100*share))
	}
	fmt.Fprintf(w, "  influence\t%s of how settings rank, by a model of all tried, alone and together\n", strings.Join(parts, ", "))
}

// pathText lists the settings that were better than all before.
func (o *Outcome) pathText(b *bytes.Buffer) {
	if len(o.Trials) < 2 {
		return
	}
	b.WriteString("\nthe path; all settings are in path.csv\n")
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, i := range o.improvements() {
		fmt.Fprintf(w, "  %d\t%s\t%s\n", i, o.Trials[i].Phase, o.describe(o.Trials[i]))
	}
	w.Flush()
}

// improvements are the trials that were better than all before.
func (o *Outcome) improvements() []int {
	var all []int
	for i, t := range o.Trials {
		if i == 0 || compare(t, o.Trials[all[len(all)-1]]) < 0 {
			all = append(all, i)
		}
	}
	return all
}

// goalWords names the cost.
func (o *Outcome) goalWords() (text string, unit results.Unit) {
	if len(o.Goals) > 1 {
		return "weighted sum", results.Count
	}
	return o.Goals[0].Objective.Metric.String(), o.Goals[0].Objective.Metric.Info().Unit
}

// shown is the cost as it is drawn: a single metric that is maximised keeps
// its sign.
func (o *Outcome) shown(t *Trial) float64 {
	if len(o.Goals) == 1 {
		return t.Means[0]
	}
	return t.Cost
}

// number is the plain number of a parameter's value, if it has one.
func number(text string) (float64, bool) {
	q, ok := grid.ParseQuantity(text)
	if !ok {
		return 0, false
	}
	return q.Float(), true
}
