package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func newMan() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write man pages of all commands",
		Long: `Write a man page (section 1) of each command to DIR, for packages and for the path of
man. Their date is that of the environment variable SOURCE_DATE_EPOCH, in seconds since
1970, or today.

Exit code 0: done. 2: DIR cannot be written.`,
		Example: `  rocesim man /usr/local/share/man/man1
  rocesim man man1`,
		Args: arguments(1, 1, "one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true // the pages say nothing of how they were made
			header := &doc.GenManHeader{Source: "rocesim " + release, Manual: "rocesim"}
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return fmt.Errorf("man pages: %w", err)
			}
			return nil
		},
	}
}
