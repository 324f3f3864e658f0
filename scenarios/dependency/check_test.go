package dependency_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/fabric/topo"
	"rocesim/scenarios/dependency"
	"rocesim/sim"
	switching "rocesim/switch"
)

func cable() topo.LinkSpec { return topo.LinkSpec{Rate: 100 * sim.Gbps, Delay: sim.Microsecond} }

// network is a fabric whose class is DSCP/8 and whose classes 3 and 4 are
// lossless.
func network(g *topo.Graph) *dependency.Network {
	n := &dependency.Network{Graph: g, Routes: topo.NewRoutes(g)}
	for i := range g.Switches {
		c := switching.Config{PFC: switching.PFCConfig{Enabled: 3 << 3}}
		for d := range c.Classes.DSCPToTC {
			c.Classes.DSCPToTC[d] = uint8(d / 8)
		}
		for i := range uint8(switching.Priorities) {
			c.Classes.TCToGroup[i], c.Classes.TCToQueue[i], c.Classes.PFCToQueue[i], c.Classes.GroupToPFC[i] = i, i, i, i
			c.Classes.PCPToTC[i] = i
		}
		c.Groups[3].Lossless, c.Groups[4].Lossless = true, true
		c.Ports = make([]switching.PortConfig, len(g.Ports(len(g.Endpoints)+i)))
		n.Switches = append(n.Switches, c)
	}
	return n
}

// everybody sends to everybody.
func everybody(n *dependency.Network, dscp uint8) *dependency.Network {
	for src := range n.Graph.Endpoints {
		for dst := range n.Graph.Endpoints {
			if src != dst {
				n.Add(dependency.Flow{Src: src, Dst: dst, Class: dependency.Class{DSCP: dscp, PCP: dscp / 8}})
			}
		}
	}
	return n
}

// static overrides routes, given as switch, destination and next hop by name.
func static(tb testing.TB, n *dependency.Network, routes ...[3]string) *dependency.Network {
	tb.Helper()
	var list []topo.StaticRoute
	for _, r := range routes {
		var at [3]int
		for i, name := range r {
			var ok bool
			at[i], ok = n.Graph.Node(name)
			require.True(tb, ok, name)
		}
		sw := at[0] - len(n.Graph.Endpoints)
		list = append(list, topo.StaticRoute{Switch: sw, Endpoint: at[1], Ports: n.Graph.PortsTo(sw, at[2])})
	}
	n.Routes = n.Routes.WithStatic(list)
	return n
}

// send adds flows of a code point, whose 802.1Q priority is given too.
func send(n *dependency.Network, dscp, pcp uint8, pairs ...[2]int) *dependency.Network {
	for _, p := range pairs {
		n.Add(dependency.Flow{Src: p[0], Dst: p[1], Class: dependency.Class{DSCP: dscp, PCP: pcp}})
	}
	return n
}

// describe returns all circles and loops as text.
func describe(n *dependency.Network) (cycles, loops []string) {
	r := dependency.Check(n)
	for _, c := range r.Cycles {
		cycles = append(cycles, c.Describe(n.Graph))
	}
	for _, l := range r.Loops {
		loops = append(loops, l.Describe(n.Graph))
	}
	return cycles, loops
}

// V-22: up-down routing in a fat tree has no circle, whoever sends to
// whom, also when one link has failed.
func TestV22FatTree(t *testing.T) {
	for _, k := range []int{4, 8} {
		g, err := topo.FatTree{K: k, NICsPerHost: 1, HostLink: cable(), Uplink: cable()}.Build()
		require.NoError(t, err)
		n := everybody(network(g), 26)
		assert.Empty(t, dependency.Check(n), k)
		if k == 4 {
			assert.Empty(t, failures(n), k)
		}
	}
}

// clos is the detour of Hu et al., HotNets 2016: flow a (h2 to h0) turns around at
// leaf1, flow b (h3 to h1) at leaf0.
func clos(tb testing.TB) *dependency.Network {
	tb.Helper()
	g, err := topo.LeafSpine{Leaves: 4, Spines: 2, Hosts: 4, NICsPerHost: 1, HostLink: cable(), Uplink: cable()}.Build()
	require.NoError(tb, err)
	return static(tb, network(g),
		[3]string{"leaf2", "h0", "spine0"}, [3]string{"spine0", "h0", "leaf1"}, [3]string{"leaf1", "h0", "spine1"},
		[3]string{"leaf3", "h1", "spine1"}, [3]string{"spine1", "h1", "leaf0"}, [3]string{"leaf0", "h1", "spine0"})
}

// detours are flow a, h2 to h0, and flow b, h3 to h1.
func detours() [][2]int { return [][2]int{{2, 0}, {3, 1}} }

// V-22: the detour makes one circle of four buffers.
func TestV22Detour(t *testing.T) {
	cycles, loops := describe(send(clos(t), 26, 3, detours()...))
	assert.Equal(t, []string{"leaf0>spine0 priority 3 -> spine0>leaf1 priority 3 -> leaf1>spine1 priority 3 -> spine1>leaf0 priority 3 -> back to leaf0>spine0"}, cycles)
	assert.Empty(t, loops)
}

// V-22: with two lossless classes, packets that have turned around wait
// for nobody that waits for them. Only what the second class's packets do a
// second time could close a circle again.
func TestV22Tagger(t *testing.T) {
	n := clos(t)
	for i := range n.Switches {
		up := make([]bool, len(n.Switches[i].Ports))
		for p, ref := range n.Graph.Ports(len(n.Graph.Endpoints) + i) {
			up[p] = n.Graph.IsSwitch(ref.Peer.Node) && n.Graph.Switches[i].Tier == 0
		}
		b := &switching.Bump{From: up, To: up}
		for d := range b.DSCP {
			b.DSCP[d] = uint8(d)
		}
		b.DSCP[26] = 34
		n.Switches[i].Bump = b
	}
	cycles, _ := describe(send(n, 26, 3, detours()...))
	assert.Empty(t, cycles)
}

// A switch may turn what comes from one of its hosts and leave what comes from
// another: neither stands for the other, whoever is looked at first.
func TestHostsOfOneSwitchMayDiffer(t *testing.T) {
	g, err := topo.Ring{Switches: 5, HostsPerSwitch: 2, HostLink: cable(), RingLink: cable()}.Build()
	require.NoError(t, err)
	for _, first := range [][2]int{{0, 1}, {1, 0}} {
		n := network(g)
		b := &switching.Bump{From: make([]bool, len(n.Switches[0].Ports)), To: make([]bool, len(n.Switches[0].Ports))}
		for d := range b.DSCP {
			b.DSCP[d] = uint8(d)
		}
		b.DSCP[26] = 34
		for p, ref := range g.Ports(len(g.Endpoints)) {
			b.From[p], b.To[p] = ref.Peer.Node == 1, g.IsSwitch(ref.Peer.Node)
		}
		n.Switches[0].Bump = b
		// Two hops clockwise from every switch, from both hosts of the first one.
		send(n, 26, 3, [2]int{first[0], 4}, [2]int{first[1], 4})
		send(n, 26, 3, [2]int{2, 6}, [2]int{4, 8}, [2]int{6, 0}, [2]int{8, 2})
		cycles, _ := describe(n)
		require.Len(t, cycles, 1, "%v", first)
		assert.Contains(t, cycles[0], "sw0>sw1 priority 3", "%v", first)

		n = network(g)
		n.Switches[0].Bump = b
		send(n, 26, 3, [2]int{1, 4}, [2]int{2, 6}, [2]int{4, 8}, [2]int{6, 0}, [2]int{8, 2})
		cycles, _ = describe(n)
		assert.Empty(t, cycles, "what is turned closes nothing")
	}
}

// What does not pause, or does not obey, waits for nobody.
func TestOnlyPausesClose(t *testing.T) {
	for name, change := range map[string]func(n *dependency.Network){
		"one switch off":     func(n *dependency.Network) { n.Switches[0].PFC.Enabled = 0 },
		"one group is lossy": func(n *dependency.Network) { n.Switches[5].Groups[3].Lossless = false },
		"one port off":       func(n *dependency.Network) { n.Switches[1].Ports[1].NoPFC = true; n.Switches[1].Ports[2].NoPFC = true },
		"another queue":      func(n *dependency.Network) { n.Switches[4].Classes.TCToQueue[3] = 5 },
	} {
		n := clos(t)
		change(n)
		cycles, _ := describe(send(n, 26, 3, detours()...))
		assert.Empty(t, cycles, name)
	}
	cycles, _ := describe(send(clos(t), 8, 1, detours()...))
	assert.Empty(t, cycles, "a lossy class")
	cycles, _ = describe(send(send(clos(t), 26, 3, detours()[0]), 34, 4, detours()[1]))
	assert.Empty(t, cycles, "two classes")
}

// A switch that trusts the tag classifies by it.
func TestTrustPCP(t *testing.T) {
	for priority, circles := range map[uint8]int{0: 0, 3: 1} {
		n := clos(t)
		for i := range n.Switches {
			n.Switches[i].Classes.TrustPCP = true
		}
		cycles, _ := describe(send(n, 26, priority, detours()...))
		assert.Len(t, cycles, circles)
	}
}

// Two switches that send to each other what is for a host of one make a loop
// and a circle of two buffers (Hu et al., HotNets 2016, routing loop).
func TestRoutingLoop(t *testing.T) {
	g, err := topo.Dumbbell{Left: 1, Right: 1, HostLink: cable(), Middle: cable()}.Build()
	require.NoError(t, err)
	n := static(t, network(g), [3]string{"sw1", "h1", "sw0"})
	cycles, loops := describe(send(n, 26, 3, [2]int{0, 1}))
	assert.Equal(t, []string{"sw0>sw1 priority 3 -> sw1>sw0 priority 3 -> back to sw0>sw1"}, cycles)
	assert.Equal(t, []string{"sw0 > sw1 > sw0"}, loops)
}

// In a ring, flows of one hop close no circle and flows of two hops do (Hu et al., HotNets 2016,
// ring examples).
func TestRing(t *testing.T) {
	g, err := topo.Ring{Switches: 5, HostsPerSwitch: 1, HostLink: cable(), RingLink: cable()}.Build()
	require.NoError(t, err)
	for hops := 1; hops <= 2; hops++ {
		n := network(g)
		for i := range 5 {
			send(n, 26, 3, [2]int{i, (i + hops) % 5})
		}
		cycles, _ := describe(n)
		assert.Len(t, cycles, hops-1)
	}
}

// L28: a leaf-spine fabric whose leaf2 is told to reach h0 by spine1 has no
// circle until the link from there to leaf0 fails. Then spine1 sends what is for
// h0 down to the other leaves, and leaf2 sends it up again.
func TestFailures(t *testing.T) {
	g, err := topo.LeafSpine{Leaves: 3, Spines: 2, Hosts: 3, NICsPerHost: 1, HostLink: cable(), Uplink: cable()}.Build()
	require.NoError(t, err)
	n := everybody(network(g), 26)
	assert.Empty(t, failures(n))

	static(t, n, [3]string{"leaf2", "h0", "spine1"})
	assert.Empty(t, dependency.Check(n))
	found := failures(n)
	require.Len(t, found, 1)
	r := found["leaf0:spine1"]
	assert.Equal(t, "leaf2>spine1 priority 3 -> spine1>leaf2 priority 3 -> back to leaf2>spine1", r.Cycles[0].Describe(g))
	assert.Equal(t, "leaf2 > spine1 > leaf2", r.Loops[0].Describe(g))
}

// failures returns what is found without each single link between switches.
func failures(n *dependency.Network) map[string]dependency.Report {
	found := map[string]dependency.Report{}
	for l, link := range n.Graph.Links {
		if n.Graph.IsSwitch(link.A.Node) && n.Graph.IsSwitch(link.B.Node) {
			if r := dependency.CheckWithout(n, l); len(r.Cycles)+len(r.Loops) > 0 {
				found[link.Name] = r
			}
		}
	}
	return found
}

// A circle is one: each step begins where the last one ended, whatever the
// routes are.
func TestCyclesAreClosed(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		switches := rapid.IntRange(3, 7).Draw(rt, "switches")
		g, err := topo.Ring{Switches: switches, HostsPerSwitch: 1, HostLink: cable(), RingLink: cable()}.Build()
		require.NoError(rt, err)
		n := everybody(network(g), 26)
		var routes []topo.StaticRoute
		for range rapid.IntRange(0, 10).Draw(rt, "routes") {
			sw := rapid.IntRange(0, switches-1).Draw(rt, "at")
			routes = append(routes, topo.StaticRoute{Switch: sw, Endpoint: rapid.IntRange(0, switches-1).Draw(rt, "to"),
				Ports: g.PortsTo(sw, len(g.Endpoints)+(sw+rapid.SampledFrom([]int{1, switches - 1}).Draw(rt, "by"))%switches)})
		}
		n.Routes = n.Routes.WithStatic(routes)
		r := dependency.Check(n)
		for _, c := range r.Cycles {
			for i, s := range c {
				assert.Equal(rt, g.To(s.Link).Node, g.From(c[(i+1)%len(c)].Link).Node)
			}
		}
		for _, l := range r.Loops {
			for i, d := range l.Links {
				assert.Equal(rt, g.To(d).Node, g.From(l.Links[(i+1)%len(l.Links)]).Node)
			}
		}
	})
}
