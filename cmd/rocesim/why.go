package main

import (
	"io"

	"github.com/spf13/cobra"

	"rocesim/results"
	"rocesim/results/why"
)

// whyRows is how many ports the text shows: those nearest to trouble.
const whyRows = 10

func newWhy() *cobra.Command {
	var out *output
	var all bool
	cmd := &cobra.Command{
		Use:   "why RUN",
		Short: "Explain a run: why it dropped, paused or marked, or did not",
		Long: `Explain a run from its run directory: why packets were dropped, why PFC fired or
never did, whether marks slowed the senders down and where that chain broke, which
hop made the slowest messages slow, and why messages are unfinished. Behind that
stand the peaks of ports and priorities against Kmin, Kmax, XOFF and headroom.

RUN is the directory that rocesim run wrote, by default below results/runs.

Exit code 0: done, whatever was found. 2: RUN is no run directory, or it is not complete.`,
		Example: `  rocesim why results/runs/incast-8-1
  rocesim why results/runs/incast-8-1 --all
  rocesim why results/runs/incast-8-1 --output json`,
		Args: arguments(1, 1, "one run directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			run, err := results.Read(args[0])
			if err != nil {
				return err
			}
			report := why.NewReport(run)
			rows := whyRows
			if all {
				rows = -1
			}
			return out.write(cmd.OutOrStdout(), report, func(w io.Writer) error { return report.WriteText(w, rows) })
		},
	}
	out = addOutput(cmd)
	cmd.Flags().BoolVar(&all, "all", false, "show all ports and priorities, not only the first")
	return cmd
}
