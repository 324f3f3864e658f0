package page

import (
	"fmt"
	"html/template"

	"rocesim/results"
)

// Sweep is what the page of a sweep shows.
type Sweep struct {
	Title string
	// Partial says why the sweep is not complete; empty if it is.
	Partial string
	// Scenarios were swept over the same grid.
	Scenarios  []SweepScenario
	Dimensions []SweepDimension
	// Fixed are changes of every run, "path=value".
	Fixed []string
	// Objective is what the recommended setting is best at, in words.
	Objective string
	Metrics   []SweepMetric
	// Metric is the place of the one that is seen first, Pareto are those of
	// the two that are traded against each other; nil if one is not there.
	Metric int
	Pareto []int
	// Settings has a row for each setting, by scenario and then in the order of
	// the dimensions, the last one changing fastest: settings.csv. Its ID is
	// "settings-table".
	Settings *Table
	// Unmet, Runs, Recommended and Front are columns of Settings: how many runs
	// missed an expectation, of how many, and 1 for the settings that are
	// recommended, or that are on the Pareto front.
	Unmet, Runs, Recommended, Front int
	// Notes say by row why a setting has no values.
	Notes map[int]string
	// Failures are texts of runs that failed, each with its setting; Left is how
	// many more there are.
	Failures []string
	Left     int
	// Command makes the sweep again.
	Command string
}

// SweepScenario is a scenario of a sweep and the setting recommended for it.
type SweepScenario struct {
	Name, Question string
	Seeds          int
	// Found is false if no setting qualifies; Certain says that the next one is
	// worse by more than chance explains.
	Found, Certain bool
	Advice         []string
}

// SweepDimension is an axis of the grid, or several that move together.
type SweepDimension struct {
	// Name is the path, Short the end of it.
	Name  string `json:"name"`
	Short string `json:"short"`
	// Places are the values, Numbers the same as plain numbers; nil if they are
	// words.
	Places  []string  `json:"places"`
	Numbers []float64 `json:"numbers"`
}

// SweepMetric is a metric with its columns in Settings.
type SweepMetric struct {
	Name, Doc string
	Unit      results.Unit
	Better    results.Direction
	Mean      int
	Interval  int // half its width
}

// scalesOf lists how numbers of a column of a kind may be shown, as
// results.Unit.Format does; columns are in the units of results.Unit.Column.
func scalesOf(u results.Unit) []Scale {
	switch u {
	case results.Duration:
		return Microseconds.scales()
	case results.DataRate:
		return []Scale{{"bps", 1e-9}, {"Kbps", 1e-6}, {"Mbps", 1e-3}, {"Gbps", 1}, {"Tbps", 1e3}}
	case results.Size:
		return Bytes.scales()
	}
	return Plain.scales()
}

// sweepWire is what assets/sweep.js reads.
type sweepWire struct {
	// Table is the ID of the data whose rows hold the values.
	Table       string           `json:"table"`
	Scenarios   []string         `json:"scenarios"`
	Dimensions  []SweepDimension `json:"dimensions"`
	Metrics     []metricWire     `json:"metrics"`
	Metric      int              `json:"metric"`
	Pareto      []int            `json:"pareto"`
	Unmet       int              `json:"unmet"`
	Runs        int              `json:"runs"`
	Recommended int              `json:"recommended"`
	Front       int              `json:"front"`
	Notes       map[int]string   `json:"notes"`
	Seeds       int              `json:"seeds"`
}

type metricWire struct {
	Name   string  `json:"name"`
	Doc    string  `json:"doc"`
	Scales []Scale `json:"scales"`
	Better string  `json:"better"`
	Mean   int     `json:"mean"`
	Half   int     `json:"half"`
}

func (s *Sweep) wire() sweepWire {
	w := sweepWire{Table: s.Settings.Data().ID, Dimensions: s.Dimensions, Metric: s.Metric, Pareto: s.Pareto, Unmet: s.Unmet, Runs: s.Runs,
		Recommended: s.Recommended, Front: s.Front, Notes: s.Notes}
	for i := range s.Scenarios {
		w.Scenarios = append(w.Scenarios, s.Scenarios[i].Name)
		w.Seeds = max(w.Seeds, s.Scenarios[i].Seeds)
	}
	for i := range s.Metrics {
		m := &s.Metrics[i]
		w.Metrics = append(w.Metrics, metricWire{m.Name, m.Doc, scalesOf(m.Unit), betterWords(m.Better), m.Mean, m.Interval})
	}
	return w
}

func betterWords(d results.Direction) string {
	switch d {
	case results.LowerBetter:
		return "lower is better"
	case results.HigherBetter:
		return "higher is better"
	}
	return "neither direction is better"
}

// Document makes the page of a sweep: what is recommended and how sure that is,
// the grid, heatmaps and lines over it, the Pareto front, and the table of
// settings.
func (s *Sweep) Document() (*Document, error) {
	lead, err := Fill("sweep_lead.html", s)
	if err != nil {
		return nil, err
	}
	d := &Document{Title: s.Title, Kind: "Sweep", Lead: lead}
	d.Styles = append(ChartStyles(), Asset("sweep.css"))
	d.Scripts = append(gridScripts(), Asset("sweep_front.js"))
	d.Data = []Data{{"sweep-data", s.wire()}, s.Settings.Data()}
	sections := []struct {
		id, title, template string
		shown               bool
	}{
		{"explore", "Over the grid", "sweep_explore.html", len(s.Metrics) > 0 && len(s.Dimensions) > 0},
		{"front", "What is traded", "sweep_front.html", s.Pareto != nil},
		{"settings", "All settings", "", true},
		{"failures", "Runs that failed", "sweep_failures.html", len(s.Failures) > 0},
		{"grid", "This sweep", "sweep_grid.html", true},
	}
	for _, part := range sections {
		if !part.shown {
			continue
		}
		body, err := s.section(part.template)
		if err != nil {
			return nil, fmt.Errorf("section %s: %w", part.id, err)
		}
		d.Sections = append(d.Sections, Section{part.id, part.title, body})
	}
	return d, nil
}

// gridScripts draw the slice of a grid that a reader chooses.
func gridScripts() []string {
	return []string{Asset("chart_format.js"), Asset("sweep.js"), Asset("sweep_sketch.js"), Asset("sweep_heatmap.js"), Asset("sweep_lines.js")}
}

// section fills a template; without one it is the table of settings.
func (s *Sweep) section(name string) (template.HTML, error) {
	if name == "" {
		return s.Settings.Body()
	}
	return Fill(name, s)
}

// Traded names what is traded, for a template.
func (s *Sweep) Traded() string {
	return s.Metrics[s.Pareto[0]].Name + " against " + s.Metrics[s.Pareto[1]].Name
}
