package topo_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/fabric/topo"
	"rocesim/sim"
)

// leafSpine is two leaves and two spines with one host on each leaf. Ports of
// a leaf: 0 to its host, 1 and 2 to the spines; ports of a spine: 0 and 1 to the
// leaves.
func leafSpine(t *testing.T) *topo.Graph {
	t.Helper()
	link := topo.LinkSpec{Rate: 100 * sim.Gbps, Delay: sim.Microsecond}
	g, err := topo.LeafSpine{Leaves: 2, Spines: 2, Hosts: 2, NICsPerHost: 1, HostLink: link, Uplink: link}.Build()
	require.NoError(t, err)
	return g
}

func first(int, int) int { return 0 }

func TestPortsTo(t *testing.T) {
	g := leafSpine(t)
	node := func(name string) int {
		n, ok := g.Node(name)
		require.True(t, ok, name)
		return n
	}
	assert.Equal(t, []uint16{2}, g.PortsTo(0, node("spine1")))
	assert.Equal(t, []uint16{0}, g.PortsTo(0, node("h0")))
	assert.Empty(t, g.PortsTo(0, node("leaf1")))
	assert.Empty(t, g.PortsTo(0, -1))

	link := topo.LinkSpec{Rate: 100 * sim.Gbps, Delay: sim.Microsecond, Count: 3}
	host := link
	host.Count = 1
	d, err := topo.Dumbbell{Left: 1, Right: 1, HostLink: host, Middle: link}.Build()
	require.NoError(t, err)
	assert.Len(t, d.PortsTo(0, 3), 3, "parallel links")
}

// A static route takes the place of the equal-cost ones at one switch to one
// endpoint; the tables that it is made from stay as they are.
func TestWithStatic(t *testing.T) {
	g := leafSpine(t)
	plain := topo.NewRoutes(g)
	r := plain.WithStatic([]topo.StaticRoute{{Switch: 0, Endpoint: 1, Ports: []uint16{2}}})
	assert.Equal(t, []uint16{2}, r.NextHops(0, 1))
	assert.Equal(t, []uint16{0}, r.NextHops(0, 0))
	assert.Equal(t, []uint16{1, 2}, plain.NextHops(0, 1))
	assert.Equal(t, "leaf0:spine1", g.Links[r.Path(0, 1, first)[1].Link].Name)

	later := r.WithStatic([]topo.StaticRoute{{Switch: 0, Endpoint: 1, Ports: []uint16{1}}})
	assert.Equal(t, []uint16{1}, later.NextHops(0, 1), "a later route overrides an earlier one")
}

// Static routes stay when links fail, but for the ports of failed links; if none
// is left, the equal-cost routes hold.
func TestStaticRoutesAndFailures(t *testing.T) {
	g := leafSpine(t)
	link := func(name string) int {
		for i := range g.Links {
			if g.Links[i].Name == name {
				return i
			}
		}
		t.Fatal(name)
		return 0
	}
	one := topo.NewRoutes(g).WithStatic([]topo.StaticRoute{{Switch: 0, Endpoint: 1, Ports: []uint16{2}}})
	assert.Equal(t, []uint16{2}, one.Without(link("leaf0:spine0")).NextHops(0, 1))
	assert.Equal(t, []uint16{2}, one.Without(link("leaf1:spine1")).NextHops(0, 1), "a static route does not know what is behind the next switch")
	assert.Equal(t, []uint16{1}, one.Without(link("leaf0:spine1")).NextHops(0, 1))
	assert.Equal(t, []uint16{2}, one.Without(link("leaf0:spine1")).Without().NextHops(0, 1), "the link is back")

	both := topo.NewRoutes(g).WithStatic([]topo.StaticRoute{{Switch: 2, Endpoint: 1, Ports: []uint16{0, 1}}})
	assert.Equal(t, []uint16{0, 1}, both.NextHops(2, 1))
	assert.Equal(t, []uint16{0}, both.Without(link("leaf1:spine0")).NextHops(2, 1))

	down := topo.NewRoutes(g, link("leaf0:spine1")).WithStatic([]topo.StaticRoute{{Switch: 0, Endpoint: 1, Ports: []uint16{2}}})
	assert.Equal(t, []uint16{1}, down.NextHops(0, 1), "the link was out of service already")
}

// Routes that lead in circles have no path.
func TestPathInCircles(t *testing.T) {
	g := leafSpine(t)
	r := topo.NewRoutes(g).WithStatic([]topo.StaticRoute{{Switch: 1, Endpoint: 1, Ports: []uint16{1}}})
	assert.Nil(t, r.Path(0, 1, func(sw, n int) int { return 0 }))
	assert.Len(t, r.Path(1, 0, first), 4)
}
