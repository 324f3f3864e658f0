package lint

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPlanted gives each rule a file that breaks it: a rule that finds nothing
// in a broken file proves nothing about the others.
func TestPlanted(t *testing.T) {
	long := "package sim\n\nfunc f() {\n" + strings.Repeat("\tf()\n", maxFunctionLines-1) + "}\n"
	for _, c := range []struct{ rule, name, text, want string }{
		{"format", "sim/a.go", "package sim\nfunc  f() {}\n", "sim/a.go: not formatted, run gofmt -w"},
		{"functions", "sim/a.go", long, "sim/a.go:3: f has 71 lines, at most 70 are allowed"},
		{"functions", "sim/a.go", "package sim\n\nfunc init() {}\n", "sim/a.go:3: init is not allowed: build what you need in a constructor"},
		{"file length", "sim/a.go", "package sim\n" + strings.Repeat("\n", 500), "sim/a.go: 501 lines, at most 500 are allowed"},
		{"variables", "sim/a.go", "package sim\n\nvar table = []int{1}\n", "sim/a.go:3: package-level variable table: make it a constant, a function or a field"},
		{"documentation", "sim/a.go", "package sim\n\nfunc F() {}\n", "sim/a.go:3: exported function F needs a comment that starts with its name"},
		{"documentation", "sim/a.go", "package sim\n\n// Something.\ntype T int\n", "sim/a.go:4: exported type T needs a comment that starts with its name"},
		{"documentation", "sim/a.go", "package sim\n\nconst C = 1\n", "sim/a.go:3: exported const C needs a comment"},
		{"documentation", "sim/a.go", "package sim\n\n// Tea time.\nfunc (t *T[K]) Te() {}\n", "sim/a.go:4: exported function Te needs a comment that starts with its name"},
		{"terminal", "results/a.go", "package results\n\nfunc f() { os.Exit(1) }\n", "results/a.go:3: os.Exit is for the command line only"},
		{"imports", "sim/a.go", "package sim\n\nimport \"rocesim/fabric\"\n", `sim/a.go:3: sim may not import rocesim/fabric: allowed are "sim/invariant"`},
		{"imports", "nic/a.go", "package nic\n\nimport \"rocesim/switch\"\n", `nic/a.go:3: nic may not import rocesim/switch: allowed are "sim sim/invariant fabric fabric/packet cc nic/rc"`},
		{"imports", "cc/dcqcn/a.go", "package dcqcn\n\nimport \"rocesim/nic\"\n", `cc/dcqcn/a.go:3: cc/dcqcn may not import rocesim/nic: allowed are "sim sim/invariant cc"`},
		{"imports", "switch/a.go", "package switching\n\nimport \"os\"\n", "switch/a.go:3: switch may not import os: a model reads nothing from the machine that it runs on"},
		{"imports", "results/a.go", "package results\n\nimport \"time\"\n", "results/a.go:3: results may not import time: the wall clock is for the command line only"},
		{"imports", "nic/a.go", "package nic\n\nimport \"math/rand/v2\"\n", "nic/a.go:3: nic may not import math/rand/v2: random numbers come from sim.Stream"},
		{"imports", "nic/a.go", "package nic\n\nimport \"gopkg.in/yaml.v3\"\n", `nic/a.go:3: nic may not import gopkg.in/yaml.v3: of other modules it may use ""`},
		{"imports", "extra/a.go", "package extra\n", "extra/a.go: the import policy has no row for package extra"},
		{"top level", "internal/a.go", "package a\n", "internal/a.go: nothing may be added to the top level, which holds " + topLevel},
		{"unfinished work", "sim/a.go", "package sim\n\n// TO" + "DO: all\n", "sim/a.go:3: unfinished work (TO" + "DO)"},
		{"forbidden texts", "docs/a.md", "see\nproxy" + ".example.org\n", `docs/a.md:2: names a package registry's host: "proxy` + `.example.org"`},
		{"forbidden texts", "docs/a.md", "open /ho" + "me/me\n", `docs/a.md:1: names a path of one machine: " /ho` + `me/m"`},
		{"changelog", "CHANGELOG.md", "# Changes\n", `CHANGELOG.md:1: the first line must be "# Changelog"`},
		{"changelog", "CHANGELOG.md", "# Changelog\n\n## Next\n", `CHANGELOG.md:3: "## Next" is neither "## Unreleased" nor like "## 1.2.3 (2026-01-31)"`},
		{"changelog", "CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n### News\n", `CHANGELOG.md:5: "### News" is no kind of change: ### Added, ### Changed, ### Fixed, ### Removed, ### Speed`},
	} {
		f, err := parse(c.name, c.text)
		require.NoError(t, err)
		assert.Contains(t, rules()[c.rule](f), c.want, c.rule)
	}
}

// TestGood gives the rules what they must let pass.
func TestGood(t *testing.T) {
	const source = `// Package scenarios reads scenarios.
package scenarios

import (
	"embed"
	"errors"

	"gopkg.in/yaml.v3"

	"rocesim/cc/dcqcn"
	"rocesim/results/report"
)

// Library is the scenario library.
//
//go:embed *.yaml
var Library embed.FS

// ErrNone tells that there is none.
var ErrNone = errors.New("none")

var _ = yaml.Node{}

// A Thing is one.
type Thing struct{ P dcqcn.Params }

// Kinds.
const (
	One = 1
	Two = 2
)

type hidden struct{}

func (hidden) Close() { report.Close() }
`
	f, err := parse("scenarios/a.go", source)
	require.NoError(t, err)
	for name, rule := range rules() {
		assert.Empty(t, rule(f), name)
	}
}

func TestLinks(t *testing.T) {
	f, err := parse("docs/a.md", "[x](b.md#part) ![y](../img/p.png) [z](https://example.org) [w](#here)\n")
	require.NoError(t, err)
	bad := checkLinks([]*file{f}, func(name string) bool { return name == "docs/b.md" })
	assert.Equal(t, []string{"docs/a.md: link to img/p.png, which does not exist"}, bad)
}

func TestTestNames(t *testing.T) {
	page, err := parse("docs/a.md", "| `TestOne` | `TestTwo` | `Test` |\n")
	require.NoError(t, err)
	code, err := parse("sim/a_test.go", "package sim\n\nfunc TestOne(t *testing.T) {}\n")
	require.NoError(t, err)
	assert.Equal(t, []string{"docs/a.md: names TestTwo, which does not exist"}, checkTestNames([]*file{page, code}))
}

// TestPolicyRows has a project without all packages but one.
func TestPolicyRows(t *testing.T) {
	code, err := parse("nic/a.go", "package nic\n")
	require.NoError(t, err)
	bad := checkPolicy([]*file{code})
	assert.Contains(t, bad, "the import policy has a row for cc/*, but there is no such package")
	assert.Contains(t, bad, "the packages of the model include sim/*, but there is no such package")
	assert.NotContains(t, bad, "the import policy has a row for nic, but there is no such package")
}
