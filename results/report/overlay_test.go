package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Both sides are in every plot, each with its own figures, and drawing twice
// gives the same picture.
func TestOverlay(t *testing.T) {
	a, b := cluster(), cluster()
	for i := range b.Flows {
		if f := &b.Flows[i]; f.Completed > 0 {
			f.Completed += (f.Completed - f.Start) / 10
		}
	}
	for i := range b.Series {
		b.Series[i].Marks = slices.Clone(b.Series[i].Marks)
		for k := range b.Series[i].Marks {
			b.Series[i].Marks[k].Value /= 2
		}
	}
	o := Overlay{A: a, B: b, NameA: "before", NameB: "after"}
	plots := o.Plots()
	require.Equal(t, []string{"fct_cdf", "slowdown_by_size", "queue_depth"}, names(plots))
	for _, p := range plots {
		text := svg(t, p)
		assert.Contains(t, text, "A: before, seed 0; B: after, seed 0")
		assert.Equal(t, text, svg(t, p))
	}
	for _, want := range []string{"A, shuffle", "B, shuffle", "A, storage", "B, probe"} {
		assert.Contains(t, svg(t, plots[0]), want)
	}
	for _, want := range []string{"A, p99", "B, p99", "A, p50 (median)", "ideal"} {
		assert.Contains(t, svg(t, plots[1]), want)
	}
	dir := t.TempDir()
	require.NoError(t, o.Write(dir, []string{"svg"}))
	assert.FileExists(t, filepath.Join(dir, "plots", "queue_depth.svg"))
	assert.NoFileExists(t, filepath.Join(dir, "plots", "queue_depth.png"))
}

// What one side lacks is said instead of drawn; what both lack is not drawn.
func TestOverlayOfOneSide(t *testing.T) {
	a, b := cluster(), cluster()
	for i := range b.Flows {
		b.Flows[i].Completed = 0
	}
	b.Series = nil
	o := Overlay{A: a, B: b, NameA: "a", NameB: "b"}
	plots := o.Plots()
	require.Equal(t, []string{"fct_cdf", "slowdown_by_size", "queue_depth"}, names(plots))
	assert.Contains(t, svg(t, plots[0]), "no flow finished")
	assert.Contains(t, svg(t, plots[2]), "not sampled")
	empty := Overlay{A: b, B: b}
	assert.Empty(t, empty.Plots())
	require.NoError(t, empty.Write(t.TempDir(), []string{"png"}))
}

func TestChanges(t *testing.T) {
	assert.Nil(t, Changes("x", "y", nil))
	p := Changes("What changed", "a and b", []MetricChange{
		{"fct.p99", 0.10, 0.05, 0.15, "worse"},
		{"queue.mean", -0.90, -0.95, -0.85, "better"},
		{"ecn.marks", 0.30, -12, 14, "same"}, // as two seeds may have it
		{"cnp.sent", 0.2, 0.2, 0.2, "different"},
	})
	text := svg(t, p)
	for _, want := range []string{"fct.p99", "+10.0 %", "-90.0 %", "+20.0 %", "worse", "better", "different"} {
		assert.Contains(t, text, want)
	}
	assert.NotContains(t, text, "+30.0 %", "its interval fills the plot")
	// The values are -90 % to 30 %, so 300 % would be room enough for any interval.
	assert.LessOrEqual(t, p.plot.X.Max, 300.0)
	assert.GreaterOrEqual(t, p.plot.X.Max, 95.0)
}

// Of more rows than can be read the largest are drawn.
func TestManyChanges(t *testing.T) {
	var changes []MetricChange
	for i := range 100 {
		changes = append(changes, MetricChange{Name: fmt.Sprintf("row-%d", i), Value: float64(i%50) / 50, Verdict: "same"})
	}
	text := svg(t, Changes("x", "y", changes))
	assert.Contains(t, text, "y; the largest 40 of 100")
	assert.Contains(t, text, ">row-49<")
	assert.Contains(t, text, ">row-99<")
	assert.NotContains(t, text, ">row-50<")
}

// The axis holds every value and, if nothing is far away, every interval.
func TestChangeLimit(t *testing.T) {
	assert.InDelta(t, 0.012, changeLimit([]MetricChange{{"x", 0, 0, 0, "same"}}), 0.003)
	assert.GreaterOrEqual(t, changeLimit([]MetricChange{{"x", 0.1, 0.05, 0.15, "worse"}}), 0.15)
	assert.Less(t, changeLimit([]MetricChange{{"x", 0.1, -5, 5, "same"}}), 0.5)
}
