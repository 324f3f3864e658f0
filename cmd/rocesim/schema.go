package main

import (
	"github.com/spf13/cobra"

	"rocesim/results"
	"rocesim/scenarios/schema"
)

func newSchema() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "schema",
		Short: "Print the scenario format as JSON Schema, for editors",
		Long: `Print the format of scenarios as JSON Schema (draft 2020-12). An editor with a YAML
language server then completes keys and names, explains them and marks mistakes while
you type, if the scenario's first line names the file:

  # yaml-language-server: $schema=scenario.schema.json

The schema sees the form of a file: keys, kinds of values, units, names of presets and
algorithms. rocesim validate sees the rest: limits of quantities, names of hosts and
switches, and values that do not go together.

Exit code 0: done. 2: the file cannot be written.`,
		Example: `  rocesim schema -o scenario.schema.json
  rocesim schema | less`,
		Args: arguments(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if file == "" {
				return schema.Write(cmd.OutOrStdout())
			}
			return results.WriteFile(file, schema.Write)
		},
	}
	cmd.Flags().StringVarP(&file, "out", "o", "", "write the schema to `FILE`")
	return cmd
}
