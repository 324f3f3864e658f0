package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"rocesim/scenarios"
)

func newValidate() *cobra.Command {
	var sets []string
	var failures bool
	cmd := &cobra.Command{
		Use:   "validate FILE...",
		Short: "Check scenarios without simulating them",
		Long: `Check scenarios without simulating them. All errors of all files are printed,
each with its place, what was read and what is allowed; warnings are mistakes
that a run survives, and buffers that can wait for each other in a circle, so
that the fabric could deadlock. The exit code is 2 if any file has an error.`,
		Example: `  rocesim validate cluster-200.yaml
  rocesim validate scenarios/*.yaml --set switch.ecn.kmin=200KB`,
		Args: arguments(1, 1<<20, "scenario files"),
		RunE: func(cmd *cobra.Command, files []string) error {
			failed := false
			for _, file := range files {
				failed = !validate(cmd, file, sets, failures) || failed
			}
			if failed {
				return ending{code: exitUsage}
			}
			return nil
		},
	}
	cmd.Flags().StringArrayVar(&sets, "set", nil, "change a field of each scenario first: `PATH=VALUE`")
	cmd.Flags().BoolVar(&failures, "failures", false, "look for possible deadlocks also after each failure of a link between switches")
	return cmd
}

// validate checks one file and reports whether it is good.
func validate(cmd *cobra.Command, file string, sets []string, failures bool) bool {
	sc, err := scenarios.Load(file, sets)
	if err != nil {
		cmd.PrintErrln(err)
		return false
	}
	plan, err := sc.Plan()
	if err != nil {
		cmd.PrintErrln(err)
		return false
	}
	for _, w := range append(plan.Warnings, plan.DeadlockRisks(failures)...) {
		cmd.PrintErrf("%s: warning: %s\n", file, w)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: ok\n", file)
	return true
}
