package check

import (
	"encoding/xml"
	"io"
	"strings"

	"rocesim/results"
)

// The elements of JUnit's XML as Jenkins, GitLab and GitHub actions read it
// (there is no standard; this is the part that all agree on).
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Failure *junitProblem `xml:"failure"`
		Error   *junitProblem `xml:"error"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes reports as JUnit XML: a suite for each scenario, with a case
// for the run, for each expectation and for the baseline. There are no times in
// it, so that equal results give equal files.
func WriteJUnit(w io.Writer, reports []*Report) error {
	var all junitSuites
	for _, r := range reports {
		suite := junitSuite{Name: r.Path, Cases: r.junitCases()}
		for _, c := range suite.Cases {
			suite.Tests++
			if c.Failure != nil {
				suite.Failures++
			}
			if c.Error != nil {
				suite.Errors++
			}
		}
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		all.Errors += suite.Errors
		all.Suites = append(all.Suites, suite)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (r *Report) junitCases() []junitCase {
	run := junitCase{Class: r.Path, Name: "run"}
	if r.Err != nil {
		first, _, _ := strings.Cut(r.Err.Error(), "\n")
		run.Error = &junitProblem{first, r.Err.Error()}
		return []junitCase{run}
	}
	if r.Fatal != "" {
		run.Failure = &junitProblem{r.Fatal, r.Fatal}
	}
	cases := []junitCase{run}
	for _, o := range r.Outcomes {
		cases = append(cases, junitExpectation(r.Path, &o))
	}
	if r.Baseline == "" {
		return cases
	}
	return append(cases, r.junitBaseline())
}

func junitExpectation(class string, o *results.Outcome) junitCase {
	c := junitCase{Class: class, Name: o.Expectation}
	if !o.OK {
		c.Failure = &junitProblem{o.Text, o.Text}
	}
	return c
}

func (r *Report) junitBaseline() junitCase {
	c := junitCase{Class: r.Path, Name: "baseline", Out: r.otherEvents()}
	failed, other := r.sentences()
	if len(failed) > 0 {
		c.Failure = &junitProblem{failed[0], strings.Join(failed, "\n")}
	}
	if len(other) > 0 {
		c.Out = strings.TrimSpace(c.Out + "\n" + strings.Join(other, "\n"))
	}
	return c
}
