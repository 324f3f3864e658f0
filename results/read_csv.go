package results

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
)

// read adds the rows of a CSV file to the table's run. Errors name path and
// line.
func (t *table) read(path string, from io.Reader) error {
	in := csv.NewReader(from)
	in.ReuseRecord = true
	in.FieldsPerRecord = len(t.columns)
	header, err := in.Read()
	if err != nil {
		return t.blame(path, 1, header, err)
	}
	for c := range t.columns {
		if header[c] != t.columns[c].name {
			return fmt.Errorf("%s:1: column %d is %q, want %q", path, c+1, header[c], t.columns[c].name)
		}
	}
	for i := 0; ; i++ {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return t.blame(path, i+2, row, err)
		}
		line, _ := in.FieldPos(0)
		t.add()
		if err := t.readRow(i, row); err != nil {
			return fmt.Errorf("%s:%d: %w", path, line, err)
		}
	}
}

// blame says what is wrong with a line that is no row of the table.
func (t *table) blame(path string, line int, row []string, err error) error {
	var bad *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		return fmt.Errorf("%s: empty, want at least the line of column names", path)
	case errors.As(err, &bad) && errors.Is(err, csv.ErrFieldCount):
		return fmt.Errorf("%s:%d: %d columns, want %d (%s)", path, bad.Line, len(row), len(t.columns), t.header())
	case errors.As(err, &bad):
		return fmt.Errorf("%s:%d: %w", path, bad.Line, bad.Err)
	}
	return fmt.Errorf("%s:%d: %w", path, line, err)
}

// readRow sets row i, and then compares what follows from other columns.
func (t *table) readRow(i int, row []string) error {
	for c := range t.columns {
		if set := t.columns[c].set; set != nil {
			if err := set(i, row[c]); err != nil {
				return fmt.Errorf("%s: %w", t.columns[c].name, err)
			}
		}
	}
	for c := range t.columns {
		if t.columns[c].set != nil {
			continue
		}
		if want := string(t.columns[c].append(nil, i)); want != quoted(row[c]) {
			return fmt.Errorf("%s: %q does not follow from the other columns, which give %q", t.columns[c].name, row[c], want)
		}
	}
	return nil
}

// quoted returns a value as appendText writes it.
func quoted(text string) string { return string(appendText(nil, text)) }

// ignored is how a column is read that the row's other columns stand for.
func ignored(int, string) error { return nil }
