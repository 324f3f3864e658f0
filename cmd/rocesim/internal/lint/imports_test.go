package lint

import (
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strconv"
	"strings"
)

// module is the module's path; imports of our own packages start with it.
const module = "rocesim/"

// mayImport is one row of the import policy.
type mayImport struct {
	dir   string // package directory; "cc/*" is each directory below cc
	own   string // packages of ours, space separated; "x/*" is each below x
	other string // packages of other modules, by prefix
}

// importPolicy is a statement of policy: who may import whom outside tests.
// Do not change it to make a build pass. It says that the kernel knows no
// networks, that a congestion control knows no NIC, that NIC and switch meet
// only on a wire, and that results are data that anybody can read without the
// model.
func importPolicy() []mayImport {
	const model = "sim sim/invariant fabric fabric/packet fabric/topo switch nic nic/rc cc"
	return []mayImport{
		{dir: "sim", own: "sim/invariant"},
		{dir: "sim/invariant"},
		{dir: "sim/simtest", own: "sim"}, // for tests only
		{dir: "fabric/packet", own: "sim sim/invariant"},
		{dir: "fabric", own: "sim sim/invariant fabric/packet"},
		{dir: "fabric/topo", own: "sim sim/invariant fabric fabric/packet"},
		{dir: "switch", own: "sim sim/invariant fabric fabric/packet"},
		{dir: "cc", own: "sim sim/invariant"},
		{dir: "cc/*", own: "sim sim/invariant cc"},
		{dir: "cc/dcqcn/fluid", own: "sim cc cc/dcqcn", other: "gonum.org/v1/gonum/"},
		{dir: "nic/rc", own: "sim sim/invariant fabric/packet"},
		{dir: "nic", own: "sim sim/invariant fabric fabric/packet cc nic/rc"},

		{dir: "results", own: "sim"},
		{dir: "results/metrics", own: model + " results scenarios/headroom scenarios/model scenarios/workload"},
		{dir: "results/report", own: "sim results", other: "gonum.org/v1/ golang.org/x/image golang.org/x/sync"},
		{dir: "results/compare", own: "sim results", other: "gonum.org/v1/gonum/"},
		{dir: "results/why", own: "sim results"},
		{dir: "results/page", own: "sim results results/why results/compare"},
		{dir: "results/validation", own: "sim results"},

		{dir: "scenarios/strict", own: "sim", other: "gopkg.in/yaml.v3"},
		{dir: "scenarios/grid", own: "sim results scenarios/strict", other: "gopkg.in/yaml.v3"},
		{dir: "scenarios/sweep", own: "sim results results/page results/report scenarios scenarios/grid scenarios/strict",
			other: "gonum.org/v1/gonum/stat github.com/parquet-go/parquet-go golang.org/x/sync"},
		{dir: "scenarios/tune", own: "sim results results/page results/report scenarios scenarios/grid scenarios/strict scenarios/sweep", other: "gonum.org/v1/gonum/"},
		{dir: "scenarios/sweep/farm", own: "scenarios/strict scenarios/sweep", other: "github.com/nats-io/ gopkg.in/yaml.v3"},
		{dir: "scenarios/schema", own: "results scenarios scenarios/strict"},
		{dir: "scenarios/workload", own: "sim"},
		{dir: "scenarios/headroom", own: "sim"},
		{dir: "scenarios/presets", own: "scenarios/strict"},
		{dir: "scenarios/congestion", own: "sim cc/dcqcn scenarios/presets scenarios/strict"},
		{dir: "scenarios/rules", own: "scenarios/strict"},
		{dir: "scenarios/lint", own: "sim fabric/topo switch results scenarios scenarios/*"},
		{dir: "scenarios/importer/*", own: "sim fabric/topo scenarios/workload"},
		{dir: "scenarios/derive", own: model + " cc/* cc/dcqcn/fluid scenarios scenarios/headroom scenarios/model scenarios/workload results/metrics"},
		{dir: "scenarios/explain", own: "sim results cc/dcqcn/fluid scenarios scenarios/derive scenarios/headroom"},
		{dir: "scenarios/versus", own: "sim scenarios scenarios/grid scenarios/strict scenarios/sweep results results/*", other: "golang.org/x/sync/"},
		{dir: "scenarios/check", own: "sim scenarios scenarios/strict results results/*", other: "golang.org/x/sync/"},
		{dir: "scenarios/model", own: model + " scenarios/workload"},
		{dir: "scenarios/dependency", own: "sim fabric/topo switch", other: "gonum.org/v1/gonum/graph"},
		{dir: "scenarios", own: model + " cc/* scenarios/* scenarios/importer/* results results/*", other: "gopkg.in/yaml.v3"},

		{dir: "cmd/rocesim", own: "cmd/rocesim/internal/viewer sim scenarios scenarios/* scenarios/sweep/farm scenarios/importer/* results results/*",
			other: "github.com/spf13/cobra github.com/spf13/pflag golang.org/x/term"},
		{dir: "cmd/rocesim/internal/viewer", own: "results results/compare results/page scenarios/sweep scenarios/tune"},
		{dir: "cmd/rocesim/internal/browser", other: "github.com/chromedp/"}, // for tests only
		{dir: "cmd/rocesim/internal/lint"},
	}
}

// modelDirs are the packages that must give the same result on any machine.
const modelDirs = "sim sim/* fabric fabric/packet fabric/topo switch cc cc/* nic nic/* scenarios/model scenarios/workload"

// bannedStandard says which packages of the standard library are kept out of
// where, and why.
func bannedStandard(dir, imported string) string {
	inModel := matchAny(dir, modelDirs)
	switch {
	case imported == "time" && dir == "scenarios/sweep/farm": // the leases of workers are real time
		return ""
	case imported == "time" && !strings.HasPrefix(dir, "cmd/"):
		return "the wall clock is for the command line only"
	case strings.HasPrefix(imported, "math/rand") && dir != "sim", imported == "crypto/rand":
		return "random numbers come from sim.Stream"
	case imported == "unsafe":
		return "nothing here needs it"
	case inModel && slices.Contains([]string{"os", "os/exec", "os/signal", "net", "log", "log/slog", "flag", "path/filepath", "runtime"}, imported):
		return "a model reads nothing from the machine that it runs on"
	}
	return ""
}

// matchAny reports whether a package directory is one of a space-separated
// list of patterns.
func matchAny(dir, patterns string) bool {
	return slices.ContainsFunc(strings.Fields(patterns), func(p string) bool {
		ok, err := path.Match(p, dir)
		return err == nil && ok
	})
}

func checkImports(f *file) []string {
	if !f.isGo() || f.isTest() {
		return nil
	}
	row := slices.IndexFunc(importPolicy(), func(r mayImport) bool { return matchAny(f.dir(), r.dir) })
	if row < 0 {
		return []string{fmt.Sprintf("%s: the import policy has no row for package %s", f.name, f.dir())}
	}
	var bad []string
	for _, spec := range f.syntax.Imports {
		if why := refuse(importPolicy()[row], f.dir(), importPath(spec)); why != "" {
			bad = append(bad, f.at(spec.Pos(), "%s may not import %s: %s", f.dir(), importPath(spec), why))
		}
	}
	return bad
}

// refuse says why a package may not import another, or nothing if it may.
func refuse(row mayImport, dir, imported string) string {
	own, isOwn := strings.CutPrefix(imported, module)
	first, _, _ := strings.Cut(imported, "/")
	switch {
	case isOwn && matchAny(own, row.own):
		return ""
	case isOwn:
		return "allowed are " + strconv.Quote(row.own)
	case !strings.Contains(first, "."):
		return bannedStandard(dir, imported)
	case slices.ContainsFunc(strings.Fields(row.other), func(p string) bool { return strings.HasPrefix(imported, p) }):
		return ""
	}
	return "of other modules it may use " + strconv.Quote(row.other)
}

// checkPolicy finds the rows of the import policy, and the packages of the
// model, that no package matches: a rule about nothing hides that a package
// was renamed.
func checkPolicy(files []*file) []string {
	var dirs, bad []string
	for _, f := range files {
		if f.isGo() {
			dirs = append(dirs, f.dir())
		}
	}
	exists := func(pattern string) bool {
		return slices.ContainsFunc(dirs, func(dir string) bool { return matchAny(dir, pattern) })
	}
	for _, row := range importPolicy() {
		if !exists(row.dir) {
			bad = append(bad, fmt.Sprintf("the import policy has a row for %s, but there is no such package", row.dir))
		}
	}
	for _, pattern := range strings.Fields(modelDirs) {
		if !exists(pattern) {
			bad = append(bad, fmt.Sprintf("the packages of the model include %s, but there is no such package", pattern))
		}
	}
	return bad
}

func importPath(spec *ast.ImportSpec) string {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value
	}
	return p
}
