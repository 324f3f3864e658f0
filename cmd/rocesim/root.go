package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

const welcome = `rocesim simulates lossless RoCEv2 networks packet by packet: what PFC, ECN and
DCQCN do to your traffic before you touch a switch.

Start with a scenario that comes with it:

  rocesim scenarios list               what there is, and what each answers
  rocesim scenarios copy incast-8-1    write incast-8-1.yaml here
  rocesim run incast-8-1.yaml          simulate it, with tables and a report
  rocesim why results/runs/incast-8-1  why it dropped, paused or marked
  rocesim view                         read all reports in your browser

Then change something, check it, or look for the best setting:

  rocesim run incast-8-1.yaml --set cc.preset=paper
  rocesim lint incast-8-1.yaml
  rocesim explain incast-8-1.yaml
  rocesim compare incast-8-1.yaml incast-8-1.yaml --set-b cc.preset=paper
  rocesim sweep incast-8-1.yaml --set switch.lossless.alpha=1/8,1/4,1 --seeds 3

And let your shell and your editor help:

  rocesim completion bash --help       complete commands, fields and values
  rocesim schema -o scenario.schema.json

All commands: rocesim help
`

// group is a heading of the root's help with the commands below it.
type group struct{ id, title, commands string }

func groups() []group {
	return []group{
		{"simulate", "Simulate:", "run test validate"},
		{"study", "Study settings:", "compare sweep tune worker"},
		{"explain", "Explain and check:", "explain headroom lint report view why"},
		{"reference", "Look up:", "completion help man presets scenarios schema version"},
	}
}

// newRoot builds the whole command tree; nothing is shared between two of them.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "rocesim",
		Short: "Simulate lossless RoCEv2 networks packet by packet",
		Long: `rocesim simulates lossless RoCEv2 networks packet by packet: what PFC, ECN and
DCQCN do to traffic before anybody touches a switch.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(cmd.OutOrStdout(), welcome)
			return err
		},
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w\nSee: %s --help", flagProblem(cmd, err), cmd.CommandPath())
	})
	root.AddCommand(newRun(), newSweep(), newTune(), newWorker(), newWhy(), newExplain(), newReport(), newView(), newCompare(), newTest(), newLint(), newValidate(), newHeadroom(), newScenarios(), newPresets(), newSchema(), newMan(), newVersion())
	root.AddCommand(topics()...)
	arrange(root)
	completeAll(root)
	return root
}

// arrange puts the commands below their headings.
func arrange(root *cobra.Command) {
	for _, g := range groups() {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for name := range strings.FieldsSeq(g.commands) {
			if cmd, _, err := root.Find([]string{name}); err == nil && cmd != root {
				cmd.GroupID = g.id
			}
		}
	}
	root.SetHelpCommandGroupID("reference")
	root.SetCompletionCommandGroupID("reference")
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
