package main

import (
	"github.com/spf13/cobra"

	"rocesim/scenarios"
	"rocesim/scenarios/explain"
)

func newExplain() *cobra.Command {
	var sets []string
	cmd := &cobra.Command{
		Use:   "explain FILE",
		Short: "Show the numbers that decide how a scenario behaves, without simulating",
		Long: `Show what can be known about a scenario before it is simulated, with the arithmetic
of every figure, what it means, and what to do if it is bad: latency and BDP of the
paths, headroom needed and configured, XOFF and ECN thresholds as groups fill, where
DCQCN settles, how flows fall on equal-cost ways, possible deadlocks, and what a run
would cost.

Exit code 0: explained, whatever the numbers. 2: the scenario or an argument is
wrong.`,
		Example: `  rocesim explain cluster-200.yaml
  rocesim explain cluster-200.yaml --set switch.lossless.alpha=1/8
  rocesim explain cluster-200.yaml --output json`,
		Args: arguments(1, 1, "one scenario file"),
	}
	var out *output
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		sc, err := scenarios.Load(args[0], sets)
		if err != nil {
			return withHint(args[0], err)
		}
		plan, err := sc.Plan()
		if err != nil {
			return err
		}
		report := explain.New(plan, sc.Question)
		return out.write(cmd.OutOrStdout(), report, report.WriteText)
	}
	out = addOutput(cmd)
	cmd.Flags().StringArrayVar(&sets, "set", nil, "change a field of the scenario: `PATH=VALUE`, the value in YAML; may be repeated")
	return cmd
}
