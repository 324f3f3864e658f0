package explain

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"rocesim/results"
)

// width is the greatest number of columns of the text.
const width = 98

// column is one column of a table: its name in JSON and its head for a person.
// Columns without head are in JSON only.
type column struct{ key, head string }

// cell is a value: as JSON has it, and as text.
type cell struct {
	value any
	text  string
}

// table is rows of cells.
type table struct {
	columns []column
	rows    [][]cell
}

func (t *table) add(cells ...cell) { t.rows = append(t.rows, cells) }

// values returns the rows by key.
func (t *table) values() []map[string]any {
	var rows []map[string]any
	for _, cells := range t.rows {
		row := map[string]any{}
		for i, c := range cells {
			if c.value != nil {
				row[t.columns[i].key] = c.value
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// write prints the table for a person.
func (t *table) write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(text func(i int) string) {
		var parts []string
		for i, c := range t.columns {
			if c.head != "" {
				parts = append(parts, text(i))
			}
		}
		fmt.Fprintln(w, "  "+strings.Join(parts, "\t"))
	}
	line(func(i int) string { return t.columns[i].head })
	for _, cells := range t.rows {
		line(func(i int) string { return cells[i].text })
	}
	return w.Flush()
}

// WriteText writes the page for a person, from top to bottom.
func (r *Report) WriteText(w io.Writer) error {
	out := &strings.Builder{}
	fmt.Fprintf(out, "%s\n", r.Name)
	paragraph(out, "  ", r.Question)
	paragraph(out, "  ", r.Fabric)
	for _, warning := range r.Warnings {
		hanging(out, "  ", "    ", "warning: "+warning)
	}
	for i := range r.Sections {
		if s := &r.Sections[i]; s.Bad {
			hanging(out, "  ", "    ", fmt.Sprintf("look at %d: %s", i+1, s.Verdict))
		}
	}
	for i := range r.Sections {
		s := &r.Sections[i]
		mark := ""
		if s.Bad {
			mark = "  [look here]"
		}
		fmt.Fprintf(out, "\n%d. %s%s\n", i+1, s.Title, mark)
		if err := s.write(out); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, trimmed(out.String()))
	return err
}

func (s *Section) write(out *strings.Builder) error {
	if len(s.table.rows)+len(s.Arithmetic) == 0 && !s.Bad {
		hanging(out, "  ", "    ", "=> "+s.Verdict)
		return nil
	}
	paragraph(out, "  ", s.Meaning)
	if len(s.table.rows) > 0 {
		out.WriteString("\n")
		if err := s.table.write(out); err != nil {
			return err
		}
		out.WriteString("\n")
	}
	for _, line := range s.Arithmetic {
		hanging(out, "  ", "    ", line)
	}
	hanging(out, "  ", "    ", "=> "+s.Verdict)
	advice := "If it is bad: "
	if s.Bad {
		advice = "What to do: "
	}
	hanging(out, "  ", "    ", advice+s.Advice)
	return nil
}

func paragraph(out *strings.Builder, indent, text string) { hanging(out, indent, indent, text) }

// hanging writes wrapped text, with another indent from its second line on.
func hanging(out *strings.Builder, first, rest, text string) {
	for i, line := range results.Wrap(text, width-len(rest)) {
		indent := rest
		if i == 0 {
			indent = first
		}
		out.WriteString(indent + line + "\n")
	}
}

// trimmed takes the blanks away that tables leave at the ends of lines.
func trimmed(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}
