package report

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/plotter"

	"rocesim/results"
)

// maxQueues is how many queues are drawn: the deepest tell the story.
const maxQueues = 5

// seriesOf returns the series of one kind with the highest rank first, at most
// n.
func seriesOf(run *results.Run, kind results.SeriesKind, n int, rank func([]float64) float64) []*results.Series {
	all := results.RankedSeries(run, kind, rank)
	return all[:min(n, len(all))]
}

func points(s *results.Series, timeScale, valueScale float64) plotter.XYs {
	xys := make(plotter.XYs, len(s.Values))
	for i, v := range s.Values {
		xys[i] = plotter.XY{X: float64(s.At(i)) / timeScale, Y: v / valueScale}
	}
	return xys
}

// queueDepth draws the deepest sampled queues with their thresholds.
func queueDepth(run *results.Run) *Plot {
	chosen := seriesOf(run, results.QueueSeries, maxQueues, slices.Max[[]float64])
	if len(chosen) == 0 {
		return nil
	}
	highest := slices.Max(chosen[0].Values)
	marks := append(marksOf(chosen), xoffMarks(run, chosen[0])...)
	top := highest
	for _, m := range marks {
		if m.Value <= 2*highest {
			top = max(top, m.Value)
		}
	}
	span := float64(run.Manifest.SimulatedTime)
	time, size := timeUnit(span), sizeUnit(max(top, 1))
	p := newPlot("queue_depth", "Queue depth", fmt.Sprintf("%s: the deepest %d of %d sampled egress queues, and the levels they are compared with",
		run.Manifest.Name, len(chosen), countSeries(run, results.QueueSeries)),
		fmt.Sprintf("simulated time (%s)", time.name), fmt.Sprintf("egress queue (%s)", size.name))
	p.grid(true, true)
	p.plot.X.Min, p.plot.X.Max = 0, span/time.size
	p.plot.Y.Min, p.plot.Y.Max = 0, niceTop(top*1.04/size.size)
	for i, s := range chosen {
		name := fmt.Sprintf("%s\npeak %s", shorten(s.Name), results.Size.Format(slices.Max(s.Values)))
		p.line(name, thinPeaks(points(s, time.size, size.size)), lineStyle(i), plotter.NoStep)
	}
	for i, m := range marks {
		l := level{m.Value / size.size, markStyle(i)}
		name := fmt.Sprintf("%s %s", m.Label, results.Size.Format(m.Value))
		if m.Value > 2*highest {
			p.entry(name + "\n(above the plot)")
			continue
		}
		p.plot.Add(l)
		p.entry(name, l)
	}
	return p
}

// marksOf collects the different marks of series, from the lowest.
func marksOf(series []*results.Series) []results.Mark {
	var marks []results.Mark
	for _, s := range series {
		for _, m := range s.Marks {
			if !slices.Contains(marks, m) {
				marks = append(marks, m)
			}
		}
	}
	slices.SortStableFunc(marks, func(a, b results.Mark) int { return int(a.Value - b.Value) })
	return marks
}

// xoffMarks returns the lowest XOFF threshold seen on the switch of a queue.
func xoffMarks(run *results.Run, s *results.Series) []results.Mark {
	lowest := results.LowestXoff(run, s)
	if lowest == 0 {
		return nil
	}
	node := run.Nodes[run.Ports[s.Port].Node]
	return []results.Mark{{Label: "lowest XOFF at " + node + ",\nper ingress port:", Value: float64(lowest)}}
}

func countSeries(run *results.Run, kind results.SeriesKind) int {
	n := 0
	for i := range run.Series {
		if run.Series[i].Kind == kind {
			n++
		}
	}
	return n
}

// rates draws payload delivered over time, the largest workloads or flows.
func rates(run *results.Run) *Plot {
	chosen := results.DistinctSeries(seriesOf(run, results.RateSeries, maxCurves, results.Mean))
	if len(chosen) == 0 {
		return nil
	}
	span := float64(run.Manifest.SimulatedTime)
	time := timeUnit(span)
	step := float64(chosen[0].Step) * float64(meanGroup(len(chosen[0].Values)))
	p := newPlot("rates", "Payload delivered", fmt.Sprintf("%s: means over %s; %d of %d sampled workloads and flows",
		run.Manifest.Name, results.Duration.Format(step), len(chosen), countSeries(run, results.RateSeries)),
		fmt.Sprintf("simulated time (%s)", time.name), "goodput (Gb/s)")
	p.plot.X.Min, p.plot.X.Max = 0, span/time.size
	curve := 0
	for i, members := range results.ByMagnitude(chosen, maxPanels) {
		panel := p.plot
		if i > 0 {
			panel = p.panel()
		}
		addGrid(panel, true, true)
		top := 0.0
		for _, s := range members {
			xys := thinMeans(points(s, time.size, 1e9))
			for _, at := range xys {
				top = max(top, at.Y)
			}
			name := fmt.Sprintf("%s\nmean %s Gb/s", shorten(s.Name), group(trim(results.Mean(s.Values)/1e9)))
			p.lineOn(panel, name, xys, lineStyle(curve), plotter.NoStep)
			curve++
		}
		panel.Y.Min, panel.Y.Max = 0, niceTop(top*1.04)
	}
	return p
}

// maxPanels is how many panels of rates leave each enough height.
const maxPanels = 3
