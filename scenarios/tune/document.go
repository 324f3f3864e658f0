package tune

import (
	"rocesim/results"
	"rocesim/scenarios/sweep"
)

// Document is an outcome for programs: what the summary says.
type Document struct {
	Dir string `json:"dir"`
	// Report is the page in Dir, the caller's to fill in.
	Report      string `json:"report,omitempty"`
	Scenario    string `json:"scenario"`
	Interrupted bool   `json:"interrupted"`
	// Runs were simulated or found, of Budget.
	Runs   int `json:"runs"`
	Budget int `json:"budget"`
	// Met says that Best meets every condition, Improved that it is better than
	// AsItIs by more than chance explains.
	Met        bool     `json:"met"`
	Improved   bool     `json:"improved"`
	Verdict    string   `json:"verdict"`
	Conditions []string `json:"conditions"`
	// AsItIs is the scenario without a parameter set; nil like Best if nothing
	// was tried to its end.
	AsItIs *TrialJSON `json:"as_it_is"`
	Best   *TrialJSON `json:"best"`
	// Influence is how much of the variation of the ranks each parameter
	// explains, as a share.
	Influence map[string]float64 `json:"influence,omitempty"`
}

// TrialJSON is one setting: its values as a scenario has them, the metrics of
// the objective, and the conditions that it misses.
type TrialJSON struct {
	Values  map[string]string     `json:"values"`
	Metrics []*sweep.MeasuredJSON `json:"metrics"`
	Missed  string                `json:"missed,omitempty"`
}

// Document is the outcome with its directory.
func (o *Outcome) Document(dir string) Document {
	d := Document{
		Dir: dir, Scenario: o.base.Name, Interrupted: o.Interrupted, Runs: o.runs, Budget: o.budget,
		Met: o.Met(), Improved: o.Improved(), Verdict: "nothing has been tried to its end", Conditions: []string{},
	}
	for i := range o.conditions {
		d.Conditions = append(d.Conditions, o.conditions[i].Text)
	}
	if o.Best >= 0 {
		d.Verdict = o.verdict()
		d.AsItIs, d.Best = o.trialJSON(o.Trials[0]), o.trialJSON(o.Trials[o.Best])
	}
	for i, share := range o.Influence {
		if d.Influence == nil {
			d.Influence = map[string]float64{}
		}
		d.Influence[o.Params[i].Path] = share
	}
	return d
}

func (o *Outcome) trialJSON(t *Trial) *TrialJSON {
	out := &TrialJSON{Values: map[string]string{}}
	for i, v := range t.Values {
		out.Values[o.Params[i].Path] = v
	}
	for i := range o.Goals {
		m := o.Goals[i].Objective.Metric
		out.Metrics = append(out.Metrics, sweep.NewMeasured(m, o.estimate(t, m)))
	}
	if t.Violation > 0 {
		out.Missed = o.missed(t)
	}
	return out
}

// estimate is the mean of a metric over the seeds of a trial.
func (o *Outcome) estimate(t *Trial, m results.Subject) sweep.Estimate {
	var all []float64
	for _, r := range t.results {
		all = append(all, valueOf(r.Record, m))
	}
	return sweep.NewEstimate(all)
}
