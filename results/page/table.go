package page

import (
	"html/template"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Table is a table that a script makes sortable and searchable. Without
// scripts, and in print, it shows its first rows.
type Table struct {
	// ID is the anchor of the table and the ID of its data, a word in lower
	// case.
	ID, Caption string
	Columns     []Column
	// Rows hold one text for each column.
	Rows [][]string
	// Links are addresses that cells lead to, in the shape of Rows; an empty
	// one is none. Nil if no cell is a link. They may not be made of a
	// scenario's text.
	Links [][]string
	// Grades colour the edge of rows: "ok", "warn", "bad" or "" each; nil colours
	// none. The words of a row say the same.
	Grades []string
	// First is how many rows are seen at first; 0 stands for firstRows.
	First int
	// Narrow tables show all columns at once; others begin with those that
	// have Main.
	Narrow bool
}

// Column is a column of a Table.
type Column struct {
	// Name is the heading, Doc the meaning, which the heading shows as a
	// tooltip and a list below the table in full.
	Name, Doc string
	// Main columns are seen at first.
	Main bool
	// Number columns are aligned right and sorted by value. Body and Data find
	// them: those whose texts are all numbers, or empty.
	Number bool
	// Wrap columns hold sentences, which are broken into lines.
	Wrap bool
}

// firstRows is how many rows most tables show before a reader asks for more.
const firstRows = 15

// tableData is what assets/tables.js reads.
type tableData struct {
	Columns []columnData `json:"columns"`
	Rows    [][]string   `json:"rows"`
	Links   [][]string   `json:"links,omitempty"`
	Grades  []string     `json:"grades,omitempty"`
	First   int          `json:"first"`
}

type columnData struct {
	Name   string `json:"name"`
	Doc    string `json:"doc"`
	Number bool   `json:"number"`
	Shown  bool   `json:"shown"`
	Wrap   bool   `json:"wrap,omitempty"`
}

// Body returns the table as HTML. Its Data must be on the same page.
func (t *Table) Body() (template.HTML, error) {
	t.findNumbers()
	view := struct {
		*Table
		Head []Column
		Top  []tableRow
		More int
	}{Table: t}
	var shown []int
	for i, c := range t.Columns {
		if t.shows(i) {
			shown = append(shown, i)
			view.Head = append(view.Head, c)
		}
	}
	for n, row := range t.Rows[:min(t.first(), len(t.Rows))] {
		var cells []cell
		for _, i := range shown {
			c := cell{Text: row[i], Link: t.link(n, i), Number: t.Columns[i].Number, Wrap: t.Columns[i].Wrap}
			if c.Number {
				c.Text, c.Full = rounded(row[i]), row[i]
			}
			cells = append(cells, c)
		}
		view.Top = append(view.Top, tableRow{t.grade(n), cells})
	}
	view.More = len(t.Rows) - len(view.Top)
	return Fill("table.html", view)
}

// tableRow is a row that is seen without scripts.
type tableRow struct {
	Grade string
	Cells []cell
}

// cell is one cell of a table. Of a number Text is what can be read at a glance,
// Full all digits of the file.
type cell struct {
	Text, Full, Link string
	Number, Wrap     bool
}

// rounded leaves a number of a file three decimals, one below 1 to four
// significant digits; assets/tables.js does the same.
func rounded(text string) string {
	dot := strings.IndexByte(text, '.')
	if dot < 0 || len(text)-dot-1 <= 3 || strings.Contains(text, "e") {
		return text
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	decimals := 3
	if v != 0 && math.Abs(v) < 1 {
		decimals -= int(math.Floor(math.Log10(math.Abs(v))))
	}
	short := strconv.FormatFloat(v, 'f', decimals, 64)
	return strings.TrimRight(strings.TrimRight(short, "0"), ".")
}

func (t *Table) first() int {
	if t.First > 0 {
		return t.First
	}
	return firstRows
}

// grade is the colour of a row's edge, "" for none.
func (t *Table) grade(row int) string {
	if t.Grades == nil {
		return ""
	}
	return t.Grades[row]
}

// link is where a cell leads to, if anywhere.
func (t *Table) link(row, column int) string {
	if t.Links == nil {
		return ""
	}
	return t.Links[row][column]
}

// Data returns the whole table for scripts.
func (t *Table) Data() Data {
	t.findNumbers()
	d := tableData{Rows: t.Rows, Links: t.Links, Grades: t.Grades, First: t.first()}
	for i, c := range t.Columns {
		d.Columns = append(d.Columns, columnData{c.Name, c.Doc, c.Number, t.shows(i), c.Wrap})
	}
	return Data{t.ID + "-data", d}
}

func (t *Table) shows(column int) bool { return t.Narrow || t.Columns[column].Main }

// findNumbers sets Number of the columns.
func (t *Table) findNumbers() {
	for i := range t.Columns {
		numbers := 0
		for _, row := range t.Rows {
			switch {
			case row[i] == "":
			case isNumber(row[i]):
				numbers++
			default:
				numbers = -len(t.Rows)
			}
		}
		t.Columns[i].Number = numbers > 0
	}
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil && !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsLetter(r) && r != 'e' // NaN, Inf and hexadecimal numbers are words here
	})
}

// Fill executes a template of assets, which escapes all text in value.
func Fill(name string, value any) (template.HTML, error) {
	t, err := template.New(name).Funcs(functions()).Parse(Asset(name))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	if err := t.Execute(&out, value); err != nil {
		return "", err
	}
	return template.HTML(out.String()), nil
}
