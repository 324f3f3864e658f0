package scenarios

import (
	"context"

	"rocesim/results"
	"rocesim/scenarios/model"
	"rocesim/sim"
)

// Progress is how far a run has come.
type Progress = model.Progress

// Memory is what runs of one goroutine can share. The zero value is ready.
type Memory = sim.Memory

// RunOptions are what a run takes beside its scenario.
type RunOptions struct {
	// Tool is the version written into the manifest, Overrides the --set
	// arguments.
	Tool      string
	Overrides []string
	// MetricsOnly leaves out what results.Metrics does not need: time series,
	// and the remarks about deadlocks that could happen. Metrics, events and
	// fingerprint are the same.
	MetricsOnly bool
	// Memory, if not nil, is used by one run after the other, never by two at a
	// time.
	Memory *Memory
	// Progress, if not nil, is called every some ten thousand events.
	Progress func(Progress)
}

// Run simulates a scenario. When ctx is cancelled it returns what was measured
// until then, marked partial. The error is of type Errors: the scenario cannot
// be simulated.
func Run(ctx context.Context, sc *Scenario, opt RunOptions) (*results.Run, error) {
	plan, err := sc.Plan()
	if err != nil {
		return nil, err
	}
	run, err := plan.Run(ctx, opt)
	if err != nil {
		return nil, err
	}
	run.Manifest.Name = sc.Name
	run.Manifest.Question = sc.Question
	run.Manifest.Scenario = string(sc.Resolved())
	return run, nil
}

// Run simulates the plan.
func (p *Plan) Run(ctx context.Context, opt RunOptions) (*results.Run, error) {
	collector := p.collector(opt.MetricsOnly)
	m, err := p.build(collector.Observer(), opt.Memory)
	if err != nil {
		return nil, err
	}
	if err := collector.Attach(m); err != nil {
		return nil, err
	}
	end := m.Run(ctx, model.Stop{Time: p.StopTime, WhenDone: p.StopWhenDone, Max: p.StopTime}, opt.Progress)
	run := collector.Collect(m.Now())
	run.Manifest.Tool = opt.Tool
	run.Manifest.Overrides = opt.Overrides
	run.Manifest.Seed = p.Seed
	run.Manifest.Notes = append(append(run.Manifest.Notes, p.Warnings...), p.Notes...)
	if !opt.MetricsOnly {
		run.Manifest.Notes = append(run.Manifest.Notes, p.DeadlockRisks(false)...)
	}
	run.Manifest.Stop = reasonOf(end)
	if end == model.Stalled {
		run.Manifest.Stall = m.ExplainStall(formatOf())
	}
	run.Manifest.Deadlocks = m.ExplainDeadlocks(formatOf())
	return run, nil
}

// formatOf prints quantities as all results do.
func formatOf() model.Format {
	return model.Format{
		Time:  func(t sim.Time) string { return results.Duration.Format(float64(t)) },
		Bytes: func(n int64) string { return results.Size.Format(float64(n)) },
	}
}

func reasonOf(e model.End) results.StopReason {
	switch e {
	case model.Done:
		return results.Finished
	case model.Cancelled:
		return results.Interrupted
	case model.Stalled:
		return results.Stalled
	case model.Deadlocked:
		return results.Deadlocked
	default:
		return results.StoppedTime
	}
}
