package scenarios

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"rocesim/scenarios/strict"
)

//go:embed *.yaml */*.yaml
var libraryFiles embed.FS

// Topic is a group of built-in scenarios: a folder of the library.
type Topic struct {
	// Name is that of the folder, Title says what its scenarios are about.
	Name, Title string
}

// Topics returns the topics in the order in which to read them.
func Topics() []Topic {
	return []Topic{
		{"basics", "a healthy fabric: rates, latency, sharing"},
		{"pfc", "pause frames: who is stopped, and who is a victim"},
		{"ecn", "ECN marking and DCQCN: when senders slow down"},
		{"loss", "lost packets and how the transport recovers"},
		{"misconfiguration", "one wrong setting, on one hop or on all"},
		{"faults", "links and switches that fail during the run"},
		{"storm", "pause storms, slow receivers and watchdogs"},
		{"deadlock", "buffers that wait for each other in a circle"},
	}
}

// LibraryEntry is one built-in scenario.
type LibraryEntry struct {
	// Name is the name of the scenario and, with ".yaml", of its file.
	Name string
	// Topic is the name of its topic.
	Topic string
	// Question is what the scenario answers.
	Question string
	// Text is the file.
	Text []byte
}

// Library returns the built-in scenarios, ordered by topic and name.
func Library() []LibraryEntry {
	var all []LibraryEntry
	for _, topic := range Topics() {
		for _, file := range topicFiles(topic.Name) {
			all = append(all, mustEntry(topic.Name, file))
		}
	}
	return all
}

// FindScenario returns one built-in scenario. The error names those that there
// are.
func FindScenario(name string) (*LibraryEntry, error) {
	var names []string
	for _, topic := range Topics() {
		for _, file := range topicFiles(topic.Name) {
			if nameOf(file) == name {
				e := mustEntry(topic.Name, file)
				return &e, nil
			}
			names = append(names, nameOf(file))
		}
	}
	slices.Sort(names)
	return nil, fmt.Errorf("%s", strict.Unknown("scenario", name, names))
}

func nameOf(file string) string { return strings.TrimSuffix(path.Base(file), ".yaml") }

// topicFiles lists the files of a topic by name. Those beside the folders
// belong to the first topic.
func topicFiles(topic string) []string {
	var files []string
	patterns := []string{topic + "/*.yaml"}
	if topic == Topics()[0].Name {
		patterns = append(patterns, "*.yaml")
	}
	for _, pattern := range patterns {
		found, err := fs.Glob(libraryFiles, pattern)
		if err != nil {
			panic(fmt.Sprintf("scenarios: library: %v", err))
		}
		files = append(files, found...)
	}
	slices.SortFunc(files, func(a, b string) int { return strings.Compare(nameOf(a), nameOf(b)) })
	return files
}

// mustEntry reads a built-in file, whose form the tests vouch for.
func mustEntry(topic, file string) LibraryEntry {
	text, err := libraryFiles.ReadFile(file)
	if err != nil {
		panic(fmt.Sprintf("scenarios: library: %v", err))
	}
	doc, err := strict.Read(file, text)
	if err != nil {
		panic(fmt.Sprintf("scenarios: library: %v", err))
	}
	question := decode(doc, nil).Question
	return LibraryEntry{Name: nameOf(file), Topic: topic, Question: question, Text: text}
}
