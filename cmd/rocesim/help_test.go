package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios/strict"
)

// commands lists those that do something, as the user sees them.
func commands(t *testing.T) []*cobra.Command {
	root := newRoot()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	var all []*cobra.Command
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			if sub.Runnable() && !sub.HasSubCommands() {
				all = append(all, sub)
			}
			walk(sub)
		}
	}
	walk(root)
	require.Greater(t, len(all), 15)
	return all
}

// Every command prints its result as JSON on request, but for those whose
// result is no data.
func TestEveryCommandHasOutput(t *testing.T) {
	without := map[string]string{
		"rocesim schema":                "it is JSON itself",
		"rocesim scenarios copy":        "it writes a file that is YAML",
		"rocesim man":                   "it writes files that are man pages",
		"rocesim help":                  "it is text for people",
		"rocesim completion bash":       "it is a script",
		"rocesim completion fish":       "it is a script",
		"rocesim completion powershell": "it is a script",
		"rocesim completion zsh":        "it is a script",
		"rocesim view":                  "it serves pages until it is ended",
	}
	for _, cmd := range commands(t) {
		flag := cmd.Flags().Lookup("output")
		if without[cmd.CommandPath()] != "" {
			assert.Nil(t, flag, "%s has --output, so it is no exception", cmd.CommandPath())
		} else if assert.NotNil(t, flag, "%s has no --output: use addOutput", cmd.CommandPath()) {
			assert.Contains(t, flag.Usage, "`FORMAT` of the output: text", cmd.CommandPath())
			assert.Equal(t, "text", flag.DefValue)
		}
	}
}

// Every command says what it does, how it ends, and shows it in examples that
// its own parser takes.
func TestEveryCommandHasHelp(t *testing.T) {
	for _, cmd := range commands(t) {
		if parent := cmd.Parent().Name(); cmd.Name() == "help" || parent == "completion" {
			continue // by the library
		}
		path := cmd.CommandPath()
		assert.NotEmpty(t, cmd.Short, path)
		assert.NotContains(t, cmd.Short, "\n", path)
		assert.Regexp(t, `(?i)exit code`, cmd.Long, path)
		for line := range strings.Lines(cmd.Long) {
			assert.LessOrEqual(t, len(strings.TrimSpace(line)), 90, "%s: %s", path, line)
		}
		examples := strings.Split(cmd.Example, "\n")
		assert.GreaterOrEqual(t, len(examples), 2, "%s needs two examples", path)
		for _, line := range examples {
			checkExample(t, path, line)
		}
	}
}

// checkExample parses one line as the shell and the command do.
func checkExample(t *testing.T, path, line string) {
	assert.True(t, strings.HasPrefix(line, "  "+path+" ") || line == "  "+path, "%s: %s", path, line)
	words := shellWords(line)
	require.Greater(t, len(words), 1, line)
	cmd, args, err := newRoot().Find(words[1:])
	require.NoError(t, err, line)
	require.Equal(t, path, cmd.CommandPath(), line)
	require.NoError(t, cmd.ParseFlags(args), line)
	assert.NoError(t, cmd.ValidateArgs(cmd.Flags().Args()), line)
}

// shellWords splits a line at spaces outside quotes, up to a pipe.
func shellWords(line string) []string {
	var words []string
	quote, inside := rune(0), false
	for _, r := range line {
		switch {
		case quote == 0 && r == '|':
			return words
		case quote == 0 && r == ' ':
			inside = false
			continue
		case quote == 0 && (r == '\'' || r == '"'):
			quote = r
		case r == quote:
			quote = 0
		default:
			if !inside {
				words = append(words, "")
			}
			words[len(words)-1] += string(r)
		}
		if !inside && quote != 0 {
			words = append(words, "")
		}
		inside = true
	}
	return words
}

func TestShellWords(t *testing.T) {
	for line, want := range map[string][]string{
		"  a  b":              {"a", "b"},
		"a --x='b c' d":       {"a", "--x=b c", "d"},
		`a "" 'b'c | less -N`: {"a", "", "bc"},
	} {
		assert.Equal(t, want, shellWords(line), line)
	}
}

// Every command stands below a heading of the root's help, and every heading
// names commands that there are.
func TestEveryCommandHasAGroup(t *testing.T) {
	root := newRoot()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	names := map[string]bool{}
	for _, cmd := range root.Commands() {
		names[cmd.Name()] = true
		if !cmd.IsAdditionalHelpTopicCommand() {
			assert.NotEmpty(t, cmd.GroupID, "%s is in no group of root.go", cmd.Name())
		}
	}
	for _, g := range groups() {
		for name := range strings.FieldsSeq(g.commands) {
			assert.True(t, names[name], "%s is no command", name)
		}
	}
}

// The first thing that a user sees shows commands that work, on a terminal of
// 80 columns.
func TestWelcome(t *testing.T) {
	shown := 0
	for line := range strings.Lines(welcome) {
		assert.LessOrEqual(t, len(strings.TrimSuffix(line, "\n")), 80, line)
		command, ok := strings.CutPrefix(line, "  rocesim ")
		if !ok {
			continue
		}
		shown++
		command, _, _ = strings.Cut(command, "  ") // behind it stands what it does
		root := newRoot()
		root.InitDefaultCompletionCmd()
		cmd, args, err := root.Find(shellWords(command))
		require.NoError(t, err, line)
		require.True(t, cmd.HasParent(), line)
		if !strings.Contains(command, "--help") {
			require.NoError(t, cmd.ParseFlags(args), line)
			assert.NoError(t, cmd.ValidateArgs(cmd.Flags().Args()), line)
		}
	}
	assert.Equal(t, 12, shown)
}

// The page of units names those that the scanner reads, and its examples.
func TestUnitsTopic(t *testing.T) {
	parse := map[string]func(string) error{
		"time":   func(s string) error { _, err := strict.ParseTime(s); return err },
		"rate":   func(s string) error { _, err := strict.ParseRate(s); return err },
		"size":   func(s string) error { _, err := strict.ParseBytes(s); return err },
		"length": func(s string) error { _, err := strict.ParseLength(s); return err },
		"share":  func(s string) error { _, err := strict.ParseFraction(s); return err },
		"alpha":  func(s string) error { _, err := strict.ParseAlpha(s); return err },
	}
	seen := 0
	for line := range strings.Lines(unitsTopic) {
		words := strings.Fields(strings.NewReplacer(",", " ", "(powers of 1000)", "", "(of 1024)", "").Replace(line))
		if len(words) < 2 || !strings.HasPrefix(line, "  ") {
			continue
		}
		require.NotNil(t, parse[words[0]], line)
		seen++
		for _, w := range words[1:] {
			if strings.IndexByte("0123456789", w[0]) < 0 {
				w = "1" + w // a unit
			}
			assert.NoError(t, parse[words[0]](w), line)
		}
	}
	assert.Equal(t, len(parse), seen)
}

// The page of exit codes has them all.
func TestExitCodesTopic(t *testing.T) {
	for _, line := range []string{"\n  0    done", "\n  1    an expectation", "\n  2    the input", "\n  3    the simulation", "\n  130  interrupted"} {
		assert.Contains(t, exitCodesTopic, line)
	}
	assert.Equal(t, []int{0, 1, 2, 3, 130}, []int{exitOK, exitFailed, exitUsage, exitFatal, exitInterrupted})
}
