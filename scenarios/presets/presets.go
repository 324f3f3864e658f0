// Package presets holds what is known about real switches, adapters, cables,
// ECN profiles and congestion controls, as YAML. Every value has its unit and
// its source, the letters in brackets behind it, which the file explains.
package presets

import (
	"embed"
	"fmt"
	"path"
	"strings"

	"rocesim/scenarios/strict"
)

// files has one folder for each kind. The Go types that the values of presets
// fill are in package scenarios and packages below it.
//
//go:embed switch nic cable cc ecn
var files embed.FS

// Names lists the presets of a kind in the order of their names.
func Names(kind string) []string {
	entries, err := files.ReadDir(kind)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
}

// Read returns a preset as a document and as text, or nil if there is none.
func Read(kind, name string) (*strict.Document, []byte) {
	file := path.Join(kind, name+".yaml")
	text, err := files.ReadFile(file)
	if err != nil {
		return nil, nil
	}
	doc, err := strict.Read("preset "+file, text)
	if err != nil {
		panic(fmt.Sprintf("presets: %v", err))
	}
	return doc, text
}
