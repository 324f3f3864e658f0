package main

import (
	"encoding"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results/why"
	"rocesim/scenarios/check"
	"rocesim/scenarios/explain"
	"rocesim/scenarios/lint"
	"rocesim/scenarios/sweep"
	"rocesim/scenarios/tune"
	"rocesim/scenarios/versus"
)

const jsonPage = "../../docs/json.md"

// jsonDocument is what a command prints with --output json.
type jsonDocument struct {
	command, about string
	of             any
}

func jsonDocuments() []jsonDocument {
	return []jsonDocument{
		{"run", "The summary, as in `summary.json`, the run directory and the page in it.", runJSON{}},
		{"test", "The reports of all scenarios, in their order. Values are in base units, which `unit` names.", check.Document{}},
		{"validate", "A list with an element for each file. `line` is 0 for what a flag set, and for a file as a whole.", []validation{}},
		{"compare", "The comparison of two configurations, as in `comparison.json`. Values are in base units, which `unit` names.", versus.Document{}},
		{"compare of sweeps", "The comparison of two sweeps over the same fields.", versus.SweepDocument{}},
		{"sweep", "The recommended setting of each scenario, and in `settings` the rows of `settings.csv` under the names of its columns.", sweep.Document{}},
		{"tune", "The verdict, the scenario as it is, and the best setting.", tune.Document{}},
		{"worker", "A line for each job that has ended.", jobLine{}},
		{"explain", "The derived numbers, section by section.", explain.Report{}},
		{"lint", "A list with an element for each scenario.", []lint.Report{}},
		{"why", "The findings in a run, and the peaks of ports and priorities.", why.Report{}},
		{"report", "The pages that were made.", reportJSON{}},
		{"headroom", "The profile of the port.", headroomJSON{}},
		{"presets", "A list; with a name each has its sources and values.", []presetJSON{}},
		{"scenarios list", "A list, by topic; `rocesim scenarios show` prints one, with its text.", []scenarioJSON{}},
		{"version", "", versionJSON{}},
	}
}

// TestJSONPage keeps docs/json.md equal to the documents that commands print: it
// is made from their types.
func TestJSONPage(t *testing.T) {
	var b strings.Builder
	b.WriteString("# JSON for scripts\n\n")
	for line := range strings.Lines(jsonTopic) {
		b.WriteString(line)
	}
	b.WriteString("\n```\nrocesim run incast-8-1.yaml -q --output json | jq .verdict.lossless\n" +
		"rocesim validate fabric.yaml --output json | jq '.[].errors[].message'\n```\n\n" +
		"Keys of groups stand behind a dot, `[]` is an element of a list, `{}` a value under a name that is free. A key with *may be\n" +
		"missing* is left out where there is nothing to say. This page is made from the code.\n")
	for _, d := range jsonDocuments() {
		fmt.Fprintf(&b, "\n## rocesim %s\n\n", d.command)
		if d.about != "" {
			fmt.Fprintf(&b, "%s\n\n", d.about)
		}
		b.WriteString("| key | value |\n|---|---|\n")
		writeKeys(&b, "", reflect.TypeOf(d.of))
	}
	if *update {
		require.NoError(t, os.WriteFile(jsonPage, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(jsonPage)
	require.NoError(t, err)
	assert.True(t, b.String() == string(want), "docs/json.md is not what the code says; run: go test ./cmd/rocesim -run TestJSONPage -update")
}

// writeKeys writes a row for each key of a type, those of groups below it.
func writeKeys(b *strings.Builder, path string, t reflect.Type) {
	path, t = elements(path, t)
	if path != "" {
		path += "."
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			writeKeys(b, strings.TrimSuffix(path, "."), f.Type)
			continue
		}
		if name == "" || name == "-" {
			continue
		}
		inner, kind := elements(path+name, f.Type)
		may := ""
		if strings.Contains(options, "omitempty") {
			may = ", *may be missing*"
		} else if f.Type.Kind() == reflect.Pointer {
			may = " or null"
		}
		fmt.Fprintf(b, "| `%s` | %s%s |\n", inner, kindInJSON(kind), may)
		if isGroup(kind) {
			writeKeys(b, inner, kind)
		}
	}
}

// elements goes from a list or a map to what is in it.
func elements(path string, t reflect.Type) (string, reflect.Type) {
	for {
		switch {
		case writesItself(t):
			return path, t
		case t.Kind() == reflect.Pointer:
			t = t.Elem()
		case t.Kind() == reflect.Slice || t.Kind() == reflect.Array:
			path, t = path+"[]", t.Elem()
		case t.Kind() == reflect.Map:
			path, t = path+"{}", t.Elem()
		default:
			return path, t
		}
	}
}

func writesItself(t reflect.Type) bool {
	return t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) || t.Implements(reflect.TypeFor[json.Marshaler]())
}

func isGroup(t reflect.Type) bool { return t.Kind() == reflect.Struct && !writesItself(t) }

func kindInJSON(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct:
		return "group"
	case reflect.Bool:
		return "`true` or `false`"
	case reflect.String:
		return "text"
	case reflect.Interface:
		return "text or number"
	default:
		if writesItself(t) {
			return "text"
		}
		return "number"
	}
}
