package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/scenarios"
	"rocesim/scenarios/strict"
)

var update = flag.Bool("update", false, "write docs/reference.md instead of comparing with it")

const referenceFile = "../../docs/reference.md"

// TestReference keeps the reference of scenario fields and metrics equal to
// what the code reads: it is made from the decoder's own tags.
func TestReference(t *testing.T) {
	got := reference()
	if *update {
		require.NoError(t, os.WriteFile(referenceFile, []byte(got), 0o644))
	}
	want, err := os.ReadFile(referenceFile)
	require.NoError(t, err)
	assert.True(t, got == string(want), "docs/reference.md is not what the code says; run: go test ./cmd/rocesim -run TestReference -update")
}

// intros are the parts of a scenario that have sections of their own.
func intros() map[string]string {
	return map[string]string{
		"fabric":   "`topology` decides which of the following fields there are.",
		"switch":   "",
		"nic":      "",
		"cc":       "",
		"workload": "A list. Each entry has these fields and those of its type.",
		"faults":   "A list. Each entry says where (`link`, `switch` or `nic`) and what goes wrong.",
		"lint":     "What `rocesim lint` does not tell of; see [lint](lint.md).",
		"sweep":    "What `rocesim sweep` tries; see [sweeps](sweep.md).",
		"tune":     "What `rocesim tune` searches for; see [tuning](tune.md).",
	}
}

func reference() string {
	var b strings.Builder
	b.WriteString("# Reference\n\nEvery field of a scenario, and every number that an `expect:` clause may name. This page is made from the code;\n" +
		"see [scenarios](scenarios.md) for how to use it. A field in **bold** must be given.\n")
	shape := scenarios.Shape()
	writeSection(&b, "Scenario", "The top level.", shape.Describe(), func(f strict.FieldDoc) bool {
		top, _, _ := strings.Cut(strings.ReplaceAll(f.Path, "[]", ""), ".")
		_, elsewhere := intros()[top]
		return f.Path == top || !elsewhere
	})
	for _, f := range shape.Fields {
		intro, own := intros()[f.Key]
		if !own {
			continue
		}
		group := f.Shape
		if group.Kind == strict.KindList {
			group = *group.Element
		}
		all := group.Describe()
		writeSection(&b, f.Key, intro, all, func(f strict.FieldDoc) bool { return f.Variant == "" })
		for _, v := range group.Variants {
			writeSection(&b, f.Key+", "+group.Select+" "+v.Name, "", all, func(f strict.FieldDoc) bool { return f.Variant == v.Name })
		}
	}
	b.WriteString("\n## Metrics\n\nA clause of `expect:` reads `metric{label=value} op bound`, with `==`, `!=`, `<`, `<=`, `>`, `>=`, or\n" +
		"`~= bound +- tolerance%`.\n\n| metric | unit | labels | meaning |\n|---|---|---|---|\n")
	for _, m := range results.Catalogue() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", m.Name, m.Unit, labels(m), m.Doc)
	}
	return b.String()
}

// writeSection writes a heading and a row for each field that is in it.
func writeSection(b *strings.Builder, title, intro string, fields []strict.FieldDoc, in func(strict.FieldDoc) bool) {
	fmt.Fprintf(b, "\n## %s\n\n", title)
	if intro != "" {
		fmt.Fprintf(b, "%s\n\n", intro)
	}
	b.WriteString("| field | value | meaning |\n|---|---|---|\n")
	for _, f := range fields {
		if !in(f) {
			continue
		}
		shown, others := "`"+f.Path+"`", ""
		switch {
		case f.Instead != nil:
			others = " (or `" + strings.Join(f.Instead, "`, `") + "`)"
		case f.Required:
			shown = "**" + shown + "**"
		}
		fmt.Fprintf(b, "| %s | %s | %s%s |\n", shown, valueOf(f), f.Doc, others)
	}
}

// valueOf words what a field takes, and what holds without it.
func valueOf(f strict.FieldDoc) string {
	_, word, _ := strings.Cut(f.Takes, " ")
	element := f.Shape
	if element.Kind == strict.KindList {
		element = *element.Element
	}
	switch {
	case f.Kind == strict.KindBool:
		word = "`true` or `false`"
	case f.Kind == strict.KindGroup:
		word = "fields"
	case f.Kind == strict.KindChoice:
		word = f.Takes
	case element.Enum != nil:
		word = "`" + strings.Join(element.Enum, "`, `") + "`"
	case f.Preset != "":
		word = "a preset: `rocesim presets`"
	case f.Allowed != "":
		word += ", " + f.Allowed
	}
	if f.Default != nil && f.Kind != strict.KindList { // a list is on in all its parts
		word += fmt.Sprintf("; default %v", f.Default)
	}
	return word
}

// labels words the labels that may narrow a metric.
func labels(m results.MetricInfo) string {
	if len(m.Labels) == 0 {
		return ""
	}
	return "`" + strings.Join(m.Labels, "`, `") + "`"
}
