package sweep

import (
	"fmt"
	"strings"
)

// command is the command line that makes the sweep, without regard to what the
// sweep section of the scenario says.
func (m *manifestJSON) command() string {
	words := []string{"rocesim", "sweep"}
	for _, s := range m.Scenarios {
		words = append(words, shellQuoted(s.Name+".yaml"))
	}
	for _, set := range m.Fixed {
		words = append(words, "--set", shellQuoted(set))
	}
	links := map[int][]string{}
	dimensions := 0
	for _, a := range m.Axes {
		words = append(words, "--set", shellQuoted(a.Path+"="+strings.Join(a.Values, ",")))
		links[a.Dimension] = append(links[a.Dimension], a.Path)
		dimensions = max(dimensions, a.Dimension+1)
	}
	for d := range dimensions {
		if len(links[d]) > 1 {
			words = append(words, "--link", strings.Join(links[d], ","))
		}
	}
	seeds := strings.Trim(strings.ReplaceAll(fmt.Sprint(m.Scenarios[0].Seeds), " ", ","), "[]")
	if len(m.Scenarios[0].Seeds) > 1 {
		words = append(words, "--seeds", seeds)
	}
	words = append(words, "--objective", shellQuoted(m.Objective))
	if len(m.Pareto) > 0 {
		words = append(words, "--pareto", shellQuoted(strings.Join(m.Pareto, ",")))
	}
	return strings.Join(words, " ")
}

// shellQuoted protects a word from a shell.
func shellQuoted(word string) string {
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/=:,+%") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
