package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"rocesim/scenarios"
)

// release is that of the CHANGELOG's newest section, or of the next release
// while that section is "Unreleased".
const release = "0.1.0"

// version is the release and the version of the model, which changes whenever
// results do: runs that were made with different ones are not mixed. It reads all
// baselines of the library, so a command calls it once.
func version() string { return release + "+" + scenarios.ModelVersion() }

// versionJSON is what version prints as JSON. Model changes whenever results
// do.
type versionJSON struct {
	Version string `json:"version"`
	Release string `json:"release"`
	Model   string `json:"model"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

func newVersion() *cobra.Command {
	var out *output
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of rocesim and what it was built with",
		Long: `Print the version of rocesim and what it was built with. Behind the plus sign is the
version of the model, which changes whenever results do: runs with different ones are
not mixed in a sweep.

Exit code 0: done. 2: wrong usage.`,
		Example: `  rocesim version
  rocesim version --output json`,
		Args: arguments(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			whole := version()
			_, model, _ := strings.Cut(whole, "+")
			v := versionJSON{whole, release, model, runtime.Version(), runtime.GOOS, runtime.GOARCH}
			return out.write(cmd.OutOrStdout(), v, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "rocesim %s (%s, %s/%s)\n", v.Version, v.Go, v.OS, v.Arch)
				return err
			})
		},
	}
	out = addOutput(cmd)
	return cmd
}
