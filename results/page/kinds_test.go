package page

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/results/compare"
)

// kinds are pages other than that of a run, with a text wherever a scenario, a
// directory or a file chooses one.
func kinds(t testing.TB, name string) map[string]*Document {
	pages := map[string]*Document{}
	keep := func(kind string) func(*Document, error) {
		return func(d *Document, err error) {
			require.NoError(t, err, kind)
			pages[kind] = d
		}
	}
	keep("index")(Index(name, []IndexEntry{{Path: name + "/x", Kind: "run", Scenario: name, Verdict: name, Seed: "1", Tool: name, Changed: name, Shown: true},
		{Path: name, Kind: "damaged", Verdict: name}}, name))
	keep("files")(Files(name, []File{{Name: name, Size: "1", Changed: name}, {Name: name + "/", Changed: name}}))
	keep("notice")(Notice(name, name, name))
	keep("sweep")(sweepOf(name).Document())
	keep("search")((&Search{Title: name, Partial: name, Verdict: name, Grade: "ok", Goals: []string{name}, Conditions: []string{name}, Params: []string{name}, Best: []string{name},
		Summary: name, Facts: []SearchFact{{name, name}}, Scenario: name, Path: &Table{ID: "path-table", Caption: name, Columns: []Column{{Name: name, Doc: name}}, Rows: [][]string{{name}}, Narrow: true}}).Document())
	keep("comparison")(Comparison(comparisonOf(t, name), busy(name), busy(name)))
	keep("sweeps")(SweepComparison(&compare.SweepComparison{A: name, B: name, Warnings: []string{name}, Changes: []compare.Change{{Field: name, A: name, B: name}},
		Axes:     []compare.Axis{{Name: name, Short: name, Values: []string{name}}},
		Settings: []compare.SettingComparison{{Setting: name, Places: []int{0}, Comparison: comparisonOf(t, name)}}}))
	return pages
}

func sweepOf(name string) *Sweep {
	return &Sweep{Title: name, Partial: name, Objective: name, Fixed: []string{name}, Command: name, Failures: []string{name}, Left: 3,
		Scenarios:  []SweepScenario{{Name: name, Question: name, Seeds: 2, Found: true, Advice: []string{name, name}}},
		Dimensions: []SweepDimension{{Name: name, Short: name, Places: []string{name, "2"}}},
		Metrics:    []SweepMetric{{"fct.p99", "a time", results.Duration, results.LowerBetter, 2, 3}, {"ecn.marks", "packets", results.Count, results.Neutral, 4, 4}},
		Pareto:     []int{0, 1}, Unmet: 1, Runs: 1, Recommended: 1, Front: 1, Notes: map[int]string{1: name},
		Settings: &Table{ID: "settings-table", Caption: "All settings", Rows: [][]string{{name, "0", "12.5", "0.5", "3"}, {"2", "0", "", "", ""}}, Narrow: true,
			Columns: []Column{{Name: name}, {Name: "runs"}, {Name: "fct.p99_us_mean"}, {Name: "fct.p99_us_ci95"}, {Name: "ecn.marks_mean"}}},
	}
}

// comparisonOf has a metric of each verdict.
func comparisonOf(t testing.TB, name string) *compare.Comparison {
	side := func(name string, values ...float64) *compare.Side {
		s := &compare.Side{Name: name}
		for seed := range uint64(4) {
			sample := compare.Sample{Seed: seed, Fingerprint: seed}
			for _, v := range values {
				sample.Values = append(sample.Values, v*(1+float64(seed)/1e4))
			}
			s.Samples = append(s.Samples, sample)
		}
		return s
	}
	var subjects []results.Subject
	for _, metric := range []string{"fct.p99", "goodput.total", "ecn.marks", "queue.peak", "drops.total"} {
		subjects = append(subjects, results.Subject{Metric: metric})
	}
	c, err := compare.Compare(side(name, 1e9, 5e9, 100, 3000, 0), side(name, 2e9, 9e9, 50, 3001, 0), subjects, compare.Options{Ignore: 0.01})
	require.NoError(t, err)
	c.Warnings, c.Changes = []string{name}, []compare.Change{{Field: name, A: name, B: name}, {Field: "x", B: name}}
	return c
}

// TestNamesAreTextOnEveryPage compares the shapes of pages with harmless names
// and with markup: no element or attribute may come from a name.
func TestNamesAreTextOnEveryPage(t *testing.T) {
	plain := kinds(t, "plain")
	for _, name := range []string{`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `</script><b>`, "a\u2028b", `' x='`, `<!--`, `&lt;b&gt;`, `javascript:alert(1)`} {
		for kind, d := range kinds(t, name) {
			want, _ := parsed(t, plain[kind])
			got, _ := parsed(t, d)
			require.Equal(t, shape(want), shape(got), "%s with %s", kind, name)
			for _, a := range elements(got, "a") {
				to, _ := attribute(a, "href")
				require.False(t, strings.HasPrefix(to, "javascript"), "%s with %s", kind, name)
			}
		}
	}
}

func TestLinksOfNamesStayBelow(t *testing.T) {
	for name, want := range map[string]string{
		"a b": "./a%20b", "a/b": "./a/b", "x:y": "./x:y", "50%": "./50%25", "a?b#c": "./a%3Fb%23c", "../x": "./../x", `"<>`: "./%22%3C%3E",
	} {
		require.Equal(t, want, localLink(name))
	}
}

func TestComparisonSaysVerdictsInWords(t *testing.T) {
	d, err := Comparison(comparisonOf(t, "mtu"), busy("a"), busy("b"))
	require.NoError(t, err)
	root, _ := parsed(t, d)
	page := text(elements(root, "main")[0])
	for _, want := range []string{
		"\u21c5 B is better in some and worse in others", "B is worse in fct.p99; better in goodput.total; different in ecn.marks.",
		"Paired t-test on equal seeds, level 1 % for all", "Warning: mtu.", "(absent)", "\u25bc worse", "\u25b2 better", "\u2260 different", "= same",
		"1 ms", "2 ms", "+100.00 %", "lower is better", "Equal in all runs: drops.total.", "Flow completion time of a", "Queue depth of",
	} {
		require.Contains(t, page, want)
	}
	rows := elements(byID(t, root, "metrics-table"), "tr")
	require.Contains(t, text(rows[1]), "fct.p99", "what is worse comes first")
	for _, c := range []struct {
		worse, better, different int
		want                     string
	}{{1, 0, 0, "B is worse"}, {0, 1, 1, "B is better"}, {0, 0, 1, "B is different, neither better nor worse"}, {0, 0, 0, "A and B are the same"}} {
		var v comparisonView
		v.grade(c.worse, c.better, c.different)
		require.Equal(t, c.want, v.Word)
	}
}

// What one run of each says is no verdict that a test stands behind.
func TestComparisonOfOneRunEach(t *testing.T) {
	side := func(value float64) *compare.Side {
		return &compare.Side{Name: "x", Samples: []compare.Sample{{Seed: 1, Values: []float64{value}}}}
	}
	s, err := results.ParseSubject("fct.p99")
	require.NoError(t, err)
	c, err := compare.Compare(side(1e9), side(2e9), []results.Subject{s}, compare.Options{})
	require.NoError(t, err)
	d, err := Comparison(c, nil, nil)
	require.NoError(t, err)
	root, _ := parsed(t, d)
	page := text(elements(root, "main")[0])
	require.Contains(t, page, "\u25bc B is worse, in one run of each and without a test")
	require.Contains(t, page, "\u25bc worse (no test)")
	require.Contains(t, page, "whether a difference is chance cannot be told")
	require.Contains(t, string(d.Lead), `class="banner warn"`)

	d, err = SweepComparison(&compare.SweepComparison{A: "a", B: "b", Settings: []compare.SettingComparison{{Setting: "mtu=1024", Comparison: c}}})
	require.NoError(t, err)
	require.Contains(t, string(d.Lead), "B is worse, in one run of each and without a test")
}

// Both sides stand over the axes that two sweeps share: A and then B, the last
// axis changing fastest, and nothing where a setting is not in both.
func TestSidesOfSweeps(t *testing.T) {
	one := comparisonOf(t, "x")
	c := &compare.SweepComparison{A: "a", B: "b", Axes: []compare.Axis{
		{Name: "switch.ecn.kmin", Short: "kmin", Values: []string{"1KB", "2KB"}, Numbers: []float64{1000, 2000}},
		{Name: "cc.preset", Short: "preset", Values: []string{"paper", "connectx", "x"}},
	}, Settings: []compare.SettingComparison{{Setting: "kmin=2KB, preset=connectx", Places: []int{1, 1}, Comparison: one}}}
	g := sides{of: c, per: 6}
	g.collect()
	g.describe()
	g.fill()
	require.Equal(t, []SweepDimension{{"side", "side", []string{"A", "B"}, nil},
		{"switch.ecn.kmin", "kmin", []string{"1KB", "2KB"}, []float64{1000, 2000}}, {"cc.preset", "preset", []string{"paper", "connectx", "x"}, nil}}, g.wire.Dimensions)
	require.Equal(t, 4, g.wire.Seeds)
	for i, row := range g.rows {
		_, missing := g.wire.Notes[i]
		require.Equal(t, i != 4 && i != 10, missing, "row %d", i)
		require.Equal(t, missing, strings.Join(row, "") == "")
	}
	for k, m := range g.wire.Metrics {
		r := &one.Rows[slices.IndexFunc(one.Rows, func(r compare.Row) bool { return r.Metric == m.Name })]
		scale := map[string]float64{"ps": 1e-6, "bps": 1e-9, "B": 1, "": 1}[m.Scales[0].Name] // columns are in us and Gb/s
		for row, l := range map[int]*compare.Level{4: &r.A, 10: &r.B} {
			require.Equal(t, results.FloatText(l.Mean*scale), g.rows[row][m.Mean], "%s in row %d", m.Name, row)
			half := l.HalfWidth() * scale
			require.InDelta(t, half, Number(g.rows[row][2+2*k]).float(), 1e-5*half, "six digits")
		}
	}
	doc, err := SweepComparison(c)
	require.NoError(t, err)
	root, _ := parsed(t, doc)
	require.Contains(t, text(byID(t, root, "sides")), "Intervals are those of each side alone.")

	c.Axes[0].Values = make([]string, mostSides)
	part, err := sidesOf(c)
	require.NoError(t, err)
	require.Empty(t, part, "too large for a page")
	c.Axes = nil
	part, err = sidesOf(c)
	require.NoError(t, err)
	require.Empty(t, part, "written by an earlier version")
}

func TestSweepPageWithoutWhatIsMissing(t *testing.T) {
	s := sweepOf("x")
	s.Partial, s.Failures, s.Pareto, s.Metrics = "", nil, nil, nil
	d, err := s.Document()
	require.NoError(t, err)
	var ids []string
	for _, section := range d.Sections {
		ids = append(ids, section.ID)
	}
	require.Equal(t, []string{"settings", "grid"}, ids)
}
