package report

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"rocesim/results"
)

// tierLoad is the utilisation of the links of one tier, in percent.
type tierLoad struct {
	name   string
	loads  []float64
	widest string // the busiest link
}

// tierWidth is the part of a tier's place on the axis that its bars fill.
const tierWidth = 0.86

// linkUtilisation draws the links of every tier from the busiest to the
// idlest, so that unevenness shows as a slope.
func linkUtilisation(run *results.Run) *Plot {
	tiers := loadsByTier(run)
	if len(tiers) == 0 {
		return nil
	}
	p := newPlot("link_utilisation", "Link utilisation", fmt.Sprintf("%s: every link over %s, sorted within its tier; preamble and gap included; dashed: mean of the tier",
		run.Manifest.Name, results.Duration.Format(float64(run.Manifest.SimulatedTime))), "", "share of the run spent sending (%)")
	p.grid(false, true)
	var ticks namedTicks
	mean := markStyle(1)
	mean.Color = ink()
	var means segments
	var texts labels
	top := 0.0
	for i, t := range tiers {
		left := float64(i) + (1-tierWidth)/2
		p.plot.Add(sortedBars{t.loads, left, colour(i)})
		average := results.Mean(t.loads)
		means.lines = append(means.lines, segment{left, left + tierWidth, average})
		ticks = append(ticks, plot.Tick{Value: float64(i) + 0.5,
			Label: fmt.Sprintf("%s\n%s links\nmean %s %%\nmax %s %%", t.name, group(fmt.Sprint(len(t.loads))), trim(average), trim(t.loads[0]))})
		style := textStyle(tickSize, ink())
		texts = append(texts, label{x: left, y: t.loads[0], dy: 5, text: t.widest, style: style})
		top = max(top, t.loads[0])
	}
	means.style = mean
	p.plot.X.Tick.Marker = ticks
	p.plot.X.Tick.Length = 0
	p.plot.X.Min, p.plot.X.Max = 0, float64(len(tiers))
	p.plot.Y.Min, p.plot.Y.Max = 0, niceTop(max(top*1.06, 1))
	if p.plot.Y.Max > 100 {
		p.plot.Y.Max = max(106, top*1.06)
	}
	p.plot.Add(means, texts)
	return p
}

// loadsByTier sorts the links of each tier, busiest first.
func loadsByTier(run *results.Run) []tierLoad {
	var tiers []tierLoad
	for i := range run.Ports {
		port := &run.Ports[i]
		place := slices.IndexFunc(tiers, func(t tierLoad) bool { return t.name == port.Tier })
		if place < 0 {
			place = len(tiers)
			tiers = append(tiers, tierLoad{name: port.Tier})
		}
		t := &tiers[place]
		load := 100 * port.Utilisation(run.Manifest.SimulatedTime)
		if t.widest == "" || load > slices.Max(t.loads) {
			t.widest = run.PortName(int32(i))
		}
		t.loads = append(t.loads, load)
	}
	for _, t := range tiers {
		slices.SortFunc(t.loads, func(a, b float64) int {
			if a > b {
				return -1
			}
			return 1
		})
	}
	return tiers
}

// maxBars is how many bars a tier has at most; more would be thinner than a
// pixel.
const maxBars = 250

// separateBars is up to how many bars have a gap between them.
const separateBars = 40

// sortedBars draws the loads of a tier as bars beside each other; of many,
// groups are drawn as their mean.
type sortedBars struct {
	loads []float64
	left  float64
	fill  color.RGBA
}

// Plot implements plot.Plotter. Bars without a gap are one outline: else light
// seams would show between them.
func (s sortedBars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	count := min(len(s.loads), maxBars)
	width := tierWidth / float64(count)
	outline := []vg.Point{{X: x(s.left), Y: y(0)}}
	for i := range count {
		height := y(results.Mean(s.loads[i*len(s.loads)/count : (i+1)*len(s.loads)/count]))
		from, to := x(s.left+float64(i)*width), x(s.left+float64(i+1)*width)
		if count <= separateBars {
			to -= 0.15 * (to - from)
			c.FillPolygon(s.fill, []vg.Point{{X: from, Y: y(0)}, {X: from, Y: height}, {X: to, Y: height}, {X: to, Y: y(0)}})
			continue
		}
		outline = append(outline, vg.Point{X: from, Y: height}, vg.Point{X: to, Y: height})
	}
	if count > separateBars {
		c.FillPolygon(s.fill, append(outline, vg.Point{X: x(s.left + tierWidth), Y: y(0)}))
	}
}

// segment is a horizontal line from x0 to x1 at y.
type segment struct{ x0, x1, y float64 }

// segments draws horizontal lines.
type segments struct {
	lines []segment
	style draw.LineStyle
}

// Plot implements plot.Plotter.
func (s segments) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, l := range s.lines {
		c.StrokeLine2(s.style, x(l.x0), y(l.y), x(l.x1), y(l.y))
	}
}
