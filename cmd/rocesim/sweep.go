package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"rocesim/scenarios/grid"
	"rocesim/scenarios/sweep"
)

// sweepFlags are the flags of sweep.
type sweepFlags struct {
	studyFlags
	spec            sweep.Spec
	metrics, pareto string
}

func newSweep() *cobra.Command {
	f := &sweepFlags{}
	cmd := &cobra.Command{
		Use:   "sweep FILE...",
		Short: "Simulate a scenario over a grid of settings and seeds",
		Long: `Simulate a scenario over a grid of settings and seeds, and tell which setting is
best, by how much, and whether that is more than chance.

The grid comes from --set, or else from the sweep section of the (first) scenario.
Of several scenarios all are tried. Finished runs are kept below DIR/runs and not
repeated: the same command goes on where an interrupted sweep was, and a larger
grid runs only what is new.

With --listen, rocesim worker on other machines takes part in the runs; with --nats
the workers of a NATS server do all of them.

With --output json the recommended setting of each scenario is printed, and the rows of
settings.csv under the names of its columns.

Exit code 0: done. 1: a run failed; the others are there. 2: the scenario or an
argument is wrong, or the NATS server is away or full. 130: interrupted; what is done
is kept, and the tables are written and marked partial.`,
		Example: `  rocesim sweep incast-32-1.yaml --set switch.ecn.kmin=100KB,200KB,400KB --set switch.lossless.alpha=1/8,1/4,1 --seeds 5
  rocesim sweep incast-32-1.yaml --set 'switch.ecn.kmin={from: 50KB, to: 3200KB, points: 7, log: true}' --objective fct.p99
  rocesim sweep a.yaml b.yaml --set switch.ecn.kmin=100KB,200KB --set switch.ecn.kmax=400KB,800KB --link switch.ecn.kmin,switch.ecn.kmax`,
		Args: arguments(1, 1000, "scenario files"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.spec.Files = args
			return f.run(cmd)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&f.spec.Sets, "set", nil, "an axis: `PATH=VALUE,VALUE,...`, or a range as PATH={from: A, to: B, step: C}; one value changes every run; may be repeated")
	flags.StringArrayVar(&f.spec.Links, "link", nil, "axes that move together instead of being combined: `PATH,PATH`; may be repeated")
	flags.StringVar(&f.spec.Seeds, "seeds", "", "how many seeds each setting is run with, `N`, or a list of them as 3,7,11")
	flags.StringVar(&f.metrics, "metrics", "", "the `METRICS` to draw and to print, as fct.p99,goodput.total")
	flags.StringVar(&f.spec.Objective, "objective", "", "the `METRIC` that the recommended setting is best at, as fct.p99 or \"maximise ecn.marks\"")
	flags.StringVar(&f.pareto, "pareto", "", "two `METRICS` that are traded against each other, as fct.p99,pfc.paused_time")
	f.addTo(cmd)
	return cmd
}

// run sweeps, writes and tells.
func (f *sweepFlags) run(cmd *cobra.Command) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	f.spec.Metrics, f.spec.Pareto = split(f.metrics), split(f.pareto)
	s, err := sweep.Load(f.spec)
	if err != nil {
		return withHint(f.spec.Files[0], err)
	}
	runs, err := s.Runs()
	if err != nil {
		return err
	}
	dir := f.dir(cmd, s.Base().Name)
	crew, err := f.nats.crew(cmd, dir, f.workers, f.fresh)
	if err != nil {
		return err
	}
	defer crew.Close()
	progress, done := f.progress(cmd, crew)
	debug.SetGCPercent(growth(runs))
	out, err := s.Run(cmd.Context(), sweep.Options{
		Dir: dir, Tool: crew.tool, Workers: f.workers, Fresh: f.fresh, Progress: progress, Executor: crew, Note: note(cmd),
	})
	done()
	if out == nil {
		return interruptedOr(cmd.Context(), err)
	}
	o := outcome{written: out, interrupted: out.Interrupted, document: func() any {
		d := out.Document(dir)
		d.Report = pageIn(dir)
		return d
	}}
	if n := out.Failed(); n > 0 {
		o.verdict = ending{exitFailed, fmt.Sprintf("%d runs failed, the others are in the tables", n)}
	}
	return f.end(cmd, dir, s.Base(), o, err)
}

// split cuts a list of metrics, whose labels have commas too.
func split(text string) []string {
	if text == "" {
		return nil
	}
	return grid.SplitCommas(text)
}
