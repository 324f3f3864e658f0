package hpcc

import (
	"fmt"
	"strings"
)

// Problem is an error or a warning at one place of a file.
type Problem struct {
	File string
	// Line and Column count from 1; 0 is the file as a whole. Column counts
	// bytes.
	Line, Column int
	// Text is what was read and what is allowed.
	Text string
}

// Error returns "file:line:column: text".
func (p Problem) Error() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %s", p.File, p.Text)
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Text)
}

// maxProblems is how many problems of a file are worth reading.
const maxProblems = 50

// Problems are all errors of one file, in the order of lines.
type Problems struct {
	List []Problem
	// More were found, but not kept.
	More int
}

// Error returns one problem a line.
func (p *Problems) Error() string {
	lines := make([]string, 0, len(p.List)+1)
	for _, one := range p.List {
		lines = append(lines, one.Error())
	}
	if p.More > 0 {
		lines = append(lines, fmt.Sprintf("%s: and %d more", p.List[0].File, p.More))
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the problems one by one.
func (p *Problems) Unwrap() []error {
	list := make([]error, len(p.List))
	for i, one := range p.List {
		list[i] = one
	}
	return list
}

// report collects the problems of one file.
type report struct {
	file     string
	errors   Problems
	warnings []Problem
}

func (r *report) errorAt(line, column int, format string, args ...any) {
	if len(r.errors.List) >= maxProblems {
		r.errors.More++
		return
	}
	r.errors.List = append(r.errors.List, Problem{File: r.file, Line: line, Column: column, Text: fmt.Sprintf(format, args...)})
}

func (r *report) warnAt(line, column int, format string, args ...any) {
	if len(r.warnings) < maxProblems {
		r.warnings = append(r.warnings, Problem{File: r.file, Line: line, Column: column, Text: fmt.Sprintf(format, args...)})
	}
}

// bad reports that field f was read where want is allowed.
func (r *report) bad(f field, want string) {
	r.errorAt(f.line, f.column, "%s is not allowed, must be %s", f.quoted(), want)
}

// empty reports a file without a word in it.
func (r *report) empty(expected string) {
	if len(r.errors.List) == 0 {
		r.errorAt(0, 0, "the file is empty, expected %s", expected)
	}
}

// err returns the errors, or nil.
func (r *report) err() error {
	if len(r.errors.List) == 0 {
		return nil
	}
	return &r.errors
}
