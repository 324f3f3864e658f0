package rules

import (
	"fmt"
	"slices"
	"strings"

	"rocesim/scenarios/strict"
)

// Severity says how bad a finding is.
type Severity uint8

// Severities, the mildest first.
const (
	// Info is worth knowing: a choice with a price, or an estimate.
	Info Severity = iota
	// Warning is a setting that makes the network work worse than it could.
	Warning
	// Error is a setting that cannot be meant: a lossless class loses packets.
	Error
)

// Severities lists the names of all severities, the mildest first.
func Severities() []string {
	return []string{Info.String(), Warning.String(), Error.String()}
}

// String names the severity as files and flags do.
func (s Severity) String() string {
	switch s {
	case Info:
		return "info"
	case Warning:
		return "warning"
	default:
		return "error"
	}
}

// MarshalText writes the severity as its name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// ParseSeverity reads the name of a severity. The error names those allowed.
func ParseSeverity(name string) (Severity, error) {
	i := slices.Index(Severities(), name)
	if i < 0 {
		return 0, fmt.Errorf("%s", strict.Unknown("severity", name, Severities()))
	}
	return Severity(i), nil
}

// Rule is one mistake that can be found.
type Rule struct {
	// Code is short and never given to another rule, such as "RS202"; Name says
	// what is wrong, such as "headroom-too-small". Files may use either.
	Code, Name string
	// Severity is that of its findings where they do not say otherwise.
	Severity Severity
	// Title is a line about the rule, Why what happens to the network.
	Title, Why string
	// Arithmetic is the condition under which it is found.
	Arithmetic string
	// Remedy is what to change, Source where the condition comes from.
	Remedy, Source string
}

// String is code and name, as findings show them.
func (r *Rule) String() string { return r.Code + " " + r.Name }

// All returns the catalogue in the order of the codes.
func All() []Rule {
	return slices.Concat(classRules(), pauseRules(), notificationRules(), headroomRules(), poolRules(), thresholdRules(), mixRules(), ecnRules(),
		congestionRules(), fabricRules(), timerRules(), lintRules())
}

// Find returns the rule with a code or a name. The error names the nearest: of the
// codes, if what was given begins as they do.
func Find(codeOrName string) (Rule, error) {
	what, known := "rule", []string(nil)
	isCode := len(codeOrName) > 1 && strings.EqualFold(codeOrName[:2], "RS")
	for _, r := range All() {
		switch {
		case r.Code == codeOrName || r.Name == codeOrName:
			return r, nil
		case isCode:
			what, known = "code of a rule", append(known, r.Code)
		default:
			known = append(known, r.Name)
		}
	}
	return Rule{}, fmt.Errorf("%s", strict.Unknown(what, codeOrName, known))
}

// Must returns the rule with a name that the code itself gives.
func Must(name string) Rule {
	r, err := Find(name)
	if err != nil {
		panic("rules: " + err.Error())
	}
	return r
}

// Finding is one mistake in one scenario, at all the places that share it.
type Finding struct {
	Rule Rule
	// Severity is the rule's, or milder where the numbers say so.
	Severity Severity
	// Text says what is wrong, in one line without the place.
	Text string
	// Path is the field that it comes from, such as "switch.headroom".
	Path string
	// Pos is where that field, or the nearest above it, stands in the file.
	Pos strict.Pos
	// Where is the first place in the network: a switch, a NIC or a port, such as
	// "leaf3 port leaf3:spine0"; empty where the network as a whole is meant. Same
	// are the other places where exactly this is found.
	Where string
	Same  []string
	// Arithmetic is the condition with the numbers of the scenario.
	Arithmetic string
	// Remedy is what to set to what.
	Remedy string
}

// Sentence is the finding without place and arithmetic.
func (f *Finding) Sentence() string { return f.Text + ": " + f.Remedy }

// Places returns Where and Same.
func (f *Finding) Places() []string {
	if f.Where == "" {
		return nil
	}
	return slices.Concat([]string{f.Where}, f.Same)
}
