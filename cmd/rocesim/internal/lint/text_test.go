package lint

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// forbidden are texts that no file may hold, as patterns so that this file
// does not hold them either.
func forbidden() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		"a package registry's host": regexp.MustCompile(`\b(proxy|sum|registry|index|mirrors?)\.[a-z0-9-]+\.(org|com|io|dev|net|cn)\b`),
		"a path of one machine":     regexp.MustCompile(`(^|[\s"'(=])/(home|root|Users)/\w|/\.lib[r]ary\b`),
		"a key or password":         regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE K[E]Y`),
	}
}

func checkForbidden(f *file) []string {
	var bad []string
	for what, pattern := range forbidden() {
		if loc := pattern.FindStringIndex(f.text); loc != nil {
			line := 1 + strings.Count(f.text[:loc[0]], "\n")
			bad = append(bad, fmt.Sprintf("%s:%d: names %s: %q", f.name, line, what, f.text[loc[0]:loc[1]]))
		}
	}
	slices.Sort(bad)
	return bad
}

// checkMarkers refuses notes of unfinished work: what is not done is said in
// the CHANGELOG or the documentation, or it is done.
func checkMarkers(f *file) []string {
	if !slices.Contains([]string{".go", ".md", ".yaml", ".sh"}, path.Ext(f.name)) && path.Dir(f.name) != ".ci" {
		return nil
	}
	marker := regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X|HA` + `CK)\b`)
	var bad []string
	for i, line := range strings.Split(f.text, "\n") {
		if m := marker.FindString(line); m != "" {
			bad = append(bad, fmt.Sprintf("%s:%d: unfinished work (%s)", f.name, i+1, m))
		}
	}
	return bad
}

// topLevel is what may stand in the root directory.
const topLevel = "README.md LICENSE CHANGELOG.md go.mod go.sum docs .ci .gitignore .gitattributes .github " +
	"cmd sim fabric switch nic cc scenarios results"

func checkTopLevel(f *file) []string {
	first, _, _ := strings.Cut(f.name, "/")
	if slices.Contains(strings.Fields(topLevel), first) {
		return nil
	}
	return []string{f.name + ": nothing may be added to the top level, which holds " + topLevel}
}

// checkLinks follows each relative link of a Markdown file to a file, or to a
// directory that holds one.
func checkLinks(files []*file, exists func(name string) bool) []string {
	link := regexp.MustCompile(`\]\(([^)#\s]+)(#[^)]*)?\)`)
	var bad []string
	for _, f := range files {
		if path.Ext(f.name) != ".md" {
			continue
		}
		for _, m := range link.FindAllStringSubmatch(f.text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if target := path.Join(f.dir(), m[1]); !exists(target) {
				bad = append(bad, fmt.Sprintf("%s: link to %s, which does not exist", f.name, target))
			}
		}
	}
	return bad
}

// checkTestNames looks for each test or benchmark that a page of the
// documentation names: a claim whose test is gone is only a claim.
func checkTestNames(files []*file) []string {
	name := regexp.MustCompile("`((?:Test|Benchmark|Fuzz)[A-Z0-9]\\w*)`")
	var code strings.Builder
	for _, f := range files {
		if f.isTest() {
			code.WriteString(f.text)
		}
	}
	var bad []string
	for _, f := range files {
		if path.Ext(f.name) != ".md" {
			continue
		}
		for _, m := range name.FindAllStringSubmatch(f.text, -1) {
			if !strings.Contains(code.String(), "\nfunc "+m[1]+"(") {
				bad = append(bad, fmt.Sprintf("%s: names %s, which does not exist", f.name, m[1]))
			}
		}
	}
	return bad
}

// checkChangelog asks for the shape that readers and tools know: a title, one
// section a release with the newest first, kinds of change, and list items.
func checkChangelog(f *file) []string {
	if f.name != "CHANGELOG.md" {
		return nil
	}
	var bad []string
	say := func(i int, format string, args ...any) {
		bad = append(bad, fmt.Sprintf("%s:%d: %s", f.name, i+1, fmt.Sprintf(format, args...)))
	}
	lines := strings.Split(f.text, "\n")
	if lines[0] != "# Changelog" {
		say(0, `the first line must be "# Changelog"`)
	}
	release := regexp.MustCompile(`^## (Unreleased|\d+\.\d+\.\d+ \(\d{4}-\d{2}-\d{2}\))$`)
	kinds := []string{"### Added", "### Changed", "### Fixed", "### Removed", "### Speed"}
	sections := 0
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "### ") && !slices.Contains(kinds, line):
			say(i, "%q is no kind of change: %s", line, strings.Join(kinds, ", "))
		case strings.HasPrefix(line, "## "):
			sections++
			if !release.MatchString(line) {
				say(i, `%q is neither "## Unreleased" nor like "## 1.2.3 (2026-01-31)"`, line)
			}
			if line == "## Unreleased" && sections > 1 {
				say(i, "Unreleased comes first")
			}
		}
	}
	if sections == 0 {
		say(0, "no section; a new change goes under ## Unreleased")
	}
	return bad
}
