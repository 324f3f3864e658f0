package topo

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"rocesim/sim"
)

func TestExplicit(t *testing.T) {
	g := build(t, Explicit{
		Hosts:    []HostSpec{{Name: "a", NICs: 2}, {Name: "b"}},
		Switches: []string{"top", "left", "right"},
		Links: []ExplicitLink{
			{"top", "left", link400},
			{"b", "right", link100},
			{"left", "a", link100},
			{"a", "right", link100},
			{"right", "top", LinkSpec{Rate: sim.Gbps, Count: 2}},
		},
	})
	var names []string
	for _, l := range g.Links {
		names = append(names, l.Name)
	}
	assert.Equal(t, []string{"top:left", "b:right", "left:a/nic0", "a/nic1:right", "right:top", "right:top#2"}, names)
	assert.Equal(t, []SwitchNode{{"top", 1}, {"left", 0}, {"right", 0}}, g.Switches)
	assert.Equal(t, []Endpoint{{"a/nic0", 0, 0}, {"a/nic1", 0, 1}, {"b", 1, 0}}, g.Endpoints)
}

func TestExplicitBackToBack(t *testing.T) {
	g := build(t, Explicit{
		Hosts: []HostSpec{{Name: "a"}, {Name: "b"}},
		Links: []ExplicitLink{{"a", "b", link100}},
	})
	r := NewRoutes(g)
	assert.Equal(t, 1, r.Hops(0, 1))
	assert.Equal(t, []DirectedLink{{Link: 0, Forward: false}}, r.Path(1, 0, first))
	assert.Equal(t, 0, NewRoutes(g, 0).Hops(0, 1), "with the cable cut")
}

func TestExplicitNamedNIC(t *testing.T) {
	g := build(t, Explicit{
		Hosts:    []HostSpec{{Name: "a", NICs: 2}},
		Switches: []string{"s"},
		Links:    []ExplicitLink{{"s", "a/nic1", link100}, {"a", "s", link400}},
	})
	assert.Equal(t, "s:a/nic1", g.Links[0].Name)
	assert.Equal(t, "a/nic0:s", g.Links[1].Name)
}

func TestExplicitErrors(t *testing.T) {
	hosts := []HostSpec{{Name: "a"}, {Name: "b"}}
	cases := []struct {
		name string
		x    Explicit
		want string
	}{
		{"empty", Explicit{}, "hosts: 0 is not allowed, must be from 1 to 65536\n" +
			"links: 0 is not allowed, must be from 1 to 131072"},
		{"names", Explicit{
			Hosts:    []HostSpec{{Name: "a"}, {Name: ""}, {Name: "a"}, {Name: "x:y"}, {Name: "n", NICs: 1000}},
			Switches: []string{"s", "a", "s", "p*"},
			Links:    []ExplicitLink{{"a", "s", link100}},
		}, `hosts[1]: the name "" is not allowed, must be letters, digits and ._-+@=()
hosts[2]: the name "a" is taken, every host and switch needs its own
hosts[3]: the name "x:y" is not allowed, must be letters, digits and ._-+@=()
hosts[4].nics: 1000 is not allowed, must be from 0 to 64
switches[1]: the name "a" is taken, every host and switch needs its own
switches[2]: the name "s" is taken, every host and switch needs its own
switches[3]: the name "p*" is not allowed, must be letters, digits and ._-+@=()`},
		{"links", Explicit{
			Hosts:    hosts,
			Switches: []string{"s"},
			Links: []ExplicitLink{
				{"a", "nobody", link100}, {"s", "s", link100}, {"a", "s", link100}, {"s", "b", LinkSpec{Length: -1}},
			},
		}, `links[0].b: no host or switch is called "nobody"
links[1]: "s" is linked to itself, must be two different nodes
links[2].a: the NIC "a" has a link already, every NIC port takes one
links[3].rate: 0 bit/s is not allowed, must be above 0 and at most 100Tbps
links[3].cable: -1 m is not allowed, must be from 0 to 100000 m`},
		{"parallel host links", Explicit{
			Hosts: hosts, Switches: []string{"s"},
			Links: []ExplicitLink{{"a", "s", LinkSpec{Rate: sim.Gbps, Count: 2}}, {"b", "s", link100}},
		}, `links[0].a: the NIC "a" has a link already, every NIC port takes one`},
		{"loose host", Explicit{
			Hosts: hosts, Switches: []string{"s"},
			Links: []ExplicitLink{{"a", "s", link100}},
		}, `hosts: the NIC "b" has no link, every NIC port needs one`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := c.x.Build()
			assert.EqualError(t, err, c.want)
		})
	}
}

func TestValidate(t *testing.T) {
	split, err := Explicit{
		Hosts:    []HostSpec{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}, {Name: "e"}},
		Switches: []string{"s", "t"},
		Links: []ExplicitLink{
			{"a", "s", link100}, {"b", "t", link100}, {"c", "t", link100}, {"d", "t", link100}, {"e", "t", link100},
		},
	}.Build()
	assert.NoError(t, err)
	assert.EqualError(t, split.Validate()[0], "the fabric falls into parts: a cannot reach b, c, d and 1 more")

	broken := Graph{
		Endpoints: []Endpoint{{Name: "a"}, {Name: "a", Host: 1}},
		Switches:  []SwitchNode{{Name: "s"}},
		Links: []Link{
			{A: End{Node: 0}, B: End{Node: 2}, Name: "a:s", Rate: 1},
			{A: End{Node: 2}, B: End{Node: 2}, Name: "s:s"},
		},
	}
	var got []string
	for _, e := range broken.Validate() {
		got = append(got, e.Error())
	}
	assert.Equal(t, []string{
		`two nodes are called "a"`,
		`link "s:s" joins "s" with itself`,
		`link "s:s" has rate 0 bit/s and delay 0ps, must be above 0 and not negative`,
		`NIC "a" has 0 links, must have one`,
	}, got)
}
