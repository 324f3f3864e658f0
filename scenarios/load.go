package scenarios

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"rocesim/scenarios/strict"
)

// Errors is everything that is wrong with a scenario, in the order of the
// file.
type Errors = strict.Errors

// Load reads and checks the scenario in a file, changed by sets of the form
// "path=value"; where there is no such file, the built-in scenario of that name.
// The error is of type Errors and holds everything that is wrong.
func Load(path string, sets []string) (*Scenario, error) {
	name, data, err := textOf(path)
	if err != nil {
		return nil, err
	}
	return Parse(name, data, sets)
}

// textOf returns the text of a scenario's file or of a built-in scenario, and
// what messages call it.
func textOf(path string) (name string, data []byte, err error) {
	if IsBuiltIn(path) {
		entry, err := FindScenario(path)
		if err != nil {
			return "", nil, err
		}
		return entry.Name + ".yaml", entry.Text, nil
	}
	if data, err = readFile(path); err != nil {
		return "", nil, Errors{{Pos: strict.Pos{File: path}, Text: err.Error()}}
	}
	return path, data, nil
}

// IsBuiltIn reports whether a path stands for a built-in scenario: it is the
// name of one, and no file is called so.
func IsBuiltIn(path string) bool {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	_, err := FindScenario(path)
	return err == nil
}

// readFile reads at most a little more than is allowed, so that a huge file
// costs nothing.
func readFile(path string) ([]byte, error) {
	data, err := readAtMost(path, strict.MaxFileBytes)
	if err == nil && len(data) > strict.MaxFileBytes {
		return nil, fmt.Errorf("the file has more than %d bytes; no scenario is that large", strict.MaxFileBytes)
	}
	return data, err
}

// readAtMost reads a file, or limit+1 bytes of it if there are more.
func readAtMost(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no such file")
	}
	if err != nil {
		return nil, reason(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, reason(err)
	}
	return data, nil
}

// reason takes operation and path out of a file system error: the message
// begins with the path anyway.
func reason(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return fmt.Errorf("cannot be read: %w", pathErr.Err)
	}
	return fmt.Errorf("cannot be read: %w", err)
}

// Parse reads and checks a scenario. name is what messages call the file;
// files that the scenario names are looked for in its directory.
func Parse(name string, data []byte, sets []string) (*Scenario, error) {
	return parse(name, data, sets, func(sc *Scenario) { sc.readDistributions(filepath.Dir(name)) })
}

// ParseAlone is Parse for a scenario that came from elsewhere: no file that it
// names is read, and to name one is an error.
func ParseAlone(name string, data []byte, sets []string) (*Scenario, error) {
	return parse(name, data, sets, (*Scenario).refuseFiles)
}

// parse reads and checks a scenario; files deals with those that it names.
func parse(name string, data []byte, sets []string, files func(*Scenario)) (*Scenario, error) {
	doc, err := strict.Read(name, data)
	if err != nil {
		return nil, err
	}
	return complete(doc, sets, files)
}

// complete makes a scenario of a document and checks it.
func complete(doc *strict.Document, sets []string, files func(*Scenario)) (*Scenario, error) {
	sc := decode(doc, sets)
	files(sc)
	if _, err := sc.Plan(); err != nil {
		return nil, err
	}
	return sc, nil
}

// decode fills a scenario from a document changed by sets. Errors stay in the
// document.
func decode(doc *strict.Document, sets []string) *Scenario {
	if doc.Presets == nil {
		doc.Presets = presetValues
	}
	for _, s := range sets {
		doc.Set(s)
	}
	sc := defaults()
	sc.doc = doc
	doc.Decode(sc)
	if sc.Stop.Time > 0 {
		sc.Stop.Max = 0 // only a run that waits for an event can be given up
	}
	sc.checkName()
	return sc
}

// checkName refuses what cannot be the name of a directory.
func (sc *Scenario) checkName() {
	if sc.doc.Failed("name") {
		return
	}
	if !isName(sc.Name) || strings.IndexByte("._-", sc.Name[0]) >= 0 {
		sc.doc.Failf("name", "%q is not allowed; allowed: up to 100 letters, digits, dots, dashes and underscores, beginning with a letter or digit", sc.Name)
	}
}
