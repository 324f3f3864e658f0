package check

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"rocesim/scenarios"
)

// WriteGitHub writes a report as workflow commands, which GitHub Actions shows
// beside the lines of the file (docs.github.com, "Workflow commands"): errors
// for what fails, notices for what only changed. All metrics are in one of each,
// as GitHub shows no more than ten errors and ten notices of a step.
func (r *Report) WriteGitHub(w io.Writer) error {
	var b strings.Builder
	sayOf := func(file, level, place, title, text string) {
		fmt.Fprintf(&b, "::%s file=%s,%s,title=%s::%s\n", level,
			escapeProperty(filepath.ToSlash(file)), place, escapeProperty(title), escapeData(text))
	}
	say := func(level, place, title, text string) { sayOf(r.Path, level, place, title, text) }
	r.githubProblem(func(file, place, text string) { sayOf(file, "error", place, "not tested", text) })
	if r.Fatal != "" {
		say("error", firstLine, "fatal condition", r.Fatal)
	}
	for _, o := range r.Outcomes {
		if !o.OK {
			say("error", fmt.Sprintf("line=%d", lineOf(r.Path, o.Expectation)), "expectation not met", o.Text)
		}
	}
	failed, other := r.sentences()
	if failed != nil {
		say("error", firstLine, "not as in the baseline", strings.Join(failed, "\n"))
	}
	if other != nil {
		say("notice", firstLine, "not as in the baseline", strings.Join(other, "\n"))
	}
	if text := r.otherEvents(); text != "" {
		say("notice", firstLine, "other events", text)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// firstLine is the place of what is true of a whole file.
const firstLine = "line=1"

// githubProblem tells why the scenario could not be tested: each mistake in its
// file or in its baseline at its place.
func (r *Report) githubProblem(say func(file, place, text string)) {
	var mistakes scenarios.Errors
	if !errors.As(r.Err, &mistakes) {
		if r.Err != nil {
			say(r.Path, firstLine, r.Err.Error())
		}
		return
	}
	for _, e := range mistakes {
		if e.Pos.Line > 0 && (e.Pos.File == r.Path || e.Pos.File == r.Baseline) {
			say(e.Pos.File, fmt.Sprintf("line=%d,col=%d", e.Pos.Line, e.Pos.Col), e.Error())
		} else {
			say(r.Path, firstLine, e.Error())
		}
	}
}

// lineOf finds an expect clause in its file; a clause that is not there as it
// was read is put down to the first line.
func lineOf(path, clause string) int {
	text, err := os.ReadFile(path)
	at := bytes.Index(text, []byte(clause))
	if err != nil || at < 0 {
		return 1
	}
	return 1 + bytes.Count(text[:at], []byte("\n"))
}

func escapeData(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

func escapeProperty(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeData(text))
}
