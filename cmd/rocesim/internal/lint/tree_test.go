package lint

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// file is one text file of the project, with its syntax if it is Go.
type file struct {
	name   string // slash-separated, below the project's root
	text   string
	fset   *token.FileSet
	syntax *ast.File // nil unless Go
}

// dir is the package directory, "." for the root.
func (f *file) dir() string { return path.Dir(f.name) }

func (f *file) isGo() bool { return f.syntax != nil }

func (f *file) isTest() bool { return strings.HasSuffix(f.name, "_test.go") }

// at reports a problem at a place in a Go file.
func (f *file) at(pos token.Pos, format string, args ...any) string {
	return fmt.Sprintf("%s:%d: %s", f.name, f.fset.Position(pos).Line, fmt.Sprintf(format, args...))
}

// parse makes a file of a name and its text.
func parse(name, text string) (*file, error) {
	f := &file{name: name, text: text, fset: token.NewFileSet()}
	if path.Ext(name) != ".go" {
		return f, nil
	}
	var err error
	f.syntax, err = parser.ParseFile(f.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	return f, err
}

// root is the directory that holds go.mod.
func root(t *testing.T) string {
	dir, err := os.Getwd()
	require.NoError(t, err)
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		require.NotEqual(t, dir, up, "no go.mod above the test")
		dir = up
	}
}

// maxFileBytes keeps large blobs out of the repository; a plot is some 100 KB.
const maxFileBytes = 1 << 20

// load reads every text file of the project that git would keep.
func load(t *testing.T) []*file {
	top := root(t)
	ignored := readIgnored(t, top)
	var files []*file
	err := filepath.WalkDir(top, func(full string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(top, full)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if name == ".git" || ignored(name) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		return appendFile(&files, full, name)
	})
	require.NoError(t, err)
	return files
}

func appendFile(files *[]*file, full, name string) error {
	text, err := os.ReadFile(full)
	if err != nil {
		return err
	}
	if len(text) > maxFileBytes {
		return fmt.Errorf("%s has %d bytes, at most %d are allowed", name, len(text), maxFileBytes)
	}
	if !utf8.Valid(text) {
		return nil // a picture, or a broken input of some test
	}
	f, err := parse(name, string(text))
	*files = append(*files, f)
	return err
}

// readIgnored understands as much of .gitignore as ours uses: "/path/" is that
// path, "/*.x" a file of that kind in the root, "*.x" any.
func readIgnored(t *testing.T, top string) func(name string) bool {
	text, err := os.ReadFile(filepath.Join(top, ".gitignore"))
	require.NoError(t, err)
	patterns := strings.Fields(string(text))
	return func(name string) bool {
		for _, p := range patterns {
			rooted, isRooted := strings.CutPrefix(strings.TrimSuffix(p, "/"), "/")
			of := path.Base(name)
			if isRooted {
				of = name
			}
			if ok, err := path.Match(rooted, of); err == nil && ok {
				return true
			}
		}
		return false
	}
}
