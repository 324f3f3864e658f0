package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"rocesim/scenarios"
)

// scenarioJSON is a built-in scenario as JSON has it; Text is its file.
type scenarioJSON struct {
	Name     string `json:"name"`
	Topic    string `json:"topic"`
	Question string `json:"question"`
	Text     string `json:"text,omitempty"`
}

func newScenarios() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "scenarios",
		Short: "List, show and copy the built-in scenarios",
		Long: `List, show and copy the scenarios that come with rocesim. Each answers a question
about lossless Ethernet, says what to expect and why, and has expectations that
decide the exit code of rocesim run. They are meant to be copied and changed.

A scenario is one YAML file: the fabric, what its switches and NICs are, who sends
what to whom, and what is expected. Values with a unit are written with it
(rocesim help units), fields are named as rocesim help fields says.`,
		Example: `  rocesim scenarios list
  rocesim scenarios show incast-8-1
  rocesim scenarios copy incast-8-1 my-incast.yaml`,
	}
	cmd.AddCommand(newScenariosList(), newScenariosShow(), newScenariosCopy())
	return cmd
}

func newScenariosList() *cobra.Command {
	var out *output
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the built-in scenarios by topic, with the question that each answers",
		Long: `List the built-in scenarios by topic, with the question that each answers.

Exit code 0: done. 2: wrong usage.`,
		Example: `  rocesim scenarios list
  rocesim scenarios list --output json`,
		Args: arguments(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			all := []scenarioJSON{}
			for _, e := range scenarios.Library() {
				all = append(all, scenarioJSON{Name: e.Name, Topic: e.Topic, Question: e.Question})
			}
			return out.write(cmd.OutOrStdout(), all, listScenarios)
		},
	}
	out = addOutput(cmd)
	return cmd
}

// listScenarios writes a heading for each topic and its scenarios below it.
func listScenarios(out io.Writer) error {
	library := scenarios.Library()
	for i, topic := range scenarios.Topics() {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "%s: %s\n", topic.Name, topic.Title)
		table := tabwriter.NewWriter(out, 28, 0, 2, ' ', 0)
		for _, s := range library {
			if s.Topic == topic.Name {
				fmt.Fprintf(table, "  %s\t%s\n", s.Name, s.Question)
			}
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func newScenariosShow() *cobra.Command {
	var out *output
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "Print a built-in scenario",
		Long: `Print a built-in scenario as it is in its file.

Exit code 0: done. 2: there is no scenario of that name; the nearest is offered.`,
		Example: `  rocesim scenarios show incast-8-1
  rocesim scenarios show pause-storm --output json`,
		Args: arguments(1, 1, "the name of a scenario"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := scenarios.FindScenario(args[0])
			if err != nil {
				return err
			}
			full := scenarioJSON{Name: s.Name, Topic: s.Topic, Question: s.Question, Text: string(s.Text)}
			return out.write(cmd.OutOrStdout(), full, func(w io.Writer) error {
				_, err := w.Write(s.Text)
				return err
			})
		},
	}
	out = addOutput(cmd)
	return cmd
}

func newScenariosCopy() *cobra.Command {
	return &cobra.Command{
		Use:   "copy NAME [FILE]",
		Short: "Write a built-in scenario to a file, NAME.yaml if none is given",
		Long: `Write a built-in scenario to a file, NAME.yaml if none is given. A file that is there
already is left alone.

Exit code 0: done. 2: there is no scenario of that name, or the file exists.`,
		Example: `  rocesim scenarios copy incast-8-1
  rocesim scenarios copy incast-8-1 my-incast.yaml`,
		Args: arguments(1, 2, "the name of a scenario and perhaps a file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := scenarios.FindScenario(args[0])
			if err != nil {
				return err
			}
			file := s.Name + ".yaml"
			if len(args) == 2 {
				file = args[1]
			}
			if err := writeNew(file, s.Text); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s written; simulate it with: rocesim run %s\n", file, file)
			return nil
		},
	}
}

// writeNew writes a file that must not exist yet.
func writeNew(file string, text []byte) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already and is left alone; name another file", file)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}
