package tune

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rocesim/results/page"
	"rocesim/scenarios/sweep"
)

// Page makes the page of a search from the files in its directory. The error
// says that there are none yet, or which cannot be used.
func Page(dir string) (*page.Document, error) {
	head, err := Peek(os.DirFS(dir), ".")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	s := &page.Search{Title: head.Scenario, Verdict: head.Verdict, Grade: head.grade(), Goals: head.Goals, Conditions: head.Subject, Params: head.Params, Best: head.Best}
	if s.Verdict == "" {
		s.Verdict = "no verdict yet"
	}
	if head.State != "finished" {
		s.Partial = "The search was interrupted; the same command goes on where it was."
	}
	rows, err := readPath(filepath.Join(dir, "path.csv"))
	if err != nil {
		return nil, err
	}
	for name, text := range map[string]*string{"summary.txt": &s.Summary, "best.yaml": &s.Scenario} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		*text = string(data)
	}
	s.Facts = factsOf(s.Summary)
	if len(rows[0]) < 3+len(head.Params)+len(head.Goals) {
		return nil, fmt.Errorf("%s:1: there is no column of the goal: the file was changed", filepath.Join(dir, "path.csv"))
	}
	s.Path = pathTable(rows, len(head.Params))
	s.Chart = pathChart(rows, head)
	return s.Document()
}

// factsOf takes the lines out of a summary that say what came out.
func factsOf(summary string) []page.SearchFact {
	var facts []page.SearchFact
	for line := range strings.Lines(summary) {
		name, text, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if ok && slices.Contains([]string{"as it is", "best", "change", "check", "range", "influence"}, name) {
			facts = append(facts, page.SearchFact{Name: name, Text: strings.TrimSpace(text)})
		}
	}
	return facts
}

// WritePage writes the page of a search beside its files.
func WritePage(dir string) error {
	doc, err := Page(dir)
	if err != nil {
		return err
	}
	return sweep.WriteDocument(dir, doc)
}

// grade is how the page shows the verdict.
func (h *Head) grade() string {
	switch {
	case h.Violation > 0 || len(h.Best) == 0:
		return "bad"
	case h.Improved:
		return "ok"
	}
	return "warn"
}

func readPath(path string) ([][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(f).ReadAll()
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) < 2 || len(rows[0]) < 2 {
		return nil, fmt.Errorf("%s: there is no setting in it", path)
	}
	for _, name := range []string{"setting", "cost", "violation", "best_so_far"} {
		if !slices.Contains(rows[0], name) {
			return nil, fmt.Errorf("%s:1: there is no column %s: the file was changed", path, name)
		}
	}
	return rows, nil
}

// pathTable is path.csv; after two columns come the parameters.
func pathTable(rows [][]string, params int) *page.Table {
	t := &page.Table{ID: "path-table", Caption: "Settings tried", Rows: rows[1:], Narrow: true}
	docs := map[string]string{
		"setting": "its number; 0 is the scenario as it is", "phase": "why it was tried: as it is, spread over the box, or searched",
		"cost":      "the weighted sum that is made small, each metric divided by its value in the scenario as it is; no unit",
		"violation": "how far the conditions are missed, as a share; 0 if all hold", "best_so_far": "whether it was better than all before", "error": "why a run failed",
	}
	for i, name := range rows[0] {
		doc := docs[name]
		switch {
		case doc != "":
		case i < 2+params:
			doc = "the value of this field of the scenario"
		case strings.Contains(name, "_ci95"):
			doc = "half the 95 % confidence interval of the mean over the seeds"
		default:
			doc = "mean over the seeds"
		}
		t.Columns = append(t.Columns, page.Column{Name: name, Doc: doc})
	}
	return t
}

// pathChart draws the metric of the only goal, or the cost of several, in the
// order in which settings were tried. Nil if none has a value.
func pathChart(rows [][]string, head *Head) *page.Chart {
	header := rows[0]
	column, label, unit := slices.Index(header, "cost"), "Weighted sum", page.Plain
	if len(head.Goals) == 1 {
		column = 2 + len(head.Params)
		label, unit = measured(header[column])
	}
	violation, best := slices.Index(header, "violation"), slices.Index(header, "best_so_far")
	met := page.Line{Name: "meets the conditions", Dots: true, Colour: 1}
	missed := page.Line{Name: "misses a condition", Dots: true, Colour: 5}
	front := page.Line{Name: "best so far", Step: true, Colour: 2}
	for _, row := range rows[1:] {
		place, value := page.Number(row[0]), page.Number(row[column])
		if value == "" {
			continue
		}
		line := &missed
		if row[violation] == "0" {
			line = &met
		}
		line.Places, line.Values = append(line.Places, place), append(line.Values, value)
		if row[best] == "true" && row[violation] == "0" {
			front.Places, front.Values = append(front.Places, place), append(front.Values, value)
		}
	}
	if n := len(front.Values); n > 0 {
		last := page.Number(rows[len(rows)-1][0])
		front.Places, front.Values = append(front.Places, last), append(front.Values, front.Values[n-1])
	}
	c := &page.Chart{ID: "search", Title: label + " of every setting tried", Caption: "In the order in which they were tried; 0 is the scenario as it is; path.csv.",
		X: page.Axis{Label: "Setting", Unit: page.Plain}, Y: page.Axis{Label: label, Unit: unit, Fit: true}}
	for _, l := range []page.Line{met, missed, front} {
		if len(l.Values) > 0 {
			c.Lines = append(c.Lines, l)
		}
	}
	if len(c.Lines) == 0 {
		return nil
	}
	return c
}

// measured takes apart the name of a column of a metric.
func measured(column string) (label string, unit page.Unit) {
	name, labels, found := strings.Cut(column, "{")
	name = strings.TrimSuffix(name, "_mean")
	for suffix, u := range map[string]page.Unit{"_us": page.Microseconds, "_gbps": page.Gigabits, "_bytes": page.Bytes} {
		if bare, ok := strings.CutSuffix(name, suffix); ok {
			name, unit = bare, u
		}
	}
	if found {
		name += "{" + labels
	}
	return name, unit
}
