package report

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"rocesim/results"
)

// latencyParts draws where the nanoseconds of a message on an idle fabric go:
// each part begins where the one before ends. Of several paths the first is
// drawn; latency.csv has all.
func latencyParts(run *results.Run) *Plot {
	groups := run.LatencyGroups()
	if len(groups) == 0 || groups[0].TotalNs <= 0 {
		return nil
	}
	g := groups[0]
	p := newPlot("latency_parts", "Latency on an idle fabric, part by part",
		fmt.Sprintf("%s: %s, %s ns in all", run.Manifest.Name, g.Path, trimNs(g.TotalNs)), "time since the message was posted (ns)", "")
	p.grid(true, false)
	var ticks namedTicks
	var bars boxes
	var texts labels
	var kinds []string
	totals := map[string]float64{}
	at := 0.0
	for i, part := range g.Parts {
		y := float64(len(g.Parts) - i)
		if !slices.Contains(kinds, part.Kind) {
			kinds = append(kinds, part.Kind)
		}
		totals[part.Kind] += part.Ns
		ticks = append(ticks, plot.Tick{Value: y, Label: part.Component})
		bars = append(bars, box{at, at + part.Ns, y - 0.36, y + 0.36, colour(slices.Index(kinds, part.Kind))})
		texts = append(texts, besideBar(at, part.Ns, y, g.TotalNs))
		at += part.Ns
	}
	p.rows(ticks)
	p.plot.X.Min, p.plot.X.Max = 0, g.TotalNs*1.02
	p.plot.Add(bars, texts)
	for i, kind := range kinds {
		p.entry(fmt.Sprintf("%s\n%s ns, %.0f %%", kind, trimNs(totals[kind]), 100*totals[kind]/g.TotalNs), swatch{colour(i)})
	}
	return p
}

// besideBar places a part's time right of its bar, or left where the plot
// ends.
func besideBar(at, ns, y, total float64) label {
	style := textStyle(tickSize, ink())
	style.YAlign = draw.YCenter
	l := label{x: at + ns, y: y, dx: 6, dy: 2, text: trimNs(ns) + " ns", style: style}
	if at+ns > 0.9*total {
		l.x, l.dx, l.style.XAlign = at, -6, draw.XRight
	}
	return l
}

func trimNs(ns float64) string {
	if ns >= 100 {
		return group(fmt.Sprintf("%.0f", ns))
	}
	return fmt.Sprintf("%.1f", ns)
}
