package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"rocesim/scenarios"
	"rocesim/scenarios/sweep"
)

// studyFlags are the flags that sweep and tune have in common: both have many
// runs executed, here or elsewhere, and go on where they were interrupted.
type studyFlags struct {
	out          string
	workers      int
	quiet, fresh bool
	nats         natsFlags
	output       *output
}

// addTo adds the flags; results are by default in a directory called after
// scenario and command.
func (f *studyFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVar(&f.workers, "workers", 0, "simulate `N` runs at a time; default one for each processor; 0, with --listen, leaves all to others")
	flags.StringVarP(&f.out, "out", "o", "", "write results to `DIR`; default results/runs/<name>-"+cmd.Name())
	flags.BoolVar(&f.fresh, "fresh", false, "repeat finished runs too")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print neither progress nor summary")
	f.nats.addExecutor(cmd)
	f.output = addOutput(cmd)
}

// check looks at the number of workers, which may be 0 if there are others.
func (f *studyFlags) check(cmd *cobra.Command) error {
	if f.workers == 0 && f.nats.listen+f.nats.server.URL != "" {
		return nil
	}
	return checkWorkers(cmd, f.workers)
}

// checkWorkers checks the number of --workers, of which the default is 0.
func checkWorkers(cmd *cobra.Command, n int) error {
	if n < 0 || n == 0 && cmd.Flags().Changed("workers") {
		return fmt.Errorf("--workers is %d, allowed are 1 and more; without it one for each processor", n)
	}
	return nil
}

// dir is the directory of results of a scenario.
func (f *studyFlags) dir(cmd *cobra.Command, name string) string {
	if f.out != "" {
		return f.out
	}
	return filepath.Join("results", "runs", name+"-"+cmd.Name())
}

// progress tells how far the runs of a crew are, until done is called.
func (f *studyFlags) progress(cmd *cobra.Command, crew *crew) (update func(sweep.Progress), done func()) {
	if f.quiet {
		return func(sweep.Progress) {}, func() {}
	}
	m := newSweepMeter(newMeter(cmd.ErrOrStderr(), terminalWidth(cmd.ErrOrStderr()), time.Now))
	if crew.coordinator != nil {
		m.workers = crew.workers.Load
	}
	return m.update, m.meter.done
}

// outcome is what a study came to.
type outcome struct {
	written
	// document is the outcome for programs.
	document    func() any
	interrupted bool
	// verdict is how the command ends if nothing else is wrong.
	verdict error
}

// written is an outcome that can be written and told.
type written interface {
	Write(dir string, formats []string) error
	Summary() string
}

// end writes an outcome and tells of it. err is what kept the study from its end.
func (f *studyFlags) end(cmd *cobra.Command, dir string, base *scenarios.Scenario, o outcome, err error) error {
	err = kept(err, dir, o.Write(dir, formats(base)))
	if err == nil {
		err = f.output.tell(cmd.OutOrStdout(), f.quiet, dir, o.document, o.Summary)
	}
	switch {
	case err != nil:
		return err
	case o.interrupted:
		return interrupted()
	}
	return o.verdict
}

// sweepGC is the growth of the heap in percent before garbage is collected: many
// runs share one heap, and with room to grow they collect garbage less often than
// a single run has to.
const sweepGC = 400

// growth is sweepGC, unless what is kept of so many runs is large itself.
func growth(runs int) int {
	const many = 20_000 // some 20 MB
	if runs > many {
		return 100
	}
	return sweepGC
}

// note prints a remark that is no result.
func note(cmd *cobra.Command) func(string) {
	return func(text string) { cmd.PrintErrf("rocesim: note: %s\n", text) }
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
