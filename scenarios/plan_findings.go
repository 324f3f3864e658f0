package scenarios

import (
	"fmt"

	"rocesim/scenarios/rules"
)

// note tells of a choice that was made for the user, once.
func (p *planner) note(text string) {
	if !p.said[text] {
		p.plan.Notes = append(p.plan.Notes, text)
	}
	p.said[text] = true
}

// find notes a mistake that a run survives, at a field and at places in the
// network.
func (p *planner) find(name, path string, where []string, text, arithmetic, remedy string) {
	rule := rules.Must(name)
	f := rules.Finding{Rule: rule, Severity: rule.Severity, Text: text, Path: path, Arithmetic: arithmetic, Remedy: remedy}
	if len(where) > 0 {
		f.Where, f.Same = where[0], where[1:]
	}
	if sentence := f.Sentence(); !p.said[sentence] {
		p.said[sentence] = true
		p.plan.Findings = append(p.plan.Findings, f)
		p.plan.Warnings = append(p.plan.Warnings, sentence)
	}
}

// someOf names the first of a list and counts it: "2 of 4 switches (leaf0, ...)".
func someOf(list []string, all int, what string) string {
	more := ""
	if len(list) > 1 {
		more = ", ..."
	}
	return fmt.Sprintf("%d of %d %s (%s%s)", len(list), all, what, list[0], more)
}
