package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

// version is that of the CHANGELOG's newest section, or of the next release
// while that section is "Unreleased".
const version = "0.1.0"

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of rocesim and what it was built with",
		Args:  arguments(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "rocesim %s (%s, %s/%s)\n",
				version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
