package check

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Find returns the scenario files that patterns name: a file, a directory for
// the scenarios in it, or "dir/..." for those below it too. Of directories,
// YAML files count that have a fabric or a workload; directories called
// testdata and hidden ones are passed over unless named. The error says which
// pattern names no scenario.
func Find(patterns []string) ([]string, error) {
	var files []string
	for _, pattern := range patterns {
		found, err := find(filepath.FromSlash(pattern))
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			if !slices.Contains(files, f) {
				files = append(files, f)
			}
		}
	}
	return files, nil
}

func find(pattern string) ([]string, error) {
	dir, deep := strings.CutSuffix(pattern, "...")
	if deep {
		dir = filepath.Clean(dir)
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: there is no such file or directory", dir)
	case err != nil:
		return nil, err
	case !info.IsDir() && deep:
		return nil, fmt.Errorf("%s: a file, so %s has nothing below it", dir, pattern)
	case !info.IsDir():
		return []string{dir}, nil
	}
	files, err := scenarioFiles(dir, deep)
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: there is no scenario here; a scenario is a .yaml file with a fabric and a workload", pattern)
	}
	return files, err
}

// scenarioFiles walks a directory in the order of names.
func scenarioFiles(top string, deep bool) ([]string, error) {
	var files []string
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			name := d.Name()
			if path != top && (!deep || name == "testdata" || strings.HasPrefix(name, ".")) {
				return fs.SkipDir
			}
			return nil
		}
		if ext := filepath.Ext(path); ext != ".yaml" && ext != ".yml" {
			return nil
		}
		is, err := isScenario(path)
		if is {
			files = append(files, path)
		}
		return err
	})
	return files, err
}

// isScenario tells scenarios from other YAML files, such as presets, by their
// top level; whether it is a sound one is found when it is read.
func isScenario(path string) (bool, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	return regexp.MustCompile(`(?m)^(fabric|workload)[ \t]*:`).Match(text), nil
}
