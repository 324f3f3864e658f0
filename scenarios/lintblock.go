package scenarios

import (
	"strings"

	"rocesim/fabric/topo"
	"rocesim/scenarios/rules"
	"rocesim/scenarios/strict"
)

// Lint is the lint section of a scenario: findings of the command lint that are
// meant. A run takes no notice of it.
type Lint struct {
	Ignore []Ignore `yaml:"ignore" doc:"a list of {code, where, reason} of findings that are meant"`
}

// Ignore is one kind of finding that is meant.
type Ignore struct {
	Code   string `yaml:"code" need:"true" doc:"the code or the name of the rule, such as RS202 or headroom-too-small"`
	Where  string `yaml:"where" doc:"a switch, a NIC or a link, or a pattern such as \"leaf*\"; without it the finding is meant everywhere"`
	Reason string `yaml:"reason" need:"true" doc:"why it is meant"`
}

// lint checks the section: rules that there are, patterns that can be read, and
// a reason for each.
func (p *planner) lint() {
	if p.sc.Lint == nil {
		return
	}
	for i, ig := range p.sc.Lint.Ignore {
		path := strict.Indexed("lint.ignore", i)
		if _, err := rules.Find(ig.Code); err != nil && p.ok(path+".code") {
			p.doc.Failf(path+".code", "%v", err)
		}
		if _, err := topo.ParsePattern(ig.Where); err != nil {
			p.doc.Failf(path+".where", "%v", err)
		}
		if strings.TrimSpace(ig.Reason) == "" && p.ok(path+".reason") {
			p.doc.Failf(path+".reason", "it is empty; say why the finding is meant")
		}
	}
}
