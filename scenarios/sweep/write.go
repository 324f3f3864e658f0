package sweep

import (
	"fmt"
	"path/filepath"

	"rocesim/results/report"
)

// Write writes tables, plots and summary into the sweep directory, and last
// that it is finished. formats are those of plots, png and svg; without any
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
	return o.writeManifest(dir, state)
}
