package sweep

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"rocesim/results"
)

// Advice is the setting that is best at the objective, and how sure that is.
type Advice struct {
	// Best and Next are settings; Next is -1 if there is no other.
	Best, Next int
	// Margin is how much worse the next one is on average; its interval is
	// that of the differences seed by seed.
	Margin Estimate
	// Equal counts the settings, beside the best, whose difference to it does
	// not exceed its confidence interval.
	Equal int
	// Candidates is how many settings were compared. Unfit are those left out
	// because a run missed an expectation, stalled, failed or has no value.
	Candidates, Unfit int
}

// advise ranks the settings of one scenario. ok is false if none qualifies.
func (o *Outcome) advise(source int) (Advice, bool) {
	ranked, unfit := o.rank(source)
	a := Advice{Next: -1, Margin: estimate(nil), Unfit: len(unfit)}
	if len(ranked) == 0 {
		return a, false
	}
	sign := -float64(o.Objective.Direction) // less is better
	a.Best, a.Candidates = ranked[0], len(ranked)
	for n, i := range ranked[1:] {
		worse := o.difference(a.Best, i, sign)
		if n == 0 {
			a.Next, a.Margin = i, worse
		}
		if !worse.beyond() {
			a.Equal++
		}
	}
	return a, true
}

// rank orders the settings of one scenario that qualify, the best at the
// objective first, and of equal ones the best at what is traded: if the objective
// is, the recommended one is on the Pareto front. unfit are those that do not;
// invalid ones are neither.
func (o *Outcome) rank(source int) (ranked, unfit []int) {
	sign := -float64(o.Objective.Direction) // less is better
	cost := map[int]float64{}
	for i := range o.settings {
		if o.settings[i].source != source || o.settings[i].invalid != "" {
			continue
		}
		if o.fit(i) {
			if e := o.estimate(i, o.Objective.Metric); e.N > 0 {
				cost[i] = sign * e.Mean
				ranked = append(ranked, i)
				continue
			}
		}
		unfit = append(unfit, i)
	}
	slices.SortStableFunc(ranked, func(x, y int) int {
		by := cmp.Compare(cost[x], cost[y])
		for k := 0; by == 0 && k < len(o.Pareto); k++ {
			by = cmp.Compare(o.traded(x, k), o.traded(y, k))
		}
		return by
	})
	return ranked, unfit
}

// difference is how much worse one setting is than another. Both ran with the
// same seeds, so the differences seed by seed are what is independent.
func (o *Outcome) difference(better, worse int, sign float64) Estimate {
	x, y := o.values(better, o.Objective.Metric), o.values(worse, o.Objective.Metric)
	differences := make([]float64, len(x))
	for i := range x {
		differences[i] = sign * (y[i] - x[i])
	}
	return o.estimateOf(differences)
}

// beyond reports whether the difference is larger than chance explains: its
// confidence interval does not hold 0. One seed explains nothing.
func (e Estimate) beyond() bool { return e.N > 1 && math.Abs(e.Mean) > e.Half }

// sentences words the advice.
func (o *Outcome) sentences(a Advice) []string {
	m := o.Objective.Metric
	best := o.estimate(a.Best, m)
	lines := []string{fmt.Sprintf("%s: %s is %s", o.words(&o.settings[a.Best]), m, format(m, best))}
	if a.Unfit > 0 {
		lines = append(lines, fmt.Sprintf("%d of %d settings were left out: a run missed an expectation, stalled, failed or has no %s", a.Unfit, a.Unfit+a.Candidates, m))
	}
	if a.Next < 0 {
		return append(lines, "there is no other setting to compare it with")
	}
	next := o.estimate(a.Next, m)
	text := fmt.Sprintf("next is %s with %s", o.words(&o.settings[a.Next]), format(m, next))
	if a.Margin.Mean != 0 {
		text += fmt.Sprintf(", %s worse", m.Info().Unit.Format(a.Margin.Mean))
	}
	if a.Margin.Mean != 0 && best.Mean != 0 {
		text += fmt.Sprintf(" (%s %%)", results.Ratio.Format(100*a.Margin.Mean/math.Abs(best.Mean)))
	}
	switch {
	case a.Margin.Mean == 0:
		text += ": no difference"
	case a.Margin.N < 2:
		text += "; one seed cannot tell whether that is chance"
	case a.Margin.beyond():
		text += fmt.Sprintf(", beyond the 95 %% confidence interval of the difference, +-%s", m.Info().Unit.Format(a.Margin.Half))
	default:
		text += fmt.Sprintf(", within the 95 %% confidence interval of the difference, +-%s: it may be chance", m.Info().Unit.Format(a.Margin.Half))
	}
	lines = append(lines, text)
	if a.Margin.N > 1 {
		lines = append(lines, o.equal(a))
	}
	return lines
}

// equal says how many settings are as good.
func (o *Outcome) equal(a Advice) string {
	return fmt.Sprintf("%d of %d other settings cannot be told apart from it", a.Equal, a.Candidates-1)
}

// format prints an estimate for a person: "2.41 ms +-0.05 ms".
func format(s results.Subject, e Estimate) string {
	unit := s.Info().Unit
	switch {
	case e.N == 0:
		return "no data"
	case e.Mean == 0 && e.Half == 0:
		return "0"
	case math.IsNaN(e.Half):
		return unit.Format(e.Mean)
	}
	return unit.Format(e.Mean) + " +-" + unit.Format(e.Half)
}
