package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"rocesim/scenarios"
)

// release is that of the CHANGELOG's newest section, or of the next release
// while that section is "Unreleased".
const release = "0.1.0"

// version is the release and the version of the model, which changes whenever
// results do: runs that were made with different ones are not mixed.
func version() string { return release + "+" + scenarios.ModelVersion() }

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of rocesim and what it was built with",
		Args:  arguments(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "rocesim %s (%s, %s/%s)\n",
				version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
