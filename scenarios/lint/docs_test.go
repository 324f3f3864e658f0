package lint_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/scenarios/rules"
)

const (
	docsFile = "../../docs/lint.md"
	// generated is what stands before the part of the page that the catalogue makes.
	generated = "<!-- From here on the page is made: go test ./scenarios/lint -update -->\n"
)

// The rules of the page are those of the catalogue.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile(docsFile)
	require.NoError(t, err)
	head, _, found := strings.Cut(string(text), generated)
	require.True(t, found, "the page has no mark where the rules begin")
	page := head + generated + rulePages()
	if *update {
		require.NoError(t, os.WriteFile(docsFile, []byte(page), 0o644))
	}
	sameFile(t, docsFile, page)
}

// rulePages is a table of all rules and a section for each.
func rulePages() string {
	var b strings.Builder
	b.WriteString("\n## All rules\n\n| code | name | severity | what it finds |\n|---|---|---|---|\n")
	for _, r := range rules.All() {
		fmt.Fprintf(&b, "| [%s](#%s-%s) | `%s` | %s | %s |\n", r.Code, strings.ToLower(r.Code), r.Name, r.Name, r.Severity, r.Title)
	}
	for _, r := range rules.All() {
		fmt.Fprintf(&b, "\n### %s %s\n\n%s: %s.\n\n%s\n\n", r.Code, r.Name, strings.ToUpper(r.Severity.String()[:1])+r.Severity.String()[1:], r.Title, r.Why)
		fmt.Fprintf(&b, "- Found if: %s.\n- Remedy: %s.\n", r.Arithmetic, r.Remedy)
		if r.Source != "-" {
			fmt.Fprintf(&b, "- Source: %s.\n", r.Source)
		}
	}
	return b.String()
}
