package topo

import (
	"errors"
	"fmt"
)

// FieldError says what is wrong with one field of a builder. Loaders use the
// field to find its place in the file.
type FieldError struct {
	// Field is the path of the field in the words of scenario files, for
	// example "uplink.rate" or "links[3].a".
	Field string
	// Text is what was read and what is allowed.
	Text string
}

// Error returns the field and the text.
func (e *FieldError) Error() string { return e.Field + ": " + e.Text }

// Problems lists the errors inside err, as builders return them joined.
func Problems(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// problems collects field errors.
type problems struct{ list []error }

func (p *problems) add(field, format string, args ...any) {
	p.list = append(p.list, &FieldError{Field: field, Text: fmt.Sprintf(format, args...)})
}

// within requires lo <= value <= hi.
func (p *problems) within(field string, value, lo, hi int) {
	if value < lo || value > hi {
		p.add(field, "%d is not allowed, must be from %d to %d", value, lo, hi)
	}
}

func (p *problems) err() error { return errors.Join(p.list...) }
