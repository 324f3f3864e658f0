package viewer

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"

	"rocesim/results"
	"rocesim/results/compare"
	"rocesim/results/page"
	"rocesim/scenarios/sweep"
	"rocesim/scenarios/tune"
)

// Kinds of results.
const (
	Run        = "run"
	Sweep      = "sweep"
	Search     = "search"
	Comparison = "comparison"
)

// kindOf says what a directory holds by the file that marks it, or nothing.
func kindOf(fsys fs.FS, dir string) string {
	for _, k := range []struct{ kind, file string }{
		{Run, "manifest.json"}, {Sweep, "sweep.json"}, {Search, "tune.json"}, {Comparison, "comparison.json"},
	} {
		if _, err := fs.Lstat(fsys, path.Join(dir, k.file)); err == nil {
			return k.kind
		}
	}
	return ""
}

// describe says what is in a directory; ok is false if no file marks it as one
// of ours.
func describe(fsys fs.FS, dir string) (e page.IndexEntry, ok bool) {
	e = page.IndexEntry{Path: dir, Kind: kindOf(fsys, dir), Shown: true}
	var err error
	switch e.Kind {
	case Run:
		err = describeRun(fsys, &e)
	case Sweep:
		err = describeSweep(fsys, &e)
	case Search:
		err = describeSearch(fsys, &e)
	case Comparison:
		err = describeComparison(fsys, &e)
	default:
		return e, false
	}
	if err != nil {
		return page.IndexEntry{Path: dir, Kind: "damaged", Verdict: e.Kind + ": " + err.Error(), Shown: true}, true
	}
	return e, true
}

func describeRun(fsys fs.FS, e *page.IndexEntry) error {
	head, err := results.Peek(fsys, e.Path)
	if err != nil {
		return err
	}
	s := &head.Summary
	e.Scenario, e.Tool, e.Seed = head.Manifest.Name, head.Manifest.Tool, strconv.FormatUint(s.Seed, 10)
	failed := results.Failed(s.Expectations)
	e.Verdict, e.Grade = shortVerdict(s.Verdict.Text), page.Grade(s)
	if failed > 0 {
		e.Verdict += fmt.Sprintf("; %d of %d expectations not met", failed, len(s.Expectations))
	}
	if s.Partial {
		e.Verdict = fmt.Sprintf("PARTIAL (%s); %s", s.Stop, e.Verdict)
	}
	e.LosslessDrops = strconv.FormatInt(s.Verdict.LosslessDrops, 10)
	e.XoffFrames = strconv.FormatInt(s.PFC.XoffFrames, 10)
	e.Goodput = decimal(s.GoodputGbps)
	if len(s.Slowdown) > 0 && s.Slowdown[0].Slowdown.N > 0 {
		e.Slowdown = decimal(s.Slowdown[0].Slowdown.P99)
	}
	return nil
}

// shortVerdict leaves out what every lossless run says, what other columns have,
// and details in brackets.
func shortVerdict(text string) string {
	known := regexp.MustCompile(`: (no packet of a lossless class was dropped|[0-9,]+ packets? dropped in lossless classes)| \([^()]*\)`)
	return known.ReplaceAllString(text, "")
}

// decimal keeps six digits, as floating-point columns of CSV files have.
func decimal(v float64) string {
	text := strconv.FormatFloat(v, 'f', 6, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

func describeSweep(fsys fs.FS, e *page.IndexEntry) error {
	head, err := sweep.Peek(fsys, e.Path)
	if err != nil {
		return err
	}
	e.Scenario, e.Seed = strings.Join(head.Scenarios, ", "), strconv.Itoa(head.Seeds)
	e.Verdict = fmt.Sprintf("%d settings, %s", head.Settings*len(head.Scenarios), head.Objective)
	if len(head.Advice) > 0 {
		e.Verdict += ": " + strings.ReplaceAll(head.Advice[0], "+-", "\u00b1 ")
	}
	if head.State != "finished" {
		e.Verdict = fmt.Sprintf("NOT FINISHED (%s); %s", head.State, e.Verdict)
	}
	return nil
}

func describeSearch(fsys fs.FS, e *page.IndexEntry) error {
	head, err := tune.Peek(fsys, e.Path)
	if err != nil {
		return err
	}
	e.Scenario, e.Seed = head.Scenario, strconv.Itoa(head.Seeds)
	e.Verdict = fmt.Sprintf("%s, within %d runs", strings.Join(head.Goals, "; "), head.Budget)
	if len(head.Best) > 0 {
		e.Verdict += ": " + strings.Join(head.Best, ", ")
	}
	if head.State != "finished" {
		e.Verdict = fmt.Sprintf("NOT FINISHED (%s); %s", head.State, e.Verdict)
	}
	return nil
}

func describeComparison(fsys fs.FS, e *page.IndexEntry) error {
	c, s, err := compare.ReadDir(fsys, e.Path)
	switch {
	case err != nil:
		return err
	case s != nil:
		e.Verdict = s.A + " and " + s.B + ": " + s.Sentence()
	default:
		e.Verdict, e.Seed = c.A.Name+" and "+c.B.Name+": "+c.Sentence(), strconv.Itoa(len(c.A.Seeds))
	}
	return nil
}
