package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"rocesim/scenarios"
)

func newPresets() *cobra.Command {
	return &cobra.Command{
		Use:   "presets [NAME]",
		Short: "List the built-in switches, NICs, cables and profiles, or show one",
		Long: `List the built-in switches, NICs, cables, congestion controls and ECN profiles,
or show one: each value with its unit and its source. Where a name stands for
several kinds, write the kind before it.`,
		Example: `  rocesim presets
  rocesim presets sonic-tomahawk3
  rocesim presets nic/ideal`,
		Args: arguments(0, 1, "at most one preset"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listPresets(cmd.OutOrStdout())
			}
			return showPreset(cmd.OutOrStdout(), args[0])
		},
	}
}

func listPresets(out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, kind := range scenarios.PresetKinds() {
		for _, p := range scenarios.Presets(kind) {
			fmt.Fprintf(table, "%s/%s\t%s\n", kind, p.Name, p.Title)
		}
	}
	return table.Flush()
}

// showPreset prints the presets called name, of every kind if it names none.
func showPreset(out io.Writer, name string) error {
	kind, short, one := strings.Cut(name, "/")
	if one {
		p, err := scenarios.FindPreset(kind, short)
		if err != nil {
			return err
		}
		_, err = out.Write(p.Text())
		return err
	}
	found := false
	for _, kind := range scenarios.PresetKinds() {
		p, err := scenarios.FindPreset(kind, name)
		if err != nil {
			continue // this kind has none of that name
		}
		if found {
			fmt.Fprintln(out)
		}
		found = true
		fmt.Fprintf(out, "# %s/%s\n%s", kind, name, p.Text())
	}
	if !found {
		return fmt.Errorf("there is no preset %q; rocesim presets lists them", name)
	}
	return nil
}
