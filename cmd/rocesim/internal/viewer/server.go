package viewer

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"rocesim/results/page"
)

// Builder makes the page of a directory from its tables.
type Builder func(dir string) (*page.Document, error)

// Server answers requests for what is below a directory.
type Server struct {
	root     *os.Root
	fsys     fs.FS
	dir      string
	builders map[string]Builder
	// building lets one page be made at a time: runs may be large.
	building sync.Mutex
	built    []builtPage
}

// Open returns a server of what is below dir. builders make pages by Kind. The
// caller closes it.
func Open(dir string, builders map[string]Builder) (*Server, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, fmt.Errorf("%s: no such directory of results; rocesim run, sweep, tune and compare -o make some, by default below results/runs", dir)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s: is a file; name the directory that holds results, such as results/runs", dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Server{root: root, fsys: root.FS(), dir: dir, builders: builders}, nil
}

// Close lets the directory go.
func (s *Server) Close() error { return s.root.Close() }

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	protect(w.Header())
	switch {
	case !isLocal(r.Host):
		refuse(w, http.StatusForbidden, fmt.Sprintf("the host of the request is %q; this server answers only localhost and 127.0.0.1", r.Host))
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, fmt.Sprintf("the method is %s; this server changes nothing and answers only GET and HEAD", r.Method))
	default:
		s.serve(w, r)
	}
}

// protect sets headers that bind what is served: nothing loads or sends
// anything, and a page runs apart from all others, in an origin of its own, as it
// may have come from elsewhere.
func protect(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "+
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts allow-modals")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

func refuse(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	io.WriteString(w, text+"\n")
}

// isLocal reports whether a host with or without a port is this machine.
func isLocal(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return slices.Contains([]string{"localhost", "127.0.0.1", "::1", "[::1]"}, strings.ToLower(host))
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	name, hasSlash := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if r.URL.Path == "/" {
		name = "."
	}
	info, err := s.stat(name)
	switch {
	case err != nil:
		refuse(w, http.StatusNotFound, fmt.Sprintf("%q: %v", r.URL.Path, err))
	case !info.IsDir():
		s.file(w, r, name)
	case name != "." && !hasSlash:
		http.Redirect(w, r, "./"+path.Base(r.URL.EscapedPath())+"/", http.StatusFound)
	case r.URL.Query().Has("files"):
		s.write(w, func() (*page.Document, error) { return s.files(name) })
	default:
		s.directory(w, r, name)
	}
}

// stat looks at a file or directory below the root; links out of it are
// errors.
func (s *Server) stat(name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, errors.New("not a path below the directory")
	}
	info, err := s.root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("no such file or directory")
	case err != nil:
		return nil, errors.New("cannot be opened, or leads out of the directory")
	case !info.IsDir() && !info.Mode().IsRegular():
		return nil, errors.New("neither a file nor a directory")
	}
	return info, nil
}

// write sends a page that is made now.
func (s *Server) write(w http.ResponseWriter, make func() (*page.Document, error)) {
	doc, err := make()
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	// An error is of the connection: the reader has gone.
	_ = doc.Write(w)
}

// directory sends the page of a result, or the list of those below.
func (s *Server) directory(w http.ResponseWriter, r *http.Request, name string) {
	if kind := kindOf(s.fsys, name); kind != "" {
		s.result(w, r, name, kind)
		return
	}
	s.write(w, func() (*page.Document, error) {
		entries, cut, err := scan(s.fsys, name)
		if err != nil {
			return nil, err
		}
		return page.Index(s.place(name), entries, cut)
	})
}

// place is how a person names a directory below the root.
func (s *Server) place(name string) string { return path.Join(s.dir, name) }

// maxFiles is how many files of a directory are listed.
const maxFiles = 5000

func (s *Server) files(name string) (*page.Document, error) {
	f, err := s.root.Open(name)
	if err != nil {
		return nil, err
	}
	list, err := f.ReadDir(maxFiles)
	if err := errors.Join(f.Close(), err); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	var files []page.File
	for _, d := range list {
		info, err := s.stat(path.Join(name, d.Name()))
		switch {
		case err != nil: // a link out of the directory, or a file just removed
		case info.IsDir():
			files = append(files, page.File{Name: d.Name() + "/", Changed: clock(info)})
		default:
			files = append(files, page.File{Name: d.Name(), Size: strconv.FormatInt(info.Size(), 10), Changed: clock(info)})
		}
	}
	slices.SortFunc(files, func(a, b page.File) int { return strings.Compare(a.Name, b.Name) })
	return page.Files(s.place(name), files)
}

// file sends a file. Only report.html is shown as a page.
func (s *Server) file(w http.ResponseWriter, r *http.Request, name string) {
	f, err := s.root.Open(name)
	if err != nil {
		refuse(w, http.StatusNotFound, "cannot be opened")
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		refuse(w, http.StatusNotFound, "cannot be opened")
		return
	}
	w.Header().Set("Content-Type", contentType(path.Base(name)))
	http.ServeContent(w, r, "", info.ModTime(), f)
}

// contentType is what a file is said to be. What could run scripts is text.
func contentType(base string) string {
	switch path.Ext(base) {
	case ".csv", ".txt", ".yaml", ".json", ".jsonl", ".xml", ".md":
		return "text/plain; charset=utf-8"
	case ".png", ".svg":
		return mime.TypeByExtension(path.Ext(base))
	case ".html":
		if base == reportFile {
			return "text/html; charset=utf-8"
		}
		return "text/plain; charset=utf-8"
	}
	return "application/octet-stream"
}
