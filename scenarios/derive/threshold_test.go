package derive

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// L14 (Choudhury and Hahne, ToN 1998): parts of the pool for n groups.
func TestXoffOfFillingGroups(t *testing.T) {
	for _, c := range []struct {
		alpha float64
		n     int
		part  float64
	}{
		{1, 1, .5}, {1, 2, .3333}, {1, 4, .2}, {1, 8, .1111},
		{.125, 1, .1111}, {.125, 2, .1}, {.125, 4, .0833}, {.125, 8, .0625}, {.125, 16, .0417}, {.125, 32, .025},
		{.5, 1, .3333}, {.25, 4, .125}, {2, 2, .4}, {8, 1, .8889}, {8, 8, .1231},
	} {
		th := Threshold{Dynamic: true, Alpha: c.alpha, Pool: 1_000_000}
		assert.InDelta(t, c.part, float64(th.Xoff(c.n))/1e6, 0.0001, "alpha %v, %d groups", c.alpha, c.n)
	}
	static := Threshold{Static: 100_000, Pool: 1_000_000}
	assert.Equal(t, int64(100_000), static.Xoff(10))
	assert.Equal(t, int64(50_000), static.Xoff(20), "the pool is empty before")
}

// The numbers of a real configuration: Tomahawk 3 as SONiC has it, ECN as in the
// library's incast.
func TestThresholdsOfAPlan(t *testing.T) {
	all := Thresholds(plan(t, overrun, "switch.lossless.alpha=1/4", "switch.ecn={enabled: true, kmin: 400KB, kmax: 1600KB, pmax: 20%}"))
	require.Len(t, all, 1)
	th := &all[0]
	assert.Len(t, th.Ports, 6)
	assert.Equal(t, []int{3, 4}, th.Groups)
	assert.Equal(t, int64(100_000_000), th.Pool)
	assert.Equal(t, int64(20_000_000), th.Xoff(1))
	assert.True(t, th.Marks)
	assert.InDelta(t, 0.2, th.Pmax, 1e-9)
	// 4174 of 4318 bytes of cells are frame: 400 KB of frames are 413.8 KB of
	// buffer, of which 2540 B are the reserve, so 25 MB/(1 + n/4) > 411.3 KB.
	assert.Equal(t, 239, th.MarksUntil(th.Kmin))
	assert.True(t, th.MarksFirst(th.Kmin, 1, 239))
	assert.False(t, th.MarksFirst(th.Kmin, 1, 240))
	assert.True(t, th.MarksFirst(th.Kmin, 2, 240), "two groups feed one queue")
}

// A port whose alpha follows its rate has its own threshold.
func TestThresholdsOfScaledAlpha(t *testing.T) {
	all := Thresholds(plan(t, overrun, "switch.lossless={alpha: 1/8, scale_alpha: true}",
		"fabric.host_link={rate: 100Gbps, cable: 3m}", "fabric.middle={rate: 400Gbps, cable: 3m}"))
	alphas := map[float64]float64{}
	for _, th := range all {
		alphas[float64(th.Rate)/1e9] = th.Alpha
	}
	assert.Equal(t, map[float64]float64{100: 1. / 8, 400: 1. / 2}, alphas)
}

// MarksUntil is the last number of groups at which marking comes first.
func TestMarksUntilIsTheLast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		th := Threshold{
			Dynamic: rapid.Bool().Draw(t, "dynamic"), Alpha: rapid.Float64Range(1./64, 16).Draw(t, "alpha"),
			Static: rapid.Int64Range(0, 1e6).Draw(t, "static"), Pool: rapid.Int64Range(1e5, 1e8).Draw(t, "pool"),
			Reserved: rapid.Int64Range(0, 1e4).Draw(t, "reserved"), Fill: rapid.Float64Range(0, 1).Draw(t, "fill"),
		}
		level := rapid.Int64Range(1, 2e6).Draw(t, "level")
		n := th.MarksUntil(level)
		if n > 0 {
			require.True(t, th.MarksFirst(level, 1, n))
		}
		if !Always(n) {
			require.False(t, th.MarksFirst(level, 1, n+1))
		}
	})
}
