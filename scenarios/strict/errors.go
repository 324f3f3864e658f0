package strict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Pos is a place in a file, or a command-line flag (Line 0).
type Pos struct {
	File      string
	Line, Col int // counted from 1
}

// String prints the place as file:line:column.
func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Error is one thing that is wrong with an input.
type Error struct {
	Pos  Pos
	Path string // "switch.ecn.kmin"; empty for the file as a whole
	Text string // what was read and what is allowed
}

// Error prints place, path and text on one line.
func (e Error) Error() string {
	if e.Path == "" {
		return e.Pos.String() + ": " + e.Text
	}
	return e.Pos.String() + ": " + e.Path + ": " + e.Text
}

// Errors is everything that is wrong with an input, in the order of the file.
type Errors []Error

// Error prints one line per error.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// sorted returns e ordered by place, flags last, without repetitions.
func (e Errors) sorted() Errors {
	seen := map[Error]bool{}
	var out Errors
	for _, one := range e {
		if !seen[one] {
			out = append(out, one)
		}
		seen[one] = true
	}
	slices.SortStableFunc(out, func(a, b Error) int {
		return cmp.Or(
			cmp.Compare(min(b.Pos.Line, 1), min(a.Pos.Line, 1)),
			cmp.Compare(a.Pos.File, b.Pos.File),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col),
		)
	})
	return out
}
