package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rocesim/results"
	"rocesim/results/report"
	"rocesim/results/why"
	"rocesim/scenarios"
	"rocesim/scenarios/strict"
)

// runFlags are the flags of run.
type runFlags struct {
	out                     string
	sets                    []string
	seed                    uint64
	quiet, strict           bool
	topology, flows, config string
	output                  *output
}

// runJSON is what run prints as JSON: summary.json, and where it and the page are.
type runJSON struct {
	Dir    string `json:"dir"`
	Report string `json:"report,omitempty"`
	*results.Summary
}

func newRun() *cobra.Command {
	f := &runFlags{}
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Simulate a scenario and write its results",
		Long: `Simulate a scenario and write tables, plots, a summary and report.html, a page to
read in a browser, to a run directory. FILE may also be the name of a built-in
scenario, here and wherever a scenario is asked for.

With --topology and --flows the input files of the HPCC ns-3 simulator take the
place of a scenario: its assumptions hold (presets hpcc-ns3) unless --set changes
them, and fct.txt is written beside the other results.

With --output json the summary is printed as in summary.json, with the run directory.

Exit code 0: done, all expectations met. 1: an expectation was not met.
2: the scenario or an argument is wrong. 3: the simulation found a fatal
condition (a stall or a deadlock; with --strict also a drop in a lossless class).
130: interrupted; what was measured so far is written and marked partial.`,
		Example: `  rocesim run cluster-200.yaml
  rocesim run cluster-200.yaml --set switch.ecn.kmin=200KB --set 'workload[storage].senders=64'
  rocesim run cluster-200.yaml --seed 7 -o seed7
  rocesim run --topology topology.txt --flows flow.txt --config config.txt -o out`,
		Args: f.checkArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.out, "out", "o", "", "write results to `DIR`; default results/runs/<name>, with a hash behind it if --set or --seed is given")
	flags.StringArrayVar(&f.sets, "set", nil, "change a field of the scenario: `PATH=VALUE`, the value in YAML; may be repeated")
	flags.Uint64Var(&f.seed, "seed", 0, "use seed `N` instead of the scenario's")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print neither progress nor summary")
	flags.BoolVar(&f.strict, "strict", false, "end with exit code 3 if a packet of a lossless class was dropped")
	flags.StringVar(&f.topology, "topology", "", "instead of a scenario, read a topology `FILE` of the HPCC ns-3 simulator")
	flags.StringVar(&f.flows, "flows", "", "read its flows from `FILE`")
	flags.StringVar(&f.config, "config", "", "read its configuration from `FILE`")
	f.output = addOutput(cmd)
	return cmd
}

// checkArgs asks for one scenario, as a file or as the files of another
// simulator.
func (f *runFlags) checkArgs(cmd *cobra.Command, args []string) error {
	if f.topology == "" && f.flows == "" && f.config == "" {
		return arguments(1, 1, "one scenario file")(cmd, args)
	}
	if f.topology == "" || f.flows == "" {
		return fmt.Errorf("--topology and --flows belong together\nSee: %s --help", cmd.CommandPath())
	}
	return arguments(0, 0, "no scenario file beside --topology")(cmd, args)
}

// run simulates, writes and judges.
func (f *runFlags) run(cmd *cobra.Command, args []string) error {
	changes := f.changes(cmd)
	sc, imported, err := f.load(args, changes)
	if err != nil {
		return err
	}
	plan, err := sc.Plan()
	if err != nil {
		return err
	}
	dir := f.directory(sc.Name, changes)
	if err := results.CheckDir(dir); err != nil {
		return err
	}
	run, err := f.simulate(cmd, sc, plan, changes)
	if err != nil {
		return err
	}
	run.Manifest.Source = f.source(args)
	summary := results.Summarise(run)
	summary.Why = why.Top(why.Explain(run))
	summary.Expect(plan.Expect, results.NewMetrics(run))
	plots := report.Options{Plots: plan.Output.Plots, Formats: plan.Output.Formats}
	extras := []func(string) error{func(dir string) error { return report.Write(dir, run, plots) }}
	if plan.Output.Report {
		extras = append(extras, func(dir string) error { return writeRunPage(dir, run, &summary, sc) })
	}
	if imported != nil {
		extras = append(extras, func(dir string) error { return imported.WriteFCT(dir, run) })
	}
	if err := results.Write(dir, run, &summary, extras...); err != nil {
		return err
	}
	if err := f.tell(cmd.OutOrStdout(), dir, &summary); err != nil {
		return err
	}
	return f.verdict(run, &summary)
}

// tell prints the summary. As JSON it was asked for, quiet or not.
func (f *runFlags) tell(out io.Writer, dir string, summary *results.Summary) error {
	if f.quiet && f.output.is("text") {
		return nil
	}
	return f.output.write(out, runJSON{dir, pageIn(dir), summary}, func(w io.Writer) error {
		if err := results.WriteText(w, summary); err != nil {
			return err
		}
		return tellPlace(w, dir)
	})
}

// changes are the --set arguments, and what --seed stands for.
func (f *runFlags) changes(cmd *cobra.Command) []string {
	if !cmd.Flags().Changed("seed") {
		return f.sets
	}
	return append(slices.Clone(f.sets), fmt.Sprintf("seed=%d", f.seed))
}

// load reads what is to be simulated. The import is nil unless the flags name
// another simulator's files.
func (f *runFlags) load(args, changes []string) (*scenarios.Scenario, *scenarios.Import, error) {
	if f.topology == "" {
		sc, err := scenarios.Load(args[0], changes)
		if err != nil {
			err = withHint(args[0], err)
		}
		return sc, nil, err
	}
	imported, err := scenarios.ImportHPCC(f.topology, f.flows, f.config, changes)
	if err != nil {
		return nil, nil, err
	}
	return imported.Scenario, imported, nil
}

// source are the arguments that name what is simulated. Directories are left
// out: the results of a file are the same wherever it lies.
func (f *runFlags) source(args []string) []string {
	if f.topology == "" {
		return []string{filepath.Base(args[0])}
	}
	words := []string{"--topology", filepath.Base(f.topology), "--flows", filepath.Base(f.flows)}
	if f.config != "" {
		words = append(words, "--config", filepath.Base(f.config))
	}
	return words
}

// withHint adds to the error about a missing file what may have been meant: a
// built-in scenario, one that is called alike, or another file there.
func withHint(file string, err error) error {
	if _, statErr := os.Stat(file); !errors.Is(statErr, fs.ErrNotExist) || scenarios.IsBuiltIn(file) {
		return err
	}
	name := strings.TrimSuffix(filepath.Base(file), ".yaml")
	_, unknown := scenarios.FindScenario(name)
	switch {
	case unknown == nil:
		return fmt.Errorf("%w\n%[2]s is a built-in scenario: give %[2]s instead of the file, or write it here with: rocesim scenarios copy %[2]s", err, name)
	case filepath.Ext(file) == "" && name == file:
		return fmt.Errorf("%w; %w", err, unknown)
	}
	if near := nearFile(file); near != "" {
		return fmt.Errorf("%w; did you mean %s?", err, near)
	}
	return err
}

// nearFile returns the YAML file beside a missing one that is called most
// alike, or "". Extensions do not count.
func nearFile(file string) string {
	dir := filepath.Dir(file)
	entries, _ := os.ReadDir(dir) // without a directory there is no hint
	files := map[string]string{}
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); ext == ".yaml" || ext == ".yml" {
			files[strings.TrimSuffix(e.Name(), ext)] = filepath.Join(dir, e.Name())
		}
	}
	stem := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	return files[strict.Nearest(stem, slices.Sorted(maps.Keys(files)))]
}

// simulate runs the scenario and shows how far it has come.
func (f *runFlags) simulate(cmd *cobra.Command, sc *scenarios.Scenario, plan *scenarios.Plan, changes []string) (*results.Run, error) {
	opt := scenarios.RunOptions{Tool: version(), Overrides: changes}
	if !f.quiet {
		m := newMeter(cmd.ErrOrStderr(), terminalWidth(cmd.ErrOrStderr()), time.Now)
		defer m.done()
		opt.Progress = func(p scenarios.Progress) {
			if plan.StopWhenDone {
				p.Stop = 0 // only a limit; the run ends whenever the flows do
			}
			m.update(p)
		}
	}
	return scenarios.Run(cmd.Context(), sc, opt)
}

// directory is where results go. Whatever changes the scenario changes the
// name too, so that no run takes the place of one with other values.
func (f *runFlags) directory(name string, changes []string) string {
	if f.out != "" {
		return f.out
	}
	if len(changes) > 0 {
		hash := sha256.Sum256([]byte(strings.Join(changes, "\n")))
		name += fmt.Sprintf("-%x", hash[:4])
	}
	return filepath.Join("results", "runs", name)
}

// verdict is how the command ends.
func (f *runFlags) verdict(run *results.Run, s *results.Summary) error {
	failed := results.Failed(s.Expectations)
	switch {
	case run.Manifest.Stop == results.Interrupted:
		return ending{exitInterrupted, "interrupted: the results are partial"}
	case run.Manifest.Stop == results.Stalled:
		return ending{exitFatal, "the run stalled: " + run.Manifest.Stall}
	case run.Manifest.Stop == results.Deadlocked:
		last := len(run.Manifest.Deadlocks) - 1
		return ending{exitFatal, "the run ended with a " + run.Manifest.Deadlocks[last]}
	case f.strict && s.Verdict.LosslessDrops > 0:
		return ending{exitFatal, s.Verdict.Text}
	case failed > 0:
		return ending{exitFailed, fmt.Sprintf("%d of %d expectations not met", failed, len(s.Expectations))}
	}
	return nil
}
