package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/fabric/topo"
	"rocesim/scenarios/model"
	"rocesim/sim"
	switching "rocesim/switch"
)

// detour is the example of Hu et al., HotNets 2016: in a fabric of two spines and
// four leaves with one host each, flow a from h2 to h0 turns around at leaf1,
// flow b from h3 to h1 at leaf0, and flow c goes from h1 to h3. Without detours
// all packets go up and down once.
func detour(tb testing.TB, bounce bool) *model.Spec {
	tb.Helper()
	link := topo.LinkSpec{Rate: ringRate, Delay: sim.Microsecond}
	g, err := topo.LeafSpine{Leaves: 4, Spines: 2, Hosts: 4, NICsPerHost: 1, HostLink: link, Uplink: link}.Build()
	require.NoError(tb, err)
	node := func(name string) int {
		n, ok := g.Node(name)
		require.True(tb, ok, name)
		return n
	}
	spec := slowLinks(tb, g, 100_000, greedy("a", ringRate, 0, [2]int{2, 0}), greedy("b", ringRate, 0, [2]int{3, 1}),
		greedy("c", ringRate, 0, [2]int{1, 3}))
	via := func(at, to, next string) topo.StaticRoute {
		sw := node(at) - len(g.Endpoints)
		return topo.StaticRoute{Switch: sw, Endpoint: node(to), Ports: g.PortsTo(sw, node(next))}
	}
	spec.Routes = topo.NewRoutes(g).WithStatic([]topo.StaticRoute{
		via("leaf2", "h0", "spine0"), via("leaf3", "h1", "spine1"), via("leaf1", "h3", "spine1"),
	})
	if bounce {
		spec.Routes = spec.Routes.WithStatic([]topo.StaticRoute{
			via("spine0", "h0", "leaf1"), via("leaf1", "h0", "spine1"),
			via("spine1", "h1", "leaf0"), via("leaf0", "h1", "spine0"),
		})
	}
	return spec
}

// tagged gives packets that turn around at a leaf a class of their own.
func tagged(spec *model.Spec) *model.Spec {
	for i := range spec.Switches {
		c := &spec.Switches[i]
		c.PFC.Enabled |= 1 << 4
		c.Groups[4], c.Queues[4] = c.Groups[3], c.Queues[3]
		if spec.Graph.Switches[i].Tier > 0 {
			continue
		}
		up := make([]bool, len(c.Ports))
		for p, ref := range spec.Graph.Ports(len(spec.Graph.Endpoints) + i) {
			up[p] = spec.Graph.IsSwitch(ref.Peer.Node)
		}
		c.Bump = &switching.Bump{From: up, To: up}
		for d := range c.Bump.DSCP {
			c.Bump.DSCP[d] = uint8(d)
		}
		c.Bump.DSCP[26] = 34 // of priority 4
	}
	for i := range spec.NICs {
		spec.NICs[i].PFC |= 1 << 4
	}
	return spec
}

// L28: leaf-spine is free of deadlock until packets turn around at
// leaves; with a second lossless class for those that did (Tagger), it is free
// of it again and every flow is served.
func TestClosDetour(t *testing.T) {
	const stop = 20 * sim.Millisecond
	m, end := outcome(t, detour(t, true), stop)
	require.Equal(t, model.Deadlocked, end)
	assert.Len(t, m.Deadlocks()[0].Cycle, 4)
	assert.Regexp(t, `^deadlock at [0-9.]+ [um]s: leaf0>spine0 priority 3 \(queue 3: [0-9.]+ KB; paused by spine0:\d: [0-9.]+ KB, of them [0-9.]+ KB stuck, XOFF at 100 KB, `+
		`resumes at 97 KB\) -> spine0>leaf1 .* -> leaf1>spine1 .* -> spine1>leaf0 .* -> back to leaf0>spine0$`, m.ExplainDeadlocks(shown())[0])

	for name, spec := range map[string]*model.Spec{"up and down": detour(t, false), "tagged": tagged(detour(t, true))} {
		m, end := outcome(t, spec, stop)
		assert.Equal(t, model.TimeUp, end, name)
		assert.Empty(t, m.Deadlocks(), name)
		for i := range 3 {
			assert.Greater(t, float64(m.NICs.Tally(i))*8/m.Now().Seconds(), 10e9, "%s: flow %d", name, i)
		}
	}
}
