package check

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// WriteGitHub writes a report as workflow commands, which GitHub Actions shows
// beside the lines of the file (docs.github.com, "Workflow commands"): errors
// for what fails, notices for what only changed.
func (r *Report) WriteGitHub(w io.Writer) error {
	var b strings.Builder
	say := func(level string, line int, title, text string) {
		fmt.Fprintf(&b, "::%s file=%s,line=%d,title=%s::%s\n", level,
			escapeProperty(filepath.ToSlash(r.Path)), line, escapeProperty(title), escapeData(text))
	}
	if r.Err != nil {
		say("error", 1, "not tested", r.Err.Error())
	}
	if r.Fatal != "" {
		say("error", 1, "fatal condition", r.Fatal)
	}
	for _, o := range r.Outcomes {
		if !o.OK {
			say("error", lineOf(r.Path, o.Expectation), "expectation not met", o.Text)
		}
	}
	for i := range r.Drifts {
		level := "notice"
		if r.fails(&r.Drifts[i]) {
			level = "error"
		}
		say(level, 1, "not as in the baseline", r.Drifts[i].sentence())
	}
	if text := r.fingerprintText(); text != "" {
		say("notice", 1, "other events", text)
	}
	_, err := io.WriteString(w, b.String())
	return err
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
