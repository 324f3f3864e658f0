// Package scenarios turns a YAML scenario into a run: load, validate, resolve
// against presets, build, run.
//
// The way of a scenario through the package:
//
//  1. Load and Parse read it (load.go; package strict does the reading) into a
//     Scenario, whose struct tags are the format: scenario.go and a file for each
//     section (fabric.go, switch.go, nic.go, workload.go, faults.go, lintblock.go;
//     the section cc is package congestion, sweep and tune are package grid). What
//     one feature needs stands together in its file: its fields, what is checked of
//     them and what they become (bump.go, receive.go, recovery.go, routes.go,
//     watchdog.go). Template reads a text once for many scenarios.
//  2. Scenario.Plan resolves it to the configuration structs of the model
//     packages, with nothing left to look up (plan.go and plan_*.go). All that is
//     wrong is reported at once, at its place in the file; mistakes that a run
//     survives are findings of the plan, and package lint looks for more.
//  3. Build and Plan.Run make the model of a plan and run it (build.go, run.go).
//     Scenario.Resolved writes the scenario with every value filled in, as the
//     manifest of the run has it.
//
// Beside that: Presets and Library are the data embedded in the program
// (presets.go, library.go), ModelVersion names what the library's baselines
// measured, Shape and Fields describe the format (shape.go, fields.go),
// Plan.Risks finds circles of buffers (deadlock.go), places.go says where in the
// file a setting of a switch or NIC comes from, and ImportHPCC reads the files of
// another simulator (import_hpcc*.go).
package scenarios
