package dcqcn_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/cc"
	"rocesim/cc/dcqcn"
	"rocesim/sim"
)

// Each test names the clause or the target (V-n) that it holds us to. Clauses
// are of Zhu et al., SIGCOMM 2015, section 3.1, unless stated otherwise; "mlx"
// is the adapters' machine as the simulator of the HPCC paper has it
// (rdma-hw.cc, functions *Mlx).

const (
	us   = sim.Microsecond
	line = 100 * sim.Gbps
)

// after returns a controller of p with a first CNP at 0.
func after(p dcqcn.Params) *dcqcn.Controller {
	c := dcqcn.New(&p, line)
	c.OnCNP(0)
	return c
}

// TestStartsAtLineRate: a flow starts at line rate without a limit of its own.
func TestStartsAtLineRate(t *testing.T) {
	p := paper(line)
	c := dcqcn.New(&p, line)
	for now := sim.Time(0); now < 10*us; now += us {
		assert.Zero(t, c.Sent(now, 4178), "the port paces, no rounding can slow the flow")
	}
	assert.Equal(t, line, c.Rate(sim.Second))
	assert.Zero(t, c.Window())
	assert.Zero(t, c.Alpha(sim.Second), "no state before the first CNP")
}

// TestFirstCNPHalvesAndFiveRecoveries: V-26: at alpha = 1 the rate halves and
// the target is the old rate; five timer periods without a CNP then recover
// half of the distance each; the sixth raises the target, up to line rate.
func TestFirstCNPHalvesAndFiveRecoveries(t *testing.T) {
	c := after(paper(line))
	assert.Equal(t, 50*sim.Gbps, c.Rate(0))
	assert.Equal(t, 100*sim.Gbps, c.Target(0))
	for i, wantMbps := range []float64{75_000, 87_500, 93_750, 96_875, 98_437.5} {
		at := sim.Time(i+1) * 55 * us
		assert.NotEqual(t, sim.Rate(wantMbps*1e6), c.Rate(at-1), "the timer has not expired")
		assert.Equal(t, sim.Rate(wantMbps*1e6), c.Rate(at))
	}
	assert.Equal(t, line, c.Target(6*55*us), "min(C, 100 + 0.04)")
}

// TestAdditiveIncrease: behind the F recoveries each event adds R_AI to the
// target before the rate moves half of the way.
func TestAdditiveIncrease(t *testing.T) {
	c := after(paper(line))
	c.OnCNP(55 * us)
	// The timer, due at the instant of the CNP, comes first: 75 G becomes the
	// target.
	target := c.Target(55 * us)
	assert.Equal(t, 75*sim.Gbps, target)
	sixth := sim.Time(55+6*55) * us
	before := c.Rate(sixth - 1)
	assert.Equal(t, target, c.Target(sixth-1))
	assert.Equal(t, target+40*sim.Mbps, c.Target(sixth))
	assert.Equal(t, (before+target+40*sim.Mbps+1)/2, c.Rate(sixth))
}

// TestHyperIncrease: once timer and byte counter have both passed F, the target
// rises by R_HAI; while only one has, by R_AI.
func TestHyperIncrease(t *testing.T) {
	p := paper(line)
	p.FastRecovery = 1
	p.ByteCounter = 1000
	p.RateHAI = 400 * sim.Mbps
	c := after(p)
	c.OnCNP(0) // target 50, rate 25
	steps := []struct {
		timers, counters int
		raise            sim.Rate
	}{
		{0, 1, 0},              // T=0 BC=0: recovery
		{0, 1, 40 * sim.Mbps},  // BC has reached F
		{0, 1, 40 * sim.Mbps},  // BC has passed it, T not
		{1, 0, 40 * sim.Mbps},  // T=0
		{1, 0, 40 * sim.Mbps},  // T=1=F
		{1, 0, 400 * sim.Mbps}, // both have passed
		{0, 1, 400 * sim.Mbps},
	}
	var now sim.Time
	target := c.Target(0)
	for i, s := range steps {
		now += sim.Time(s.timers) * 55 * us
		for range s.counters {
			c.Sent(now, 1000)
		}
		target += s.raise
		assert.Equal(t, target, c.Target(now), "step %d", i)
	}
}

// TestOneSourceOfIncreases: without a byte counter the timer alone decides (mlx:
// recovery below F, additive at F, hyper above).
func TestOneSourceOfIncreases(t *testing.T) {
	p := hpcc(line)
	c := after(p)
	cut := p.RateReduceMonitor + p.MonitorDelay
	c.OnCNP(cut) // cut at the next check, target = rate: room to rise
	cut += p.RateReduceMonitor
	c.OnCNP(cut + 301*us)
	cut += 304 * us
	target := c.Target(cut)
	require.Less(t, target, line)
	for i, raise := range []sim.Rate{0, 20 * sim.Mbps, 200 * sim.Mbps, 200 * sim.Mbps} {
		target += raise
		assert.Equal(t, target, c.Target(cut+sim.Time(i+1)*300*us), "timer %d", i+1)
	}
}

// TestByteCounter: the counter counts bytes on the wire since the last cut and
// does not run before the first.
func TestByteCounter(t *testing.T) {
	p := paper(line)
	c := dcqcn.New(&p, line)
	c.Sent(0, 9_999_999)
	c.OnCNP(0)
	c.Sent(0, 9_999_999)
	assert.Equal(t, 50*sim.Gbps, c.Rate(0))
	c.Sent(0, 1)
	assert.Equal(t, 75*sim.Gbps, c.Rate(0))
	c.Sent(0, 5_000_000)
	c.OnCNP(1)
	rate := c.Rate(1)
	c.Sent(1, 9_999_999)
	assert.Equal(t, rate, c.Rate(1), "a cut restarts the count")
	c.Sent(1, 20_000_001)
	assert.Equal(t, c.Target(1)-(c.Target(1)-rate)/8, c.Rate(1), "three times the bytes, three increases")
}

// TestAlphaDecay: V-27: without CNPs alpha falls to a half in 177.1 updates
// (g = 1/256, 55 us: 9.740 ms) or 141.6 (g = 5/1024, 1 us), ±1 update.
func TestAlphaDecay(t *testing.T) {
	for name, c := range map[string]struct {
		p       dcqcn.Params
		updates float64
	}{"paper": {paper(line), 177.1}, "connectx": {connectX(line), 141.6}} {
		t.Run(name, func(t *testing.T) {
			start := c.p.InitialAlpha
			rp := after(c.p)
			n := 0
			for rp.Alpha(sim.Time(n)*c.p.AlphaPeriod) > start/2 {
				n++
			}
			assert.InDelta(t, c.updates, n, 1)
		})
	}
}

// TestAlphaAtCNP: alpha <- (1-g) alpha + g at each CNP, after the cut; the
// period starts anew with it.
func TestAlphaAtCNP(t *testing.T) {
	p := paper(line)
	p.G, p.InitialAlpha = 0.5, 0.5
	c := after(p)
	assert.Equal(t, line-line/4, c.Rate(0), "cut with the alpha before: 0.5")
	assert.Equal(t, 0.75, c.Alpha(0))
	assert.Equal(t, 0.75, c.Alpha(55*us-1))
	c.OnCNP(50 * us)
	assert.Equal(t, 0.875, c.Alpha(50*us))
	assert.Equal(t, 0.875, c.Alpha(105*us-1), "the period runs from the CNP")
	assert.Equal(t, 0.4375, c.Alpha(105*us))
}

// TestAlphaPerPeriod: mlx: once per period, up if a CNP came in it, however
// many; the first CNP only starts the periods.
func TestAlphaPerPeriod(t *testing.T) {
	p := connectX(line)
	p.G, p.InitialAlpha = 0.5, 1
	c := after(p)
	assert.Equal(t, 0.5, c.Alpha(1*us))
	c.OnCNP(1 * us) // an update at the same instant is over
	c.OnCNP(2*us - 1)
	assert.Equal(t, 0.75, c.Alpha(2*us))
	assert.Equal(t, 0.375, c.Alpha(3*us))
}

// TestCutAtChecks: mlx: no cut at the CNP; one at each check, every
// RateReduceMonitor (plus a delay of 1 ns) from the first CNP on, before which
// a CNP came; a CNP at the instant of a check is one too late for it.
func TestCutAtChecks(t *testing.T) {
	p := hpcc(line)
	p.G = 1.0 / 1024 / 1024 // nearly constant alpha: every cut halves
	check := func(n int) sim.Time { return sim.Time(n)*4*us + sim.Nanosecond }
	half := func(r sim.Rate, c *dcqcn.Controller, at sim.Time) {
		t.Helper()
		assert.InEpsilon(t, float64(r)/2, float64(c.Rate(at)), 1e-4)
	}
	c := after(p)
	c.OnCNP(us)
	assert.Equal(t, line, c.Rate(check(1)-1))
	half(line, c, check(1))
	rate := c.Rate(check(1))
	c.OnCNP(check(3))
	assert.Equal(t, rate, c.Rate(check(4)-1))
	half(rate, c, check(4))
	rate = c.Rate(check(4))
	assert.Equal(t, rate, c.Rate(check(30)), "no CNP, no cut, and no timer yet")
	// The rate timer runs from the last cut.
	assert.Equal(t, rate, c.Rate(check(4)+300*us-1))
	assert.Greater(t, c.Rate(check(4)+300*us), rate)
}

// TestImmediateCutsAreSpaced: with a monitor period, a CNP that follows a cut
// sooner cuts nothing, but counts for alpha.
func TestImmediateCutsAreSpaced(t *testing.T) {
	p := paper(line)
	p.RateReduceMonitor = 10 * us
	p.InitialAlpha = 0.5
	c := after(p)
	rate, alpha := c.Rate(0), c.Alpha(0)
	c.OnCNP(10*us - 1)
	assert.Equal(t, rate, c.Rate(10*us-1))
	assert.Greater(t, c.Alpha(10*us-1), alpha)
	c.OnCNP(10 * us)
	assert.Less(t, c.Rate(10*us), rate)
}

// TestClampTarget: what a second cut does to the target, 1 us after the first
// (no increase in between) and 301 us after it (one increase).
func TestClampTarget(t *testing.T) {
	for name, c := range map[string]struct {
		always, afterIncrease bool
		soon, late            sim.Rate // target after the second cut
	}{
		"always":         {true, false, 50 * sim.Gbps, 75 * sim.Gbps},
		"after increase": {false, true, line, 75 * sim.Gbps},
		"both":           {true, true, 50 * sim.Gbps, 75 * sim.Gbps},
		"never":          {false, false, line, line},
	} {
		t.Run(name, func(t *testing.T) {
			p := paper(line)
			p.TimerPeriod = 300 * us
			p.ClampTarget, p.ClampTargetAfterIncrease = c.always, c.afterIncrease
			rp := after(p)
			rp.OnCNP(us)
			assert.Equal(t, c.soon, rp.Target(us))
			rp = after(p)
			rp.OnCNP(301 * us)
			assert.Equal(t, c.late, rp.Target(301*us))
		})
	}
}

// TestMinDecreaseFactor: rpg_min_dec_fac bounds one cut: 50 % has no effect on
// alpha/2, 80 % leaves 80 G of 100 G.
func TestMinDecreaseFactor(t *testing.T) {
	for factor, want := range map[float64]sim.Rate{
		0: 50 * sim.Gbps, 0.5: 50 * sim.Gbps, 0.75: 75 * sim.Gbps, 0.875: 87500 * sim.Mbps, 1: line,
	} {
		p := paper(line)
		p.MinDecreaseFactor = factor
		assert.Equal(t, want, after(p).Rate(0), "factor %v", factor)
	}
}

// TestMinRate: cuts end at the least rate.
func TestMinRate(t *testing.T) {
	p := connectX(line)
	c := dcqcn.New(&p, line)
	now := sim.Time(0)
	for range 200 {
		c.OnCNP(now)
		now += 4 * us
	}
	assert.Equal(t, sim.Mbps, c.Rate(now))
	// The rate timer, restarted by the last cut, lifts the rate half-way to its
	// target, which the cuts left at line rate, long before 4178 bytes are
	// earned at 1 Mb/s (33 ms).
	gap := c.Sent(now, 4178)
	assert.Greater(t, gap, 290*us)
	assert.Less(t, gap, 305*us)
	p.FixedGap = true
	assert.Equal(t, sim.Time(4178*8)*us, c.Sent(now, 4178))
}

// TestRateOnFirstCNP: rate_to_set_on_first_cnp replaces the rate once, before
// the cut, and never raises it.
func TestRateOnFirstCNP(t *testing.T) {
	p := connectX(line)
	p.RateOnFirstCNP = 40 * sim.Gbps
	c := after(p)
	assert.Equal(t, 40*sim.Gbps, c.Rate(0))
	assert.Equal(t, 40*sim.Gbps, c.Target(0))
	c.OnCNP(1 * us)
	assert.Equal(t, 40*sim.Gbps, c.Rate(1*us))
	assert.Less(t, c.Rate(4*us), 21*sim.Gbps)
	p.RateOnFirstCNP = 2 * line
	assert.Equal(t, line, after(p).Rate(0))
}

// TestRecoversToLineRate: the rate reaches the line rate exactly, and the port
// paces again.
func TestRecoversToLineRate(t *testing.T) {
	for _, preset := range []func(sim.Rate) dcqcn.Params{paper, connectX, hpcc} {
		c := after(preset(line))
		assert.Equal(t, line, c.Rate(100*sim.Millisecond))
		assert.Zero(t, c.Sent(100*sim.Millisecond, 1106))
	}
}

// TestGap: wire bytes over the rate, to the nearest picosecond; floored to
// whole nanoseconds with HPCC's quantum (1048 bytes at 50 G: 167.68 ns).
func TestGap(t *testing.T) {
	exact := after(paper(line))
	assert.Equal(t, sim.Time(167_680), exact.Sent(0, 1048))
	assert.Equal(t, sim.Time(668_480), exact.Sent(0, 4178))
	p := paper(line)
	p.Quantum = sim.Nanosecond
	assert.Equal(t, 167*sim.Nanosecond, after(p).Sent(0, 1048))
	p = paper(line)
	p.InitialAlpha = 0.75 // 62.5 G: 1 byte 128 ps; then 1/3 of something odd
	assert.Equal(t, sim.Time(128), after(p).Sent(0, 1))
	p.RateOnFirstCNP, p.InitialAlpha = 7*sim.Gbps, 0
	assert.Equal(t, sim.Time(1_197_714), after(p).Sent(0, 1048), "1197714.29 ps")
	assert.Equal(t, sim.Time(99_429), after(p).Sent(0, 87), "99428.57 ps")
}

// TestNotificationPoint: V-25: all packets marked, 100 G: one CNP per interval,
// quantised by the packet spacing s: 1/(ceil(N/s) s).
func TestNotificationPoint(t *testing.T) {
	for _, c := range []struct {
		interval sim.Time
		wire     int
		want     float64 // CNPs per second
		epsilon  float64
	}{
		{50 * us, 4178, 20_000, 0.005},
		{50 * us, 1106, 20_000, 0.005},
		{4 * us, 4178, 249_300, 0.0005},
		{4 * us, 1106, 245_700, 0.0005},
		{0, 1106, 1e12 / (1106 * 80), 0.0005}, // each marked packet
	} {
		var np cc.NotificationPoint
		spacing := line.TxTimeCeil(int64(c.wire))
		sent := 0
		for now := sim.Time(0); now < 100*sim.Millisecond; now += spacing {
			if np.Due(now, c.interval) {
				sent++
			}
		}
		assert.InEpsilon(t, c.want, float64(sent)/0.1, c.epsilon, "%v, %d bytes", c.interval, c.wire)
	}
}

// TestNotificationPointFirst: the first marked packet is answered at once, also
// at time 0 and after a long silence.
func TestNotificationPointFirst(t *testing.T) {
	var np cc.NotificationPoint
	assert.True(t, np.Due(0, 50*us))
	assert.False(t, np.Due(50*us-1, 50*us))
	assert.True(t, np.Due(50*us, 50*us))
	assert.True(t, np.Due(sim.Second, 50*us))
}

// TestSize keeps a controller in two and a half cache lines.
func TestSize(t *testing.T) {
	assert.LessOrEqual(t, unsafe.Sizeof(dcqcn.Controller{}), uintptr(160))
}
