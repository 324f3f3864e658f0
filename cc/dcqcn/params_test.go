package dcqcn_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/cc/dcqcn"
	"rocesim/sim"
)

// TestValidate: each wrong value alone, with the whole text of its error.
func TestValidate(t *testing.T) {
	for _, c := range []struct {
		spoil func(*dcqcn.Params)
		want  string
	}{
		{func(p *dcqcn.Params) { p.G = 0 }, "gain of alpha is 0: allowed are more than 0 up to 1"},
		{func(p *dcqcn.Params) { p.G = math.NaN() }, "gain of alpha is NaN: allowed are more than 0 up to 1"},
		{func(p *dcqcn.Params) { p.InitialAlpha = 1023 }, "initial alpha is 1023: allowed are 0 to 1"},
		{func(p *dcqcn.Params) { p.MinDecreaseFactor = -0.5 }, "minimum decrease factor is -0.5: allowed are 0 to 1"},
		{func(p *dcqcn.Params) { p.AlphaPeriod = 0 }, "alpha period is 0ps: it must be more than 0"},
		{func(p *dcqcn.Params) { p.RateReduceMonitor = -us }, "rate reduce monitor period is -1us: it must not be negative"},
		{func(p *dcqcn.Params) { p.RateReduceMonitor = 0 },
			"rate reduce monitor period is 0s: without immediate reduction it must be more than 0"},
		{func(p *dcqcn.Params) { p.MonitorDelay = -1 }, "delay of the first rate check is -1ps: it must not be negative"},
		{func(p *dcqcn.Params) { p.TimerPeriod = -us }, "rate increase timer is -1us: it must not be negative"},
		{func(p *dcqcn.Params) { p.Quantum = -1 }, "quantum is -1ps: it must not be negative"},
		{func(p *dcqcn.Params) { p.ByteCounter = -64 }, "byte counter is -64 bytes: it must not be negative"},
		{func(p *dcqcn.Params) { p.TimerPeriod, p.ByteCounter = 0, 0 },
			"rate increase timer and byte counter are both off: a rate once cut would never recover"},
		{func(p *dcqcn.Params) { p.FastRecovery = -1 }, "fast recovery threshold is -1: allowed are 0 to 1000"},
		{func(p *dcqcn.Params) { p.FastRecovery = 1001 }, "fast recovery threshold is 1001: allowed are 0 to 1000"},
		{func(p *dcqcn.Params) { p.RateAI = -1 }, "additive increase is -1 bit/s: it must not be negative"},
		{func(p *dcqcn.Params) { p.RateHAI = -1 }, "hyper increase is -1 bit/s: it must not be negative"},
		{func(p *dcqcn.Params) { p.MinRate = 9_999 }, "minimum rate is 9999 bit/s: it must be at least 10Kbps"},
		{func(p *dcqcn.Params) { p.RateOnFirstCNP = 999_999 },
			"rate on first CNP is 999999 bit/s: allowed are 0 (keep the rate) and the minimum rate 1Mbps or more"},
	} {
		p := connectX(line)
		c.spoil(&p)
		errs := p.Validate()
		require.Len(t, errs, 1, c.want)
		assert.EqualError(t, errs[0], c.want)
	}
}

// TestValidateReportsAll: not the first error only.
func TestValidateReportsAll(t *testing.T) {
	assert.Len(t, (&dcqcn.Params{}).Validate(), 5,
		"gain, alpha period, monitor period, neither timer nor counter, minimum rate")
}

// TestNoAllocation: a controller in any state allocates nothing.
func TestNoAllocation(t *testing.T) {
	p := connectX(line)
	c := dcqcn.New(&p, line)
	var now sim.Time
	assert.Zero(t, testing.AllocsPerRun(1000, func() {
		now += c.Sent(now, 4178) + us
		c.OnCNP(now)
		c.Rate(now + us)
	}))
}

func BenchmarkSent(b *testing.B) {
	for _, c := range []struct {
		name   string
		params dcqcn.Params
	}{{"paper", paper(line)}, {"connectx", connectX(line)}, {"hpcc", hpcc(line)}} {
		b.Run(c.name, func(b *testing.B) {
			rp := dcqcn.New(&c.params, line)
			var now sim.Time
			n := 0
			b.ReportAllocs()
			for b.Loop() {
				if n++; n%1024 == 0 { // one packet in 1024 brings a CNP, as in steady state
					rp.OnCNP(now)
				}
				now += max(rp.Sent(now, 4178), 334_240)
				restart(rp, &c.params, &now)
			}
		})
	}
}

func BenchmarkSentUncongested(b *testing.B) {
	p := connectX(line)
	c := dcqcn.New(&p, line)
	var now sim.Time
	b.ReportAllocs()
	for b.Loop() {
		now += max(c.Sent(now, 4178), 334_240)
		restart(c, &p, &now)
	}
}

// restart begins anew before the longest time that a run can have.
func restart(c *dcqcn.Controller, p *dcqcn.Params, now *sim.Time) {
	if *now > sim.Never/2 {
		*now = 0
		dcqcn.Init(c, p, line)
	}
}
