package main

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results/why"
	"rocesim/scenarios"
)

// The example of docs/why.md is what the command prints.
func TestWhyExample(t *testing.T) {
	const page = "../../docs/why.md"
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	example := regexp.MustCompile("(?s)```text\n(.*?)```")
	found := example.FindSubmatch(text)
	require.NotNil(t, found)

	entry, err := scenarios.FindScenario("no-headroom")
	require.NoError(t, err)
	sc, err := scenarios.Parse("no-headroom.yaml", entry.Text, nil)
	require.NoError(t, err)
	run, err := scenarios.Run(context.Background(), sc, scenarios.RunOptions{})
	require.NoError(t, err)
	var out strings.Builder
	require.NoError(t, why.NewReport(run).WriteText(&out, whyRows))

	if *update {
		require.NoError(t, os.WriteFile(page, []byte(example.ReplaceAllLiteralString(string(text), "```text\n"+out.String()+"```")), 0o644))
		return
	}
	assert.Equal(t, out.String(), string(found[1]), "run go test ./cmd/rocesim -run WhyExample -update")
}
