package report

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"rocesim/results"
)

func searched() []TrialPoint {
	return []TrialPoint{
		{Number: 0, At: 400e3, Value: 3e9, Met: true, Better: true},
		{Number: 1, At: 100e3, Value: 2.6e9, Met: false},
		{Number: 2, At: 800e3, Value: 2.5e9, Met: true, Better: true},
		{Number: 3, At: math.NaN(), Value: 2.4e9, Met: true, Better: true, Best: true, Searched: true},
		{Number: 4, At: 900e3, Value: math.NaN(), Met: true, Searched: true},
	}
}

// What has no place on the axes is left out, and the legend names what is
// drawn.
func TestSearch(t *testing.T) {
	c := Captions{Name: "path", Title: "title", Subtitle: "subtitle", Value: "fct.p99", Unit: results.Duration}
	path := svg(t, SearchPath(c, searched()))
	assertXML(t, path)
	for _, text := range []string{"best so far", "misses a condition", "spread over the box", "best<", "the scenario as it is", "fct.p99 (ms)"} {
		assert.Contains(t, path, text)
	}
	assert.NotContains(t, path, "searched", "its value is unknown")

	axis := Axis{Label: "switch.ecn.kmin", Places: []string{"100KB", "1MB"}, Numbers: []float64{100e3, 1e6}}
	param := svg(t, SearchParam(c, axis, searched()))
	assertXML(t, param)
	assert.Contains(t, param, "switch.ecn.kmin (log scale)")
	assert.NotContains(t, param, "best<", "the best one has no place on the axis")
}

// If nothing meets the conditions, or has a value, there is a plot all the
// same.
func TestSearchWithoutValues(t *testing.T) {
	c := Captions{Name: "path", Value: "fct.p99", Unit: results.Duration}
	points := searched()[:2]
	points[0].Met = false
	assert.Contains(t, svg(t, SearchPath(c, points)), "misses a condition")
	points[0].Value, points[1].Value = math.NaN(), math.NaN()
	assertXML(t, svg(t, SearchPath(c, points)))
	assertXML(t, svg(t, SearchPath(c, nil)))
}
