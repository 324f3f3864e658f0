package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"rocesim/results"
	"rocesim/results/compare"
	"rocesim/scenarios"
	"rocesim/scenarios/check"
)

// testFlags are the flags of test.
type testFlags struct {
	check.Options
	failOn, junit string
	output        *output
}

func newTest() *cobra.Command {
	f := &testFlags{}
	cmd := &cobra.Command{
		Use:   "test PATH...",
		Short: "Run scenarios, check what they expect and compare with their baselines",
		Long: `Run scenarios, check what they expect, and compare what they measure with their
baselines, which --update writes. PATH is a scenario file, a directory of them, or
a directory and /... for all below it.

The baseline of x.yaml is x.baseline.json beside it. It lists metrics and the change
that each may make, 2% unless it says otherwise: edit it to widen a tolerance or to
leave a metric out. A run whose events are not those of the baseline is told apart
from one whose metrics are not, and does not fail.

Where GITHUB_ACTIONS is true, problems are also written as annotations of the files,
unless the output is JSON.

Exit code 0: all is as it should be. 1: an expectation is not met, a metric is worse
than its tolerance allows (see --fail-on), or a run ended in a stall or deadlock.
2: a scenario or a baseline could not be used. 130: interrupted.`,
		Example: `  rocesim test fabric.yaml
  rocesim test scenarios/... --junit report.xml
  rocesim test fabric.yaml --update
  rocesim test scenarios/... --output json`,
		Args: arguments(1, 1<<20, "scenario files or directories"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&f.Update, "update", false, "write baselines instead of comparing with them")
	flags.StringVar(&f.Baselines, "baselines", "", "keep baselines in `DIR`, by the name of the scenario, not beside the scenarios")
	flags.StringVar(&f.failOn, "fail-on", "worse", "fail if a metric becomes `WHAT` beyond its tolerance: worse, different (in any way) or never")
	flags.StringVar(&f.junit, "junit", "", "write the results to `FILE` as JUnit XML")
	flags.IntVar(&f.Workers, "workers", 0, "simulate `N` scenarios at once; default one per processor")
	f.output = addOutput(cmd)
	return cmd
}

func (f *testFlags) run(cmd *cobra.Command, patterns []string) error {
	if err := oneOf("--fail-on", f.failOn, "worse", "different", "never"); err != nil {
		return err
	}
	if err := checkWorkers(cmd, f.Workers); err != nil {
		return err
	}
	files, err := check.Find(patterns)
	if err != nil {
		return withCopy(patterns, err)
	}
	f.FailOn, f.Tool = compare.Verdict(f.failOn), release
	out := cmd.OutOrStdout()
	var reports []*check.Report
	var total check.Total
	var failed error
	err = check.Files(cmd.Context(), files, f.Options, func(r *check.Report) {
		reports = append(reports, r)
		total.Add(r)
		if f.output.is("json") {
			return
		}
		failed = errors.Join(failed, r.WriteText(out))
		if os.Getenv("GITHUB_ACTIONS") == "true" {
			failed = errors.Join(failed, r.WriteGitHub(out))
		}
	})
	failed = errors.Join(failed, f.output.write(out, check.NewDocument(reports), func(w io.Writer) error {
		_, err := fmt.Fprintln(w, total.String())
		return err
	}))
	if f.junit != "" {
		failed = errors.Join(failed, writeJUnit(f.junit, reports))
	}
	switch {
	case errors.Is(err, context.Canceled):
		return ending{exitInterrupted, fmt.Sprintf("interrupted: %d of %d scenarios were not tested", len(files)-len(reports), len(files))}
	case errors.Join(err, failed) != nil:
		return errors.Join(err, failed)
	case total.Broken > 0:
		return ending{code: exitUsage}
	case total.Failed > 0:
		return ending{code: exitFailed}
	}
	return nil
}

// withCopy tells who names a built-in scenario how it becomes a file, which is
// what a baseline lies beside.
func withCopy(patterns []string, err error) error {
	for _, name := range patterns {
		if scenarios.IsBuiltIn(name) {
			return fmt.Errorf("%w; %[2]s is a built-in scenario: write it here with: rocesim scenarios copy %[2]s", err, name)
		}
	}
	return err
}

// writeJUnit also makes the directory: CI begins with an empty checkout.
func writeJUnit(path string, reports []*check.Report) error {
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = results.WriteFile(path, func(out io.Writer) error { return check.WriteJUnit(out, reports) })
	}
	if err != nil {
		return fmt.Errorf("--junit: %w", err)
	}
	return nil
}
