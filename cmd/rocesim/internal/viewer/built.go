package viewer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"path/filepath"
	"strings"
	"time"

	"rocesim/results"
	"rocesim/results/page"
)

// reportFile is the page in the directory of a result.
const reportFile = results.ReportFile

// maxBuilt is how many pages made here are kept in memory.
const maxBuilt = 8

// builtPage is a page that was made here, and what its directory looked like.
type builtPage struct {
	name, stamp string
	html        []byte
}

// result sends the page of a result: the one in its directory if that belongs
// to the tables there, or one that is made now.
func (s *Server) result(w http.ResponseWriter, r *http.Request, name, kind string) {
	if s.hasReport(name, kind) {
		s.file(w, r, path.Join(name, reportFile))
		return
	}
	html, err := s.build(name, kind)
	if err != nil {
		s.write(w, func() (*page.Document, error) {
			return page.Notice(s.place(name), "This "+kind+" cannot be shown", err.Error())
		})
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(html))
}

// hasReport reports whether the directory has a page that is not older than
// its tables. That of a run is the one whose hash its manifest has.
func (s *Server) hasReport(name, kind string) bool {
	info, err := fs.Lstat(s.fsys, path.Join(name, reportFile))
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if kind != Run {
		table := map[string]string{Sweep: "settings.csv", Search: "path.csv", Comparison: "comparison.json"}[kind]
		made, err := fs.Stat(s.fsys, path.Join(name, table))
		return err == nil && !info.ModTime().Before(made.ModTime())
	}
	head, err := results.Peek(s.fsys, name)
	if err != nil {
		return false
	}
	f, err := s.fsys.Open(path.Join(name, reportFile))
	if err != nil {
		return false
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return err == nil && strings.EqualFold(hex.EncodeToString(h.Sum(nil)), head.Report)
}

// build makes the page of a directory, or takes the one made before if no file
// there has changed since.
func (s *Server) build(name, kind string) ([]byte, error) {
	s.building.Lock()
	defer s.building.Unlock()
	stamp, err := s.stamp(name)
	if err != nil {
		return nil, err
	}
	for _, b := range s.built {
		if b.name == name && b.stamp == stamp {
			return b.html, nil
		}
	}
	builder := s.builders[kind]
	if builder == nil {
		return nil, fmt.Errorf("%s: there is no page of a %s; its files have the results", s.place(name), kind)
	}
	doc, err := builder(filepath.Join(s.dir, filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	var html bytes.Buffer
	if err := doc.Write(&html); err != nil {
		return nil, err
	}
	if len(s.built) == maxBuilt {
		s.built = s.built[1:]
	}
	s.built = append(s.built, builtPage{name, stamp, html.Bytes()})
	return html.Bytes(), nil
}

// stamp says what the files of a result look like. It refuses symbolic links:
// tables are read by name, and one could lead out of the directory. The single
// runs of a sweep are left out, as its page is not made of them.
func (s *Server) stamp(name string) (string, error) {
	var b strings.Builder
	err := fs.WalkDir(s.fsys, name, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file == path.Join(name, "runs"):
			return fs.SkipDir
		case d.IsDir():
			return nil
		case d.Type()&fs.ModeSymlink != 0:
			return fmt.Errorf("%s is a symbolic link, and results are not read through links", s.place(file))
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %d %d\n", file, info.Size(), info.ModTime().UnixNano())
		return nil
	})
	return b.String(), err
}
