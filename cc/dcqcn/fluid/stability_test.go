package fluid_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/cc/dcqcn"
	"rocesim/cc/dcqcn/fluid"
	"rocesim/scenarios/congestion"
	"rocesim/sim"
)

func stability(t require.TestingT, l fluid.Loop) fluid.Stability {
	s, err := l.Stability()
	require.NoError(t, err)
	return s
}

// V-28b by arithmetic: which loops of the paper's setting are stable, and that with
// 85 us two and 64 flows are and four and ten are not, the result of CoNEXT 2016
// that stability is not monotonic in the number of flows.
func TestV28bMargins(t *testing.T) {
	for _, flows := range []int{2, 4, 10, 64} {
		for _, us := range []sim.Time{4, 20, 50} {
			assert.Positive(t, stability(t, delayed(flows, us, fluid.Extended)).PhaseMargin)
		}
		s := stability(t, delayed(flows, 85, fluid.Extended))
		if flows == 4 || flows == 10 {
			assert.Equal(t, fluid.Unstable, s.Verdict)
			assert.Negative(t, s.PhaseMargin)
		} else {
			assert.NotEqual(t, fluid.Unstable, s.Verdict)
			assert.Positive(t, s.PhaseMargin)
		}
	}
}

// Once a loop oscillates, it does so near its crossover: the time between two
// rises of the queue from empty.
func TestOscillationIsNearTheCrossover(t *testing.T) {
	l := delayed(4, 85, fluid.Extended)
	rises, empty := 0, false
	const end = 400 * sim.Millisecond
	require.NoError(t, l.Integrate(l.Fair(), end, func(now sim.Time, s fluid.State) {
		if now < end/2 {
			return
		}
		if empty && s.Queue > 0 {
			rises++
		}
		empty = s.Queue == 0
	}))
	assert.InEpsilon(t, stability(t, l).Crossover, float64(rises)/(end/2).Seconds(), 0.15)
}

// Margins fall with the delay; MaxDelay is where they are 0.
func TestMarginFallsWithDelay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLoop(t)
		l.RED.Beyond = fluid.Extended
		short := stability(t, l)
		long := l
		long.Delay += 5 * sim.Microsecond
		assert.Less(t, stability(t, long).PhaseMargin, short.PhaseMargin)
		assert.Equal(t, short.MaxDelay, stability(t, long).MaxDelay)
		assert.Equal(t, short.Verdict == fluid.Unstable, l.Delay > short.MaxDelay+10*sim.Nanosecond ||
			short.PhaseMargin < 0)
		if short.MaxDelay > 0 && short.MaxDelay != sim.Never {
			l.Delay = short.MaxDelay
			assert.Positive(t, stability(t, l).PhaseMargin)
			l.Delay += 10 * sim.Nanosecond
			assert.Negative(t, stability(t, l).PhaseMargin)
		}
	})
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		flows int
		us    sim.Time
		want  fluid.Verdict
		text  string
	}{
		{2, 4, fluid.Stable, "stable"},
		{10, 4, fluid.Stable, "stable"},
		{10, 20, fluid.Marginal, "marginal"},
		{10, 85, fluid.Unstable, "unstable"},
		{64, 4, fluid.Switching, "switching"},
	} {
		s := stability(t, delayed(c.flows, c.us, fluid.Step))
		assert.Equal(t, c.want, s.Verdict)
		assert.Equal(t, c.text, s.Verdict.String())
		assert.Equal(t, c.want == fluid.Switching, math.IsNaN(s.PhaseMargin))
		assert.Equal(t, c.want == fluid.Switching, s.MaxDelay == 0)
	}
}

func TestRegimeNames(t *testing.T) {
	assert.Equal(t, "on the line", fluid.OnLine.String())
	assert.Equal(t, "at Kmax", fluid.AtKmax.String())
	assert.Equal(t, "unbounded", fluid.Unbounded.String())
}

func TestRefusals(t *testing.T) {
	for want, change := range map[string]func(*fluid.Loop){
		"additive increase is 0 bit/s: rates never rise, so there is no fixed point":                             func(l *fluid.Loop) { l.Params.RateAI = 0 },
		"gain of alpha is 0: allowed are more than 0 up to 1":                                                    func(l *fluid.Loop) { l.Params.G = 0 },
		"CNP interval is -1ps: it must not be negative":                                                          func(l *fluid.Loop) { l.CNPInterval, l.Params.RateReduceMonitor = -1, 1 },
		"CNP interval and rate reduce monitor period are both 0s: the model needs a least time between two cuts": func(l *fluid.Loop) { l.CNPInterval = 0 },
		"Kmin is -1 bytes: it must not be negative":                                                              func(l *fluid.Loop) { l.RED.Kmin = -1 },
		"Kmin is 40000 and Kmax 39999 bytes: Kmax must not be below Kmin":                                        func(l *fluid.Loop) { l.RED.Kmin, l.RED.Kmax = 40_000, 39_999 },
		"Pmax is 1.5: allowed are more than 0 up to 1":                                                           func(l *fluid.Loop) { l.RED.Pmax = 1.5 },
		"rate of the bottleneck is 0 bit/s: it must be more than 0":                                              func(l *fluid.Loop) { l.Rate = 0 },
		"number of flows is 0: it must be at least 1":                                                            func(l *fluid.Loop) { l.Flows = 0 },
		"delay of the loop is -1ps: it must not be negative":                                                     func(l *fluid.Loop) { l.Delay = -1 },
		"packet size is 0 bytes: it must be at least 1":                                                          func(l *fluid.Loop) { l.Packet = 0 },
	} {
		l := paperLoop(40*sim.Gbps, 4)
		change(&l)
		_, err := l.FixedPoint()
		assert.EqualError(t, err, want)
		_, err = l.Stability()
		assert.EqualError(t, err, want)
		_, err = l.Disturbed()
		assert.EqualError(t, err, want)
		_, err = l.Swing(fluid.State{}, sim.Millisecond)
		assert.EqualError(t, err, want)
	}
}

// The model has a term for everything of the paper's machine, not of the adapters'.
func TestApproximations(t *testing.T) {
	l := paperLoop(40*sim.Gbps, 4)
	assert.Empty(t, l.Approximations())
	l.Params = congestion.MustParams("connectx", l.Rate)
	l.CNPInterval = 4 * sim.Microsecond
	assert.Len(t, l.Approximations(), 4)
	l.Params.MinDecreaseFactor = 0.9
	assert.Contains(t, l.Approximations(), "a cut is bounded by the minimum decrease factor")
}

// Any valid loop that marks can hold has an answer that is a number.
func TestAnyLoopHasAnAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLoop(t)
		presets := []dcqcn.Params{congestion.MustParams("paper", l.Rate), congestion.MustParams("connectx", l.Rate), congestion.MustParams("hpcc", l.Rate)}
		l.Params = rapid.SampledFrom(presets).Draw(t, "params")
		l.CNPInterval = rapid.SampledFrom([]sim.Time{0, 4, 50}).Draw(t, "CNP interval, us") * sim.Microsecond
		l.Params.RateReduceMonitor = max(l.Params.RateReduceMonitor, sim.Microsecond)
		l.Flows = rapid.IntRange(1, 5000).Draw(t, "flows")
		l.Delay = sim.Time(rapid.Int64Range(0, int64(sim.Millisecond)).Draw(t, "delay, ps"))
		p, s := fixedPoint(t, l), stability(t, l)
		if p.Regime == fluid.Unbounded {
			assert.Equal(t, fluid.Switching, s.Verdict)
			return
		}
		assert.True(t, p.Mark > 0 && p.Mark < 1 && p.Alpha > 0 && p.Alpha < 1, "%+v", p)
		assert.True(t, p.Target > p.Rate && !math.IsInf(p.Target, 0), "%+v", p)
		if p.Regime == fluid.OnLine {
			assert.False(t, math.IsNaN(s.PhaseMargin) || math.IsInf(s.PhaseMargin, 0), "%+v", s)
			assert.Positive(t, s.Crossover, "%+v", s)
		}
	})
}
