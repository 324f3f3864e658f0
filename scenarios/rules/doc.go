// Package rules is the catalogue of the mistakes that rocesim lint looks for:
// a code, a name, a severity and what to say about each. The checks themselves
// are in package scenarios/lint, and a few in scenarios, where a plan is made.
package rules
