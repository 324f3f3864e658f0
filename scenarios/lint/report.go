package lint

import (
	"fmt"
	"io"
	"strings"

	"rocesim/results"
	"rocesim/scenarios/rules"
	"rocesim/scenarios/strict"
)

// Report is what was found in one scenario, as JSON has it.
type Report struct {
	// File is the file or the name of the scenario.
	File string `json:"file"`
	// Findings are those at or above the severity asked for, in the order of the
	// file.
	Findings []Entry `json:"findings"`
	// Below counts those under it.
	Below int `json:"below_severity"`
}

// Entry is a finding with all its texts.
type Entry struct {
	Code     string         `json:"code"`
	Name     string         `json:"name"`
	Severity rules.Severity `json:"severity"`
	// File, Line and Column are the place in the scenario; Line is 0 for what a
	// flag set, which File then names. Path is the field.
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Path   string `json:"path"`
	Text   string `json:"text"`
	// Places are the switches, NICs, ports or links; empty for the whole network.
	Places     []string `json:"places"`
	Arithmetic string   `json:"arithmetic"`
	Remedy     string   `json:"remedy"`
}

// NewReport keeps the findings from a severity on.
func NewReport(file string, found []Finding, least rules.Severity) Report {
	r := Report{File: file, Findings: []Entry{}}
	for i := range found {
		f := &found[i]
		if f.Severity < least {
			r.Below++
			continue
		}
		r.Findings = append(r.Findings, Entry{
			Code: f.Rule.Code, Name: f.Rule.Name, Severity: f.Severity, File: f.Pos.File, Line: f.Pos.Line, Column: f.Pos.Col, Path: f.Path,
			Text: f.Text, Places: append([]string{}, f.Places()...), Arithmetic: f.Arithmetic, Remedy: f.Remedy,
		})
	}
	return r
}

// pos is the place of an entry as compilers write it.
func (e *Entry) pos() string { return strict.Pos{File: e.File, Line: e.Line, Col: e.Column}.String() }

// shownPlaces is how many places of a finding the text names.
const shownPlaces = 4

// where lists the places, the first few by name.
func (e *Entry) where() string {
	if n := len(e.Places); n > shownPlaces {
		return fmt.Sprintf("%s and %d more", strings.Join(e.Places[:shownPlaces], ", "), n-shownPlaces)
	}
	return strings.Join(e.Places, ", ")
}

// WriteText prints the findings as a compiler does, one line and an indented
// block each.
func (r *Report) WriteText(out io.Writer) error {
	var b strings.Builder
	for i := range r.Findings {
		e := &r.Findings[i]
		fmt.Fprintf(&b, "%s: %s %s %s: %s\n", e.pos(), e.Severity, e.Code, e.Name, e.Text)
		block(&b, "at", e.where())
		block(&b, "sum", e.Arithmetic)
		block(&b, "remedy", e.Remedy)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// block prints a labelled text in indented lines.
func block(b *strings.Builder, label, text string) {
	if text == "" {
		return
	}
	for _, line := range results.Wrap(text, 86) {
		fmt.Fprintf(b, "    %-8s%s\n", label, line)
		label = ""
	}
}

// WriteGitHub prints the findings as annotations of GitHub Actions.
func (r *Report) WriteGitHub(out io.Writer) error {
	var b strings.Builder
	for i := range r.Findings {
		e := &r.Findings[i]
		kind := map[rules.Severity]string{rules.Info: "notice", rules.Warning: "warning", rules.Error: "error"}[e.Severity]
		place := "file=" + property(e.File)
		if e.Line > 0 {
			place += fmt.Sprintf(",line=%d,col=%d", e.Line, e.Column)
		}
		text := e.Text
		if e.where() != "" {
			text += " (" + e.where() + ")"
		}
		fmt.Fprintf(&b, "::%s %s,title=%s::%s\n", kind, place, property(e.Code+" "+e.Name), message(text+"\n"+e.Arithmetic+"\nRemedy: "+e.Remedy))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// message escapes what ends a workflow command, property also what ends a
// property of it.
func message(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

func property(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(message(text))
}
