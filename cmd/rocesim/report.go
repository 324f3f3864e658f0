package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"rocesim/results"
	"rocesim/results/compare"
	"rocesim/results/page"
	"rocesim/results/report"
	"rocesim/results/why"
	"rocesim/scenarios"
	"rocesim/scenarios/sweep"
	"rocesim/scenarios/tune"
	"rocesim/scenarios/versus"
)

// reportJSON is what report prints with --output json.
type reportJSON struct {
	Reports []string `json:"reports"`
}

func newReport() *cobra.Command {
	var out *output
	cmd := &cobra.Command{
		Use:   "report RUN...",
		Short: "Make report.html and the plots of finished runs again",
		Long: `Make the page report.html of finished runs again, and their plots, from the tables
in the run directories: after an update of rocesim, or where the run was made
with output.report: false. The page opens in any browser, without a network: it
says whether the fabric stayed lossless, where PFC fired first and why, and which
flows suffered, and shows charts, the network, all tables and the scenario.

RUN is a directory that rocesim run wrote, by default below results/runs, or one of
rocesim compare, or of sweep or tune, of which only the page is made again. Nothing is
simulated, and no table is changed. A directory that is not complete, was changed by
hand or comes from another version of the format is refused.

Exit code 0: done. 2: a directory cannot be shown; the others are done.`,
		Example: `  rocesim report results/runs/incast-8-1
  rocesim report results/runs/*`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("%s takes run directories, got none\nSee: %s --help", cmd.CommandPath(), cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			made := reportJSON{Reports: []string{}}
			var failed error
			for _, dir := range args {
				if err := remakeReport(dir, cmd.ErrOrStderr()); err != nil {
					failed = errors.Join(failed, err)
					continue
				}
				made.Reports = append(made.Reports, filepath.Join(dir, results.ReportFile))
			}
			err := out.write(cmd.OutOrStdout(), made, func(w io.Writer) error {
				for _, file := range made.Reports {
					fmt.Fprintf(w, "report in %s\n", file)
				}
				return nil
			})
			return errors.Join(failed, err)
		},
	}
	out = addOutput(cmd)
	return cmd
}

// remakeReport makes page and plots of a run directory again. What cannot be
// shown is said on warnings.
func remakeReport(dir string, warnings io.Writer) error {
	if sweep.IsDir(dir) {
		return sweep.WritePage(dir)
	}
	if tune.IsDir(dir) {
		return tune.WritePage(dir)
	}
	if compare.IsDir(os.DirFS(dir), ".") {
		c, err := versus.Read(dir)
		if err != nil {
			return err
		}
		return versus.Remake(dir, c)
	}
	run, err := results.Read(dir)
	if err != nil {
		return err
	}
	summary := results.Summarise(run)
	sc, err := scenarioOf(run, dir)
	if err == nil {
		err = judgeAgain(run, &summary, sc, dir)
	}
	if errors.As(err, &scenarios.Errors{}) {
		fmt.Fprintf(warnings, "rocesim: %s: without expectations and new plots, because this version cannot read the scenario of the run:\n%v\n", dir, err)
		err = nil
	}
	if err != nil {
		return err
	}
	doc, err := runPage(run, &summary, sc)
	if err != nil {
		return err
	}
	return results.WriteReport(dir, doc.Write)
}

// scenarioOf reads the scenario that the manifest of a run holds. The error is
// of type scenarios.Errors.
func scenarioOf(run *results.Run, dir string) (*scenarios.Scenario, error) {
	return scenarios.Parse(filepath.Join(dir, "manifest.json (scenario)"), []byte(run.Manifest.Scenario), nil)
}

// judgeAgain evaluates the expectations of a run's scenario and draws its plots.
func judgeAgain(run *results.Run, summary *results.Summary, sc *scenarios.Scenario, dir string) error {
	plan, err := sc.Plan()
	if err != nil {
		return err
	}
	summary.Expect(plan.Expect, results.NewMetrics(run))
	return report.Write(dir, run, report.Options{Plots: plan.Output.Plots, Formats: plan.Output.Formats})
}

// writeRunPage writes the page of a run into its directory while that is made.
func writeRunPage(dir string, run *results.Run, summary *results.Summary, sc *scenarios.Scenario) error {
	doc, err := runPage(run, summary, sc)
	if err != nil {
		return err
	}
	return results.WriteFile(filepath.Join(dir, results.ReportFile), doc.Write)
}

// runPage makes the page of a run; sc is nil if its scenario cannot be read.
func runPage(run *results.Run, summary *results.Summary, sc *scenarios.Scenario) (*page.Document, error) {
	extra := page.Extra{Summary: summary}
	if sc != nil {
		for _, d := range sc.PresetDifferences() {
			extra.Differences = append(extra.Differences, page.Difference{Path: d.Path, Value: d.A, Preset: d.B})
		}
	}
	return page.Run(run, why.NewReport(run), extra)
}
