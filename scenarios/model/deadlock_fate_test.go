package model_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/fabric/topo"
	"rocesim/scenarios/model"
	"rocesim/scenarios/workload"
	"rocesim/sim"
)

// fateSpec draws a ring of switches with random detours and senders that stop
// after half a millisecond.
func fateSpec(t *testing.T, rt *rapid.T) *model.Spec {
	n := rapid.IntRange(3, 5).Draw(rt, "switches")
	link := topo.LinkSpec{Rate: ringRate, Delay: sim.Microsecond}
	g, err := topo.Ring{Switches: n, HostsPerSwitch: rapid.IntRange(1, 2).Draw(rt, "hosts"), HostLink: link, RingLink: link}.Build()
	require.NoError(rt, err)
	var routes []topo.StaticRoute
	for range rapid.IntRange(0, 2*n).Draw(rt, "detours") {
		sw := rapid.IntRange(0, n-1).Draw(rt, "at")
		by := rapid.SampledFrom([]int{1, n - 1}).Draw(rt, "by")
		routes = append(routes, topo.StaticRoute{
			Switch: sw, Endpoint: rapid.IntRange(0, len(g.Endpoints)-1).Draw(rt, "to"), Ports: g.PortsTo(sw, len(g.Endpoints)+(sw+by)%n),
		})
	}
	d := greedy("flows", sim.Rate(rapid.IntRange(2, 40).Draw(rt, "Gb/s"))*sim.Gbps, 0)
	d.Stop = 500 * sim.Microsecond
	for i := range g.Endpoints {
		if dst := rapid.IntRange(0, len(g.Endpoints)-1).Draw(rt, "dst"); dst != i {
			d.Pairs = append(d.Pairs, workload.Pair{Src: i, Dst: dst})
		}
	}
	if len(d.Pairs) == 0 {
		d.Pairs = []workload.Pair{{Src: 0, Dst: 1}}
	}
	spec := slowLinks(t, g, rapid.Int64Range(10_000, 60_000).Draw(rt, "xoff"), d)
	offset := rapid.Int64Range(1000, 60_000).Draw(rt, "xon offset")
	for i := range spec.Switches {
		spec.Switches[i].Groups[3].XonOffset = offset
	}
	for i := range spec.NICs {
		spec.NICs[i].TTL = 16
	}
	if rapid.Bool().Draw(rt, "renewed") {
		renewPauses(spec)
	}
	spec.Routes = topo.NewRoutes(g).WithStatic(routes)
	spec.OutliveDeadlock = true
	return spec
}

// After all senders have stopped, a network empties itself, unless there is a
// deadlock: then its packets stay for ever. The detector reports exactly those
// runs in which packets stay.
func TestDeadlockIsWhatStays(t *testing.T) {
	found := 0
	rapid.Check(t, func(rt *rapid.T) {
		m, err := model.New(fateSpec(t, rt))
		require.NoError(rt, err)
		m.Run(context.Background(), model.Stop{Time: 5 * sim.Millisecond}, nil)
		require.NoError(rt, m.CheckConservation())
		var left int64
		for _, s := range m.Switches {
			for p := range s.NumPorts() {
				left += s.QueueBytes(p, 3)
			}
		}
		require.Equal(rt, left > 0, len(m.Deadlocks()) > 0, "%d B stay, %v", left, m.ExplainDeadlocks(shown()))
		if left > 0 {
			found++
		}
	})
	t.Log(found, "of the networks deadlocked")
}
