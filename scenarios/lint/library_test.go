package lint_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios"
	"rocesim/scenarios/derive"
	"rocesim/scenarios/lint"
	"rocesim/scenarios/rules"
)

var update = flag.Bool("update", false, "write the golden file and the documentation")

const libraryFile = "testdata/library.golden"

// planOf resolves a scenario of the library.
func planOf(t testing.TB, e *scenarios.LibraryEntry, sets ...string) *scenarios.Plan {
	t.Helper()
	sc, err := scenarios.Parse(e.Name+".yaml", e.Text, sets)
	require.NoError(t, err)
	p, err := sc.Plan()
	require.NoError(t, err)
	return p
}

// mistaken are scenarios of healthy topics that are about a mistake.
func mistaken() []string { return []string{"marks-without-dcqcn", "no-marks", "speed-step"} }

// Each scenario of the library has the findings on file, and those that show a
// healthy fabric have no warning.
func TestLibrary(t *testing.T) {
	var text strings.Builder
	for _, e := range scenarios.Library() {
		fmt.Fprintf(&text, "%s/%s\n", e.Topic, e.Name)
		for _, f := range lint.Check(planOf(t, &e)) {
			fmt.Fprintf(&text, "  %v %s at %s:%d:%d (%s)\n", &f.Rule, f.Severity, f.Pos.File, f.Pos.Line, f.Pos.Col, place(&f))
			if slices.Contains([]string{"basics", "pfc", "ecn"}, e.Topic) && !slices.Contains(mistaken(), e.Name) {
				assert.Less(t, f.Severity, rules.Warning, "%s: %s", e.Name, f.Sentence())
			}
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(libraryFile, []byte(text.String()), 0o644))
	}
	sameFile(t, libraryFile, text.String())
}

// sameFile compares a text with a file and names the first line that differs.
func sameFile(t *testing.T, file, got string) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	want, lines := strings.Split(string(data), "\n"), strings.Split(got, "\n")
	for i := range max(len(want), len(lines)) {
		a, b := lineAt(want, i), lineAt(lines, i)
		require.Equal(t, a, b, "%s:%d; if that is meant: go test ./scenarios/lint -update", file, i+1)
	}
}

func lineAt(lines []string, i int) string {
	if i >= len(lines) {
		return "the end"
	}
	return lines[i]
}

// place is where a finding is and how many more places share it.
func place(f *lint.Finding) string {
	switch {
	case f.Where == "":
		return "the whole"
	case len(f.Same) > 0:
		return fmt.Sprintf("%s and %d more", f.Where, len(f.Same))
	default:
		return f.Where
	}
}

// Lint says of the same ports as explain that they take full frames only.
func TestFullFramesOnlyAsInExplain(t *testing.T) {
	total := 0
	for _, e := range scenarios.Library() {
		p := planOf(t, &e)
		var want, got []string
		for _, h := range derive.Headrooms(p) {
			if h.PeerObeys && h.Pauses && h.Margin() >= 0 && h.Configured < h.AnyFrames.Total {
				for _, id := range h.Ports {
					want = append(want, p.Switches[id.Switch].Name)
				}
			}
		}
		for _, f := range of(lint.Check(p), "headroom-full-frames-only") {
			for _, place := range f.Places() {
				name, _, _ := strings.Cut(place, " port ")
				got = append(got, name)
			}
		}
		assert.ElementsMatch(t, want, got, e.Name)
		total += len(got)
	}
	require.Positive(t, total)
}
