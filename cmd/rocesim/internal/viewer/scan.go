package viewer

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"rocesim/results/page"
)

// Limits of a scan: a directory may be anything, such as a home directory.
const (
	maxDepth   = 8
	maxEntries = 5000
	maxVisits  = 50_000
)

// unfinished is part of the names of directories that are being written, or
// that a killed process left.
const unfinished = ".unfinished-"

// scanner collects what is below a directory.
type scanner struct {
	fsys    fs.FS
	entries []page.IndexEntry
	visits  int
	cut     string
}

// scan lists the results below dir, the newest first, and then what cannot be
// shown. cut says what was left out.
func scan(fsys fs.FS, dir string) (entries []page.IndexEntry, cut string, err error) {
	s := &scanner{fsys: fsys}
	if _, err := s.below(dir, 0); err != nil {
		return nil, "", err
	}
	slices.SortFunc(s.entries, func(a, b page.IndexEntry) int {
		return cmp.Or(cmp.Compare(rank(a.Kind), rank(b.Kind)), cmp.Compare(b.Changed, a.Changed), cmp.Compare(a.Path, b.Path))
	})
	for i := range s.entries {
		s.entries[i].Path = strings.TrimPrefix(s.entries[i].Path, dir+"/")
	}
	return s.entries, s.cut, nil
}

// rank orders results before what cannot be shown.
func rank(kind string) int {
	return max(0, slices.Index([]string{"damaged", "unfinished", "foreign"}, kind)+1)
}

// below visits the directories in dir, and returns how many files it has
// itself. Names are read bit by bit, so that a huge directory stops nothing.
func (s *scanner) below(dir string, depth int) (files int, err error) {
	list, err := s.fsys.Open(dir)
	if err != nil {
		return 0, err
	}
	reader, ok := list.(fs.ReadDirFile)
	if !ok {
		return 0, errors.Join(fmt.Errorf("%s is no directory", dir), list.Close())
	}
	for s.cut == "" {
		names, err := reader.ReadDir(256)
		for _, d := range names {
			if s.visits++; s.visits > maxVisits || len(s.entries) >= maxEntries {
				s.cut = fmt.Sprintf("There is more below this directory than is listed: the list ends at %d entries, or %d files and directories.", maxEntries, maxVisits)
				break
			}
			if name := path.Join(dir, d.Name()); d.IsDir() {
				s.visit(name, depth+1)
			} else if d.Type()&fs.ModeSymlink != 0 {
				s.link(name)
			} else {
				files++
			}
		}
		if err != nil {
			break // the end, or what can be read of it
		}
	}
	return files, list.Close()
}

// visit adds a directory, or what is below it.
func (s *scanner) visit(dir string, depth int) {
	base := path.Base(dir)
	switch {
	case strings.HasPrefix(base, ".") && strings.Contains(base, unfinished):
		s.add(page.IndexEntry{Path: dir, Kind: "unfinished", Verdict: "is being written, or was left by a process that was killed"})
		return
	case strings.HasPrefix(base, "."):
		return
	}
	if e, ok := describe(s.fsys, dir); ok {
		s.add(e)
		return
	}
	if depth >= maxDepth {
		s.add(page.IndexEntry{Path: dir, Kind: "foreign", Verdict: fmt.Sprintf("is more than %d directories deep and was not looked into", maxDepth)})
		return
	}
	before := len(s.entries)
	files, err := s.below(dir, depth)
	switch {
	case err != nil:
		s.add(page.IndexEntry{Path: dir, Kind: "damaged", Verdict: "cannot be read: " + err.Error()})
	case len(s.entries) == before && files > 0 && s.cut == "":
		s.add(page.IndexEntry{Path: dir, Kind: "foreign", Verdict: "has files, but nothing that rocesim wrote: no manifest.json, sweep.json, tune.json or comparison.json"})
	}
}

// link names a symbolic link that leads to a directory; others are files.
func (s *scanner) link(name string) {
	info, err := fs.Stat(s.fsys, name)
	switch {
	case err != nil:
		s.add(page.IndexEntry{Path: name, Kind: "foreign", Verdict: "is a symbolic link that leads nowhere or out of the directory, and is not followed"})
	case info.IsDir():
		s.add(page.IndexEntry{Path: name, Kind: "foreign", Verdict: "is a symbolic link to a directory, and is not followed"})
	}
}

// add adds an entry, with the time of its directory.
func (s *scanner) add(e page.IndexEntry) {
	if info, err := fs.Stat(s.fsys, e.Path); err == nil {
		e.Changed = clock(info)
	}
	s.entries = append(s.entries, e)
}

// clock is when a file was written.
func clock(info fs.FileInfo) string { return info.ModTime().Format("2006-01-02 15:04:05") }
