// Package explain tells what can be known about a scenario before it is simulated:
// the numbers of package derive, with what they mean, their arithmetic, and what to
// do if they are bad.
package explain

import (
	"fmt"
	"slices"
	"strings"

	"rocesim/results"
	"rocesim/scenarios"
	"rocesim/scenarios/derive"
	"rocesim/sim"
)

// Report is what is known about a scenario, as a page of sections.
type Report struct {
	Name     string `json:"name"`
	Question string `json:"question,omitempty"`
	// Fabric says in one line what there is.
	Fabric string `json:"fabric"`
	// Warnings are mistakes that make the numbers those of another fabric than is
	// meant, such as data in a lossy class.
	Warnings []string  `json:"warnings,omitempty"`
	Sections []Section `json:"sections"`
}

// Section is one kind of number.
type Section struct {
	// ID is the name of the section in JSON, Title for a person.
	ID    string `json:"id"`
	Title string `json:"title"`
	// Meaning says what the numbers are, Verdict what these ones are like. Bad
	// is set if something should be changed, and Advice says what.
	Meaning string `json:"meaning"`
	Verdict string `json:"verdict"`
	Bad     bool   `json:"bad"`
	Advice  string `json:"advice"`
	// Rows are the numbers; names end in their unit.
	Rows []map[string]any `json:"rows,omitempty"`
	// Arithmetic shows how each figure comes about, a line each.
	Arithmetic []string `json:"arithmetic,omitempty"`

	table table
}

// show adds a line of arithmetic. What is the same elsewhere is said once.
func (s *Section) show(where, text string) {
	const more = ": "
	for i, line := range s.Arithmetic {
		names, known := strings.CutSuffix(line, more+text)
		if !known {
			continue
		}
		if !slices.Contains(strings.Split(names, ", "), where) {
			s.Arithmetic[i] = names + ", " + where + more + text
		}
		return
	}
	s.Arithmetic = append(s.Arithmetic, where+more+text)
}

// New explains a resolved scenario.
func New(p *scenarios.Plan, question string) *Report {
	r := &Report{Name: p.Name, Question: strings.Join(strings.Fields(question), " "), Fabric: fabric(p), Warnings: p.Warnings}
	traffic := derive.NewTraffic(p)
	for _, s := range []Section{
		paths(p), headroomSection(p), thresholds(p), control(p, traffic.FanIn()), spread(p, traffic.Spreads()), deadlocks(p), effort(p, traffic.Estimate()),
	} {
		s.Rows = s.table.values()
		r.Sections = append(r.Sections, s)
	}
	return r
}

func fabric(p *scenarios.Plan) string {
	g := p.Graph
	between := 0
	for i := range g.Links {
		if g.BetweenSwitches(i) {
			between++
		}
	}
	text := fmt.Sprintf("%s with %s, %s, %s", many(len(g.Hosts), "host"), many(len(g.Endpoints), "NIC"),
		many(len(g.Switches), "switch"), many(len(g.Links), "link"))
	if between > 0 {
		text += fmt.Sprintf(" (%s between switches)", count(int64(between)))
	}
	entries := make([]string, len(p.Names))
	for i := range p.Names {
		entries[i] = p.Names[i] + " (" + p.Types[i] + ")"
	}
	return text + "; traffic: " + strings.Join(entries, ", ")
}

// many counts things: "1 host", "2 switches".
func many(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "ss"):
		noun += "es"
	default:
		noun += "s"
	}
	return count(int64(n)) + " " + noun
}

func count(n int64) string { return results.Count.Format(float64(n)) }

func exactly(bytes int64) string { return count(bytes) + " B" }

func size(bytes float64) string { return results.Size.Format(bytes) }

func span(t sim.Time) string { return results.Duration.Format(float64(t)) }

func rate(r sim.Rate) string { return results.DataRate.Format(float64(r)) }

func number(v float64) string { return results.Ratio.Format(v) }

// percent prints a part of one. Small parts keep their digits: a marking
// probability is 0.0777 %.
func percent(part float64) string { return results.Ratio.Format(100*part) + " %" }

// tight takes the blank before a unit away: tables are narrow.
func tight(text string) string { return strings.ReplaceAll(text, " ", "") }

func sizeCell(bytes int64) cell { return cell{bytes, tight(size(float64(bytes)))} }

func rateCell(r sim.Rate) cell { return cell{r.Gbit(), tight(rate(r))} }

func microsCell(t sim.Time) cell { return cell{t.Micros(), tight(span(t))} }

func percentCell(part float64) cell { return cell{part, tight(percent(part))} }

// portName is "leaf0:3>h3", as results have it.
func portName(p *scenarios.Plan, id derive.PortID) string {
	g := p.Graph
	ref := g.Ports(len(g.Endpoints) + id.Switch)[id.Port]
	peer := g.NodeName(ref.Peer.Node)
	return fmt.Sprintf("%s:%d>%s", g.Switches[id.Switch].Name, id.Port, peer)
}

// places names the first of several ports.
func places(p *scenarios.Plan, ids []derive.PortID) string {
	return others(portName(p, ids[0]), len(ids)-1)
}

func others(first string, more int) string {
	if more == 0 {
		return first
	}
	return fmt.Sprintf("%s +%s", first, count(int64(more)))
}
