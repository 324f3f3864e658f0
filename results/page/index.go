package page

import (
	"fmt"
	"html/template"
	"net/url"
	"strings"
)

// IndexEntry is a directory in an index: what is in it, or why nothing can be
// read there.
type IndexEntry struct {
	// Path is below the directory that is listed, with slashes.
	Path string
	// Kind is what the directory holds: "run", "sweep", "search" or
	// "comparison"; "damaged", "unfinished" or "foreign" if nothing that can
	// be shown.
	Kind string
	// Scenario is its name, Verdict what became of it in a sentence, or the
	// reason why it cannot be shown.
	Scenario, Verdict string
	// The rest are numbers as the files have them, empty where there are none.
	LosslessDrops, XoffFrames, Goodput, Slowdown, Seed string
	// Tool is the version of rocesim, Changed when the directory changed last.
	Tool, Changed string
	// Grade is how the edge of its row is coloured: "ok", "warn", "bad" or "".
	Grade string
	// Shown says that there is a page to lead to.
	Shown bool
}

// Index makes the page that lists directories. dir names where they are, cut
// says what was left out of the list, if anything.
func Index(dir string, entries []IndexEntry, cut string) (*Document, error) {
	t := indexTable(entries)
	body, err := t.Body()
	if err != nil {
		return nil, err
	}
	lead, err := Fill("index.html", map[string]any{"Counts": indexCounts(entries), "Cut": cut})
	if err != nil {
		return nil, err
	}
	if len(entries) == 0 {
		body = ""
	}
	return &Document{Title: dir, Kind: "Results", Lead: lead + body, Data: []Data{t.Data()}, Styles: []string{Asset("index.css")}}, nil
}

// indexCounts says how many of each kind there are.
func indexCounts(entries []IndexEntry) string {
	kinds := []struct{ kind, one, many string }{
		{"run", "run", "runs"}, {"sweep", "sweep", "sweeps"}, {"search", "search", "searches"}, {"comparison", "comparison", "comparisons"},
		{"damaged", "damaged directory", "damaged directories"}, {"unfinished", "unfinished directory", "unfinished directories"},
		{"foreign", "directory of something else", "directories of something else"},
	}
	var parts []string
	for _, k := range kinds {
		n := 0
		for i := range entries {
			if entries[i].Kind == k.kind {
				n++
			}
		}
		switch {
		case n == 1:
			parts = append(parts, "1 "+k.one)
		case n > 1:
			parts = append(parts, fmt.Sprintf("%s %s", count(n), k.many))
		}
	}
	return strings.Join(parts, ", ")
}

func indexTable(entries []IndexEntry) *Table {
	t := &Table{ID: "results", Caption: "Directories of results", Narrow: true, First: indexRows, Columns: []Column{
		{Name: "directory", Doc: "leads to the page about it"},
		{Name: "kind", Doc: "a run, a sweep over settings, a search for the best setting, a comparison; or damaged, unfinished, or foreign: not written by rocesim"},
		{Name: "scenario", Doc: "its name"},
		{Name: "verdict", Doc: "what became of it, or why it cannot be shown", Wrap: true},
		metricColumn("lossless drops (packets)", "drops.lossless"),
		metricColumn("XOFF frames", "pfc.pauses"),
		metricColumn("goodput (Gb/s)", "goodput.total"),
		metricColumn("slowdown p99", "slowdown.p99"),
		{Name: "seed", Doc: "of the run; how many seeds of a sweep or comparison"},
		{Name: "files", Doc: "leads to the list of its files"},
		{Name: "changed", Doc: "when the directory was written, by the clock of this machine"},
		{Name: "version", Doc: "of rocesim that simulated it"},
	}}
	for i := range entries {
		e := &entries[i]
		t.Rows = append(t.Rows, []string{e.Path, e.Kind, e.Scenario, e.Verdict, e.LosslessDrops, e.XoffFrames, e.Goodput, e.Slowdown,
			e.Seed, "files", e.Changed, e.Tool})
		links := make([]string, len(t.Columns))
		if e.Shown {
			links[0] = localLink(e.Path) + "/"
		}
		if e.Kind != "unfinished" || e.Shown {
			links[len(links)-3] = localLink(e.Path) + "/?files"
		}
		t.Links, t.Grades = append(t.Links, links), append(t.Grades, e.Grade)
	}
	return t
}

// localLink is a relative address of a path with slashes.
func localLink(path string) string {
	var steps []string
	for step := range strings.SplitSeq(path, "/") {
		steps = append(steps, url.PathEscape(step))
	}
	return "./" + strings.Join(steps, "/")
}

// File is an entry of a list of files.
type File struct{ Name, Size, Changed string }

// Files makes the page that lists the files of a directory. Names of
// directories end in a slash.
func Files(dir string, files []File) (*Document, error) {
	t := &Table{ID: "files", Caption: "Files of " + dir, Narrow: true, First: indexRows, Columns: []Column{
		{Name: "file", Doc: "leads to its text or picture"}, {Name: "bytes", Doc: "its size; a directory has none"}, {Name: "changed", Doc: "when it was written"},
	}}
	for _, f := range files {
		t.Rows = append(t.Rows, []string{f.Name, f.Size, f.Changed})
		link := localLink(f.Name)
		if name, isDir := strings.CutSuffix(f.Name, "/"); isDir {
			link = localLink(name) + "/?files"
		}
		t.Links = append(t.Links, []string{link, "", ""})
	}
	body, err := t.Body()
	if err != nil {
		return nil, err
	}
	return &Document{Title: dir, Kind: "Files", Lead: body, Data: []Data{t.Data()}}, nil
}

// indexRows is how many rows of an index are seen at once.
const indexRows = 1000

// Notice makes a page that says one thing: why there is no other page.
func Notice(title, headline, text string) (*Document, error) {
	lead, err := Fill("notice.html", map[string]string{"Headline": headline, "Text": text})
	return &Document{Title: title, Kind: "Results", Lead: template.HTML(lead)}, err
}
