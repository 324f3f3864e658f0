package compare

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"rocesim/results"
)

// File names of a comparison's directory. The first marks it as made here.
const (
	jsonFile = "comparison.json"
	textFile = "comparison.txt"
)

// WriteJSON writes the comparison for programs. A value that is no number, such
// as an interval without bound, does not occur.
func WriteJSON(w io.Writer, c Report) error {
	return results.EncodeJSON(w, c)
}

// CheckDir reports why Write would refuse dir, so that long simulations do not
// begin in vain.
func CheckDir(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if _, statErr := os.Stat(filepath.Join(dir, jsonFile)); err != nil || statErr != nil {
		return fmt.Errorf("%s: exists and holds no comparison, so it is left alone; choose another directory with -o", dir)
	}
	return nil
}

// Write makes the directory dir with the comparison as JSON and as text, and
// what extra adds to it. It is complete or as it was; one with an earlier
// comparison is replaced.
func Write(dir string, c Report, extra func(dir string) error) error {
	if err := CheckDir(dir); err != nil {
		return err
	}
	return results.Replace(dir, func(temp string) error {
		err := errors.Join(
			results.WriteFile(filepath.Join(temp, jsonFile), func(w io.Writer) error { return WriteJSON(w, c) }),
			results.WriteFile(filepath.Join(temp, textFile), c.WriteText),
		)
		if err == nil {
			err = extra(temp)
		}
		return err
	})
}
