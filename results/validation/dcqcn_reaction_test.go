package validation_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/cc"
	"rocesim/cc/dcqcn"
	"rocesim/scenarios/model"
	"rocesim/sim"
)

// burstSets make h1 send without an end, and h2 add a burst at each of the
// given instants that reacts to nothing. A burst takes the queue above the one
// threshold for less than a CNP interval, so h1 gets one CNP for each.
func burstSets(at ...sim.Time) []string {
	bursts := ""
	for _, t := range at {
		bursts += fmt.Sprintf("{from: h2, to: h0, bytes: 95200B, start: %dps}, ", int64(t))
	}
	return []string{
		"fabric.host_link.rate=100Gbps",
		"switch.ecn={preset: dcqcn-paper, kmin: 30KB, kmax: 30KB, pmax: 100%}",
		"workload=[{name: load, type: flows, flows: [{from: h1, to: h0, bytes: 1TB}]}, " +
			"{name: bursts, type: flows, no_cc: true, flows: [" + bursts + "]}]",
	}
}

// withController returns the testbed anew, and what gives the reaction point of
// its first connection once that is open.
func (b *testbed) withController() (*testbed, func() *dcqcn.Controller) {
	b.t.Helper()
	spec := *b.m.Spec
	var first *dcqcn.Controller
	spec.Control = func(src int) cc.Controller {
		c := b.m.Spec.Control(src)
		if first == nil {
			first = c.(*dcqcn.Controller)
		}
		return c
	}
	m, err := model.New(&spec)
	require.NoError(b.t, err)
	return &testbed{b.t, m}, func() *dcqcn.Controller { return first }
}

// rateChanges runs until end and returns the rates that connection 0 had, and
// when each began (to a sample).
func (b *testbed) rateChanges(end sim.Time) (rates []sim.Rate, since []sim.Time) {
	b.t.Helper()
	require.NoError(b.t, b.m.Sample(100*sim.Nanosecond, func(now sim.Time) {
		r := b.m.NICs.Rate(now, 0)
		if len(rates) == 0 || rates[len(rates)-1] != r {
			rates = append(rates, r)
			since = append(since, now)
		}
	}))
	b.run(end)
	return rates, since
}

// V-26: one CNP halves the rate from 100 G, five recoveries bring it back half
// of the way each, and only then the target rises (docs/accuracy.md). The
// target cannot rise above line rate, so the sixth event recovers once more.
func TestV26ReactionToOneCNP(t *testing.T) {
	b := build(t, "dcqcn-incast.yaml", burstSets(100*sim.Microsecond)...)
	rates, since := b.rateChanges(470 * sim.Microsecond)
	assert.Equal(t, []sim.Rate{
		100 * sim.Gbps, 50 * sim.Gbps, 75 * sim.Gbps, 87_500 * sim.Mbps, 93_750 * sim.Mbps, 96_875 * sim.Mbps,
		98_437_500 * sim.Kbps, 99_218_750 * sim.Kbps,
	}, rates)
	for i := 2; i < len(since); i++ {
		assert.InDelta(t, float64(55*sim.Microsecond), float64(since[i]-since[i-1]), float64(100*sim.Nanosecond))
	}
}

// The sixth event of V-26 after a cut from below line rate: the target, 75 G
// when the second CNP came, rises by 40 Mb/s, and the rate half of the way.
func TestV26AdditiveIncrease(t *testing.T) {
	b := build(t, "dcqcn-incast.yaml", append(burstSets(100*sim.Microsecond, 180*sim.Microsecond),
		"switch.ecn.kmin=10KB", "switch.ecn.kmax=10KB")...)
	rates, _ := b.rateChanges(540 * sim.Microsecond)
	require.Len(t, rates, 10)
	require.Equal(t, 75*sim.Gbps, rates[2])
	target, rate := 75*sim.Gbps, rates[3]
	// Alpha has decayed once before the second CNP: 1 - 1/256.
	assert.Equal(t, target-sim.Rate(float64(target)*(1-1.0/256)/2), rate)
	for i := 4; i < 10; i++ {
		if i == 9 {
			target += 40 * sim.Mbps
		}
		rate = (rate + target + 1) / 2
		assert.Equal(t, rate, rates[i], "increase %d", i-3)
	}
}

// The rates of V-26 on the wire: what h0 receives during each period is the
// rate, to a packet.
func TestV26RateOnTheWire(t *testing.T) {
	t.Parallel()
	const period = 55 * sim.Microsecond
	b := build(t, "dcqcn-incast.yaml", burstSets(100*sim.Microsecond)...)
	_, since := b.rateChanges(200 * sim.Microsecond)
	cut := since[1]
	b = build(t, "dcqcn-incast.yaml", burstSets(100*sim.Microsecond)...)
	const settled, span = 30 * sim.Microsecond, 20 * sim.Microsecond // within a period
	b.run(cut + settled)
	sw, port := b.egress("h0") // has drained the burst
	require.Zero(t, sw.QueueBytes(port, dataQueue))
	for i, rate := range []float64{50e9, 75e9, 87.5e9, 93.75e9, 96.875e9, 98.4375e9} {
		from := cut + sim.Time(i)*period + settled
		b.run(from)
		before := b.m.NICs.ReceivedBytes(0)
		b.run(from + span)
		wire := float64(b.m.NICs.ReceivedBytes(0)-before) / 952 * 1000
		assert.InDelta(t, rate*span.Seconds()/8, wire, 1001, "period %d", i)
	}
}

// V-27: alpha decays by 1-g each period: half of it is gone after 177.1 updates
// of 55 us or 9.740 ms (g = 1/256), and on adapters after 141.6 us (g = 5/1024,
// 1 us); ±1 update (docs/accuracy.md).
func TestV27AlphaHalfLife(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		preset           string
		period, halfLife sim.Time
	}{
		{"paper", 55 * sim.Microsecond, 9740 * sim.Microsecond},
		{"connectx", sim.Microsecond, 141_600 * sim.Nanosecond},
	} {
		t.Run(c.preset, func(t *testing.T) {
			b, reaction := build(t, "dcqcn-incast.yaml", append(burstSets(100*sim.Microsecond),
				"cc={preset: "+c.preset+", cnp_interval: 50us}")...).withController()
			var first float64
			var notified, halved sim.Time
			require.NoError(t, b.m.Sample(100*sim.Nanosecond, func(now sim.Time) {
				switch alpha := reaction().Alpha(now); {
				case first == 0 && alpha > 0:
					first, notified = alpha, now
				case first > 0 && halved == 0 && alpha <= first/2:
					halved = now - notified
				}
			}))
			b.run(100*sim.Microsecond + c.halfLife*2)
			assert.InDelta(t, 1, first, 0.001)
			assert.InDelta(t, float64(c.halfLife), float64(halved), float64(c.period))
		})
	}
}

// V-27 on the wire: the depth of a cut one half-life after the first tells
// alpha, to an update.
func TestV27AlphaInTheCut(t *testing.T) {
	t.Parallel()
	const g, halfLife = 1.0 / 256, 9740 * sim.Microsecond
	b := build(t, "dcqcn-incast.yaml", burstSets(100*sim.Microsecond, 100*sim.Microsecond+halfLife)...)
	rates, since := b.rateChanges(100*sim.Microsecond + halfLife + 40*sim.Microsecond)
	require.Equal(t, 50*sim.Gbps, rates[1])
	last := len(rates) - 1
	require.Equal(t, 100*sim.Gbps, rates[last-1], "the rate must have recovered")
	alpha := 2 * (1 - float64(rates[last])/float64(rates[last-1]))
	updates := math.Log(alpha) / math.Log(1-g)
	assert.InDelta(t, float64(since[last]-since[1])/float64(55*sim.Microsecond), updates, 1)
}
