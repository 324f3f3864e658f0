package derive

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/cc/dcqcn/fluid"
	"rocesim/scenarios"
	"rocesim/sim"
)

// Another solver of the fluid model: ten flows of the paper's set at 100G with 400/1600 KB
// and 20 % settle at 411 KB. The fluid model itself has its own tests; here its
// loop is put together from a plan.
func TestControlOfAPlan(t *testing.T) {
	p := plan(t, overrun, "switch.lossless.alpha=1/4", "cc={preset: paper}", "fabric.host_link.rate=100Gbps",
		"switch.ecn={enabled: true, kmin: 400KB, kmax: 1600KB, pmax: 20%}", "nic.mtu=1024")
	all := Controls(p, 2, 10)
	require.Len(t, all, 2)
	c := &all[1]
	assert.Empty(t, c.Problem)
	assert.Equal(t, 100*sim.Gbps, c.Loop.Rate)
	assert.Equal(t, 10, c.Loop.Flows)
	assert.Equal(t, fluid.RED{Kmin: 400_000, Kmax: 1_600_000, Pmax: 0.2}, roundPmax(c.Loop.RED))
	assert.Equal(t, 1106, c.Loop.Packet)
	assert.InDelta(t, 411.3e3, c.Point.Queue, 1.5e3, "that is for packets of 1000 bytes")
	assert.Less(t, all[0].Point.Queue, c.Point.Queue)
	paths := Paths(p)
	longest := &paths[len(paths)-1]
	a := &p.NICs[0]
	assert.Equal(t, longest.RTT-a.TxLatency-a.RxLatency-a.AckLatency+a.CNPDelay, c.Loop.Delay)
}

func roundPmax(r fluid.RED) fluid.RED {
	r.Pmax = float64(int(r.Pmax*1e6+0.5)) / 1e6
	return r
}

func TestControlWithoutFixedPoint(t *testing.T) {
	p := plan(t, overrun, "switch.lossless.alpha=1/4", "cc={preset: paper, rate_ai: 0bps}", "switch.ecn={enabled: true, kmin: 40KB, kmax: 400KB, pmax: 1%}")
	all := Controls(p, 2)
	require.Len(t, all, 1)
	assert.Equal(t, "additive increase is 0 bit/s: rates never rise, so there is no fixed point", all[0].Problem)

	e, err := scenarios.FindScenario("incast-8-1")
	require.NoError(t, err)
	assert.Empty(t, Controls(plan(t, string(e.Text)), 2), "no DCQCN")
}

// Every scenario of the library can be described.
func TestEveryScenarioIsDerived(t *testing.T) {
	for _, e := range scenarios.Library() {
		p := plan(t, string(e.Text))
		for _, path := range Paths(p) {
			assert.Positive(t, path.OneWay, e.Name)
			assert.Greater(t, path.RTT, path.OneWay/2, e.Name)
		}
		for _, h := range Headrooms(p) {
			assert.Positive(t, h.Needed, e.Name)
			assert.GreaterOrEqual(t, h.AnyFrames.Total, h.Needed, e.Name)
		}
		for _, pool := range Pools(p) {
			assert.Positive(t, pool.Groups, e.Name)
		}
		for _, th := range Thresholds(p) {
			assert.GreaterOrEqual(t, th.Xoff(1), th.Xoff(2), e.Name)
		}
		for _, s := range NewTraffic(p).Spreads() {
			assert.Positive(t, s.Flows, e.Name)
		}
		w := NewTraffic(p).Estimate()
		assert.Positive(t, w.Packets, e.Name)
		Controls(p, 2, 8, 32, 128)
	}
}
