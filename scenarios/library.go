package scenarios

import (
	"embed"
	"fmt"
	"strings"

	"rocesim/scenarios/strict"
)

//go:embed *.yaml
var libraryFiles embed.FS

// LibraryEntry is one built-in scenario.
type LibraryEntry struct {
	// Name is the name of the scenario and, with ".yaml", of its file.
	Name string
	// Question is what the scenario answers.
	Question string
	// Text is the file.
	Text []byte
}

// Library returns the built-in scenarios in the order of their names.
func Library() []LibraryEntry {
	files, err := libraryFiles.ReadDir(".")
	if err != nil {
		panic(fmt.Sprintf("scenarios: library: %v", err))
	}
	var all []LibraryEntry
	for _, f := range files {
		e, err := FindScenario(strings.TrimSuffix(f.Name(), ".yaml"))
		if err != nil {
			panic(fmt.Sprintf("scenarios: library: %v", err))
		}
		all = append(all, *e)
	}
	return all
}

// FindScenario returns one built-in scenario. The error names those that there
// are.
func FindScenario(name string) (*LibraryEntry, error) {
	text, err := libraryFiles.ReadFile(name + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("%s", strict.Unknown("scenario", name, libraryNames()))
	}
	sc, err := Parse(name+".yaml", text, nil)
	if err != nil {
		return nil, err
	}
	return &LibraryEntry{Name: name, Question: sc.Question, Text: text}, nil
}

func libraryNames() []string {
	files, err := libraryFiles.ReadDir(".")
	if err != nil {
		return nil
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".yaml"))
	}
	return names
}
