package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"rocesim/results"
)

// maxCurves is how many curves one plot can hold and still be read.
const maxCurves = 7

// fctCDF draws the share of flows that completed within a time, a curve per
// workload.
func fctCDF(run *results.Run) *Plot {
	byWorkload := make([][]float64, len(run.Workloads))
	low, high, total := math.Inf(1), 0.0, 0
	for i := range run.Flows {
		f := &run.Flows[i]
		if t := float64(f.FCT()); t > 0 {
			byWorkload[f.Workload] = append(byWorkload[f.Workload], t)
			low, high = min(low, t), max(high, t)
			total++
		}
	}
	if total == 0 {
		return nil
	}
	scale := timeUnit(math.Sqrt(low*high) * 20)
	shown := largest(byWorkload, maxCurves)
	p := newPlot("fct_cdf", "Flow completion time", fmt.Sprintf("%s: %s of %s flows finished, %d of %d workloads drawn; from posting to completion at the sender",
		run.Manifest.Name, group(fmt.Sprint(total)), group(fmt.Sprint(len(run.Flows))), len(shown), len(run.Workloads)),
		fmt.Sprintf("flow completion time (%s, log scale)", scale.name), "flows completed within that time (%)")
	p.grid(true, true)
	p.plot.X.Scale, p.plot.X.Tick.Marker = plot.LogScale{}, logTicks{}
	p.plot.X.Min, p.plot.X.Max = logRange(low/scale.size, high/scale.size)
	for curve, w := range shown {
		values := byWorkload[w]
		slices.Sort(values)
		name := fmt.Sprintf("%s\nn = %s\np50 %s, p99 %s", shorten(run.Workloads[w].Name), group(fmt.Sprint(len(values))),
			results.Duration.Format(results.Percentile(values, 0.5)), results.Duration.Format(results.Percentile(values, 0.99)))
		p.line(name, cdf(values, scale.size), lineStyle(curve), plotter.PostStep)
	}
	p.plot.Y.Min, p.plot.Y.Max = 0, 100
	return p
}

// logRange widens a range to whole marks 1, 2 or 5 of a logarithmic axis.
func logRange(low, high float64) (float64, float64) {
	down := math.Pow(10, math.Floor(math.Log10(low)))
	for _, f := range []float64{2, 5} {
		if f*math.Pow(10, math.Floor(math.Log10(low))) <= low {
			down = f * math.Pow(10, math.Floor(math.Log10(low)))
		}
	}
	power := math.Pow(10, math.Floor(math.Log10(high)))
	for _, f := range []float64{1, 2, 5, 10} {
		if f*power >= high*(1+1e-9) {
			return down, f * power
		}
	}
	return down, 10 * power
}

// largest returns the places of the n largest non-empty sets, in their
// original order.
func largest(sets [][]float64, n int) []int {
	var places []int
	for i, s := range sets {
		if len(s) > 0 {
			places = append(places, i)
		}
	}
	slices.SortStableFunc(places, func(a, b int) int { return len(sets[b]) - len(sets[a]) })
	places = places[:min(n, len(places))]
	slices.Sort(places)
	return places
}

// cdf returns the steps of the distribution of sorted values in percent. Of many values every k-th is drawn, but of the last
// hundredth, where the tail is, all that can be told apart.
func cdf(sorted []float64, scale float64) plotter.XYs {
	n := len(sorted)
	stride := max(1, n/400)
	points := plotter.XYs{{X: sorted[0] / scale, Y: 0}}
	for i := 0; i < n; i++ {
		tail := n-i <= n/100 && (n-i)%max(1, n/100/200) == 0
		if i%stride == 0 || tail || i == n-1 {
			points = append(points, plotter.XY{X: sorted[i] / scale, Y: 100 * float64(i+1) / float64(n)})
		}
	}
	return points
}

// slowdownBySize draws median and tail of slowdown over the size of flows.
func slowdownBySize(run *results.Run) *Plot {
	rows := results.SlowdownBySize(run)
	if rows[0].Slowdown.N == 0 {
		return nil
	}
	all, buckets := rows[0].Slowdown, results.Buckets()
	p := newPlot("slowdown_by_size", "Slowdown by flow size", fmt.Sprintf(
		"%s: all workloads, %s flows, mean %s; slowdown = completion time / that on an idle fabric",
		run.Manifest.Name, group(fmt.Sprint(all.N)), trim(all.Mean)), "flow size", "slowdown (1 is ideal, log scale)")
	p.grid(false, true)
	var median, tail []vg.Point
	var ticks namedTicks
	var texts labels
	low, high := 1.0, 2.0
	for i, b := range buckets {
		d := rows[i+1].Slowdown
		if d.N == 0 {
			continue
		}
		x := float64(len(ticks))
		ticks = append(ticks, plot.Tick{Value: x, Label: fmt.Sprintf("%s\nn = %s", bucketLabel(b), group(fmt.Sprint(d.N)))})
		median = append(median, vg.Point{X: vg.Length(x), Y: vg.Length(d.P50)})
		tail = append(tail, vg.Point{X: vg.Length(x), Y: vg.Length(d.P99)})
		texts = append(texts, valueLabel(x, d.P50, -20, trim(d.P50)), valueLabel(x, d.P99, 10, trim(d.P99)))
		low, high = min(low, d.P50), max(high, d.P99)
	}
	p.plot.Y.Scale, p.plot.Y.Tick.Marker = plot.LogScale{}, logTicks{}
	p.plot.X.Tick.Marker = ticks
	p.plot.X.Min, p.plot.X.Max = -0.5, float64(len(ticks))-0.5
	p.series("p99", tail, 1, draw.PyramidGlyph{})
	p.series("p50 (median)", median, 0, draw.CircleGlyph{})
	_, top := logRange(low, high*1.15)
	p.plot.Y.Min, p.plot.Y.Max = low*0.8, top
	p.plot.Add(level{1, markStyle(0)}, texts)
	p.entry("ideal", level{1, markStyle(0)})
	return p
}

// series adds points joined by a line.
func (p *Plot) series(name string, points []vg.Point, style int, shape draw.GlyphDrawer) {
	xys := make(plotter.XYs, len(points))
	for i, at := range points {
		xys[i] = plotter.XY{X: float64(at.X), Y: float64(at.Y)}
	}
	l := &plotter.Line{XYs: xys, LineStyle: lineStyle(style)}
	g := glyphs{points, draw.GlyphStyle{Color: colour(style), Radius: 5, Shape: shape}}
	p.plot.Add(l, g)
	p.entry(name, l, g)
}

func valueLabel(x, y float64, dy vg.Length, s string) label {
	style := textStyle(tickSize, ink())
	style.XAlign = draw.XCenter
	return label{x: x, y: y, dy: dy, text: s, style: style, halo: true}
}

// bucketLabel names a bucket of sizes for an axis: "3-10 KB".
func bucketLabel(b results.Bucket) string {
	if b.UpTo == math.MaxInt64 {
		return "over " + results.Size.Format(float64(b.Over))
	}
	if b.Over == 0 {
		return "up to " + results.Size.Format(float64(b.UpTo))
	}
	high := results.Size.Format(float64(b.UpTo))
	number, name, _ := strings.Cut(high, " ")
	low, lowName, _ := strings.Cut(results.Size.Format(float64(b.Over)), " ")
	if lowName != name {
		return low + " " + lowName + " - " + high
	}
	return low + "-" + number + " " + name
}

// trim prints three significant digits.
func trim(v float64) string {
	decimals := 2
	for limit := 10.0; v >= limit && decimals > 0; limit *= 10 {
		decimals--
	}
	return fmt.Sprintf("%.*f", decimals, v)
}
