package scenarios

import (
	"rocesim/scenarios/congestion"
	"rocesim/scenarios/grid"
	"rocesim/scenarios/strict"
	"rocesim/sim"
)

// Scenario is one simulation as a user writes it, every default filled in.
type Scenario struct {
	Name        string             `yaml:"name" need:"true" doc:"the name of the run and of its result directory"`
	Question    string             `yaml:"question" doc:"what the run shall answer"`
	Expectation string             `yaml:"expectation" doc:"what is expected, and why"`
	Source      string             `yaml:"source" doc:"where the question and the numbers come from"`
	Seed        uint64             `yaml:"seed" doc:"where all random numbers come from"`
	Stop        Stop               `yaml:"stop" doc:"when the run ends"`
	Fabric      Fabric             `yaml:"fabric" need:"true" doc:"the shape of the network"`
	Switch      Switch             `yaml:"switch" doc:"what the switches are"`
	NIC         NIC                `yaml:"nic" doc:"what the network adapters are"`
	CC          congestion.Control `yaml:"cc" doc:"the congestion control"`
	Workload    []Workload         `yaml:"workload" need:"true" doc:"the list of who sends what to whom"`
	Faults      []Fault            `yaml:"faults" doc:"the list of what goes wrong, and when"`
	Expect      []string           `yaml:"expect" doc:"conditions on the results that decide the exit code"`
	Output      Output             `yaml:"output" doc:"what is recorded"`
	Sweep       *grid.Block        `yaml:"sweep" doc:"what the command sweep tries"`
	Tune        *grid.Tune         `yaml:"tune" doc:"what the command tune searches for, and where"`
	Lint        *Lint              `yaml:"lint" doc:"which findings of the command lint are meant"`

	doc   *strict.Document
	notes []string // of an import
}

// Stop says when a run ends.
type Stop struct {
	Time sim.Time `yaml:"time" oneof:"end" min:"1ns" max:"60s" doc:"the simulated time after which the run ends"`
	When string   `yaml:"when" oneof:"end" enum:"flows-done" doc:"the event that ends the run"`
	Max  sim.Time `yaml:"max" min:"1ns" max:"60s" omit:"zero" doc:"the simulated time after which a run that waits for an event is given up"`
}

// defaultMax is when a run that waits for an event is given up unless the scenario
// says otherwise: far longer than an exchange of gigabytes takes.
const defaultMax = sim.Second

// latest is the instant at which a run ends at the latest.
func (s *Stop) latest() sim.Time {
	switch {
	case s.Time > 0:
		return s.Time
	case s.Max > 0:
		return s.Max
	default:
		return defaultMax
	}
}

// Output says what a run records beside the flow table and the counters.
type Output struct {
	Sample  sim.Time `yaml:"sample" min:"0ns" max:"1s" doc:"the time between two samples of queues and rates; 0ns takes none"`
	Queues  int      `yaml:"queues" min:"0" max:"1000" doc:"how many time series there are of each: the deepest queues, those that marked most, and the busiest links"`
	Plots   []string `yaml:"plots" enum:"fct_cdf|slowdown_by_size|queue_depth|congestion_control|rates|pfc_timeline|link_utilisation|latency_parts" doc:"the plots to draw; [] draws none"`
	Formats []string `yaml:"formats" enum:"png|svg" doc:"the file formats of the plots"`
	Report  bool     `yaml:"report" doc:"whether rocesim run writes report.html, the page about the run"`
}

// defaults returns a scenario as it is before a file is read.
func defaults() *Scenario {
	return &Scenario{
		Seed:   1,
		Stop:   Stop{When: "flows-done", Max: defaultMax},
		Switch: Switch{Preset: "ideal"},
		NIC:    NIC{Preset: "ideal"},
		CC:     congestion.Control{Preset: "connectx"},
		Output: Output{
			Sample:  20 * sim.Microsecond,
			Queues:  8,
			Plots:   []string{"fct_cdf", "slowdown_by_size", "queue_depth", "congestion_control", "rates", "pfc_timeline", "link_utilisation", "latency_parts"},
			Formats: []string{"png", "svg"},
			Report:  true,
		},
	}
}
