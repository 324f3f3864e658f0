package tune

import (
	"fmt"
	"math"
	"strings"

	"rocesim/results"
)

// missed lists the conditions that some run does not meet, by how much and with
// which seeds, and what else is wrong with it.
func (o *Outcome) missed(t *Trial) string {
	var all []string
	for i := range o.conditions {
		if text := missedBy(t, &o.conditions[i]); text != "" {
			all = append(all, text)
		}
	}
	if t.Failure != "" {
		all = append(all, "a run failed: "+t.Failure)
	}
	if all == nil {
		return "the end: a run stalled, or has no value"
	}
	return strings.Join(all, "; ")
}

// seedsShown is how many seeds a text lists.
const seedsShown = 5

// missedBy says by how much the runs of a trial miss a condition; empty if all
// meet it.
func missedBy(t *Trial, e *results.Expectation) string {
	n, farthest, worst := 0, 0.0, math.NaN()
	var seeds []string
	for _, r := range t.results {
		off := violation(r.Record, e)
		if off <= 0 {
			continue
		}
		n++
		if r.Record != nil {
			seeds = append(seeds, fmt.Sprint(r.Record.Seed))
		}
		if v := valueOf(r.Record, e.Subject()); !math.IsNaN(v) && off > farthest {
			farthest, worst = off, v
		}
	}
	if n == 0 {
		return ""
	}
	text := e.Text + fmt.Sprintf(" with %d of %s", n, results.Plural(len(t.results), "seed"))
	if len(seeds) > seedsShown {
		seeds = append(seeds[:seedsShown], "...")
	}
	if seeds != nil {
		text += " (" + strings.Join(seeds, ", ") + ")"
	}
	switch value := e.Subject().Info().Unit.Format(worst); {
	case math.IsNaN(worst):
		return text + ": no value"
	case n == 1:
		return text + ": " + value
	default:
		return text + ": " + value + " at worst"
	}
}
