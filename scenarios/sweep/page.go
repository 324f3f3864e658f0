package sweep

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rocesim/results"
	"rocesim/results/page"
	"rocesim/scenarios/grid"
)

// Limits of a page, so that a browser opens it at once, in bytes of its table:
// beyond the first only the main metrics are in it, beyond the second there is
// no page.
const (
	fullTable = 2_000_000
	mostTable = 4_000_000
)

// errLarge says that a sweep is too large for a page.
var errLarge = errors.New("too large for a page")

// Page makes the page of a sweep from the tables in its directory. The error
// says that there are none yet, or which file cannot be used.
func Page(dir string) (*page.Document, error) {
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: not the directory of a sweep, it has no %s", dir, manifestFile)
	}
	if err != nil {
		return nil, err
	}
	m, err := parseManifest(filepath.Join(dir, manifestFile), text)
	if err != nil {
		return nil, err
	}
	p := &pager{dir: dir, manifest: m}
	if err := p.read(); err != nil {
		return nil, err
	}
	return p.page.Document()
}

// WritePage writes the page of a sweep beside its tables.
func WritePage(dir string) error {
	doc, err := Page(dir)
	if err != nil {
		return err
	}
	return WriteDocument(dir, doc)
}

// WriteDocument writes a page into a directory so that a reader sees all of it
// or nothing.
func WriteDocument(dir string, doc *page.Document) error {
	var html bytes.Buffer
	if err := doc.Write(&html); err != nil {
		return err
	}
	return writeWhole(filepath.Join(dir, results.ReportFile), html.Bytes())
}

// pager reads what a page shows.
type pager struct {
	dir      string
	manifest *manifestJSON
	page     page.Sweep
	// header and rows are settings.csv, large whether it is.
	header []string
	rows   [][]string
	large  bool
}

func (p *pager) read() error {
	m := p.manifest
	p.page.Fixed, p.page.Objective = m.Fixed, m.Objective
	if err := p.readSettings(); err != nil {
		return err
	}
	var names []string
	for _, s := range m.Scenarios {
		one := page.SweepScenario{Name: s.Name, Question: s.Question, Seeds: len(s.Seeds)}
		for _, a := range m.Advice {
			if a.Scenario == s.Name {
				one.Found, one.Certain = a.Found, a.BeyondChance
				for _, line := range a.Text {
					one.Advice = append(one.Advice, strings.ReplaceAll(line, "+-", "± "))
				}
			}
		}
		if len(one.Advice) == 0 {
			one.Advice = []string{"it is not known; the same rocesim sweep command finds out"}
		}
		p.page.Scenarios = append(p.page.Scenarios, one)
		names = append(names, s.Name)
	}
	p.page.Title = strings.Join(names, ", ")
	if m.State != "finished" {
		p.page.Partial = "The sweep was interrupted: some settings have no values yet, or are compared without some of the others. The same command goes on where it was."
	}
	p.dimensions()
	if err := p.checkGrid(); err != nil {
		return err
	}
	if size := p.columns(); size > mostTable {
		return fmt.Errorf("%s: %w: the main columns of its %s settings are %s, and a page holds %s; the tables and plots are complete", p.dir, errLarge,
			results.Count.Format(float64(len(p.rows))), results.Size.Format(float64(size)), results.Size.Format(mostTable))
	}
	if err := p.readRuns(); err != nil {
		return err
	}
	p.page.Command = m.command()
	return nil
}

// readSettings reads settings.csv.
func (p *pager) readSettings() error {
	path := filepath.Join(p.dir, "settings.csv")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: the sweep has no tables yet (%s); the same rocesim sweep command goes on with it", p.dir, p.manifest.State)
	}
	if err != nil {
		return err
	}
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) < 2 {
		return fmt.Errorf("%s: there is no setting in it", path)
	}
	p.header, p.rows, p.large = rows[0], rows[1:], len(text) > fullTable
	return nil
}

// dimensions are those of the manifest.
func (p *pager) dimensions() {
	var g grid.Grid
	for _, a := range p.manifest.Axes {
		axis := grid.Axis{Path: a.Path}
		for _, v := range a.Values {
			axis.Values = append(axis.Values, grid.Value{Text: v})
		}
		if a.Dimension < len(g) {
			g[a.Dimension] = append(g[a.Dimension], axis)
		} else {
			g = append(g, grid.Dimension{axis})
		}
	}
	s := &Sweep{Grid: g}
	for _, dim := range g {
		one := page.SweepDimension{Name: dim.Name()}
		var short []string
		for _, a := range dim {
			short = append(short, s.short(a.Path))
		}
		one.Short = strings.Join(short, " / ")
		for place := range dim.Len() {
			var words []string
			for _, a := range dim {
				words = append(words, a.Values[place].Text)
			}
			one.Places = append(one.Places, strings.Join(words, " / "))
		}
		if quantities, _ := dim[0].Quantities(); len(dim) == 1 {
			for _, q := range quantities {
				one.Numbers = append(one.Numbers, q.Float())
			}
		}
		p.page.Dimensions = append(p.page.Dimensions, one)
	}
}

// checkGrid compares settings.csv with the grid: a heatmap of a table that was
// sorted by hand would lie.
func (p *pager) checkGrid() error {
	path := filepath.Join(p.dir, "settings.csv")
	per := 1
	for _, d := range p.page.Dimensions {
		per *= len(d.Places)
	}
	if want := per * len(p.page.Scenarios); len(p.rows) != want {
		return fmt.Errorf("%s: there are %d settings, and the grid of %s has %d: the file was changed", path, len(p.rows), manifestFile, want)
	}
	at := []int{slices.Index(p.header, "scenario")}
	for _, a := range p.manifest.Axes {
		at = append(at, slices.Index(p.header, a.Path))
	}
	if slices.Contains(at, -1) {
		return fmt.Errorf("%s:1: a column of scenario or of an axis is missing: the file was changed", path)
	}
	for i, row := range p.rows {
		if row[at[0]] != p.page.Scenarios[i/per].Name || !p.standsAt(row, at[1:], i%per) {
			return fmt.Errorf("%s:%d: this setting is not the one that belongs here: the file was changed", path, i+2)
		}
	}
	return nil
}

// standsAt reports whether a row has the values of a combination; at are the
// columns of the axes.
func (p *pager) standsAt(row []string, at []int, combination int) bool {
	for k := len(p.manifest.Axes) - 1; k >= 0; k-- {
		a := &p.manifest.Axes[k]
		if row[at[k]] != a.Values[combination%len(a.Values)] {
			return false
		}
		if k == 0 || p.manifest.Axes[k-1].Dimension != a.Dimension {
			combination /= len(a.Values)
		}
	}
	return true
}

// columns fills the table of settings, finds the metrics in it, and returns the
// bytes of the table.
func (p *pager) columns() (size int) {
	t := &page.Table{ID: "settings-table", Caption: "All settings"}
	p.page.Settings = t
	p.page.Unmet, p.page.Runs, p.page.Recommended, p.page.Front = -1, -1, -1, -1
	shown := p.wanted()
	var kept []int
	for i, name := range p.header {
		subject, of, isMetric := metricOf(name)
		main := !isMetric || slices.Contains(shown, subject.String())
		if p.large && !main {
			continue
		}
		place := len(t.Columns)
		one := name == "scenario" && len(p.manifest.Scenarios) == 1
		c := page.Column{Name: name, Doc: columnDoc(name), Main: main && !p.isTwin(i) && !one}
		if isMetric {
			c.Doc = p.metric(subject, of, place)
		}
		switch name {
		case "runs":
			p.page.Runs = place
		case "runs_unmet":
			p.page.Unmet = place
		case "recommended":
			p.page.Recommended = place
		case "pareto":
			p.page.Front = place
		}
		t.Columns, kept = append(t.Columns, c), append(kept, i)
	}
	for _, row := range p.rows {
		var cells []string
		for _, i := range kept {
			cells = append(cells, row[i])
			size += len(row[i]) + len(`"",`)
		}
		t.Rows = append(t.Rows, cells)
	}
	p.order()
	return size
}

// wanted names the metrics that the sweep is about, the objective first.
func (p *pager) wanted() []string {
	_, objective, _ := strings.Cut(p.manifest.Objective, " ")
	return slices.Concat([]string{objective}, p.manifest.Metrics, p.manifest.Pareto)
}

// isTwin reports whether a column has the numbers of the axis before it.
func (p *pager) isTwin(i int) bool {
	return i > 0 && slices.ContainsFunc(p.manifest.Axes, func(a axisJSON) bool { return a.Path == p.header[i-1] }) &&
		strings.HasPrefix(p.header[i], p.header[i-1]+"_")
}

func columnDoc(name string) string {
	switch name {
	case "scenario":
		return "its name"
	case "runs":
		return "how many runs of the setting succeeded"
	case "runs_unmet":
		return "how many of them missed an expectation of the scenario"
	case "recommended":
		return "1 for the setting that is best at the objective"
	case "pareto":
		return "1 for settings of the Pareto front"
	}
	return "the value of this field of the scenario, or its number in the unit that the name ends in"
}

// metricOf reads the name of a column of a metric: of is "_mean" or "_ci95".
func metricOf(column string) (subject results.Subject, of string, ok bool) {
	name, labels, _ := strings.Cut(column, "{")
	for _, of = range []string{"_mean", "_ci95"} {
		metric, found := strings.CutSuffix(name, of)
		if !found {
			continue
		}
		for _, unit := range []string{"", "_us", "_gbps", "_bytes"} {
			bare, found := strings.CutSuffix(metric, unit)
			if _, known := results.DescribeMetric(bare); !found || !known {
				continue
			}
			text := bare
			if labels != "" {
				text += "{" + strings.ReplaceAll(labels, " ", ",")
			}
			if s, err := results.ParseSubject(text); err == nil && columnName(s, of) == column {
				return s, of, true
			}
		}
	}
	return results.Subject{}, "", false
}

// metric notes a column of a metric and returns what it means. The column of
// the mean comes before that of the interval.
func (p *pager) metric(s results.Subject, of string, place int) string {
	info := s.Info()
	if of == "_ci95" {
		if last := len(p.page.Metrics) - 1; last >= 0 && p.page.Metrics[last].Name == s.String() {
			p.page.Metrics[last].Interval = place
		}
		return "half the 95 % confidence interval of the mean: " + info.Doc
	}
	p.page.Metrics = append(p.page.Metrics, page.SweepMetric{Name: s.String(), Doc: info.Doc, Unit: info.Unit,
		Better: results.BetterDirection(s.Metric), Mean: place, Interval: place})
	return "mean over the seeds: " + info.Doc
}

// order puts the metrics with a value in front that the sweep is about, and
// leaves out those without any.
func (p *pager) order() {
	all := p.page.Metrics
	p.page.Metrics = nil
	find := func(name string) int {
		return slices.IndexFunc(p.page.Metrics, func(m page.SweepMetric) bool { return m.Name == name })
	}
	add := func(m page.SweepMetric) {
		if find(m.Name) < 0 && slices.ContainsFunc(p.page.Settings.Rows, func(row []string) bool { return row[m.Mean] != "" }) {
			p.page.Metrics = append(p.page.Metrics, m)
		}
	}
	for _, name := range p.wanted() {
		for _, m := range all {
			if m.Name == name {
				add(m)
			}
		}
	}
	for _, m := range all {
		add(m)
	}
	if len(p.manifest.Pareto) == 2 {
		if x, y := find(p.manifest.Pareto[0]), find(p.manifest.Pareto[1]); x >= 0 && y >= 0 {
			p.page.Pareto = []int{x, y}
		}
	}
}

// maxFailures is how many texts of failed runs a page has.
const maxFailures = 20

// readRuns takes from runs.csv why settings have no values.
func (p *pager) readRuns() error {
	path := filepath.Join(p.dir, "runs.csv")
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	r := csv.NewReader(file)
	r.ReuseRecord = true
	header, err := r.Read()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	stop, failure := slices.Index(header, "stop"), slices.Index(header, "error")
	if stop < 0 || failure < 0 {
		return fmt.Errorf("%s:1: there is no column stop or error: the file was changed", path)
	}
	p.page.Notes = map[int]string{}
	seen := map[string]bool{}
	seeds := len(p.manifest.Scenarios[0].Seeds)
	for i := 0; ; i++ {
		row, err := r.Read()
		if err != nil {
			break // the end; what is beyond a damaged line is left out
		}
		setting := i / seeds
		if word := row[stop]; slices.Contains([]string{"invalid", "failed", "missing"}, word) {
			p.page.Notes[setting] = strings.Clone(word)
		}
		if text := strings.Clone(row[failure]); text != "" && !seen[text] && setting < len(p.rows) {
			seen[text] = true
			p.failed(setting, text)
		}
	}
	return nil
}

func (p *pager) failed(setting int, text string) {
	if len(p.page.Failures) == maxFailures {
		p.page.Left++
		return
	}
	var words []string
	for _, a := range p.manifest.Axes {
		words = append(words, a.Path+"="+p.rows[setting][slices.Index(p.header, a.Path)])
	}
	p.page.Failures = append(p.page.Failures, strings.Join(words, ", ")+": "+text)
}
