package page

import (
	"fmt"
	"html/template"

	"rocesim/results"
	"rocesim/sim"
)

// Limits of what is drawn of pauses.
const (
	maxTimelineRows = 24  // ports of the timeline
	maxBars         = 300 // bars of one row; more become shares of steps
	bins            = 200 // steps of such a row, and of the curves of paused time
)

// quietText says that nothing was paused, and how near it came.
func quietText(run *results.Run) template.HTML {
	if len(run.Pauses) > 0 {
		return ""
	}
	text := "No port was paused at any time, so there is no timeline of pauses."
	if pfc := results.SummarisePFC(run); pfc.MaxXoffApproach > 0 {
		text += fmt.Sprintf(" Nearest to XOFF: %s %% of the threshold, at %s.", results.Ratio.Format(100*pfc.MaxXoffApproach), pfc.MaxXoffApproachAt)
	}
	return "<p>" + template.HTML(escape(prose(text))) + "</p>"
}

// pauseCharts are the timeline of who paused whom, and the share of time paused.
func pauseCharts(run *results.Run) []*Chart {
	ports := results.PausesByPort(run)
	if len(ports) == 0 {
		return nil
	}
	return []*Chart{pauseTimeline(run, ports), pausedShare(run, ports)}
}

func pauseTimeline(run *results.Run, ports []results.PortPauses) *Chart {
	shown := ports[:min(maxTimelineRows, len(ports))]
	c := base(run, "pauses", "PFC: ports not allowed to send", fmt.Sprintf(
		"%d of %d paused ports and priorities, the longest paused first. node:port>peer: the port of node was paused by peer; pauses.csv.",
		len(shown), len(ports)), Axis{Label: "Paused", Unit: Percent})
	shares := false
	for _, h := range shown {
		row := Row{Name: fmt.Sprintf("%s priority %d", run.PortName(h.Port), h.Priority),
			Note: fmt.Sprintf("paused %s in %s, %s %% of the run", results.Duration.Format(float64(h.Total)), results.Plural(len(h.Pauses), "pause"),
				results.Ratio.Format(100*float64(h.Total)/float64(max(1, run.Manifest.SimulatedTime))))}
		if len(h.Pauses) <= maxBars {
			for _, p := range h.Pauses {
				row.Bars = append(row.Bars, Bar{From: micros(p.From), To: micros(p.To)})
			}
		} else {
			row.Bars, shares = shareBars(h.Pauses, run.Manifest.SimulatedTime), true
		}
		c.Rows = append(c.Rows, row)
	}
	if shares {
		c.Caption += fmt.Sprintf(" Of rows with more than %d pauses, the shade is the share of each %s for which the port was paused.",
			maxBars, results.Duration.Format(float64(binWidth(run.Manifest.SimulatedTime))))
	}
	return c
}

// binWidth divides a run into about bins steps of equal length.
func binWidth(end sim.Time) sim.Time { return max(1, (end+bins-1)/bins) }

// pausedIn returns the time paused in every step of a run.
func pausedIn(pauses []results.Pause, end sim.Time) []sim.Time {
	width := binWidth(end)
	paused := make([]sim.Time, (end+width-1)/width)
	for _, p := range pauses {
		for i := p.From / width; i < sim.Time(len(paused)) && i*width < p.To; i++ {
			paused[i] += min(p.To, (i+1)*width) - max(p.From, i*width)
		}
	}
	return paused
}

// shareBars are the steps of a run with the share of each that was paused.
func shareBars(pauses []results.Pause, end sim.Time) []Bar {
	width := binWidth(end)
	var bars []Bar
	for i, t := range pausedIn(pauses, end) {
		if t > 0 {
			from := sim.Time(i) * width
			bars = append(bars, Bar{micros(from), micros(min(end, from+width)), percentOf(t, min(width, end-from))})
		}
	}
	return bars
}

func percentOf(part, whole sim.Time) Number {
	return Number(results.FloatText(100 * float64(part) / float64(whole)))
}

// pausedShare draws the share of time paused of the longest paused ports.
func pausedShare(run *results.Run, ports []results.PortPauses) *Chart {
	shown, end := ports[:min(maxLines, len(ports))], run.Manifest.SimulatedTime
	width := binWidth(end)
	c := base(run, "paused", "Share of time paused", fmt.Sprintf("Of %s, over each %s; from pauses.csv.",
		picked(len(shown), len(ports), "paused port and priority", "paused ports and priorities", "paused longest"), results.Duration.Format(float64(width))), Axis{Label: "Time not allowed to send", Unit: Percent, From: "0", To: "100"})
	for k, h := range shown {
		line := Line{Name: fmt.Sprintf("%s priority %d", run.PortName(h.Port), h.Priority)}
		for i, t := range pausedIn(h.Pauses, end) {
			to := min(end, sim.Time(i+1)*width)
			if k == 0 {
				c.Places = append(c.Places, micros(to))
			}
			line.Values = append(line.Values, percentOf(t, to-sim.Time(i)*width))
		}
		c.Lines = append(c.Lines, line)
	}
	return c
}
