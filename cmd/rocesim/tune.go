package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"rocesim/scenarios/sweep"
	"rocesim/scenarios/tune"
)

// tuneFlags are the flags of tune.
type tuneFlags struct {
	studyFlags
	spec tune.Spec
}

func newTune() *cobra.Command {
	f := &tuneFlags{}
	cmd := &cobra.Command{
		Use:   "tune FILE",
		Short: "Search for the setting of a scenario that is best at a metric",
		Long: `Search for the setting of a scenario that is best at a metric, or at a weighted sum of
metrics, and meets conditions, with a given number of runs.

What is searched for comes from the flags and from the tune section of the scenario.
Every setting has to meet the scenario's expect clauses and those of --subject, with
every seed. Finished runs are kept below DIR/runs and not repeated: the same command
goes on where an interrupted search was, and a larger budget begins with all of a
smaller one's runs that it needs again.

With --output json the verdict, the scenario as it is and the best setting are printed
with their values and metrics.

Exit code 0: done, also if nothing better was found, which is said. 1: no setting that
meets the conditions was found. 2: the scenario or an argument is wrong. 130:
interrupted; what is done is kept.`,
		Example: `  rocesim tune incast-32-1.yaml --param switch.ecn.kmin=20KB..2MB:log --param switch.ecn.pmax=1%..100%:log --minimise fct.p99 --budget 60 --seeds 3
  rocesim tune storage-incast.yaml --param switch.ecn.kmin=50KB..2MB:log --minimise 'fct.p99{workload=storage}' --minimise pfc.paused_time --weight pfc.paused_time=0.1 --subject 'drops.lossless == 0'`,
		Args: arguments(1, 1, "one scenario file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.spec.File = args[0]
			return f.run(cmd)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&f.spec.Params, "param", nil, "a field to set, and to what: `PATH=LOW..HIGH`, PATH=LOW..HIGH:log, PATH=LOW..HIGH:integer or PATH=VALUE,VALUE,...; may be repeated")
	flags.StringArrayVar(&f.spec.Minimise, "minimise", nil, "the `METRIC` to make small, as fct.p99; several are added up, each divided by its value in the scenario as it is")
	flags.StringArrayVar(&f.spec.Maximise, "maximise", nil, "the `METRIC` to make large, as goodput.total")
	flags.StringArrayVar(&f.spec.Weights, "weight", nil, "how much a metric counts: `METRIC=WEIGHT`; default 1")
	flags.StringArrayVar(&f.spec.Subject, "subject", nil, "a `CLAUSE` that has to hold, as 'drops.lossless == 0'; may be repeated")
	flags.IntVar(&f.spec.Budget, "budget", 0, "how many runs the search may take; default 60")
	flags.StringVar(&f.spec.Seeds, "seeds", "", "how many seeds each setting is run with, `N`, or a list of them as 3,7,11")
	flags.StringArrayVar(&f.spec.Sets, "set", nil, "change every run: `PATH=VALUE`; may be repeated")
	f.addTo(cmd)
	return cmd
}

// run searches, writes and tells.
func (f *tuneFlags) run(cmd *cobra.Command) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	if f.spec.Budget <= 0 && cmd.Flags().Changed("budget") {
		return fmt.Errorf("--budget is %d, allowed are %d runs for each seed and more", f.spec.Budget, tune.LeastSettings)
	}
	p, err := tune.Load(f.spec)
	if err != nil {
		return withHint(f.spec.File, err)
	}
	dir := f.dir(cmd, p.Base().Name)
	crew, err := f.nats.crew(cmd, dir, f.workers, f.fresh)
	if err != nil {
		return err
	}
	defer crew.Close()
	progress, done := f.progress(cmd, crew)
	debug.SetGCPercent(sweepGC)
	out, err := p.Run(cmd.Context(), tune.Options{
		Dir: dir, Tool: crew.tool, Fresh: f.fresh, Executor: crew, Note: note(cmd),
		Progress: func(p tune.Progress) { progress(sweep.Progress{Done: p.Done, Found: p.Found, Runs: p.Budget}) },
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
	if !out.Met() {
		o.verdict = ending{exitFailed, "no setting that meets the conditions was found"}
	}
	return f.end(cmd, dir, p.Base(), o, err)
}
