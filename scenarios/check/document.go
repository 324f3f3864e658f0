package check

import "rocesim/results"

// Document is the reports of several scenarios for programs.
type Document struct {
	Passed    int          `json:"passed"`
	Failed    int          `json:"failed"`
	Broken    int          `json:"broken"`
	Scenarios []ReportJSON `json:"scenarios"`
}

// ReportJSON is a Report for programs.
type ReportJSON struct {
	Path   string `json:"path"`
	Name   string `json:"name"`
	Status Status `json:"status"`
	// Error says why the scenario was not tested, Fatal what ended its run.
	Error        string            `json:"error,omitempty"`
	Fatal        string            `json:"fatal,omitempty"`
	Expectations []results.Outcome `json:"expectations"`
	Baseline     string            `json:"baseline,omitempty"`
	Updated      bool              `json:"updated"`
	Compared     int               `json:"compared_metrics"`
	Drifts       []DriftJSON       `json:"drifts"`
	// FingerprintWas and FingerprintIs are those of the baseline and of the run,
	// if they differ.
	FingerprintWas   string `json:"fingerprint_was,omitempty"`
	FingerprintIs    string `json:"fingerprint_is,omitempty"`
	NewConfiguration bool   `json:"new_configuration"`
}

// DriftJSON is a metric beyond its tolerance, in its base unit; Is is nil if
// there is no value any more.
type DriftJSON struct {
	Metric    string   `json:"metric"`
	Unit      string   `json:"unit"`
	Was       float64  `json:"was"`
	Is        *float64 `json:"is"`
	Tolerance string   `json:"tolerance"`
	Verdict   string   `json:"verdict"`
	Fails     bool     `json:"fails"`
}

// NewDocument is the reports, in their order.
func NewDocument(reports []*Report) Document {
	var total Total
	d := Document{Scenarios: []ReportJSON{}}
	for _, r := range reports {
		total.Add(r)
		d.Scenarios = append(d.Scenarios, r.json())
	}
	d.Passed, d.Failed, d.Broken = total.Passed, total.Failed, total.Broken
	return d
}

func (r *Report) json() ReportJSON {
	out := ReportJSON{
		Path: r.Path, Name: r.Name, Status: r.Status(), Fatal: r.Fatal, Expectations: append([]results.Outcome{}, r.Outcomes...),
		Baseline: r.Baseline, Updated: r.Updated, Compared: r.Compared, Drifts: []DriftJSON{}, NewConfiguration: r.NewConfiguration,
	}
	if r.Err != nil {
		out.Error = r.Err.Error()
	}
	if r.FingerprintWas != r.FingerprintIs {
		out.FingerprintWas, out.FingerprintIs = r.FingerprintWas, r.FingerprintIs
	}
	for i := range r.Drifts {
		d := &r.Drifts[i]
		one := DriftJSON{Metric: d.Metric, Unit: d.Unit.Suffix(), Was: d.Was, Tolerance: d.Tolerance, Verdict: string(d.Verdict), Fails: r.fails(d)}
		if d.HasValue {
			one.Is = &d.Is
		}
		out.Drifts = append(out.Drifts, one)
	}
	return out
}
