package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rocesim/results"
	"rocesim/scenarios"
	"rocesim/scenarios/strict"
)

// completer offers words for what stands on the command line so far.
type completer = cobra.CompletionFunc

// completeAll gives all commands their completions: arguments by the name of
// the command, flags by theirs, so that a flag is completed alike everywhere.
func completeAll(cmd *cobra.Command) {
	if c := argumentCompleters()[cmd.CommandPath()]; c != nil && cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = c
	}
	for name, c := range flagCompleters() {
		if _, done := cmd.GetFlagCompletionFunc(name); cmd.Flags().Lookup(name) != nil && !done {
			cobra.CheckErr(cmd.RegisterFlagCompletionFunc(name, c))
		}
	}
	for _, sub := range cmd.Commands() {
		completeAll(sub)
	}
}

func argumentCompleters() map[string]completer {
	return map[string]completer{
		"rocesim run":            atMost(1, completeScenario),
		"rocesim tune":           atMost(1, completeScenario),
		"rocesim explain":        atMost(1, completeScenario),
		"rocesim sweep":          completeScenario,
		"rocesim test":           cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault),
		"rocesim validate":       completeScenario,
		"rocesim lint":           completeScenario,
		"rocesim compare":        atMost(2, completeScenario),
		"rocesim why":            atMost(1, completeRun),
		"rocesim report":         completeRun,
		"rocesim view":           atMost(1, dirs()),
		"rocesim man":            atMost(1, dirs()),
		"rocesim presets":        atMost(1, completePreset),
		"rocesim scenarios show": atMost(1, completeLibrary),
		"rocesim scenarios copy": atMost(1, completeLibrary),
	}
}

func flagCompleters() map[string]completer {
	return map[string]completer{
		"set": completeSet, "set-a": completeSet, "set-b": completeSet, "param": completeSet,
		"metrics": completeMetric, "objective": completeMetric, "minimise": completeMetric, "maximise": completeMetric,
		"pareto": completeMetric, "weight": completeMetric,
		"baselines": dirs(),
		"fail-on":   cobra.FixedCompletions([]string{"worse", "different", "never"}, cobra.ShellCompDirectiveNoFileComp),
		"chip":      cobra.FixedCompletions(chips(), cobra.ShellCompDirectiveNoFileComp),
	}
}

func dirs() completer { return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs) }

// atMost completes the first arguments only.
func atMost(n int, c completer) completer {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= n {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return c(cmd, args, word)
	}
}

func completeLibrary(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var words []string
	for _, e := range scenarios.Library() {
		words = append(words, cobra.CompletionWithDesc(e.Name, e.Question))
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

func completePreset(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var words []string
	for _, kind := range scenarios.PresetKinds() {
		for _, p := range scenarios.Presets(kind) {
			words = append(words, cobra.CompletionWithDesc(p.Name, kind+": "+p.Title))
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// completeRun offers run directories, those in the usual place first, and the
// directories on the way to others.
func completeRun(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	var words []string
	dir, _ := filepath.Split(word)
	for _, in := range []string{filepath.Join("results", "runs") + "/", dir} {
		entries, err := os.ReadDir(filepath.Join(".", in))
		if filepath.IsAbs(in) {
			entries, err = os.ReadDir(in)
		}
		if err != nil {
			continue // nothing to offer there
		}
		for _, e := range entries {
			path := in + e.Name()
			if e.IsDir() && strings.HasPrefix(path, word) && !slices.Contains(args, path) {
				words = append(words, runOrDirectory(path))
			}
		}
	}
	slices.Sort(words)
	return slices.Compact(words), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// runOrDirectory marks what is no run as a way to go on.
func runOrDirectory(path string) string {
	if !results.IsDir(path) {
		return path + "/"
	}
	return path
}

// completeMetric offers metrics, behind the last comma of a list.
func completeMetric(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	before := word[:strings.LastIndex(word, ",")+1]
	var words []string
	for _, m := range results.Catalogue() {
		if strings.HasPrefix(before+m.Name, word) {
			words = append(words, cobra.CompletionWithDesc(before+m.Name, m.Doc))
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeSet offers the fields of the scenario that is given, step by step, and
// behind the equals sign the words that the field takes.
func completeSet(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	const directive = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	var sc *scenarios.Scenario
	if len(args) > 0 {
		sc, _ = scenarios.Load(args[0], nil) // of a file with mistakes all fields are offered
	}
	fields := scenarios.Fields(sc)
	path, value, valued := strings.Cut(word, "=")
	if !valued {
		return nextSteps(fields, word), directive
	}
	for _, f := range fields {
		if f.Path == path {
			return fieldValues(f, path+"=", value), directive
		}
	}
	return nil, directive
}

// nextSteps offers fields that begin with word up to the next dot.
func nextSteps(fields []strict.FieldDoc, word string) []string {
	var words []string
	seen := map[string]bool{}
	for _, f := range fields {
		if !strings.HasPrefix(f.Path, word) || f.Path == word && f.Kind == strict.KindGroup {
			continue
		}
		step, meaning := f.Path, f.Doc
		if i := strings.IndexByte(f.Path[len(word):], '.'); i >= 0 {
			step, meaning = f.Path[:len(word)+i+1], ""
		} else if f.Kind == strict.KindGroup {
			step += "."
		} else {
			step += "="
		}
		if !seen[step] {
			words = append(words, cobra.CompletionWithDesc(step, meaning))
		}
		seen[step] = true
	}
	return words
}

// fieldValues offers the words that a field takes, behind the last comma of a
// list of values; of a number it says how it is written.
func fieldValues(f strict.FieldDoc, before, value string) []string {
	before += value[:strings.LastIndex(value, ",")+1]
	var words []string
	switch {
	case f.Preset != "":
		for _, p := range scenarios.Presets(f.Preset) {
			words = append(words, cobra.CompletionWithDesc(before+p.Name, p.Title))
		}
	case f.Enum != nil:
		for _, e := range f.Enum {
			words = append(words, before+e)
		}
	case f.Kind == strict.KindBool:
		words = []string{before + "true", before + "false"}
	default:
		return cobra.AppendActiveHelp(nil, f.Doc+": "+takes(f))
	}
	return words
}

// takes words what a field takes, with its limits and an example.
func takes(f strict.FieldDoc) string {
	text := f.Takes
	if f.Allowed != "" {
		text += ", " + f.Allowed
	}
	if f.Examples != "" {
		text += ", such as " + f.Examples
	}
	return text
}
