package results

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the tables of README.md")

// The tables of README.md are exactly what the code says: no column or metric
// is missing there, and none is there that the code has not.
func TestREADME(t *testing.T) {
	for name, want := range map[string]string{"columns": columnsText(), "metrics": metricsText()} {
		readme, err := os.ReadFile("README.md")
		require.NoError(t, err)
		section := regexp.MustCompile(`(?s)(<!-- begin ` + name + `: [^\n]*\n)(.*?)(<!-- end ` + name + ` -->)`)
		found := section.FindSubmatch(readme)
		require.NotNil(t, found, "README.md has a section %s", name)
		if *update {
			text := section.ReplaceAllString(string(readme), "${1}"+strings.ReplaceAll(want, "$", "$$")+"${3}")
			require.NoError(t, os.WriteFile("README.md", []byte(text), 0o644))
			continue
		}
		assert.Equal(t, want, string(found[2]), "run go test ./results -run README -update")
	}
}

func columnsText() string {
	var b strings.Builder
	for _, f := range Files() {
		fmt.Fprintf(&b, "\n### %s\n\n%s\n\n| column | meaning |\n|---|---|\n", f.Name, f.Doc)
		for _, c := range f.Columns {
			fmt.Fprintf(&b, "| `%s` | %s |\n", c.Name, c.Doc)
		}
	}
	return b.String() + "\n"
}

func metricsText() string {
	var b strings.Builder
	b.WriteString("\n| metric | value | narrowed by | meaning |\n|---|---|---|---|\n")
	for _, m := range Catalogue() {
		fmt.Fprintf(&b, "| `%s` | %v | %s | %s |\n", m.Name, m.Unit, strings.Join(m.Labels, ", "), m.Doc)
	}
	return b.String() + "\n"
}

// Every column that holds a quantity says its unit.
func TestColumnsEndInTheirUnit(t *testing.T) {
	names := strings.Fields("flow workload src dst priority udp_source_port unfinished_reason node port peer peer_port tier nic cause path component kind name type dscp sent_dscp congestion_control action counter")
	unit := regexp.MustCompile(`(?i)_(us|ns|bytes|packets|frames|gbps|ratio|count|flag)$`)
	for _, f := range Files() {
		seen := map[string]bool{}
		for _, c := range f.Columns {
			assert.False(t, seen[c.Name], "%s has %s twice", f.Name, c.Name)
			seen[c.Name] = true
			if f.Name == "nics.csv" { // counts under the names of Linux
				continue
			}
			assert.True(t, contains(names, c.Name) || unit.MatchString(c.Name), "%s: %s has no unit", f.Name, c.Name)
		}
	}
}

func contains(list []string, s string) bool {
	return strings.Contains(" "+strings.Join(list, " ")+" ", " "+s+" ")
}
