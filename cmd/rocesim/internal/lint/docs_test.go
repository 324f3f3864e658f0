package lint

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// checkDocs asks for a comment on every exported name. Fields and constants
// may share the comment of their group.
func checkDocs(f *file) []string {
	if !f.isGo() || f.isTest() || f.syntax.Name.Name == "main" {
		return nil
	}
	var bad []string
	for _, d := range f.syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			bad = append(bad, undocumentedFunc(f, d)...)
		case *ast.GenDecl:
			bad = append(bad, undocumentedGroup(f, d)...)
		}
	}
	return bad
}

func undocumentedFunc(f *file, d *ast.FuncDecl) []string {
	if !d.Name.IsExported() || !exportedReceiver(d) || startsWith(d.Doc, d.Name.Name) {
		return nil
	}
	return []string{f.at(d.Pos(), "exported function %s needs a comment that starts with its name", d.Name.Name)}
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return false
		}
	}
}

func undocumentedGroup(f *file, d *ast.GenDecl) []string {
	if d.Tok == token.IMPORT {
		return nil
	}
	var bad []string
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() && !startsWith(d.Doc, s.Name.Name) && !startsWith(s.Doc, s.Name.Name) {
				bad = append(bad, f.at(s.Pos(), "exported type %s needs a comment that starts with its name", s.Name.Name))
			}
		case *ast.ValueSpec:
			exported := slices.ContainsFunc(s.Names, func(n *ast.Ident) bool { return n.IsExported() })
			if exported && d.Doc == nil && s.Doc == nil && s.Comment == nil {
				bad = append(bad, f.at(s.Pos(), "exported %s %s needs a comment", d.Tok, s.Names[0].Name))
			}
		}
	}
	return bad
}

// startsWith reports whether a comment begins with a name, an article before
// it allowed.
func startsWith(doc *ast.CommentGroup, name string) bool {
	text := doc.Text()
	for _, article := range []string{"A ", "An ", "The "} {
		text = strings.TrimPrefix(text, article)
	}
	rest, ok := strings.CutPrefix(text, name)
	return ok && (rest == "" || !isLetter(rest[0]))
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= '0' && c <= '9' }

// checkPackageComments asks each package for one comment that says what it is.
func checkPackageComments(files []*file) []string {
	documented := map[string]bool{}
	var bad []string
	for _, f := range files {
		if f.isGo() && f.syntax.Doc != nil {
			documented[f.dir()] = true
		}
	}
	seen := map[string]bool{}
	for _, f := range files {
		if f.isGo() && !f.isTest() && !documented[f.dir()] && !seen[f.dir()] {
			seen[f.dir()] = true
			bad = append(bad, f.dir()+": no package comment")
		}
	}
	return bad
}
