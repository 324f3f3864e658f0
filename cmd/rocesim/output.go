package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"rocesim/results"
)

// output is how a command prints its result: --output. Errors stay text on
// stderr whatever it says.
type output struct {
	format  string
	formats []string
}

// addOutput gives a command the flag --output, text or json, and more formats
// if it has them. A wrong value is refused before the command runs; RunE must be
// set.
func addOutput(cmd *cobra.Command, more ...string) *output {
	o := &output{formats: append([]string{"text", "json"}, more...)}
	last := len(o.formats) - 1
	words := strings.Join(o.formats[:last], ", ") + " or " + o.formats[last]
	cmd.Flags().StringVar(&o.format, "output", "text", "`FORMAT` of the output: "+words)
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(o.formats, cobra.ShellCompDirectiveNoFileComp)))
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := oneOf("--output", o.format, o.formats...); err != nil {
			return err
		}
		return run(cmd, args)
	}
	return o
}

// is reports whether a format was asked for.
func (o *output) is(format string) bool { return o.format == format }

// write prints value as JSON if that was asked for, else what text prints.
func (o *output) write(out io.Writer, value any, text func(io.Writer) error) error {
	if o.is("json") {
		return results.EncodeJSON(out, value)
	}
	return text(out)
}

// tell prints what a sweep or a search in dir came to: nothing if it is to be
// quiet, except JSON, which was asked for.
func (o *output) tell(out io.Writer, quiet bool, dir string, document func() any, summary func() string) error {
	switch {
	case o.is("json"):
		return results.EncodeJSON(out, document())
	case quiet:
		return nil
	}
	_, err := io.WriteString(out, summary())
	return errors.Join(err, tellPlace(out, dir))
}

// tellPlace prints where results are and, last, the page to open, if there is
// one; nothing if dir is "", because nothing was written.
func tellPlace(out io.Writer, dir string) error {
	if dir == "" {
		return nil
	}
	text := fmt.Sprintf("\nresults in %s\n", dir)
	if file := pageIn(dir); file != "" {
		text += fmt.Sprintf("report in %s\n", file)
	}
	_, err := io.WriteString(out, text)
	return err
}

// pageIn is the page of the results in dir, or "" if they have none.
func pageIn(dir string) string {
	file := filepath.Join(dir, results.ReportFile)
	if _, err := os.Stat(file); err != nil {
		return ""
	}
	return file
}
