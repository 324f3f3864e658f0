// Package lint finds the mistakes of operators in a resolved scenario without
// simulating it: classes that do not fit together, headroom that is too small,
// ECN that comes after PFC, and more. Package rules describes each, and the
// documentation is made from it.
//
// A check is a method of context, a row of checks (check.go). It reads the plan
// and traffic, which is what the workload means for the rules (traffic.go), and
// notes a finding by add: the rule's name, the path of the field that is to
// blame, the place in the network, and three texts: what is wrong, the condition
// with its numbers, and what to set to what. Findings that differ only in their
// place become one with several places, so texts do not name it.
//
// The numbers come from package derive, as those of explain do. A finding states
// what the simulator then shows: tests hold rules against runs (claims_test.go),
// and remedies against the check that found the mistake (remedy_test.go).
package lint
