package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"rocesim/results/compare"
	"rocesim/scenarios/versus"
)

// compareFlags are the flags of compare.
type compareFlags struct {
	versus.Options
	out, failOn   string
	output        *output
	level, ignore string
	quiet         bool
}

func newCompare() *cobra.Command {
	f := &compareFlags{}
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "Tell whether two configurations differ, by how much, and whether it is chance",
		Long: `Compare two configurations, metric by metric. A and B are scenario files, which are
simulated with several seeds; run directories that rocesim run wrote;
directories with a run directory for each seed; or two sweeps over the same
fields, which are compared setting by setting.

Each metric gets the difference of B from A, an interval over seeds, and a verdict:
better, worse, different (a metric of which neither direction is better) or same.
Runs are one observation each; equal seeds are compared in pairs. The level of the
test is for all metrics together. The fields of the scenario that differ stand
above the table.

Exit code 0: B is the same or better. 1: B is worse (see --fail-on). 2: the input
is wrong. 130: interrupted.`,
		Example: `  rocesim compare old.yaml new.yaml
  rocesim compare incast-32-1.yaml incast-32-1.yaml --set-b switch.ecn.kmin=200KB
  rocesim compare results/runs/before results/runs/after -o report
  rocesim compare a.yaml b.yaml --seeds 20 --metrics fct.p99,pfc.paused_time --output json`,
		Args: arguments(2, 2, "two scenarios, runs or sweeps"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0], args[1]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.IntVar(&f.Seeds, "seeds", 10, "run a scenario with `N` seeds, from that of A upwards")
	flags.StringArrayVar(&f.Sets, "set", nil, "change a field of both scenarios: `PATH=VALUE`; may be repeated")
	flags.StringArrayVar(&f.SetsA, "set-a", nil, "change a field of A only")
	flags.StringArrayVar(&f.SetsB, "set-b", nil, "change a field of B only")
	flags.StringArrayVar(&f.Metrics, "metrics", nil, "compare these metrics, separated by commas, or all; default the main ones")
	flags.StringVar(&f.level, "level", "1%", "the chance of finding any difference between equal configurations")
	flags.StringVar(&f.ignore, "ignore", "1%", "a change up to this counts as none, however sure it is")
	flags.StringVar(&f.failOn, "fail-on", "worse", "end with exit code 1 on `WHAT`: worse, different (in any way) or never")
	flags.StringVarP(&f.out, "out", "o", "", "write report.html, text, JSON, plots and the first run of each side to `DIR`")
	f.output = addOutput(cmd)
	flags.IntVar(&f.Workers, "workers", 0, "simulate `N` runs at once; default one per processor")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "do not show progress")
	return cmd
}

func (f *compareFlags) run(cmd *cobra.Command, a, b string) error {
	if err := errors.Join(f.check(), checkWorkers(cmd, f.Workers)); err != nil {
		return err
	}
	done := func() {}
	if !f.quiet {
		done = runCounter(cmd.ErrOrStderr(), &f.Progress)
	}
	f.Tool = version()
	r, err := versus.Compare(cmd.Context(), a, b, f.Options)
	done()
	if errors.Is(err, context.Canceled) {
		return ending{exitInterrupted, "interrupted: nothing was compared"}
	}
	if err != nil {
		return withHint(b, withHint(a, err))
	}
	if f.out != "" {
		if err := versus.Write(f.out, r); err != nil {
			return err
		}
	}
	text := func(w io.Writer) error { return errors.Join(r.WriteText(w), tellPlace(w, f.out)) }
	if err := f.output.write(cmd.OutOrStdout(), r.Document(f.out), text); err != nil {
		return err
	}
	if r.Fails(compare.Verdict(f.failOn)) {
		return ending{exitFailed, ""}
	}
	return nil
}

// check reads the flags that cobra takes as text.
func (f *compareFlags) check() error {
	if err := oneOf("--fail-on", f.failOn, "worse", "different", "never"); err != nil {
		return err
	}
	var err error
	if f.Compare.Level, err = parseShare("--level", f.level, 0.5); err != nil {
		return err
	}
	if f.Compare.Level == 0 {
		return errors.New("--level is 0, which no difference can reach; allowed: more than 0, as 1%")
	}
	if f.Compare.Ignore, err = parseShare("--ignore", f.ignore, 10); err != nil {
		return err
	}
	f.Metrics = splitMetrics(f.Metrics)
	if f.out != "" {
		return compare.CheckDir(f.out)
	}
	return nil
}

// splitMetrics divides lists at commas that are not in braces.
func splitMetrics(lists []string) []string {
	var names []string
	for _, list := range lists {
		depth, from := 0, 0
		for i, r := range list + "," {
			switch {
			case r == '{':
				depth++
			case r == '}':
				depth--
			case r == ',' && depth <= 0:
				names = append(names, strings.TrimSpace(list[from:i]))
				from = i + 1
			}
		}
	}
	return names
}

// runCounter makes report show how many runs are done, on a terminal only. The
// result clears the line.
func runCounter(out io.Writer, report *func(done, total int)) (clear func()) {
	if terminalWidth(out) == 0 {
		return func() {}
	}
	*report = func(done, total int) { fmt.Fprintf(out, "\r%d of %d runs%s", done, total, eraseRest) }
	return func() { fmt.Fprint(out, "\r", eraseRest) }
}
