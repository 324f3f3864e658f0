package report

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"rocesim/results"
)

// drawing is one kind of plot: the name of its files and what draws it from a
// run, nil if the run has no data for it.
type drawing struct {
	name string
	draw func(*results.Run) *Plot
}

// drawings lists the plots in their order.
func drawings() []drawing {
	return []drawing{
		{"fct_cdf", fctCDF},
		{"slowdown_by_size", slowdownBySize},
		{"queue_depth", queueDepth},
		{"congestion_control", congestionControl},
		{"rates", rates},
		{"pfc_timeline", pfcTimeline},
		{"link_utilisation", linkUtilisation},
		{"latency_parts", latencyParts},
	}
}

// Names returns the names of all plots, in the order of Plots. A plot's files
// have its name.
func Names() []string {
	var names []string
	for _, d := range drawings() {
		names = append(names, d.name)
	}
	return names
}

// Plots returns the plots that run has data for, always in the same order.
func Plots(run *results.Run) []*Plot { return chosen(run, Names()) }

// chosen returns the plots among names that run has data for.
func chosen(run *results.Run, names []string) []*Plot {
	var plots []*Plot
	for _, d := range drawings() {
		if !slices.Contains(names, d.name) {
			continue
		}
		if p := d.draw(run); p != nil {
			plots = append(plots, p)
		}
	}
	return plots
}

// Options choose what Write writes.
type Options struct {
	// Plots are the names of the plots to draw, those of Names.
	Plots []string
	// Formats are png and svg, or one of them.
	Formats []string
}

// Write draws the chosen plots of run into the directory plots below dir. With
// nothing chosen it makes no directory. It fits results.Write as an extra:
//
//	results.Write(dir, run, &summary, func(dir string) error { return report.Write(dir, run, options) })
func Write(dir string, run *results.Run, o Options) error {
	return WritePlots(dir, chosen(run, o.Plots), o.Formats)
}

// WritePlots writes plots into the directory plots below dir, in the formats
// png and svg or one of them. It draws as many at once as there are processors;
// each is drawn by one goroutine, for drawing settles the ranges of its axes.
// The error is that of the first plot that cannot be written; all others are.
func WritePlots(dir string, plots []*Plot, formats []string) error {
	if len(plots) == 0 || len(formats) == 0 {
		return nil
	}
	dir = filepath.Join(dir, "plots")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("plots: %w", err)
	}
	failed := make([]error, len(plots))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range plots {
		group.Go(func() error {
			failed[i] = p.write(dir, formats)
			return nil // the first to fail is not always that of the first plot
		})
	}
	_ = group.Wait() // no error: failed has them
	for _, err := range failed {
		if err != nil {
			return fmt.Errorf("plots: %w", err)
		}
	}
	return nil
}

// write writes the plot into files below dir.
func (p *Plot) write(dir string, formats []string) error {
	for _, format := range formats {
		write := p.WritePNG
		if format == "svg" {
			write = p.WriteSVG
		}
		if err := results.WriteFile(filepath.Join(dir, p.Name+"."+format), write); err != nil {
			return err
		}
	}
	return nil
}
