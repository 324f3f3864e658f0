package report

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"rocesim/results"
)

// Plots returns the plots that run has data for, always in the same order.
func Plots(run *results.Run) []*Plot {
	var plots []*Plot
	for _, make := range []func(*results.Run) *Plot{
		fctCDF, slowdownBySize, queueDepth, rates, pfcTimeline, linkUtilisation, latencyParts,
	} {
		if p := make(run); p != nil {
			plots = append(plots, p)
		}
	}
	return plots
}

// Write draws every plot of run into the directory plots below dir, as PNG and
// SVG. It fits results.Write as an extra:
//
//	results.Write(dir, run, &summary, func(dir string) error { return report.Write(dir, run) })
func Write(dir string, run *results.Run) error {
	dir = filepath.Join(dir, "plots")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("plots: %w", err)
	}
	for _, p := range Plots(run) {
		err := errors.Join(
			writeFile(filepath.Join(dir, p.Name+".png"), p.WritePNG),
			writeFile(filepath.Join(dir, p.Name+".svg"), p.WriteSVG),
		)
		if err != nil {
			return fmt.Errorf("plots: %w", err)
		}
	}
	return nil
}

func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
