// Package scenarios turns a YAML scenario into a run: load, validate, resolve
// against presets, build, run.
//
// Load and Parse read a scenario (strictly: see package strict) and check all
// of it. Scenario.Plan resolves it to the configuration structs of the model
// packages, with nothing left to look up. The scenario library and the presets
// are embedded: Library and Presets.
package scenarios
