package report

import "gonum.org/v1/plot/plotter"

// maxPoints is how many points a curve has at most: more than pixels would
// only make files large.
const maxPoints = 1600

// thinPeaks reduces a curve to at most maxPoints points. Of each group of
// neighbours the lowest and the highest stay, in their order, so that no peak
// is lost.
func thinPeaks(points plotter.XYs) plotter.XYs {
	if len(points) <= maxPoints {
		return points
	}
	groups := maxPoints / 2
	thin := make(plotter.XYs, 0, maxPoints)
	for g := range groups {
		from, to := g*len(points)/groups, (g+1)*len(points)/groups
		low, high := from, from
		for i := from; i < to; i++ {
			if points[i].Y < points[low].Y {
				low = i
			}
			if points[i].Y > points[high].Y {
				high = i
			}
		}
		thin = append(thin, points[min(low, high)])
		if low != high {
			thin = append(thin, points[max(low, high)])
		}
	}
	return thin
}

// maxSteps is how many steps a curve of means has at most: finer ones could not
// be told apart.
const maxSteps = 200

// thinMeans replaces groups of neighbours by their mean, at the last one's
// place: each value is a mean over the time that ends there.
func thinMeans(points plotter.XYs) plotter.XYs {
	size := meanGroup(len(points))
	if size == 1 {
		return points
	}
	thin := make(plotter.XYs, 0, maxSteps)
	for from := 0; from < len(points); from += size {
		group := points[from:min(from+size, len(points))]
		sum := 0.0
		for _, p := range group {
			sum += p.Y
		}
		thin = append(thin, plotter.XY{X: group[len(group)-1].X, Y: sum / float64(len(group))})
	}
	return thin
}

// meanGroup is how many of n means are drawn as one.
func meanGroup(n int) int { return max(1, (n+maxSteps-1)/maxSteps) }
