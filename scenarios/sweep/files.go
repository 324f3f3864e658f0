package sweep

import (
	"bytes"
	"encoding/csv"
	"path/filepath"
	"reflect"
	"strconv"

	"rocesim/results"

	"github.com/parquet-go/parquet-go"
)

// csv is the table as comma-separated values.
func (t *table) csv() ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	record := make([]string, len(t.columns))
	for k, c := range t.columns {
		record[k] = c.name
	}
	if err := w.Write(record); err != nil {
		return nil, err
	}
	for i := range t.rows {
		for k, c := range t.columns {
			record[k] = c.cell(i)
		}
		if err := w.Write(record); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return out.Bytes(), w.Error()
}

// parquet is the table with a type for each column; cells without a number are
// null.
func (t *table) parquet() ([]byte, error) {
	var out bytes.Buffer
	w := parquet.NewWriter(&out, t.schema(), parquet.CreatedBy("rocesim", "", ""), parquet.Compression(&parquet.Zstd))
	row := make(parquet.Row, len(t.columns))
	for i := range t.rows {
		for k, c := range t.columns {
			level := 0
			value := c.value(i)
			if c.kind == real && !value.IsNull() {
				level = 1 // of an optional column
			}
			row[k] = value.Level(0, level, k)
		}
		if _, err := w.WriteRows([]parquet.Row{row}); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// schema lists the columns in their order, which a schema made from a struct
// keeps.
func (t *table) schema() *parquet.Schema {
	fields := make([]reflect.StructField, len(t.columns))
	for k, c := range t.columns {
		types := [...]reflect.Type{word: reflect.TypeFor[string](), real: reflect.TypeFor[*float64](), whole: reflect.TypeFor[uint64]()}
		fields[k] = reflect.StructField{
			Name: "F" + strconv.Itoa(k), Type: types[c.kind], Tag: reflect.StructTag("parquet:" + strconv.Quote(c.name)),
		}
	}
	return parquet.NewSchema("run", parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface()))
}

func (c *column) value(i int) parquet.Value {
	text := c.cell(i)
	switch c.kind {
	case word:
		return parquet.ByteArrayValue([]byte(text))
	case whole:
		n, _ := strconv.ParseUint(text, 10, 64) // written by us
		return parquet.ValueOf(n)
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return parquet.NullValue()
	}
	return parquet.DoubleValue(v)
}

// manifestJSON is sweep.json.
type manifestJSON struct {
	Format    string         `json:"format"`
	State     string         `json:"state"`
	Scenarios []scenarioJSON `json:"scenarios"`
	Fixed     []string       `json:"fixed,omitempty"`
	Axes      []axisJSON     `json:"axes"`
	Metrics   []string       `json:"metrics"`
	Objective string         `json:"objective"`
	Pareto    []string       `json:"pareto"`
	// Advice is there when the tables are, one for each scenario.
	Advice []adviceJSON `json:"advice,omitempty"`
}

type scenarioJSON struct {
	Name     string   `json:"name"`
	Question string   `json:"question,omitempty"`
	Seeds    []uint64 `json:"seeds"`
}

// adviceJSON says which setting of a scenario is best, in the words of the
// summary.
type adviceJSON struct {
	Scenario string `json:"scenario"`
	// Found is false if no setting qualifies; BeyondChance says that the next
	// one is worse by more than chance explains.
	Found        bool     `json:"found"`
	BeyondChance bool     `json:"beyond_chance"`
	Text         []string `json:"text"`
}

// axisJSON is one axis. Axes of one dimension move together.
type axisJSON struct {
	Dimension int      `json:"dimension"`
	Path      string   `json:"path"`
	Values    []string `json:"values"`
}

// manifestFormat is the first field of sweep.json, manifestFamily what all
// versions of it begin with.
const (
	manifestFormat = manifestFamily + "2"
	manifestFamily = "rocesim sweep "
)

// writeManifest says what is swept and how far it came.
func (s *Sweep) writeManifest(dir, state string) error { return s.manifest(state).write(dir) }

// manifest describes the sweep.
func (s *Sweep) manifest(state string) *manifestJSON {
	m := &manifestJSON{Format: manifestFormat, State: state, Fixed: s.fixed, Objective: s.Objective.Words()}
	for _, src := range s.sources {
		m.Scenarios = append(m.Scenarios, scenarioJSON{src.base.Name, src.base.Question, src.seeds})
	}
	for d, dimension := range s.Grid {
		for _, a := range dimension {
			one := axisJSON{Dimension: d, Path: a.Path}
			for _, v := range a.Values {
				one.Values = append(one.Values, v.Text)
			}
			m.Axes = append(m.Axes, one)
		}
	}
	for _, metric := range s.Metrics {
		m.Metrics = append(m.Metrics, metric.String())
	}
	for _, metric := range s.Pareto {
		m.Pareto = append(m.Pareto, metric.String())
	}
	return m
}

// write puts the manifest into the directory.
func (m *manifestJSON) write(dir string) error {
	var out bytes.Buffer
	if err := results.EncodeJSON(&out, m); err != nil {
		return err
	}
	return writeWhole(filepath.Join(dir, manifestFile), out.Bytes())
}
