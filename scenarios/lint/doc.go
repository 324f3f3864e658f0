// Package lint finds the mistakes of operators in a resolved scenario without
// simulating it: classes that do not fit together, headroom that is too small,
// ECN that comes after PFC, and more. Package rules describes each, and the
// documentation is made from it.
package lint
