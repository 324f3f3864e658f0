package lint

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"slices"
	"strings"
)

// Lengths in lines. A function fits on a screen, a file is one thought.
const (
	maxFunctionLines = 70
	maxFileLines     = 500
)

func checkFormat(f *file) []string {
	if !f.isGo() {
		return nil
	}
	want, err := format.Source([]byte(f.text))
	if err != nil || !bytes.Equal(want, []byte(f.text)) {
		return []string{f.name + ": not formatted, run gofmt -w"}
	}
	return nil
}

func checkFileLength(f *file) []string {
	if n := strings.Count(f.text, "\n"); f.isGo() && n > maxFileLines {
		return []string{fmt.Sprintf("%s: %d lines, at most %d are allowed", f.name, n, maxFileLines)}
	}
	return nil
}

// checkFunctions looks at length and at init, which would be state that
// nobody asked for. Tables in tests may be long.
func checkFunctions(f *file) []string {
	if !f.isGo() || f.isTest() {
		return nil
	}
	var bad []string
	for _, d := range f.syntax.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		lines := f.fset.Position(fn.End()).Line - f.fset.Position(fn.Pos()).Line + 1
		if lines > maxFunctionLines {
			bad = append(bad, f.at(fn.Pos(), "%s has %d lines, at most %d are allowed", fn.Name.Name, lines, maxFunctionLines))
		}
		if fn.Name.Name == "init" && fn.Recv == nil {
			bad = append(bad, f.at(fn.Pos(), "init is not allowed: build what you need in a constructor"))
		}
	}
	return bad
}

// checkVars refuses package-level state: two runs in one process must not
// know of each other. Error values and embedded files are none, and tests may
// have flags.
func checkVars(f *file) []string {
	if !f.isGo() || f.isTest() {
		return nil
	}
	var bad []string
	for _, d := range f.syntax.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			for _, name := range v.Names {
				if !varAllowed(g, v, name.Name) {
					bad = append(bad, f.at(name.Pos(), "package-level variable %s: make it a constant, a function or a field", name.Name))
				}
			}
		}
	}
	return bad
}

func varAllowed(g *ast.GenDecl, v *ast.ValueSpec, name string) bool {
	isError := strings.HasPrefix(name, "Err") || strings.HasPrefix(name, "err")
	return name == "_" || isError || embeds(g.Doc) || embeds(v.Doc)
}

func embeds(doc *ast.CommentGroup) bool {
	return doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool {
		return strings.HasPrefix(c.Text, "//go:embed ")
	})
}

// checkCalls refuses what belongs to the command line only: printing to the
// terminal and ending the process.
func checkCalls(f *file) []string {
	if !f.isGo() || f.isTest() || strings.HasPrefix(f.name, "cmd/") {
		return nil
	}
	banned := []string{"fmt.Print", "fmt.Printf", "fmt.Println", "os.Exit", "log.Fatal", "log.Fatalf", "os.Stdout", "os.Stderr"}
	var bad []string
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && slices.Contains(banned, x.Name+"."+sel.Sel.Name) {
			bad = append(bad, f.at(n.Pos(), "%s.%s is for the command line only", x.Name, sel.Sel.Name))
		}
		return true
	})
	return bad
}
