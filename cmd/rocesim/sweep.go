package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"rocesim/scenarios"
	"rocesim/scenarios/grid"
	"rocesim/scenarios/sweep"
)

// sweepFlags are the flags of sweep.
type sweepFlags struct {
	out             string
	spec            sweep.Spec
	metrics, pareto string
	workers         int
	quiet, fresh    bool
	nats            natsFlags
	output          *output
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
	flags.IntVar(&f.workers, "workers", 0, "simulate `N` runs at a time; default one for each processor")
	flags.StringVar(&f.metrics, "metrics", "", "the `METRICS` to draw and to print, as fct.p99,goodput.total")
	flags.StringVar(&f.spec.Objective, "objective", "", "the `METRIC` that the recommended setting is best at, as fct.p99 or \"maximise ecn.marks\"")
	flags.StringVar(&f.pareto, "pareto", "", "two `METRICS` that are traded against each other, as fct.p99,pfc.paused_time")
	flags.StringVarP(&f.out, "out", "o", "", "write results to `DIR`; default results/runs/<name>-sweep")
	flags.BoolVar(&f.fresh, "fresh", false, "repeat finished runs too")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print neither progress nor summary")
	f.nats.addExecutor(cmd)
	f.output = addOutput(cmd)
	return cmd
}

// run sweeps, writes and tells.
func (f *sweepFlags) run(cmd *cobra.Command) error {
	if err := checkWorkers(f.workers); err != nil {
		return err
	}
	f.spec.Metrics, f.spec.Pareto = split(f.metrics), split(f.pareto)
	s, err := sweep.Load(f.spec)
	if err != nil {
		return withHint(f.spec.Files[0], err)
	}
	dir := f.out
	if dir == "" {
		dir = filepath.Join("results", "runs", s.Base().Name+"-sweep")
	}
	crew, err := f.nats.crew(cmd, dir, f.workers, f.fresh)
	if err != nil {
		return err
	}
	defer crew.Close()
	progress := func(sweep.Progress) {}
	if !f.quiet {
		m := newSweepMeter(newMeter(cmd.ErrOrStderr(), terminalWidth(cmd.ErrOrStderr()), time.Now))
		defer m.meter.done()
		if crew.coordinator != nil {
			m.workers = crew.workers.Load
		}
		progress = m.update
	}
	// Many runs share one heap: with room to grow they collect garbage less
	// often than a single run has to.
	runs, err := s.Runs()
	if err != nil {
		return err
	}
	debug.SetGCPercent(growth(runs))
	out, err := s.Run(cmd.Context(), sweep.Options{
		Dir: dir, Tool: crew.tool, Workers: f.workers, Fresh: f.fresh, Progress: progress, Executor: crew,
		Note: func(text string) { cmd.PrintErrf("rocesim: note: %s\n", text) },
	})
	if out == nil {
		return interruptedOr(cmd.Context(), err)
	}
	err = kept(err, dir, out.Write(dir, formats(s.Base())))
	tell := func() error {
		document := func() any {
			d := out.Document(dir)
			d.Report = pageIn(dir)
			return d
		}
		return f.output.tell(cmd.OutOrStdout(), f.quiet, dir, document, out.Summary)
	}
	return conclude(err, tell, out.Interrupted, func() error {
		if out.Failed() > 0 {
			return ending{exitFailed, fmt.Sprintf("%d runs failed, the others are in the tables", out.Failed())}
		}
		return nil
	})
}

// sweepGC is the growth of the heap in percent before garbage is collected.
const sweepGC = 400

// growth is sweepGC, unless what is kept of so many runs is large itself.
func growth(runs int) int {
	const many = 20_000 // some 20 MB
	if runs > many {
		return 100
	}
	return sweepGC
}

// checkWorkers checks the number of --workers.
func checkWorkers(n int) error {
	if n < 0 {
		return fmt.Errorf("--workers is %d, allowed are 0, one for each processor, and more", n)
	}
	return nil
}

// conclude is how a sweep or a search ends that has something to show: err is what
// kept it from its end or from being written; then it tells and judges.
func conclude(err error, tell func() error, stopped bool, judge func() error) error {
	if err == nil {
		err = tell()
	}
	switch {
	case err != nil:
		return err
	case stopped:
		return interrupted()
	}
	return judge()
}

// interrupted is the end of a command that keeps what it has done.
func interrupted() error {
	return ending{exitInterrupted, "interrupted: finished runs are kept, the same command goes on"}
}

// interruptedOr is err, unless it only says that the command was interrupted
// before there was anything to show.
func interruptedOr(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return interrupted()
	}
	return err
}

// kept adds to an error that ended a sweep or a search what is there
// nevertheless; unwritten is why its tables are not.
func kept(err error, dir string, unwritten error) error {
	switch {
	case err == nil:
		return unwritten
	case unwritten != nil:
		return fmt.Errorf("%w\n%w; the same command goes on", err, unwritten)
	}
	return fmt.Errorf("%w\nfinished runs are kept in %s, and the tables are of them; the same command goes on", err, dir)
}

// formats are those of the plots; none if the scenario wants no plots.
func formats(sc *scenarios.Scenario) []string {
	if len(sc.Output.Plots) == 0 {
		return nil
	}
	return sc.Output.Formats
}

// split cuts a list of metrics, whose labels have commas too.
func split(text string) []string {
	if text == "" {
		return nil
	}
	return grid.SplitCommas(text)
}
