package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rocesim/scenarios"
)

// completeScenario offers what a scenario may be given by: files of scenarios, the
// directories on the way to others (compare takes those of runs and sweeps), and the
// names of built-in scenarios.
func completeScenario(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	words := scenarioFiles(args, word)
	if !strings.ContainsRune(word, filepath.Separator) {
		for _, e := range scenarios.Library() {
			if strings.HasPrefix(e.Name, word) && !slices.Contains(args, e.Name) {
				words = append(words, cobra.CompletionWithDesc(e.Name, e.Question))
			}
		}
	}
	directive := cobra.ShellCompDirectiveNoFileComp
	if !slices.ContainsFunc(words, func(w string) bool { return !strings.HasSuffix(w, "/") }) {
		directive |= cobra.ShellCompDirectiveNoSpace // more has to come
	}
	return words, directive
}

// scenarioFiles lists YAML files and directories that begin with word, but for those
// given already and, unless asked for, hidden ones.
func scenarioFiles(args []string, word string) []string {
	dir, begun := filepath.Split(word)
	entries, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return nil // nothing to offer there
	}
	var words []string
	for _, e := range entries {
		path, info := dir+e.Name(), e.Type()
		if at, err := os.Stat(path); err == nil {
			info = at.Mode() // of what a link leads to
		}
		yaml := strings.HasSuffix(path, ".yaml") || strings.HasSuffix(path, ".yml")
		hidden := strings.HasPrefix(e.Name(), ".") && !strings.HasPrefix(begun, ".")
		switch {
		case !strings.HasPrefix(e.Name(), begun) || hidden || slices.Contains(args, path):
		case info.IsDir():
			words = append(words, path+"/")
		case yaml:
			words = append(words, path)
		}
	}
	return words
}
