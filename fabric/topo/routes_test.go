package topo

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/sim"
)

func first(int, int) int { return 0 }

func TestLeafSpineRoutes(t *testing.T) {
	g := build(t, LeafSpine{Leaves: 2, Spines: 3, Hosts: 4, HostLink: link100, Uplink: link400})
	r := NewRoutes(g)
	// Leaves have ports 0, 1 to their two hosts and 2..4 to the spines.
	assert.Equal(t, []uint16{1}, r.NextHops(0, 1))
	assert.Equal(t, []uint16{2, 3, 4}, r.NextHops(0, 2))
	assert.Equal(t, []uint16{2, 3, 4}, r.NextHops(1, 0))
	assert.Equal(t, []uint16{1}, r.NextHops(2, 3), "spine0 reaches h3 by leaf1")
	assert.Equal(t, 2, r.Hops(0, 1))
	assert.Equal(t, 4, r.Hops(0, 2))
	assert.Equal(t, 0, r.Hops(2, 2))

	group, sets := r.Groups(0)
	assert.Equal(t, group[2], group[3], "remote hosts share a set")
	assert.Equal(t, [][]uint16{nil, {0}, {1}, {2, 3, 4}}, sets)
}

// TestFatTreeRoutes: two hosts under one edge are 2 links apart, in one pod 4,
// else 6; an edge has k/2 next hops out of its rack, an aggregation switch k/2
// out of its pod and one into it.
func TestFatTreeRoutes(t *testing.T) {
	g := build(t, FatTree{K: 8, HostLink: link100, Uplink: link100})
	r := NewRoutes(g)
	assert.Equal(t, 2, r.Hops(0, 3))
	assert.Equal(t, 4, r.Hops(0, 4))
	assert.Equal(t, 6, r.Hops(0, 127))
	agg, _ := g.Node("agg0_0")
	assert.Len(t, r.NextHops(0, 127), 4)
	assert.Len(t, r.NextHops(agg-128, 127), 4)
	assert.Len(t, r.NextHops(agg-128, 5), 1)
}

func TestParallelLinksAreEqualCost(t *testing.T) {
	g := build(t, Dumbbell{Left: 1, Right: 1, HostLink: link100, Middle: LinkSpec{Rate: sim.Gbps, Count: 4}})
	r := NewRoutes(g)
	assert.Equal(t, []uint16{1, 2, 3, 4}, r.NextHops(0, 1))
	assert.Equal(t, []uint16{1, 2, 4}, NewRoutes(g, 4).NextHops(0, 1), "without link sw0:sw1#3")
	assert.Equal(t, 0, NewRoutes(g, 2, 3, 4, 5).Hops(0, 1), "without any")
	assert.Empty(t, NewRoutes(g, 2, 3, 4, 5).NextHops(0, 1))
	assert.Nil(t, NewRoutes(g, 2, 3, 4, 5).Path(0, 1, first))
	assert.Equal(t, 0, NewRoutes(g, 0).Hops(0, 1), "without the host's own link")
}

func TestRing(t *testing.T) {
	g := build(t, Ring{Switches: 4, HostsPerSwitch: 1, HostLink: link100, RingLink: link100})
	r := NewRoutes(g)
	// Ports of sw0: host, sw1, sw3. Ports of the others: host, previous, next.
	assert.Equal(t, []uint16{1}, r.NextHops(0, 1))
	assert.Equal(t, []uint16{1, 2}, r.NextHops(0, 2), "both ways round")
	assert.Equal(t, []uint16{2}, r.NextHops(0, 3))
}

// TestNoTransit: a dual-homed host between two switches carries nothing for
// others.
func TestNoTransit(t *testing.T) {
	g, err := Explicit{
		Hosts:    []HostSpec{{Name: "a"}, {Name: "bridge", NICs: 2}, {Name: "c"}},
		Switches: []string{"s", "t"},
		Links: []ExplicitLink{
			{"a", "s", link100}, {"bridge", "s", link100}, {"bridge", "t", link100}, {"c", "t", link100},
		},
	}.Build()
	require.NoError(t, err)
	r := NewRoutes(g)
	assert.Equal(t, 2, r.Hops(0, 1))
	assert.Equal(t, 0, r.Hops(0, 2))
	assert.Equal(t, 0, r.Hops(0, 3))
}

func TestPathPicks(t *testing.T) {
	g := build(t, LeafSpine{Leaves: 2, Spines: 3, Hosts: 2, HostLink: link100, Uplink: link400})
	r := NewRoutes(g)
	var asked []int
	path := r.Path(0, 1, func(sw, n int) int { asked = append(asked, sw, n); return n - 1 })
	var names []string
	for _, d := range path {
		names = append(names, fmt.Sprintf("%s %v", g.Links[d.Link].Name, d.Forward))
	}
	assert.Equal(t, []string{"h0:leaf0 true", "leaf0:spine2 true", "leaf1:spine2 false", "h1:leaf1 false"}, names)
	assert.Equal(t, []int{0, 3, 4, 1, 1, 1}, asked)
}

// randomGraph draws a connected graph: a random tree of switches, further
// links between them, and hosts anywhere.
func randomGraph(t *rapid.T) *Graph {
	switches := rapid.IntRange(1, 12).Draw(t, "switches")
	hosts := rapid.IntRange(2, 12).Draw(t, "hosts")
	x := Explicit{}
	for i := range switches {
		x.Switches = append(x.Switches, fmt.Sprintf("s%d", i))
		if i > 0 {
			parent := rapid.IntRange(0, i-1).Draw(t, "parent")
			x.Links = append(x.Links, ExplicitLink{x.Switches[i], x.Switches[parent], link400})
		}
	}
	for range rapid.IntRange(0, 2*switches).Draw(t, "extra") {
		a, b := rapid.IntRange(0, switches-1).Draw(t, "a"), rapid.IntRange(0, switches-1).Draw(t, "b")
		if a != b {
			x.Links = append(x.Links, ExplicitLink{x.Switches[a], x.Switches[b], link400})
		}
	}
	for i := range hosts {
		x.Hosts = append(x.Hosts, HostSpec{Name: fmt.Sprintf("h%d", i)})
		at := rapid.IntRange(0, switches-1).Draw(t, "at")
		x.Links = append(x.Links, ExplicitLink{x.Hosts[i].Name, x.Switches[at], link100})
	}
	g, err := x.Build()
	require.NoError(t, err)
	require.Empty(t, g.Validate())
	return g
}

// allDistances is Floyd and Warshall's algorithm over all nodes, with endpoints
// as ends only: an independent way to the same numbers.
func allDistances(g *Graph) [][]int {
	const far = 1 << 20
	n := g.NumNodes()
	d := make([][]int, n)
	for i := range d {
		d[i] = make([]int, n)
		for j := range d[i] {
			if i != j {
				d[i][j] = far
			}
		}
		for _, p := range g.Ports(i) {
			d[i][p.Peer.Node] = 1
		}
	}
	for k := len(g.Endpoints); k < n; k++ {
		for i := range n {
			for j := range n {
				d[i][j] = min(d[i][j], d[i][k]+d[k][j])
			}
		}
	}
	return d
}

func TestRoutesAreExactlyTheShortest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := randomGraph(t)
		r, d := NewRoutes(g), allDistances(g)
		ends := len(g.Endpoints)
		for dst := range ends {
			for src := range ends {
				assert.Equal(t, d[src][dst], r.Hops(src, dst))
				assert.Equal(t, r.Hops(dst, src), r.Hops(src, dst), "symmetric")
			}
			for sw := range g.Switches {
				var want []uint16
				for i, p := range g.Ports(ends + sw) {
					if d[p.Peer.Node][dst] == d[ends+sw][dst]-1 && (g.IsSwitch(p.Peer.Node) || p.Peer.Node == dst) {
						want = append(want, uint16(i))
					}
				}
				assert.Equal(t, want, r.NextHops(sw, dst))
			}
		}
	})
}

func TestPathsConnect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := randomGraph(t)
		r := NewRoutes(g)
		for src := range g.Endpoints {
			for dst := range g.Endpoints {
				path := r.Path(src, dst, func(_, n int) int { return rapid.IntRange(0, n-1).Draw(t, "pick") })
				require.Len(t, path, r.Hops(src, dst))
				at := src
				for _, l := range path {
					require.Equal(t, at, g.From(l).Node)
					at = g.To(l).Node
				}
				if src != dst {
					require.Equal(t, dst, at)
				}
			}
		}
	})
}

// BenchmarkFatTree16 builds 1,024 hosts on 320 switches with their routes.
func BenchmarkFatTree16(b *testing.B) {
	for b.Loop() {
		g, err := FatTree{K: 16, HostLink: link100, Uplink: link100}.Build()
		if err != nil {
			b.Fatal(err)
		}
		NewRoutes(g)
	}
}
