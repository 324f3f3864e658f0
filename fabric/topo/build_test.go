package topo

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/sim"
)

var (
	link100 = LinkSpec{Rate: 100 * sim.Gbps, Length: 3}
	link400 = LinkSpec{Rate: 400 * sim.Gbps, Length: 30}
)

// builder is what all builders have in common.
type builder interface{ Build() (*Graph, error) }

func build(t testing.TB, b builder) *Graph {
	t.Helper()
	g, err := b.Build()
	require.NoError(t, err)
	require.Empty(t, g.Validate())
	return g
}

// TestSizes counts nodes and links by the textbook formulas: k-ary fat-tree
// k³/4 hosts, 5k²/4 switches, 3k³/4 links (Al-Fares et al. 2008, section 3).
func TestSizes(t *testing.T) {
	cases := []struct {
		name                       string
		b                          builder
		endpoints, switches, links int
	}{
		{"star", Star{Hosts: 5, HostLink: link100}, 5, 1, 5},
		{"star of 2-NIC hosts", Star{Hosts: 5, NICsPerHost: 2, HostLink: link100}, 10, 1, 10},
		{"dumbbell", Dumbbell{Left: 3, Right: 2, HostLink: link100, Middle: LinkSpec{Rate: sim.Gbps, Count: 2}}, 5, 2, 7},
		{"ring", Ring{Switches: 4, HostsPerSwitch: 2, HostLink: link100, RingLink: link100}, 8, 4, 12},
		{"cluster-200", LeafSpine{Leaves: 20, Spines: 5, Hosts: 200, NICsPerHost: 2, HostLink: link100, Uplink: link400}, 400, 25, 500},
		{"parallel uplinks", LeafSpine{Leaves: 2, Spines: 2, Hosts: 2, HostLink: link100, Uplink: LinkSpec{Rate: sim.Gbps, Count: 4}}, 2, 4, 18},
		{"fat-tree 4", FatTree{K: 4, HostLink: link100, Uplink: link100}, 16, 20, 48},
		{"fat-tree 8", FatTree{K: 8, HostLink: link100, Uplink: link100}, 128, 80, 384},
		{"fat-tree 8, 4 NICs", FatTree{K: 8, NICsPerHost: 4, HostLink: link100, Uplink: link100}, 128, 80, 384},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g := build(t, c.b)
			assert.Equal(t, []int{c.endpoints, c.switches, c.links}, []int{len(g.Endpoints), len(g.Switches), len(g.Links)})
			assert.Equal(t, c.endpoints+c.switches, g.NumNodes())
		})
	}
}

func TestDualHoming(t *testing.T) {
	g := build(t, LeafSpine{Leaves: 20, Spines: 5, Hosts: 200, NICsPerHost: 2, HostLink: link100, Uplink: link400})
	assert.Equal(t, Host{Name: "h63", Endpoints: []int{126, 127}}, g.Hosts[63])
	assert.Equal(t, Endpoint{Name: "h63/nic1", Host: 63, Index: 1}, g.Endpoints[127])
	for h, host := range g.Hosts {
		pair := h / 20 // 20 hosts in each of 10 groups of two leaves
		for nic, e := range host.Endpoints {
			leaf := g.Ports(e)[0].Peer.Node - len(g.Endpoints)
			assert.Equal(t, 2*pair+nic, leaf, "leaf of %s", g.NodeName(e))
		}
	}
	for leaf := range 20 {
		ports := g.Ports(len(g.Endpoints) + leaf)
		require.Len(t, ports, 25)
		assert.Equal(t, 100*sim.Gbps, g.Links[ports[19].Link].Rate, "hosts have the lower ports")
		assert.Equal(t, 400*sim.Gbps, g.Links[ports[20].Link].Rate)
	}
}

func TestHostsSpreadEvenly(t *testing.T) {
	g := build(t, LeafSpine{Leaves: 3, Spines: 1, Hosts: 7, HostLink: link100, Uplink: link400})
	var leaves []string
	for e := range g.Endpoints {
		leaves = append(leaves, g.NodeName(g.Ports(e)[0].Peer.Node))
	}
	assert.Equal(t, []string{"leaf0", "leaf0", "leaf0", "leaf1", "leaf1", "leaf2", "leaf2"}, leaves)
}

func TestFatTreeWiring(t *testing.T) {
	g := build(t, FatTree{K: 4, HostLink: link100, Uplink: link400})
	peers := func(name string) []string {
		n, ok := g.Node(name)
		require.True(t, ok, name)
		var names []string
		for _, p := range g.Ports(n) {
			names = append(names, g.NodeName(p.Peer.Node))
		}
		return names
	}
	assert.Equal(t, []string{"h4", "h5", "agg1_0", "agg1_1"}, peers("edge1_0"))
	assert.Equal(t, []string{"edge1_0", "edge1_1", "core2", "core3"}, peers("agg1_1"))
	assert.Equal(t, []string{"agg0_0", "agg1_0", "agg2_0", "agg3_0"}, peers("core1"))
	core, _ := g.Node("core1")
	assert.Equal(t, SwitchNode{Name: "core1", Tier: 2}, g.Switches[core-len(g.Endpoints)])
}

// TestPortsAgree holds each end's port number against the port that the node
// lists, for every builder.
func TestPortsAgree(t *testing.T) {
	for _, b := range []builder{
		Star{Hosts: 3, NICsPerHost: 2, HostLink: link100},
		Dumbbell{Left: 2, Right: 2, HostLink: link100, Middle: LinkSpec{Rate: sim.Gbps, Count: 3}},
		Ring{Switches: 3, HostsPerSwitch: 1, HostLink: link100, RingLink: link100},
		FatTree{K: 4, HostLink: link100, Uplink: link400},
	} {
		g := build(t, b)
		for n := range g.NumNodes() {
			last := -1
			for i, p := range g.Ports(n) {
				l := g.Links[p.Link]
				own, peer := l.B, l.A
				if p.Forward {
					own, peer = l.A, l.B
				}
				assert.Equal(t, End{Node: n, Port: i}, own)
				assert.Equal(t, peer, p.Peer)
				assert.Greater(t, p.Link, last, "ports follow the order of links")
				last = p.Link
				assert.Equal(t, own, g.From(DirectedLink{Link: p.Link, Forward: p.Forward}))
				assert.Equal(t, peer, g.To(DirectedLink{Link: p.Link, Forward: p.Forward}))
			}
		}
	}
}

// TestPropagation: 5 ns a metre (two thirds of the speed of light), unless a
// delay was given.
func TestPropagation(t *testing.T) {
	cases := []struct {
		spec   LinkSpec
		delay  sim.Time
		length float64
	}{
		{LinkSpec{Rate: 1, Length: 3}, 15 * sim.Nanosecond, 3},
		{LinkSpec{Rate: 1, Length: 0.5}, 2500 * sim.Picosecond, 0.5},
		{LinkSpec{Rate: 1, Length: 300}, 1500 * sim.Nanosecond, 300},
		{LinkSpec{Rate: 1, Delay: sim.Microsecond}, sim.Microsecond, 0},
		{LinkSpec{Rate: 1, Delay: sim.Microsecond, Length: 3}, sim.Microsecond, 0},
		{LinkSpec{Rate: 1}, 0, 0},
	}
	for _, c := range cases {
		g := build(t, Star{Hosts: 1, HostLink: c.spec})
		assert.Equal(t, c.delay, g.Links[0].Delay)
		assert.Equal(t, c.length, g.Links[0].Length)
	}
}

func TestParallelNames(t *testing.T) {
	g := build(t, Dumbbell{Left: 1, Right: 1, HostLink: link100, Middle: LinkSpec{Rate: sim.Gbps, Count: 3}})
	var names []string
	for _, l := range g.Links {
		names = append(names, l.Name)
	}
	assert.Equal(t, []string{"h0:sw0", "h1:sw1", "sw0:sw1", "sw0:sw1#2", "sw0:sw1#3"}, names)
	assert.Equal(t, []sim.Rate{sim.Gbps, 100 * sim.Gbps}, g.Rates())
}

func TestBuilderErrors(t *testing.T) {
	cases := []struct {
		name string
		b    builder
		want string
	}{
		{"nothing set", Star{}, "hosts: 0 is not allowed, must be from 1 to 65536\n" +
			"host_link.rate: 0 bit/s is not allowed, must be above 0 and at most 100Tbps"},
		{"endless cable", Star{Hosts: 2, HostLink: LinkSpec{Rate: sim.Gbps, Length: 1e9}},
			"host_link.cable: 1e+09 m is not allowed, must be from 0 to 100000 m"},
		{"negative delay", Star{Hosts: 2, HostLink: LinkSpec{Rate: sim.Gbps, Delay: -1}},
			"host_link.delay: -1ps is not allowed, must be from 0 to 1s"},
		{"two links for a NIC", Star{Hosts: 2, HostLink: LinkSpec{Rate: sim.Gbps, Count: 2}},
			"host_link.count: 2 is not allowed, a NIC port has one link; give hosts more NICs instead"},
		{"too many endpoints", Star{Hosts: 60000, NICsPerHost: 2, HostLink: link100},
			"hosts: 60000 hosts with 2 NICs are 120000 endpoints, at most 65536 are allowed"},
		{"too many ports", Star{Hosts: 40000, HostLink: link100},
			`topology: switch "sw0" would have 40000 ports, at most 32768 are allowed`},
		{"odd leaves", LeafSpine{Leaves: 3, Spines: 1, Hosts: 4, NICsPerHost: 2, HostLink: link100, Uplink: link100},
			"leaves: 3 is not allowed with 2 NICs per host, must be a multiple of 2: each NIC of a host has its own leaf"},
		{"too many links", LeafSpine{Leaves: 8000, Spines: 8000, Hosts: 1, HostLink: link100, Uplink: link100},
			"topology: it would have 64000001 links, at most 131072 are allowed"},
		{"odd k", FatTree{K: 5, HostLink: link100, Uplink: link100},
			"k: 5 is not allowed, must be an even number from 2 to 64"},
		{"huge k", FatTree{K: 1 << 40, HostLink: link100, Uplink: link100},
			"k: 1099511627776 is not allowed, must be an even number from 2 to 64"},
		{"NICs over pods", FatTree{K: 4, NICsPerHost: 3, HostLink: link100, Uplink: link100},
			"nics_per_host: 3 is not allowed with k = 4, must divide the 2 edge switches of a pod"},
		{"ring of two", Ring{Switches: 2, HostsPerSwitch: 1, HostLink: link100, RingLink: link100},
			"switches: 2 is not allowed, must be from 3 to 8192"},
		{"lonely side", Dumbbell{Left: 1, HostLink: link100, Middle: link100},
			"right: 0 is not allowed, must be from 1 to 65536"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g, err := c.b.Build()
			assert.EqualError(t, err, c.want)
			assert.Nil(t, g)
			for _, e := range Problems(err) {
				assert.IsType(t, &FieldError{}, e)
			}
		})
	}
	assert.Empty(t, Problems(nil))
}
