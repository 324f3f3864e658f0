package sweep

import (
	"cmp"
	"math"
	"slices"
)

// undominated returns the places of the points to which no other is better in
// one coordinate and not worse in the other, less being better, ordered by the
// first coordinate. Equal points are all kept.
func undominated(points [][2]float64) []int {
	order := make([]int, len(points))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(points[a][0], points[b][0]), cmp.Compare(points[a][1], points[b][1]))
	})
	var front []int
	lowest := math.Inf(1)
	for _, i := range order {
		twin := len(front) > 0 && points[front[len(front)-1]] == points[i]
		if points[i][1] < lowest || twin {
			front = append(front, i)
			lowest = points[i][1]
		}
	}
	return front
}
