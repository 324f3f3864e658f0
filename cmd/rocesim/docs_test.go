package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios"
)

// block is a fenced block of a page.
type block struct{ page, language, text string }

// docBlocks returns the fenced blocks of the README and all pages of docs.
func docBlocks(t *testing.T) []block {
	pages, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	var blocks []block
	for _, page := range append(pages, "../../README.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for i, part := range strings.Split(string(text), "```") {
			if i%2 == 1 {
				language, body, _ := strings.Cut(part, "\n")
				blocks = append(blocks, block{filepath.Base(page), language, body})
			}
		}
	}
	return blocks
}

// TestDocumentedScenarios reads each whole scenario that the documentation
// shows.
func TestDocumentedScenarios(t *testing.T) {
	found := 0
	for _, b := range docBlocks(t) {
		if b.language == "yaml" && strings.HasPrefix(b.text, "name:") {
			found++
			sc, err := scenarios.Parse(b.page, []byte(b.text), nil)
			if assert.NoError(t, err) {
				plan, err := sc.Plan()
				require.NoError(t, err)
				assert.Empty(t, plan.Warnings, b.page)
			}
		}
	}
	assert.Positive(t, found)
}

// TestDocumentedCommands finds each command that the documentation shows, and
// parses its flags.
func TestDocumentedCommands(t *testing.T) {
	found := 0
	for _, b := range docBlocks(t) {
		for line := range strings.Lines(b.text) {
			line = strings.TrimPrefix(strings.TrimSpace(line), "go run ./cmd/")
			args, ok := strings.CutPrefix(line, "rocesim ")
			if b.language != "" || !ok {
				continue
			}
			found++
			args, _, _ = strings.Cut(args, " #")
			cmd, rest, err := newRoot().Find(strings.Fields(args))
			if assert.NoError(t, err, line) && assert.True(t, cmd.HasParent(), line) {
				assert.NoError(t, cmd.ParseFlags(rest), line)
			}
		}
	}
	assert.Positive(t, found)
}

// TestReadmeShowsWhatIsPrinted runs the commands of the README that stand above
// what they print, of which lines may be left out.
func TestReadmeShowsWhatIsPrinted(t *testing.T) {
	found := 0
	for _, b := range docBlocks(t) {
		if b.page != "README.md" || b.language != "text" || !strings.HasPrefix(b.text, "$ rocesim ") {
			continue
		}
		printed := ""
		for line := range strings.Lines(b.text) {
			if args, ok := strings.CutPrefix(line, "$ rocesim "); ok {
				var out strings.Builder
				root := newRoot()
				root.SetArgs(strings.Fields(args))
				root.SetOut(&out)
				_ = root.Execute() // findings are an error, and shown
				printed = "\n" + out.String()
				continue
			}
			found++
			_, rest, shown := strings.Cut(printed, "\n"+line)
			assert.True(t, shown, "not printed, or not in this order: %s", line)
			printed = "\n" + rest
		}
	}
	assert.Equal(t, 6, found, "lines")
}

// TestEveryPageIsListed looks for each page in docs/README.md.
func TestEveryPageIsListed(t *testing.T) {
	list, err := os.ReadFile("../../docs/README.md")
	require.NoError(t, err)
	pages, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	for _, page := range pages {
		if name := filepath.Base(page); name != "README.md" {
			assert.Contains(t, string(list), "]("+name+")")
		}
	}
}

// TestEveryPackageIsDescribed looks for each package in docs/architecture.md.
func TestEveryPackageIsDescribed(t *testing.T) {
	text, err := os.ReadFile("../../docs/architecture.md")
	require.NoError(t, err)
	packages := map[string]bool{}
	require.NoError(t, filepath.WalkDir("../..", func(file string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(file, ".go") {
			packages[filepath.ToSlash(strings.TrimPrefix(filepath.Dir(file), "../../"))] = true
		}
		return err
	}))
	require.Greater(t, len(packages), 40)
	for dir := range packages {
		assert.Contains(t, string(text), "`"+dir+"`")
	}
}
