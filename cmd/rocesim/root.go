package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

const welcome = `rocesim simulates lossless RoCEv2 networks packet by packet: what PFC, ECN and
DCQCN do to your traffic before you touch a switch.

Start with a scenario that comes with it:

  rocesim scenarios list             what there is, and the question each answers
  rocesim scenarios copy incast-8-1  write incast-8-1.yaml here
  rocesim run incast-8-1.yaml        simulate it; plots and tables go to results/runs/

Then change something and look again:

  rocesim run incast-8-1.yaml --set switch.ecn.kmin=200KB

All commands: rocesim help
`

// newRoot builds the whole command tree; nothing is shared between two of them.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "rocesim",
		Short:         "Simulate lossless RoCEv2 networks packet by packet",
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(cmd.OutOrStdout(), welcome)
			return err
		},
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w\nSee: %s --help", err, cmd.CommandPath())
	})
	root.AddCommand(newRun(), newSweep(), newTune(), newWorker(), newWhy(), newReport(), newCompare(), newTest(), newLint(), newValidate(), newHeadroom(), newScenarios(), newPresets(), newVersion())
	return root
}

// arguments checks the number of a command's arguments; what says what they
// are.
func arguments(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) >= least && len(args) <= most {
			return nil
		}
		return fmt.Errorf("%s takes %s, got %d\nSee: %s --help", cmd.CommandPath(), what, len(args), cmd.CommandPath())
	}
}
