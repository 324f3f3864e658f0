package congestion

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"rocesim/cc/dcqcn"
	"rocesim/sim"
)

func TestPresetsAreValid(t *testing.T) {
	for _, preset := range []string{"paper", "connectx", "hpcc"} {
		for _, line := range []sim.Rate{10 * sim.Gbps, 25 * sim.Gbps, 100 * sim.Gbps, 400 * sim.Gbps, 1600 * sim.Gbps} {
			p := MustParams(preset, line)
			assert.Empty(t, p.Validate(), "%s at %v", preset, line)
		}
	}
	assert.PanicsWithValue(t, `congestion: there is no preset "papr"`, func() { MustParams("papr", sim.Gbps) })
}

// Each key reaches its own parameter: all values differ.
func TestParams(t *testing.T) {
	c := Control{
		Gain: 0.1, InitialAlpha: 0.2, AlphaPeriod: 1, CutPeriod: 2, CutDelay: 3, MinDecrease: 0.3, MinRate: 4, FirstRate: 5,
		IncreasePeriod: 6, IncreaseBytes: 7, FastRecovery: 8, RateAI: 9, RateHAI: 10,
	}
	want := dcqcn.Params{
		G: 0.1, InitialAlpha: 0.2, AlphaPeriod: 1, RateReduceMonitor: 2, MonitorDelay: 3, MinDecreaseFactor: 0.3, MinRate: 4, RateOnFirstCNP: 5,
		TimerPeriod: 6, ByteCounter: 7, FastRecovery: 8, RateAI: 9, RateHAI: 10, Quantum: 11,
	}
	assert.Equal(t, want, c.Params(1000, 11))
	for _, flag := range []struct {
		key   *bool
		param *bool
	}{
		{&c.AlphaAtCNP, &want.AlphaAtCNP}, {&c.CutAtCNP, &want.ReduceImmediately}, {&c.ClampTarget, &want.ClampTarget},
		{&c.ClampAfterIncrease, &want.ClampTargetAfterIncrease}, {&c.FixedGap, &want.FixedGap},
	} {
		*flag.key, *flag.param = true, true
		assert.Equal(t, want, c.Params(1000, 11))
		*flag.key, *flag.param = false, false
	}
	c.MinRate = 2000
	assert.Equal(t, sim.Rate(1000), c.Params(1000, 1).MinRate, "no more than the line rate")
}

// The simulator of the HPCC paper (run.py): 5 and 50 Mb/s for each 25 Gb/s; its
// runs at 100 G have RATE_AI 20Mb/s and RATE_HAI 200Mb/s. Others do not scale.
func TestIncreasesScale(t *testing.T) {
	p := MustParams("hpcc", 100*sim.Gbps)
	assert.Equal(t, 20*sim.Mbps, p.RateAI)
	assert.Equal(t, 200*sim.Mbps, p.RateHAI)
	p = MustParams("connectx", 400*sim.Gbps)
	assert.Equal(t, 5*sim.Mbps, p.RateAI)
	assert.Equal(t, 50*sim.Mbps, p.RateHAI)
}
