package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"rocesim/results"
	"rocesim/scenarios"
	"rocesim/scenarios/check"
	"rocesim/scenarios/lint"
	"rocesim/scenarios/rules"
)

func newLint() *cobra.Command {
	var sets []string
	var severity string
	var out *output
	cmd := &cobra.Command{
		Use:   "lint FILE...",
		Short: "Find operators' mistakes in scenarios without simulating them",
		Long: `Find operators' mistakes in scenarios without simulating them: classes that differ
from hop to hop, PFC or headroom that cannot keep a class lossless, ECN that comes
after PFC, DCQCN that is half configured, watchdogs and time-outs that do not fit
together, paths that polarise, buffers that can deadlock.

Each finding has a code, its place in the file, the arithmetic and the remedy; equal
findings of many switches are one. What is meant goes into the scenario's lint.ignore,
with a reason.

FILE may be a directory of scenarios, and a directory and /... for all below it.

The exit code is 0 without findings, 1 with findings of the severity or worse, and 2
if a file cannot be read as a scenario.`,
		Example: `  rocesim lint cluster-200.yaml
  rocesim lint dscp-not-mapped --severity info
  rocesim lint scenarios/... --set switch.preset=sonic-tomahawk3 --output json`,
		Args: arguments(1, 1<<20, "scenario files or names of built-in scenarios"),
		RunE: func(cmd *cobra.Command, files []string) error {
			least, err := rules.ParseSeverity(severity)
			if err != nil {
				return fmt.Errorf("--severity: %w", err)
			}
			if files, err = filesBelow(files); err != nil {
				return err
			}
			reports, broken := lintFiles(cmd, files, sets, least)
			if err := writeReports(cmd.OutOrStdout(), out, reports); err != nil {
				return err
			}
			return lintEnding(reports, broken)
		},
	}
	cmd.Flags().StringArrayVar(&sets, "set", nil, "change a field of each scenario first: `PATH=VALUE`")
	cmd.Flags().StringVar(&severity, "severity", rules.Warning.String(), "the mildest `SEVERITY` to report: "+strings.Join(rules.Severities(), ", "))
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("severity", cobra.FixedCompletions(rules.Severities(), cobra.ShellCompDirectiveNoFileComp)))
	out = addOutput(cmd, "github")
	return cmd
}

// filesBelow puts the scenarios of a directory in its place, as rocesim test does.
func filesBelow(args []string) ([]string, error) {
	var files []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		if !strings.HasSuffix(arg, "...") && (err != nil || !info.IsDir()) {
			files = append(files, arg)
			continue
		}
		found, err := check.Find([]string{arg})
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	return files, nil
}

// lintFiles checks all files; broken counts those that are no scenarios, whose
// errors are printed.
func lintFiles(cmd *cobra.Command, files, sets []string, least rules.Severity) (reports []lint.Report, broken int) {
	reports = []lint.Report{}
	for _, file := range files {
		plan, err := lintPlan(file, sets)
		if err != nil {
			cmd.PrintErrln(err)
			broken++
			continue
		}
		reports = append(reports, lint.NewReport(file, lint.Check(plan), least))
	}
	return reports, broken
}

// lintPlan resolves a scenario.
func lintPlan(file string, sets []string) (*scenarios.Plan, error) {
	sc, err := scenarios.Load(file, sets)
	if err != nil {
		return nil, withHint(file, err)
	}
	return sc.Plan()
}

// writeReports prints what was found in the format asked for.
func writeReports(out io.Writer, format *output, reports []lint.Report) error {
	if format.is("json") {
		return results.EncodeJSON(out, reports)
	}
	for i := range reports {
		write := reports[i].WriteText
		if format.is("github") {
			write = reports[i].WriteGitHub
		}
		if err := write(out); err != nil {
			return err
		}
	}
	if format.is("github") || len(reports) == 0 {
		return nil
	}
	_, err := fmt.Fprintln(out, lintSummary(reports))
	return err
}

// lintSummary counts the findings.
func lintSummary(reports []lint.Report) string {
	count := map[rules.Severity]int{}
	below := 0
	for i := range reports {
		below += reports[i].Below
		for _, f := range reports[i].Findings {
			count[f.Severity]++
		}
	}
	text := fmt.Sprintf("%s in %s", counted(count), number(len(reports), "scenario"))
	if below > 0 {
		text += fmt.Sprintf("; %d milder not shown, --severity info shows all", below)
	}
	return text
}

// counted lists the numbers of findings, the worst first.
func counted(count map[rules.Severity]int) string {
	var list []string
	for _, s := range []rules.Severity{rules.Error, rules.Warning, rules.Info} {
		if n := count[s]; n > 0 {
			list = append(list, number(n, s.String()))
		}
	}
	if list == nil {
		return "no findings"
	}
	return strings.Join(list, ", ")
}

// number is a count with its noun, in the plural where it is not one.
func number(n int, noun string) string {
	if n != 1 && noun != rules.Info.String() {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// lintEnding is the exit code: bad files weigh more than findings.
func lintEnding(reports []lint.Report, broken int) error {
	if broken > 0 {
		return ending{code: exitUsage}
	}
	for i := range reports {
		if len(reports[i].Findings) > 0 {
			return ending{code: exitFailed}
		}
	}
	return nil
}
