package report

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"rocesim/results"
	"rocesim/sim"
)

// maxRows is how many ports the timeline shows, the most paused ones.
const maxRows = 24

// timeBins is into how many steps the timeline divides the run. Within a step
// the share of time paused is shown as a shade, so that many short pauses do
// not look like a long one.
const timeBins = 600

// pfcTimeline shows when which ports were not allowed to send.
func pfcTimeline(run *results.Run) *Plot {
	end := run.Manifest.SimulatedTime
	time := timeUnit(float64(end))
	rows := results.PausesByPort(run)
	shown := rows[:min(maxRows, len(rows))]
	p := newPlot("pfc_timeline", "PFC: ports not allowed to send", pauseSubtitle(run, len(shown), len(rows)),
		fmt.Sprintf("simulated time (%s)", time.name), "")
	p.plot.X.Min, p.plot.X.Max = 0, max(float64(end)/time.size, 1e-9)
	if len(rows) == 0 {
		return p.quiet(run)
	}
	p.grid(true, false)
	var ticks namedTicks
	var bars boxes
	var texts labels
	for i, row := range shown {
		y := float64(len(shown) - i)
		ticks = append(ticks, plot.Tick{Value: y, Label: fmt.Sprintf("%s p%d", run.PortName(row.Port), row.Priority)})
		bars = append(bars, shades(row.Pauses, end, y, time.size)...)
		style := textStyle(tickSize, ink())
		style.YAlign = draw.YCenter
		texts = append(texts, label{x: p.plot.X.Max, y: y, dx: 8, dy: 2,
			text: fmt.Sprintf("%.3g %%", 100*float64(row.Total)/float64(end)), style: style})
	}
	p.rows(ticks)
	p.gutter = 60
	p.plot.Add(bars, texts)
	p.entry("paused, per step\nof " + formatStep(end/timeBins) + ":")
	for level := 1; level <= shadeLevels; level++ {
		p.entry(fmt.Sprintf("up to %d %%", 100*level/shadeLevels), swatch{shade(level)})
	}
	p.entry("right of a row:\nshare of the run")
	return p
}

func formatStep(t sim.Time) string { return results.Duration.Format(float64(t)) }

func pauseSubtitle(run *results.Run, shown, all int) string {
	if all == 0 {
		return run.Manifest.Name + ": no port was paused at any time"
	}
	return fmt.Sprintf("%s: %d of %d paused ports and priorities, the most paused first; name = node:port>peer that sent the pause",
		run.Manifest.Name, shown, all)
}

// quiet says in the middle of an empty plot that there was no pause, and how
// near it came.
func (p *Plot) quiet(run *results.Run) *Plot {
	pfc := results.SummarisePFC(run)
	style := textStyle(titleSize, colour(2))
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	texts := labels{{x: p.plot.X.Max / 2, y: 0.5, dy: 14, text: "No port was paused at any time.", style: style}}
	if pfc.MaxXoffApproach > 0 {
		style.Font.Size, style.Color = subtitleSize, faint()
		texts = append(texts, label{x: p.plot.X.Max / 2, y: 0.5, dy: -14, style: style,
			text: fmt.Sprintf("Nearest to XOFF: %.3g %% of the threshold, at %s", 100*pfc.MaxXoffApproach, pfc.MaxXoffApproachAt)})
	}
	p.plot.Y.Min, p.plot.Y.Max = 0, 1
	p.plot.Y.Tick.Marker = namedTicks{}
	p.plot.Add(texts)
	return p
}

// shadeLevels is how many shades can be told apart.
const shadeLevels = 4

// shade returns a shade of vermilion, the darker the higher the level.
func shade(level int) color.RGBA {
	full := colour(1)
	mix := func(c uint8) uint8 { return uint8(255 - (255-int(c))*(level+1)/(shadeLevels+1)) }
	return color.RGBA{mix(full.R), mix(full.G), mix(full.B), 0xff}
}

// shades returns the boxes of one row: neighbouring steps of one level are one
// box.
func shades(pauses []results.Pause, end sim.Time, y, scale float64) boxes {
	var bars boxes
	levels := pauseLevels(pauses, end)
	for from := 0; from < timeBins; {
		to := from + 1
		for to < timeBins && levels[to] == levels[from] {
			to++
		}
		if levels[from] > 0 {
			bars = append(bars, box{float64(binStart(from, end)) / scale, float64(binStart(to, end)) / scale,
				y - 0.36, y + 0.36, shade(levels[from])})
		}
		from = to
	}
	return bars
}

func binStart(bin int, end sim.Time) sim.Time { return sim.Time(bin) * (end / timeBins) }

// pauseLevels returns the shade of every step; 0 is none.
func pauseLevels(pauses []results.Pause, end sim.Time) []int {
	width := max(end/timeBins, 1)
	paused := make([]sim.Time, timeBins)
	for _, pause := range pauses {
		for bin := int(pause.From / width); bin < timeBins && sim.Time(bin)*width < pause.To; bin++ {
			paused[bin] += min(pause.To, sim.Time(bin+1)*width) - max(pause.From, sim.Time(bin)*width)
		}
	}
	levels := make([]int, timeBins)
	for i, t := range paused {
		if t > 0 {
			levels[i] = min(shadeLevels, 1+int((t*shadeLevels-1)/width))
		}
	}
	return levels
}
