// Package presets holds what is known about real switches, adapters, cables,
// ECN profiles and congestion controls, as YAML. Every value has its unit and
// its source, the letters in brackets behind it, which the file explains.
package presets

import "embed"

// Files are the presets, in one folder for each kind. The Go type that a
// preset's values fill is in package scenarios.
//
//go:embed switch nic cable cc ecn
var Files embed.FS
