package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"rocesim/results"
	"rocesim/scenarios"
	"rocesim/scenarios/rules"
	"rocesim/scenarios/sweep"
	"rocesim/scenarios/tune"
)

// validation is what validate found in one file, as JSON has it.
type validation struct {
	File string `json:"file"`
	OK   bool   `json:"ok"`
	// Errors are in the order of the file. Warnings are mistakes that a run
	// survives.
	Errors   []problem `json:"errors"`
	Warnings []problem `json:"warnings"`
}

// problem is one error or warning and its place. Line is 0 for what a flag set,
// which File then names, and for a file as a whole.
type problem struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// Path is the field, if it is about one. Code is that of a warning that
	// rocesim lint gives too.
	Path string `json:"path,omitempty"`
	Code string `json:"code,omitempty"`
	// Message says what was read and what is allowed, which Allowed repeats if
	// the message says it.
	Message string `json:"message"`
	Allowed string `json:"allowed,omitempty"`
}

// validateFlags are the flags of validate.
type validateFlags struct {
	sets     []string
	failures bool
	output   *output
}

func newValidate() *cobra.Command {
	f := &validateFlags{}
	cmd := &cobra.Command{
		Use:   "validate FILE...",
		Short: "Check scenarios without simulating them",
		Long: `Check scenarios without simulating them. All errors of all files are printed,
each with its place, what was read and what is allowed. What follows from a value
is checked once that is right: names of hosts and switches once the fabric is, what
a preset's values mean together once its name is, and the sections sweep and tune
(unless --set changes the scenario) once the rest of the file is. Warnings are
mistakes that a run survives, and buffers that can wait for each other in a circle,
so that the fabric could deadlock. FILE may be a directory of scenarios, and a
directory and /... for all below it.

With --output json the result is a list with an element for each file: errors and
warnings with file, line, column, path, message and what is allowed.

Exit code 0: no file has an error, warnings or not. 2: a file has an error or cannot
be read.`,
		Example: `  rocesim validate cluster-200.yaml
  rocesim validate scenarios/... --set switch.ecn.kmin=200KB
  rocesim validate fabric.yaml --failures --output json`,
		Args: arguments(1, 1<<20, "scenario files"),
		RunE: func(cmd *cobra.Command, files []string) error { return f.run(cmd, files) },
	}
	cmd.Flags().StringArrayVar(&f.sets, "set", nil, "change a field of each scenario first: `PATH=VALUE`")
	cmd.Flags().BoolVar(&f.failures, "failures", false, "look for possible deadlocks also after each failure of a link between switches")
	f.output = addOutput(cmd)
	return cmd
}

// run checks all files; as text each is told of at once.
func (f *validateFlags) run(cmd *cobra.Command, files []string) error {
	files, err := filesBelow(files)
	if err != nil {
		return err
	}
	failed := false
	all := []validation{}
	for _, file := range files {
		v, err := f.check(file)
		failed = failed || !v.OK
		all = append(all, v)
		if f.output.is("text") {
			printValidation(cmd, &v, err)
		}
	}
	if f.output.is("json") {
		if err := results.EncodeJSON(cmd.OutOrStdout(), all); err != nil {
			return err
		}
	}
	if failed {
		return ending{code: exitUsage}
	}
	return nil
}

// check checks one file. The error has its errors as text.
func (f *validateFlags) check(file string) (validation, error) {
	v := validation{File: file, Errors: []problem{}, Warnings: []problem{}}
	sc, err := scenarios.Load(file, f.sets)
	if err != nil {
		err = withHint(file, err)
		v.Errors = problems(file, err)
		return v, err
	}
	plan, err := sc.Plan()
	if err == nil && len(f.sets) == 0 { // what they change is not what a study would run
		err = checkStudies(file, sc)
	}
	if err != nil {
		v.Errors = problems(file, err)
		return v, err
	}
	v.OK = true
	for i := range plan.Findings {
		v.Warnings = append(v.Warnings, warning(plan, &plan.Findings[i]))
	}
	for _, risk := range plan.DeadlockRisks(f.failures) {
		v.Warnings = append(v.Warnings, problem{File: file, Message: risk})
	}
	return v, nil
}

// checkStudies checks what the sections sweep and tune of a scenario would run.
func checkStudies(file string, sc *scenarios.Scenario) error {
	if sc.Sweep != nil && len(sc.Sweep.Axes)+len(sc.Sweep.Scenarios) > 0 {
		s, err := sweep.Load(sweep.Spec{Files: []string{file}})
		if err == nil {
			err = s.Check()
		}
		if err != nil {
			return err
		}
	}
	if sc.Tune != nil && len(sc.Tune.Params) > 0 {
		_, err := tune.Load(tune.Spec{File: file})
		return err
	}
	return nil
}

func printValidation(cmd *cobra.Command, v *validation, err error) {
	if err != nil {
		cmd.PrintErrln(err)
		return
	}
	for _, w := range v.Warnings {
		cmd.PrintErrf("%s: warning: %s\n", v.File, w.Message)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: ok\n", v.File)
}

// problems are the errors of a file.
func problems(file string, err error) []problem {
	var errs scenarios.Errors
	if !errors.As(err, &errs) {
		return []problem{{File: file, Message: err.Error()}}
	}
	var all []problem
	for _, e := range errs {
		all = append(all, problem{
			File: e.Pos.File, Line: e.Pos.Line, Column: e.Pos.Col, Path: e.Path, Message: e.Text, Allowed: allowed(e.Text),
		})
	}
	return all
}

func warning(plan *scenarios.Plan, f *rules.Finding) problem {
	pos := plan.Place(f.Path)
	return problem{File: pos.File, Line: pos.Line, Column: pos.Col, Path: f.Path, Code: f.Rule.Code, Message: f.Sentence()}
}

// allowed is what a message says is allowed, or empty.
func allowed(text string) string {
	_, after, found := strings.Cut(text, "allowed: ")
	switch {
	case found && strings.Contains(text, "(allowed: "):
		list, _, _ := strings.Cut(after, ")")
		return list
	case found:
		return after
	}
	_, after, _ = strings.Cut(text, "outside the allowed ")
	return after
}
