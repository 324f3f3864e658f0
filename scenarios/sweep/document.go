package sweep

import (
	"encoding/json"
	"math"

	"rocesim/results"
)

// Document is an outcome for programs: what the summary says, and the rows of
// settings.csv under the names of its columns.
type Document struct {
	Dir string `json:"dir"`
	// Report is the page in Dir, the caller's to fill in.
	Report      string              `json:"report,omitempty"`
	Interrupted bool                `json:"interrupted"`
	Runs        int                 `json:"runs"`
	FailedRuns  int                 `json:"failed_runs"`
	Objective   string              `json:"objective"`
	Recommended []Recommendation    `json:"recommended"`
	Settings    []map[string]any    `json:"settings"`
	Failures    []map[string]string `json:"failures,omitempty"`
}

// Recommendation is the setting of one scenario that is best at the objective.
type Recommendation struct {
	Scenario string `json:"scenario"`
	// Setting has the value of each axis, as it is written in a scenario; it is
	// nil if no setting qualifies.
	Setting map[string]string `json:"setting"`
	Value   *MeasuredJSON     `json:"value,omitempty"`
	// Next is the second best, Margin how much worse it is; BeyondChance says
	// that the interval of the margin does not hold 0.
	Next         map[string]string `json:"next,omitempty"`
	Margin       *MeasuredJSON     `json:"margin,omitempty"`
	BeyondChance bool              `json:"beyond_chance"`
	// Equal counts other settings that cannot be told apart from it; Candidates
	// were compared, Unfit left out.
	Equal      int `json:"equal_settings"`
	Candidates int `json:"candidates"`
	Unfit      int `json:"unfit"`
}

// MeasuredJSON is the mean of a metric over seeds, in its base unit; CI95 is half
// the width of its interval, nil for one seed.
type MeasuredJSON struct {
	Metric string   `json:"metric"`
	Unit   string   `json:"unit"`
	Mean   *float64 `json:"mean"`
	CI95   *float64 `json:"ci95"`
	Seeds  int      `json:"seeds"`
}

// NewMeasured turns an estimate into JSON: what is not known is null.
func NewMeasured(s results.Subject, e Estimate) *MeasuredJSON {
	return &MeasuredJSON{Metric: s.String(), Unit: s.Info().Unit.Suffix(), Mean: known(e.Mean), CI95: known(e.Half), Seeds: e.N}
}

func known(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// Document is the outcome with its directory.
func (o *Outcome) Document(dir string) Document {
	d := Document{Dir: dir, Interrupted: o.Interrupted, Runs: len(o.rows), FailedRuns: o.Failed(), Objective: o.Objective.Words()}
	for source := range o.sources {
		d.Recommended = append(d.Recommended, o.recommendation(source))
	}
	settings := o.settingTable()
	for i := range settings.rows {
		d.Settings = append(d.Settings, settings.object(i))
	}
	for i := range o.rows {
		if text := o.rows[i].failure; text != "" {
			d.Failures = append(d.Failures, map[string]string{"setting": o.words(&o.settings[o.rows[i].setting]), "error": text})
		}
	}
	return d
}

func (o *Outcome) recommendation(source int) Recommendation {
	r := Recommendation{Scenario: o.sources[source].base.Name}
	a, ok := o.advise(source)
	r.Equal, r.Candidates, r.Unfit = a.Equal, a.Candidates, a.Unfit
	if !ok {
		return r
	}
	m := o.Objective.Metric
	r.Setting, r.Value = o.axisValues(a.Best), NewMeasured(m, o.estimate(a.Best, m))
	if a.Next >= 0 {
		r.Next, r.Margin, r.BeyondChance = o.axisValues(a.Next), NewMeasured(m, a.Margin), a.Margin.beyond()
	}
	return r
}

// axisValues are the values of the axes at a setting.
func (o *Outcome) axisValues(settingIndex int) map[string]string {
	values := map[string]string{}
	at := o.Grid.Values(o.settings[settingIndex].combination)
	for k, a := range o.Grid.Axes() {
		values[a.Path] = at[k].Text
	}
	return values
}

// object is one row: numbers are numbers, an empty cell of them is null.
func (t *table) object(row int) map[string]any {
	out := map[string]any{}
	for _, c := range t.columns {
		cell := c.cell(row)
		switch {
		case cell == "" && c.kind != word:
			out[c.name] = nil
		case c.kind == word || !json.Valid([]byte(cell)): // such as +5 in a list of values
			out[c.name] = cell
		default:
			out[c.name] = json.Number(cell)
		}
	}
	return out
}
