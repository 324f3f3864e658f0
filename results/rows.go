package results

import "strings"

// TextTable is one CSV file of a run directory as text, row by row, for those
// who show it. Its texts are those of the file, without quotes.
type TextTable struct {
	FileDoc
	// Rows is how many there are.
	Rows int

	columns []column
}

// TextTable returns the table that a CSV file holds, such as "flows.csv", and
// whether there is such a file.
func (r *Run) TextTable(file string) (*TextTable, bool) {
	for _, t := range r.tables() {
		if t.file == file {
			return &TextTable{FileDoc: t.documented(), Rows: t.rows, columns: t.columns}, true
		}
	}
	return nil, false
}

// Row returns the texts of row i, one for each column.
func (t *TextTable) Row(i int) []string {
	texts := make([]string, len(t.columns))
	var buffer []byte
	for c := range t.columns {
		buffer = t.columns[c].append(buffer[:0], i)
		texts[c] = unquoted(string(buffer))
	}
	return texts
}

// unquoted is the reverse of appendText.
func unquoted(text string) string {
	if len(text) < 2 || text[0] != '"' {
		return text
	}
	return strings.ReplaceAll(text[1:len(text)-1], `""`, `"`)
}

// documented returns the documentation of a table.
func (t *table) documented() FileDoc {
	doc := FileDoc{Name: t.file, Doc: t.doc}
	for _, c := range t.columns {
		doc.Columns = append(doc.Columns, ColumnDoc{c.name, c.doc})
	}
	return doc
}
