package explain

import (
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios"
)

var update = flag.Bool("update", false, "rewrite the golden texts")

func report(t *testing.T, e *scenarios.LibraryEntry, set ...string) *Report {
	t.Helper()
	sc, err := scenarios.Parse(e.Name+".yaml", e.Text, set)
	require.NoError(t, err)
	p, err := sc.Plan()
	require.NoError(t, err)
	return New(p, sc.Question)
}

func find(t *testing.T, name string) *scenarios.LibraryEntry {
	t.Helper()
	e, err := scenarios.FindScenario(name)
	require.NoError(t, err)
	return e
}

func text(t *testing.T, r *Report) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, r.WriteText(&out))
	return out.String()
}

// Whole pages, as a user reads them.
func TestGoldenPages(t *testing.T) {
	for _, name := range []string{"incast-8-1", "incast-32-1", "cluster-200"} {
		t.Run(name, func(t *testing.T) {
			got := text(t, report(t, find(t, name)))
			file := "testdata/" + name + ".txt"
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.Equal(t, string(want), got, "run go test ./scenarios/explain -update and read the difference")
		})
	}
}

// unitless are the names of plain numbers in JSON; all others end in their unit.
func unitless() []string {
	return []string{
		"pairs", "hops", "ports", "groups", "alpha", "flows", "tier", "switches", "ways", "even_flows", "fullest_flows", "busy_ways",
		"queue_pairs", "messages", "packets", "acks", "cnps", "mean_links", "packet_hops", "cnp_hops", "kmin_first_until_groups", "kmax_first_until_groups",
	}
}

// Every scenario of the library is explained: nothing fails, no line is too wide,
// the same comes out again, every section says what it means and what to do, and
// the numbers of JSON have units in their names.
func TestEveryScenarioIsExplained(t *testing.T) {
	unit := regexp.MustCompile(`_(us|ns|m|bytes|gbps|ratio|degrees|per_second)$`)
	for _, e := range scenarios.Library() {
		r := report(t, &e)
		page := text(t, r)
		assert.Equal(t, page, text(t, report(t, &e)), e.Name)
		for line := range strings.Lines(page) {
			assert.LessOrEqual(t, len(strings.TrimSuffix(line, "\n")), 100, "%s: %s", e.Name, line)
		}
		data, err := json.Marshal(r)
		require.NoError(t, err, e.Name)
		assert.NotContains(t, string(data), `"NaN"`)
		require.Len(t, r.Sections, 7)
		for _, s := range r.Sections {
			assert.NotEmpty(t, s.Meaning, s.ID)
			assert.NotEmpty(t, s.Advice, s.ID)
			assert.NotEmpty(t, s.Verdict, s.ID)
			for _, row := range s.Rows {
				for key, value := range row {
					switch value.(type) {
					case string, bool:
					default:
						assert.True(t, unit.MatchString(key) || slices.Contains(unitless(), key), "%s.%s has no unit", s.ID, key)
					}
				}
			}
		}
	}
}

// Scenarios made to be wrong are seen to be: by section, what it says.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		scenario, section, verdict string
		bad                        bool
	}{
		{"no-headroom", "headroom", "3 ports can lose packets when a sender at line rate is paused", true},
		{"adapter-ignores-pause", "headroom", "nothing stops the senders of 1 port: packets are lost", true},
		{"incast-8-1", "headroom", "every port can take what arrives after XOFF", false},
		{"same-hash-seed", "ecmp", "switches of two tiers hash with the same seed", true},
		{"marks-without-dcqcn", "dcqcn", "queue pairs have no congestion control", false},
		{"cluster-200", "headroom", "every port can take what arrives after XOFF, 200 ports only if few frames are small", false},
		{"deadlock-ring-3", "dcqcn", "the workload is datagrams, which no congestion control slows down", false},
		{"deadlock-ring-3", "thresholds", "nobody waits for marks", false},
		{"no-marks", "dcqcn", "no port towards hosts marks", true},
		{"deadlock-ring-3", "deadlock", "is possible: 1 finding", true},
		{"incast-8-1", "deadlock", "none: this fabric cannot deadlock", false},
		{"victim-flow", "paths", "the fabric is oversubscribed", true},
		{"cluster-200", "work", "20 ms of simulated time: <=", false},
	} {
		r := report(t, find(t, c.scenario))
		at := slices.IndexFunc(r.Sections, func(s Section) bool { return s.ID == c.section })
		require.GreaterOrEqual(t, at, 0)
		assert.Contains(t, r.Sections[at].Verdict, c.verdict, c.scenario)
		assert.Equal(t, c.bad, r.Sections[at].Bad, c.scenario+" "+c.section)
	}
}

// A page answers what-if questions: --set changes its numbers.
func TestPageFollowsSettings(t *testing.T) {
	e := find(t, "incast-8-1")
	words := func(r *Report) string { return strings.Join(strings.Fields(text(t, r)), " ") }
	assert.Contains(t, words(report(t, e, "fabric.host_link.cable=100m")), "the cable there and back 1 us")
	assert.NotContains(t, words(report(t, e)), "the cable there and back 1 us")
	assert.Contains(t, words(report(t, find(t, "no-headroom"))), "XOFF for N = 4 is the lesser of ")
}

// Numbers of a lossless class say nothing about data that is in another one.
func TestMistakesOfClassesComeFirst(t *testing.T) {
	lossy := text(t, report(t, find(t, "dscp-not-mapped")))
	assert.Contains(t, lossy, "  warning: data with DSCP 26 lands in a lossy class of 4 of 4 switches (leaf0, ...); lossless\n")
	assert.Less(t, strings.Index(lossy, "warning: "), strings.Index(lossy, "look at 1: "))
	assert.NotContains(t, text(t, report(t, find(t, "dscp-not-mapped"), "switch.dscp_to_tc={26: 3}")), "warning: ")
}

// Lines do not end between a number and its unit.
func TestNumbersKeepTheirUnits(t *testing.T) {
	var out strings.Builder
	hanging(&out, "- ", "  ", strings.Repeat("wait 12 us at 100 Gbps for 5 % of 1,024 B ", 9))
	for line := range strings.Lines(out.String()) {
		assert.NotRegexp(t, `[0-9]\n$`, line)
		assert.NotRegexp(t, `^  (us|Gbps|%|B)`, line)
	}
}
