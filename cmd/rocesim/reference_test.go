package main

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/scenarios"
	"rocesim/scenarios/grid"
	"rocesim/scenarios/strict"
	"rocesim/sim"
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

// section is one heading of the reference and the struct below it.
type section struct {
	title, intro string
	of           any
}

func sections() []section {
	return []section{
		{"Scenario", "The top level.", scenarios.Scenario{}},
		{"fabric", "`topology` decides which of the following fields there are.", scenarios.FabricCommon{}},
		{"fabric, topology star", "", scenarios.Star{}},
		{"fabric, topology dumbbell", "", scenarios.Dumbbell{}},
		{"fabric, topology leaf-spine", "", scenarios.LeafSpine{}},
		{"fabric, topology fat-tree", "", scenarios.FatTree{}},
		{"fabric, topology ring", "", scenarios.Ring{}},
		{"fabric, topology explicit", "", scenarios.Explicit{}},
		{"switch", "", scenarios.Switch{}},
		{"nic", "", scenarios.NIC{}},
		{"cc", "", scenarios.CC{}},
		{"workload", "A list. Each entry has these fields and those of its type.", scenarios.TrafficCommon{}},
		{"workload, type flows", "", scenarios.Flows{}},
		{"workload, type incast", "", scenarios.Incast{}},
		{"workload, type permutation", "", scenarios.Permutation{}},
		{"workload, type all-to-all", "", scenarios.AllToAll{}},
		{"workload, type poisson", "", scenarios.Poisson{}},
		{"workload, type saturate", "", scenarios.Saturate{}},
		{"workload, type latency", "", scenarios.Latency{}},
		{"workload, type datagrams", "", scenarios.Datagrams{}},
		{"faults", "A list. Each entry says where (`link`, `switch` or `nic`) and what goes wrong.", scenarios.Fault{}},
		{"sweep", "What `rocesim sweep` tries; see [sweeps](sweep.md).", grid.Block{}},
		{"tune", "What `rocesim tune` searches for; see [tuning](tune.md).", grid.Tune{}},
	}
}

func reference() string {
	var b strings.Builder
	b.WriteString("# Reference\n\nEvery field of a scenario, and every number that an `expect:` clause may name. This page is made from the code;\n" +
		"see [scenarios](scenarios.md) for how to use it. A field in **bold** must be given.\n")
	for _, s := range sections() {
		fmt.Fprintf(&b, "\n## %s\n\n", s.title)
		if s.intro != "" {
			fmt.Fprintf(&b, "%s\n\n", s.intro)
		}
		b.WriteString("| field | value | meaning |\n|---|---|---|\n")
		writeFields(&b, "", reflect.TypeOf(s.of))
	}
	b.WriteString("\n## Metrics\n\nA clause of `expect:` reads `metric{label=value} op bound`, with `==`, `!=`, `<`, `<=`, `>`, `>=`, or\n" +
		"`~= bound +- tolerance%`.\n\n| metric | unit | labels | meaning |\n|---|---|---|---|\n")
	for _, m := range results.Catalogue() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", m.Name, m.Unit, labels(m), m.Doc)
	}
	return b.String()
}

// skipped are parts that have sections of their own.
func skipped(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[scenarios.Fabric](), reflect.TypeFor[scenarios.Switch](), reflect.TypeFor[scenarios.NIC](),
		reflect.TypeFor[scenarios.CC](), reflect.TypeFor[scenarios.Workload](), reflect.TypeFor[scenarios.Fault](), reflect.TypeFor[grid.Block](),
		reflect.TypeFor[grid.Tune]():
		return true
	}
	return false
}

func writeFields(b *strings.Builder, prefix string, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			if f.Type != reflect.TypeFor[scenarios.FabricCommon]() && f.Type != reflect.TypeFor[scenarios.TrafficCommon]() {
				writeFields(b, prefix, f.Type)
			}
			continue
		}
		if !f.IsExported() {
			continue
		}
		name := prefix + f.Tag.Get("yaml")
		shown, others := "`"+name+"`", alternatives(t, f)
		if f.Tag.Get("need") != "" && others == "" {
			shown = "**" + shown + "**"
		}
		fmt.Fprintf(b, "| %s | %s | %s%s |\n", shown, valueOf(f), f.Tag.Get("doc"), others)
		writeNested(b, name, f.Type)
	}
}

// alternatives words the fields of which only one may be given beside f.
func alternatives(t reflect.Type, f reflect.StructField) string {
	group := f.Tag.Get("oneof")
	if group == "" {
		return ""
	}
	var others []string
	for i := range t.NumField() {
		if g := t.Field(i); g.Tag.Get("oneof") == group && g.Name != f.Name {
			others = append(others, "`"+g.Tag.Get("yaml")+"`")
		}
	}
	return " (or " + strings.Join(others, ", ") + ")"
}

func writeNested(b *strings.Builder, name string, t reflect.Type) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.Slice && isStruct(t.Elem()):
		writeFields(b, name+"[].", t.Elem())
	case isStruct(t):
		writeFields(b, name+".", t)
	}
}

// isStruct tells structs with documented fields from values that decode
// themselves.
func isStruct(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.NumField() > 0 && t.Field(0).Tag.Get("yaml") != "" && !skipped(t) ||
		t.Kind() == reflect.Struct && t.NumField() > 0 && t.Field(0).Anonymous && !skipped(t)
}

// valueOf words what a field takes.
func valueOf(f reflect.StructField) string {
	if e := f.Tag.Get("enum"); e != "" {
		return "`" + strings.ReplaceAll(e, "|", "`, `") + "`"
	}
	if p := f.Tag.Get("preset"); p != "" {
		return "a preset: `rocesim presets`"
	}
	word := kindOf(f.Type)
	if lo, hi := f.Tag.Get("min"), f.Tag.Get("max"); lo != "" {
		word += fmt.Sprintf(", %s to %s", lo, hi)
	}
	return word
}

func kindOf(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[sim.Time]():
		return "time"
	case reflect.TypeFor[sim.Rate]():
		return "rate"
	case reflect.TypeFor[strict.Bytes]():
		return "size"
	case reflect.TypeFor[strict.Length]():
		return "length"
	case reflect.TypeFor[strict.Fraction]():
		return "fraction"
	case reflect.TypeFor[strict.Alpha]():
		return "factor"
	case reflect.TypeFor[scenarios.HostSet]():
		return "hosts"
	case reflect.TypeFor[scenarios.PairSet]():
		return "pairs"
	case reflect.TypeFor[grid.Axes]():
		return "fields with values"
	case reflect.TypeFor[grid.Params]():
		return "fields with ranges or lists"
	case reflect.TypeFor[grid.Goals]():
		return "a metric, or metrics with weights"
	case reflect.TypeFor[grid.Seeds]():
		return "whole number or list"
	case reflect.TypeFor[grid.Objective]():
		return "a metric"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return kindOf(t.Elem())
	case reflect.Slice:
		return "list"
	case reflect.Map:
		return "map"
	case reflect.Bool:
		return "`true` or `false`"
	case reflect.Int, reflect.Uint64:
		return "whole number"
	case reflect.String:
		return "text"
	}
	return "fields"
}

// labels words the labels that may narrow a metric.
func labels(m results.MetricInfo) string {
	if len(m.Labels) == 0 {
		return ""
	}
	return "`" + strings.Join(m.Labels, "`, `") + "`"
}
