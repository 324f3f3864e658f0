package sweep

import (
	"errors"
	"fmt"
	"path/filepath"

	"rocesim/results/report"
)

// Write writes tables, plots and summary into the sweep directory, then that it
// is finished, and the page unless the first scenario wants no report. formats are those of plots, png and svg; without any
// none are drawn.
func (o *Outcome) Write(dir string, formats []string) error {
	if err := o.write(dir, formats); err != nil {
		return fmt.Errorf("%s: no results written, though finished runs are kept: %w", dir, err)
	}
	return nil
}

func (o *Outcome) write(dir string, formats []string) error {
	runs, settings := o.runTable(), o.settingTable()
	files := []struct {
		name string
		make func() ([]byte, error)
	}{
		{"runs.csv", runs.csv},
		{"runs.parquet", runs.parquet},
		{"settings.csv", settings.csv},
		{"summary.txt", func() ([]byte, error) { return []byte(o.Summary()), nil }},
	}
	for _, f := range files {
		data, err := f.make()
		if err == nil {
			err = writeWhole(filepath.Join(dir, f.name), data)
		}
		if err != nil {
			return err
		}
	}
	if len(formats) > 0 {
		if err := report.WritePlots(dir, o.plots(), formats); err != nil {
			return err
		}
	}
	state := "finished"
	if o.Interrupted {
		state = "interrupted"
	}
	m := o.manifest(state)
	m.Advice = o.adviceTexts()
	if err := m.write(dir); err != nil {
		return err
	}
	if !o.Base().Output.Report {
		return nil
	}
	if err := WritePage(dir); err != nil && !errors.Is(err, errLarge) {
		return err
	}
	return nil
}

// adviceTexts is what the summary recommends, by scenario.
func (o *Outcome) adviceTexts() []adviceJSON {
	var all []adviceJSON
	for source := range o.sources {
		one := adviceJSON{Scenario: o.sources[source].base.Name}
		if a, ok := o.advise(source); ok {
			one.Found, one.BeyondChance, one.Text = true, a.Next >= 0 && a.Margin.Beyond(), o.sentences(a)
		} else {
			one.Text = []string{o.noneQualifies(source)}
		}
		all = append(all, one)
	}
	return all
}
