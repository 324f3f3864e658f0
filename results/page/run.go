package page

import (
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"rocesim/results"
	"rocesim/results/why"
)

// Extra is what a run page shows beside what the run holds.
type Extra struct {
	// Summary is the run's, with the outcomes of its expectations; nil has it
	// made, without expectations.
	Summary *results.Summary
	// Differences are the values that the scenario sets beside its presets.
	Differences []Difference
}

// Difference is a field of the scenario whose value is not the preset's.
type Difference struct{ Path, Value, Preset string }

// runPage gathers what the sections of a run page need.
type runPage struct {
	*results.Run
	summary *results.Summary
	report  *why.Report
	extra   Extra
	doc     *Document
	err     error
}

// Run makes the page of one run: the verdict, answers to the first questions,
// key figures, explanations, the drawing of the network, charts, tables, the
// scenario and how to repeat the run. The error is that of a component.
func Run(run *results.Run, rep *why.Report, extra Extra) (*Document, error) {
	p := &runPage{Run: run, report: rep, summary: extra.Summary, extra: extra}
	p.doc = &Document{Title: run.Manifest.Name, Kind: "Run", Foot: fmt.Sprintf("Simulated by rocesim %s.", run.Manifest.Tool)}
	if p.summary == nil {
		s := results.Summarise(run)
		p.summary = &s
	}
	p.doc.Lead = p.fill("lead.html", p.lead())
	p.section("figures", "Key figures", p.fill("figures.html", map[string]any{"Figures": p.figures(), "Expectations": p.outcomes()}))
	if len(rep.Findings) > 0 {
		p.section("why", "What happened, and why", p.fill("findings.html", rep.Findings))
	}
	p.component(Topology)
	p.component(RunCharts)
	p.flows()
	p.tables()
	p.section("scenario", "Scenario", p.fill("scenario.html", p.scenario()))
	p.section("manifest", "This run", p.fill("manifest.html", map[string]any{"Facts": p.facts(), "Command": p.command()}))
	return p.doc, p.err
}

// fill executes a template and keeps the first error.
func (p *runPage) fill(name string, value any) template.HTML {
	html, err := Fill(name, value)
	p.keep(err)
	return html
}

func (p *runPage) keep(err error) {
	if p.err == nil {
		p.err = err
	}
}

func (p *runPage) section(id, title string, body template.HTML) {
	p.doc.Sections = append(p.doc.Sections, Section{id, title, body})
}

func (p *runPage) component(make func(*results.Run) (Part, error)) {
	part, err := make(p.Run)
	p.keep(err)
	p.doc.Add(part)
}

// outcome is what became of an expectation, without the last word of its text,
// which the page shows in colour.
type outcome struct {
	OK   bool
	Text string
}

func (p *runPage) outcomes() []outcome {
	var all []outcome
	for _, o := range p.summary.Expectations {
		all = append(all, outcome{o.OK, o.Text[:max(0, strings.LastIndex(o.Text, ": "))]})
	}
	return all
}

// leadView is what lead.html shows.
type leadView struct {
	Question, PartialText string
	// EndCause is the stall or the deadlocks that ended the run.
	EndCause       string
	Verdict        results.Verdict
	Grade, EndText string
	Expectations   []results.Outcome
	Met            int
	Answers        []answerView
}

type answerView struct {
	why.Answer
	Links []link
}

// link leads to a part of the page; Filter are words to filter a table by.
type link struct{ To, Text, Filter string }

func (p *runPage) lead() leadView {
	v := leadView{Question: p.Manifest.Question, Verdict: p.summary.Verdict, Expectations: p.summary.Expectations, Grade: Grade(p.summary)}
	v.Met = len(v.Expectations) - results.Failed(v.Expectations)
	simulated := results.Duration.Format(float64(p.Manifest.SimulatedTime))
	if p.Manifest.Partial() {
		v.PartialText = fmt.Sprintf("The run was %s at %s and did not reach the end that its scenario asked for. All that follows is about the part that was simulated.",
			p.Manifest.Stop, simulated)
		v.EndCause = strings.TrimSpace(strings.Join(append([]string{p.Manifest.Stall}, p.circles()...), " "))
	}
	v.EndText = fmt.Sprintf("%s simulated, %s; %s of %s finished.", simulated, endWords(p.Manifest.Stop),
		count(p.summary.FinishedFlows), results.Plural(p.summary.Flows, "flow"))
	for _, a := range why.Answers(p.Run) {
		v.Answers = append(v.Answers, answerView{a, answerLinks(&a)})
	}
	return v
}

// circles are the run's deadlocks without the levels in brackets, which the
// explanations below have.
func (p *runPage) circles() []string {
	var all []string
	for _, d := range p.Manifest.Deadlocks {
		all = append(all, sentence(brackets().ReplaceAllString(d, "")))
	}
	return all
}

func brackets() *regexp.Regexp { return regexp.MustCompile(` \([^()]*\)`) }

// Grade is the colour of a run: "bad" if it lost packets of a lossless class that
// its scenario does not expect to be lost, or missed an expectation, "warn" if
// it was not lossless or is partial, else "ok".
func Grade(s *results.Summary) string {
	switch {
	case s.Verdict.LosslessDrops > 0 && !s.Verdict.Expected || results.Failed(s.Expectations) > 0:
		return "bad"
	case !s.Verdict.Lossless || s.Partial:
		return "warn"
	}
	return "ok"
}

func endWords(r results.StopReason) string {
	switch r {
	case results.Finished:
		return "until all flows had ended"
	case results.StoppedTime:
		return "to the scenario's stop time"
	}
	return r.String()
}

func answerLinks(a *why.Answer) []link {
	var links []link
	if a.Node != "" {
		links = append(links, link{"counters", "counters of this port", quoted(a.Node) + " " + quoted(a.Peer)})
	}
	if a.Workload != "" {
		links = append(links, link{"slowest", "slowest flows of " + a.Workload, quoted(a.Workload)})
	}
	return append(links, link{"why", "all explanations", ""})
}

// quoted makes a filter that is a whole cell of a table. A name with a quote in
// it cannot be one; its words must do.
func quoted(name string) string {
	if strings.Contains(name, `"`) {
		return strings.ReplaceAll(name, `"`, " ")
	}
	return `"` + name + `"`
}

// scenarioView is what scenario.html shows.
type scenarioView struct {
	Notes, Overrides []string
	Differences      []Difference
	Scenario         string
	Lines            int
}

// longScenario is how many bytes of a scenario a page shows: one made of
// another simulator's files may list a million flows.
const longScenario = 200_000

func (p *runPage) scenario() scenarioView {
	text := p.Manifest.Scenario
	v := scenarioView{p.Manifest.Notes, p.Manifest.Overrides, p.extra.Differences, text, strings.Count(text, "\n")}
	if len(text) > longScenario {
		cut := strings.LastIndexByte(text[:longScenario], '\n') + 1
		v.Scenario = text[:cut] + fmt.Sprintf("# and %s more lines, which manifest.json has\n", count(v.Lines-strings.Count(text[:cut], "\n")))
	}
	return v
}

// command repeats the run, where its files are.
func (p *runPage) command() string {
	words := []string{"rocesim", "run"}
	for _, word := range p.Manifest.Source {
		words = append(words, shellQuoted(word))
	}
	if len(p.Manifest.Source) == 0 {
		words = append(words, shellQuoted(p.Manifest.Name+".yaml"))
	}
	for _, set := range p.Manifest.Overrides {
		words = append(words, "--set", shellQuoted(set))
	}
	return strings.Join(words, " ")
}

// shellQuoted protects a word from a shell.
func shellQuoted(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/=:,+@%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// fact is a line of a list.
type fact struct{ Name, Value string }

func (p *runPage) facts() []fact {
	m := &p.Manifest
	facts := []fact{
		{"Scenario", m.Name}, {"Seed", fmt.Sprint(m.Seed)}, {"Version", "rocesim " + m.Tool}, {"Fingerprint", p.summary.Fingerprint},
		{"End", fmt.Sprintf("%s at %s", m.Stop, results.Duration.Format(float64(m.SimulatedTime)))},
	}
	if m.MeasureFrom > 0 {
		facts = append(facts, fact{"Measured from", results.Duration.Format(float64(m.MeasureFrom))})
	}
	facts = append(facts, fact{"Events", count(m.Events)}, fact{"Packet-hops", count(m.PacketHops)})
	if m.Stall != "" {
		facts = append(facts, fact{"Stall", m.Stall})
	}
	for _, d := range m.Deadlocks {
		facts = append(facts, fact{"Deadlock", d})
	}
	return facts
}
