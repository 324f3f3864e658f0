package dcqcn_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/cc/dcqcn"
	"rocesim/sim"
)

// eager is the reaction point as a reader of the rules would write it: every
// timer is an event, every check of the rate happens, nothing is skipped. It
// is the oracle for the Controller, which has to agree to the last bit.
type eager struct {
	p            dcqcn.Params
	line         sim.Rate
	rate, target sim.Rate
	alpha        float64
	started      bool
	cnpForAlpha  bool
	cnpForCut    bool
	t, bc        int
	bytes        int64
	everCut      bool
	lastCut      sim.Time
	nextAlpha    sim.Time
	nextTimer    sim.Time
	nextCheck    sim.Time
}

func newEager(p dcqcn.Params, line sim.Rate) *eager {
	return &eager{p: p, line: line, rate: line, target: line,
		nextAlpha: sim.Never, nextTimer: sim.Never, nextCheck: sim.Never}
}

// run handles every event due up to and including now, in order of time, and
// at one instant alpha before timer before check.
func (e *eager) run(now sim.Time) {
	for {
		switch at := min(e.nextAlpha, e.nextTimer, e.nextCheck); {
		case at > now || at == sim.Never:
			return
		case at == e.nextAlpha:
			e.onAlpha(at)
		case at == e.nextTimer:
			e.onTimer(at)
		default:
			e.onCheck(at)
		}
	}
}

func (e *eager) onAlpha(at sim.Time) {
	e.alpha = float64(e.alpha * (1 - e.p.G))
	if e.cnpForAlpha {
		e.alpha += e.p.G
	}
	if e.alpha < 1.0/2199023255552 { // 2^-41
		e.alpha = 0
	}
	e.cnpForAlpha = false
	e.nextAlpha = at + e.p.AlphaPeriod
}

func (e *eager) onTimer(at sim.Time) {
	e.raise()
	e.t++
	e.nextTimer = at + e.p.TimerPeriod
}

func (e *eager) onCheck(at sim.Time) {
	if e.cnpForCut {
		e.reduce(at)
		e.cnpForCut = false
	}
	e.nextCheck = at + e.p.RateReduceMonitor
}

func (e *eager) raise() {
	f := e.p.FastRecovery
	timerOn, counterOn := e.p.TimerPeriod > 0, e.p.ByteCounter > 0
	var recovery, hyper bool
	switch {
	case timerOn && counterOn:
		recovery = e.t < f && e.bc < f
		hyper = e.t > f && e.bc > f
	case timerOn:
		recovery, hyper = e.t < f, e.t > f
	default:
		recovery, hyper = e.bc < f, e.bc > f
	}
	if hyper {
		e.target += e.p.RateHAI
	} else if !recovery {
		e.target += e.p.RateAI
	}
	if e.target > e.line {
		e.target = e.line
	}
	sum := e.rate + e.target
	e.rate = sum/2 + sum%2
}

func (e *eager) reduce(at sim.Time) {
	increased := e.t > 0 || e.bc > 0
	if e.p.ClampTarget || (e.p.ClampTargetAfterIncrease && increased) {
		e.target = e.rate
	}
	part := e.alpha / 2
	if 1-e.p.MinDecreaseFactor < part {
		part = 1 - e.p.MinDecreaseFactor
	}
	floor := e.p.MinRate
	if e.rate < floor {
		floor = e.rate
	}
	e.rate -= sim.Rate(float64(e.rate) * part)
	if e.rate < floor {
		e.rate = floor
	}
	e.t, e.bc, e.bytes = 0, 0, 0
	e.everCut, e.lastCut = true, at
	if e.p.TimerPeriod > 0 {
		e.nextTimer = at + e.p.TimerPeriod
	}
}

func (e *eager) cnp(now sim.Time) {
	e.run(now)
	if !e.started {
		e.started = true
		e.alpha = e.p.InitialAlpha
		e.nextAlpha = now + e.p.AlphaPeriod
		if !e.p.ReduceImmediately {
			e.nextCheck = now + e.p.RateReduceMonitor + e.p.MonitorDelay
		}
		if r := e.p.RateOnFirstCNP; r > 0 && r < e.rate {
			e.rate, e.target = r, r
		}
	} else {
		e.cnpForAlpha = true
	}
	e.cnpForCut = true
	if e.p.ReduceImmediately && (!e.everCut || now-e.lastCut >= e.p.RateReduceMonitor) {
		e.reduce(now)
	}
	if e.p.AlphaAtCNP {
		e.alpha = float64(e.alpha*(1-e.p.G)) + e.p.G
		e.nextAlpha = now + e.p.AlphaPeriod
		e.cnpForAlpha = false
	}
}

func (e *eager) sent(now sim.Time, wire int) sim.Time {
	e.run(now)
	if e.p.ByteCounter > 0 && e.everCut {
		e.bytes += int64(wire)
		for e.bytes >= e.p.ByteCounter {
			e.bytes -= e.p.ByteCounter
			e.raise()
			e.bc++
		}
	}
	if e.rate == e.line {
		return 0
	}
	perByte := 8e12 / float64(e.rate)
	gap := sim.Time(float64(float64(wire)*perByte) + 0.5)
	if e.p.Quantum > 1 {
		gap = gap / e.p.Quantum * e.p.Quantum
	}
	return gap
}

// drawParams draws settings around those in use, with periods short and round
// enough for events to coincide often.
func drawParams(t *rapid.T, line sim.Rate) dcqcn.Params {
	preset := rapid.SampledFrom([]func(sim.Rate) dcqcn.Params{paper, connectX, hpcc}).Draw(t, "preset")
	p := preset(line)
	if rapid.Bool().Draw(t, "keep preset") {
		return p
	}
	us := func(name string, from, to int) sim.Time {
		return sim.Time(rapid.IntRange(from, to).Draw(t, name)) * sim.Microsecond
	}
	p.G = rapid.SampledFrom([]float64{1.0 / 256, 5.0 / 1024, 1.0 / 16, 0.3, 1}).Draw(t, "g")
	p.InitialAlpha = rapid.Float64Range(0, 1).Draw(t, "initial alpha")
	p.AlphaPeriod = us("alpha period", 1, 8)
	p.AlphaAtCNP = rapid.Bool().Draw(t, "alpha at CNP")
	p.ReduceImmediately = rapid.Bool().Draw(t, "reduce immediately")
	p.RateReduceMonitor = us("monitor", 1, 8)
	p.MonitorDelay = rapid.SampledFrom([]sim.Time{0, sim.Nanosecond}).Draw(t, "delay")
	p.MinDecreaseFactor = rapid.SampledFrom([]float64{0, 0.5, 0.8, 0.98, 1}).Draw(t, "min decrease")
	p.MinRate = rapid.SampledFrom([]sim.Rate{10 * sim.Kbps, sim.Mbps, sim.Gbps}).Draw(t, "min rate")
	p.ClampTarget = rapid.Bool().Draw(t, "clamp")
	p.ClampTargetAfterIncrease = rapid.Bool().Draw(t, "clamp after increase")
	p.RateOnFirstCNP = rapid.SampledFrom([]sim.Rate{0, 2 * sim.Gbps, 900 * sim.Gbps}).Draw(t, "rate on first CNP")
	p.TimerPeriod = us("timer", 0, 16)
	p.ByteCounter = rapid.SampledFrom([]int64{0, 1500, 40_000, 2_000_000}).Draw(t, "byte counter")
	if p.TimerPeriod == 0 && p.ByteCounter == 0 {
		p.TimerPeriod = 12 * sim.Microsecond
	}
	p.FastRecovery = rapid.IntRange(0, 6).Draw(t, "F")
	p.RateAI = rapid.SampledFrom([]sim.Rate{0, 5 * sim.Mbps, 4 * sim.Gbps}).Draw(t, "AI")
	p.RateHAI = rapid.SampledFrom([]sim.Rate{0, 50 * sim.Mbps, 20 * sim.Gbps}).Draw(t, "HAI")
	p.Quantum = rapid.SampledFrom([]sim.Time{0, 1, sim.Nanosecond}).Draw(t, "quantum")
	return p
}

// TestLazyEqualsEager is the property the package rests on: whatever the
// schedule, skipping timers changes nothing, and neither does looking.
func TestLazyEqualsEager(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]sim.Rate{10 * sim.Gbps, 100 * sim.Gbps, 400 * sim.Gbps, 2880 * sim.Gbps}).Draw(t, "line")
		p := drawParams(t, line)
		p.FixedGap = true // gaps that follow the rate: TestGapFollowsTheRate
		require.Empty(t, p.Validate())
		lazy, oracle := dcqcn.New(&p, line), newEager(p, line)
		var now sim.Time
		steps := map[string]func(*rapid.T){
			"wait":  func(t *rapid.T) { now += drawWait(t) },
			"cnp":   func(*rapid.T) { lazy.OnCNP(now); oracle.cnp(now) },
			"burst": func(*rapid.T) { burst(lazy, oracle, &now) },
			"sent": func(t *rapid.T) {
				wire := rapid.SampledFrom([]int{86, 375, 500, 750, 1106, 1500, 4178, 9238}).Draw(t, "wire")
				gap := oracle.sent(now, wire)
				require.Equal(t, gap, lazy.Sent(now, wire), "gap")
				now += min(gap, 50*sim.Microsecond)
			},
			"look": func(t *rapid.T) { requireEqual(t, now, lazy, oracle) },
		}
		t.Repeat(steps)
		now += 3 * sim.Millisecond
		requireEqual(t, now, lazy, oracle)
	})
}

// drawWait draws a span: mostly whole microseconds, so that timers, CNPs and
// packets meet at one instant; sometimes odd; sometimes long.
func drawWait(t *rapid.T) sim.Time {
	switch rapid.IntRange(0, 9).Draw(t, "kind of wait") {
	case 0:
		return sim.Time(rapid.IntRange(0, 5_000_000).Draw(t, "ps"))
	case 1:
		return sim.Time(rapid.IntRange(0, 4).Draw(t, "ms")) * sim.Millisecond
	default:
		return sim.Time(rapid.IntRange(0, 60).Draw(t, "us")) * sim.Microsecond
	}
}

// burst is congestion for a while: a CNP every 4 us.
func burst(lazy *dcqcn.Controller, oracle *eager, now *sim.Time) {
	for range 20 {
		lazy.OnCNP(*now)
		oracle.cnp(*now)
		*now += 4 * sim.Microsecond
	}
}

func requireEqual(t require.TestingT, now sim.Time, lazy *dcqcn.Controller, oracle *eager) {
	oracle.run(now)
	require.Equal(t, oracle.rate, lazy.Rate(now), "rate at %v", now)
	require.Equal(t, oracle.target, lazy.Target(now), "target at %v", now)
	require.Equal(t, oracle.alpha, lazy.Alpha(now), "alpha at %v", now)
}

// TestLongPause covers what the property test is too short for: seconds
// without an event, in which the oracle has a million updates of alpha.
func TestLongPause(t *testing.T) {
	for name, preset := range map[string]func(sim.Rate) dcqcn.Params{"paper": paper, "connectx": connectX, "hpcc": hpcc} {
		t.Run(name, func(t *testing.T) {
			const line = 100 * sim.Gbps
			p := preset(line)
			lazy, oracle := dcqcn.New(&p, line), newEager(p, line)
			var now sim.Time
			for _, pause := range []sim.Time{100 * sim.Millisecond, sim.Second, 2 * sim.Second, 123456789} {
				burst(lazy, oracle, &now)
				now += pause
				requireEqual(t, now, lazy, oracle)
			}
		})
	}
}

// TestGapFollowsTheRate: the bytes of a packet are what the rate, integrated
// over the gap behind it, amounts to, if no notification comes. The integral is
// taken over the eager twin, whose timers are events.
func TestGapFollowsTheRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const line = 100 * sim.Gbps
		p := connectX(line)
		p.TimerPeriod = rapid.SampledFrom([]sim.Time{20 * sim.Microsecond, 300 * sim.Microsecond}).Draw(t, "timer")
		p.ClampTarget = rapid.Bool().Draw(t, "clamp")
		lazy, oracle := dcqcn.New(&p, line), newEager(p, line)
		var now sim.Time
		for range rapid.IntRange(1, 40).Draw(t, "notifications") {
			lazy.OnCNP(now)
			oracle.cnp(now)
			now += 5 * sim.Microsecond
		}
		const wire = 4178
		gap := lazy.Sent(now, wire)
		if gap == 0 {
			return // at line rate the port paces
		}
		var earned float64 // bits
		const step = sim.Nanosecond
		for at := now; at < now+gap; at += step {
			oracle.run(at)
			earned += float64(oracle.rate) * min(step, now+gap-at).Seconds()
		}
		// The rate changes within steps: two steps at line rate bound the error.
		require.InDelta(t, wire*8, earned, 2*float64(line)*step.Seconds())
	})
}
