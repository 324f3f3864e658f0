package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

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
			return writeManPages(root, args[0])
		},
	}
}

// writeManPages writes the pages of a command and those below it to a directory.
func writeManPages(cmd *cobra.Command, dir string) error {
	page, err := manPage(cmd)
	if err != nil {
		return fmt.Errorf("man page of %s: %w", cmd.CommandPath(), err)
	}
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
	if err := os.WriteFile(filepath.Join(dir, name), []byte(page), 0o644); err != nil {
		return err
	}
	for _, sub := range cmd.Commands() {
		if !sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand() {
			continue
		}
		if err := writeManPages(sub, dir); err != nil {
			return err
		}
	}
	return nil
}

// manPage is the page of a command as the library makes it, with two things put
// right of which formatters complain: options are tagged paragraphs instead of lines
// with a tab, and the date is a day.
func manPage(cmd *cobra.Command) (string, error) {
	var made strings.Builder
	header := &doc.GenManHeader{Source: "rocesim " + release, Manual: "rocesim"}
	if err := doc.GenMan(cmd, header, &made); err != nil {
		return "", err
	}
	date := header.Date.UTC() // filled in
	text := strings.Replace(made.String(), `"`+header.Date.Format("Jan 2006")+`"`, `"`+date.Format("2006-01-02")+`"`, 1)
	option := regexp.MustCompile(`(?m)^(?:\.PP\n)?(\\fB-.*)\n\t(.*)$`)
	return option.ReplaceAllString(text, ".TP\n$1\n$2"), nil
}
