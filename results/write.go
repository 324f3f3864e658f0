package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// CheckDir reports why Write could not make dir, so that a long simulation
// does not begin in vain: dir exists and was not made by rocesim, or its
// parent cannot be written. It makes missing parents.
func CheckDir(dir string) error {
	if err := replaceable(dir); err != nil {
		return err
	}
	temp, err := tempBeside(dir)
	if err != nil {
		return err
	}
	return explain(dir, os.Remove(temp))
}

// Write makes the run directory dir: manifest, summary and CSV files. Each of
// extras is then called with the directory being made, to add plots and other
// files. An existing dir is replaced if it was made by rocesim, else Write
// refuses.
func Write(dir string, run *Run, s *Summary, extras ...func(dir string) error) error {
	if err := replaceable(dir); err != nil {
		return err
	}
	return Replace(dir, func(temp string) error {
		manifest, err := writeTables(temp, run)
		for _, extra := range extras {
			if err == nil {
				err = extra(temp)
			}
		}
		if err == nil {
			err = writeSummaries(temp, manifest, s)
		}
		return err
	})
}

// Replace makes the directory dir: fill is called with an empty hidden one
// beside it, which takes its name if there was no error. So dir is complete or
// as it was. The caller has made sure that what is there may go. The error says
// in a user's words why dir could not be written.
func Replace(dir string, fill func(temp string) error) error {
	temp, err := tempBeside(dir)
	if err != nil {
		return err
	}
	if err = fill(temp); err == nil {
		err = swap(temp, dir)
	}
	if err != nil {
		return explain(dir, errors.Join(err, os.RemoveAll(temp)))
	}
	return nil
}

// replaceable returns nil if dir does not exist, is an empty directory, or was
// made by rocesim.
func replaceable(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%s: a file is in the way, choose another directory with -o", dir)
	case err != nil:
		return explain(dir, err)
	case len(entries) == 0:
		return nil
	}
	format, err := readFormat(dir)
	if err != nil || !strings.HasPrefix(format, manifestPrefix) {
		return fmt.Errorf("%s: exists and was not made by rocesim, so it is left alone; choose another directory with -o", dir)
	}
	return nil
}

// tempBeside makes an empty hidden directory in the parent of dir.
func tempBeside(dir string) (string, error) {
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", explain(dir, err)
	}
	temp, err := os.MkdirTemp(parent, "."+filepath.Base(dir)+".unfinished-")
	if err != nil {
		return "", explain(dir, err)
	}
	// MkdirTemp keeps others out; results are for reading.
	return temp, explain(dir, os.Chmod(temp, 0o755))
}

// swap puts temp in the place of dir. What was there is moved aside first and
// comes back if the second rename fails.
func swap(temp, dir string) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return os.Rename(temp, dir)
	}
	old := temp + "-old"
	if err := os.Rename(dir, old); err != nil {
		return err
	}
	if err := os.Rename(temp, dir); err != nil {
		return errors.Join(err, os.Rename(old, dir))
	}
	return os.RemoveAll(old)
}

// explain says in a user's words why dir could not be written; nil stays nil.
func explain(dir string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("%s: no results written: the disk is full (%w)", dir, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%s: no results written: no permission to write there (%w)", dir, err)
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s: no results written: a file is in the way (%w)", dir, err)
	}
	return fmt.Errorf("%s: no results written: %w", dir, err)
}
