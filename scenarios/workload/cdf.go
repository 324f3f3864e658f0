package workload

import (
	"fmt"
	"sort"
)

// Point of a cumulative distribution: Percent of all flows have at most Bytes.
type Point struct {
	Bytes   int64
	Percent float64
}

// CDF is a distribution of flow sizes: between two points sizes are spread
// evenly over the whole numbers above the lower and up to the upper one. Two
// points of one size, or a first point above 0 %, put their share on that
// size exactly.
type CDF struct {
	points []Point
	mean   float64
}

// NewCDF returns the distribution through points, in ascending order. The
// last must be at 100 %.
func NewCDF(points []Point) (*CDF, error) {
	if len(points) == 0 {
		return nil, fmt.Errorf("the distribution has no points; the last must be at 100 %%")
	}
	previous := Point{}
	for i, p := range points {
		if text := pointProblem(p, previous, i == 0); text != "" {
			return nil, fmt.Errorf("point %d: %s", i+1, text)
		}
		previous = p
	}
	if previous.Percent != 100 {
		return nil, fmt.Errorf("%s", lastProblem(previous))
	}
	c := &CDF{points: append([]Point(nil), points...)}
	c.mean = c.computeMean()
	return c, nil
}

// FixedSize is the distribution of flows that all have n bytes.
func FixedSize(n int64) (*CDF, error) { return NewCDF([]Point{{n, 100}}) }

// pointProblem says what is wrong with p behind previous, or nothing.
func pointProblem(p, previous Point, first bool) string {
	switch {
	case p.Bytes < 0 || p.Bytes > MaxBytes:
		return fmt.Sprintf("%d bytes are out of range; 0 to %d are allowed", p.Bytes, int64(MaxBytes))
	case !(p.Percent >= 0 && p.Percent <= 100):
		return fmt.Sprintf("%g %% is out of range; 0 to 100 are allowed", p.Percent)
	case first && p.Bytes == 0 && p.Percent > 0:
		return fmt.Sprintf("%g %% of the flows would be empty; a flow has at least 1 byte", p.Percent)
	case first:
		return ""
	case p.Bytes < previous.Bytes:
		return fmt.Sprintf("%d bytes follow %d; sizes must not fall", p.Bytes, previous.Bytes)
	case p.Percent < previous.Percent:
		return fmt.Sprintf("%g %% follows %g %%; percentages must not fall", p.Percent, previous.Percent)
	case p.Bytes == 0 && p.Percent > 0:
		return fmt.Sprintf("%g %% of the flows would be empty; a flow has at least 1 byte", p.Percent)
	}
	return ""
}

func lastProblem(last Point) string {
	return fmt.Sprintf("the last percentage is %g; it must be 100", last.Percent)
}

// Points returns the distribution's points.
func (c *CDF) Points() []Point { return append([]Point(nil), c.points...) }

// Mean returns the mean flow size in bytes, exactly that of Quantile over an
// even draw.
func (c *CDF) Mean() float64 { return c.mean }

func (c *CDF) computeMean() float64 {
	sum := c.points[0].Percent * float64(c.points[0].Bytes)
	for i := 1; i < len(c.points); i++ {
		lo, hi := c.points[i-1], c.points[i]
		mid := float64(hi.Bytes)
		if lo.Bytes < hi.Bytes {
			mid = (float64(lo.Bytes) + float64(hi.Bytes) + 1) / 2
		}
		sum += (hi.Percent - lo.Percent) * mid
	}
	return sum / 100
}

// Quantile returns the flow size, at least 1 byte, below or at which the
// fraction u of all flows lies. Preconditions: 0 <= u < 1.
func (c *CDF) Quantile(u float64) int64 {
	percent := u * 100
	i := sort.Search(len(c.points), func(i int) bool { return c.points[i].Percent > percent })
	i = min(i, len(c.points)-1)
	hi := c.points[i]
	if i == 0 || c.points[i-1].Bytes == hi.Bytes {
		return hi.Bytes
	}
	lo := c.points[i-1]
	part := (percent - lo.Percent) / (hi.Percent - lo.Percent)
	return min(hi.Bytes, lo.Bytes+int64(part*float64(hi.Bytes-lo.Bytes))+1)
}
