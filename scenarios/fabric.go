package scenarios

import (
	"gopkg.in/yaml.v3"

	"rocesim/fabric/topo"
	"rocesim/scenarios/strict"
	"rocesim/sim"
)

// Fabric is the shape of the network: one of the topologies below.
type Fabric struct{ Topology }

// Topology is a shape with its sizes and links.
type Topology interface {
	build() (*topo.Graph, error)
	common() *FabricCommon
}

// FabricCommon is what every topology takes.
type FabricCommon struct {
	Kind        string      `yaml:"topology" need:"true" enum:"star|dumbbell|leaf-spine|fat-tree|ring|explicit" doc:"the shape"`
	Quantum     sim.Time    `yaml:"quantum" min:"1ps" max:"1us" doc:"what transmission times are rounded down to; 1ps is exact, other simulators use 1ns"`
	Medium      Medium      `yaml:"medium" doc:"the kind of cable"`
	Overrides   []linkPatch `yaml:"overrides" doc:"a list of {match: \"leaf0:spine*\", ...} with other values for some links"`
	Convergence sim.Time    `yaml:"convergence" min:"0s" max:"60s" doc:"how long routing takes to stop using a link that failed, and to use it again"`
	Routes      []Route     `yaml:"routes" omit:"zero" doc:"a list of static routes {at: leaf1, to: h3, via: [spine0]}, which override the equal-cost ones"`
}

func (c *FabricCommon) common() *FabricCommon { return c }

// defaultConvergence is an assumption: a failed port is seen at once, a routing
// protocol and the tables in hardware take tens of milliseconds.
const defaultConvergence = 50 * sim.Millisecond

// Medium is the kind of cable of all links that are given by length.
type Medium struct {
	Preset   string   `yaml:"preset" preset:"cable" doc:"the kind of cable that the other values start from"`
	PerMetre sim.Time `yaml:"per_metre" min:"3ns" max:"10ns" doc:"the propagation time of one metre"`
	FEC      []FEC    `yaml:"fec" doc:"the delay of forward error correction by rate of the link"`
}

// FEC is the delay that forward error correction adds to a link of one rate.
type FEC struct {
	Rate  sim.Rate `yaml:"rate" need:"true" min:"1Mbps" max:"100Tbps" doc:"the rate of the link"`
	Delay sim.Time `yaml:"delay" min:"0ps" max:"10us" doc:"the delay of one traversal"`
}

// Link is a cable.
type Link struct {
	Rate  sim.Rate      `yaml:"rate" need:"true" min:"1Mbps" max:"100Tbps" doc:"the rate of either direction"`
	Cable strict.Length `yaml:"cable" oneof:"reach" need:"true" min:"1cm" max:"100km" doc:"the length of the cable"`
	Delay sim.Time      `yaml:"delay" oneof:"reach" min:"1ps" max:"10ms" doc:"the one-way delay, instead of a length"`
	Count int           `yaml:"count" min:"1" max:"1024" omit:"zero" doc:"the number of parallel links; without it 1"`
}

func (l Link) spec() topo.LinkSpec {
	return topo.LinkSpec{Rate: l.Rate, Length: float64(l.Cable), Delay: l.Delay, Count: l.Count}
}

// Star is hosts around one switch, sw0.
type Star struct {
	FabricCommon
	Hosts       int  `yaml:"hosts" need:"true" min:"1" max:"20000" doc:"the number of hosts"`
	NICsPerHost int  `yaml:"nics_per_host" min:"1" max:"64" doc:"the number of NICs of a host"`
	HostLink    Link `yaml:"host_link" need:"true" doc:"the link of every NIC"`
}

func (s *Star) build() (*topo.Graph, error) {
	return topo.Star{Hosts: s.Hosts, NICsPerHost: s.NICsPerHost, HostLink: s.HostLink.spec()}.Build()
}

// Dumbbell is two switches, sw0 and sw1, with a link in the middle.
type Dumbbell struct {
	FabricCommon
	Left     int  `yaml:"left" need:"true" min:"1" max:"10000" doc:"the number of hosts on the left"`
	Right    int  `yaml:"right" need:"true" min:"1" max:"10000" doc:"the number of hosts on the right"`
	HostLink Link `yaml:"host_link" need:"true" doc:"the link of every host"`
	Middle   Link `yaml:"middle" need:"true" doc:"the link between the switches"`
}

func (s *Dumbbell) build() (*topo.Graph, error) {
	return topo.Dumbbell{Left: s.Left, Right: s.Right, HostLink: s.HostLink.spec(), Middle: s.Middle.spec()}.Build()
}

// LeafSpine is leaf0.., each linked to every spine0...
type LeafSpine struct {
	FabricCommon
	Leaves      int  `yaml:"leaves" need:"true" min:"1" max:"2000" doc:"the number of leaf switches"`
	Spines      int  `yaml:"spines" need:"true" min:"1" max:"2000" doc:"the number of spine switches"`
	Hosts       int  `yaml:"hosts" need:"true" min:"1" max:"20000" doc:"the number of hosts, spread over the leaves"`
	NICsPerHost int  `yaml:"nics_per_host" min:"1" max:"64" doc:"the number of NICs of a host, each on another leaf"`
	HostLink    Link `yaml:"host_link" need:"true" doc:"the link of every NIC"`
	Uplink      Link `yaml:"uplink" need:"true" doc:"the links between a leaf and a spine"`
}

func (s *LeafSpine) build() (*topo.Graph, error) {
	return topo.LeafSpine{
		Leaves: s.Leaves, Spines: s.Spines, Hosts: s.Hosts, NICsPerHost: s.NICsPerHost,
		HostLink: s.HostLink.spec(), Uplink: s.Uplink.spec(),
	}.Build()
}

// FatTree is the three-tier fabric of k-port switches.
type FatTree struct {
	FabricCommon
	K           int  `yaml:"k" need:"true" min:"2" max:"42" doc:"the number of ports of a switch; it makes k^3/4 NIC ports"`
	NICsPerHost int  `yaml:"nics_per_host" min:"1" max:"64" doc:"the number of NICs of a host"`
	HostLink    Link `yaml:"host_link" need:"true" doc:"the link of every NIC"`
	Uplink      Link `yaml:"uplink" need:"true" doc:"the links between switches"`
}

func (s *FatTree) build() (*topo.Graph, error) {
	return topo.FatTree{K: s.K, NICsPerHost: s.NICsPerHost, HostLink: s.HostLink.spec(), Uplink: s.Uplink.spec()}.Build()
}

// Ring is switches in a circle, which can deadlock.
type Ring struct {
	FabricCommon
	Switches       int  `yaml:"switches" need:"true" min:"3" max:"2000" doc:"the number of switches"`
	HostsPerSwitch int  `yaml:"hosts_per_switch" need:"true" min:"1" max:"10000" doc:"the number of hosts on a switch"`
	HostLink       Link `yaml:"host_link" need:"true" doc:"the link of every host"`
	RingLink       Link `yaml:"ring_link" need:"true" doc:"the links between neighbours"`
}

func (s *Ring) build() (*topo.Graph, error) {
	return topo.Ring{
		Switches: s.Switches, HostsPerSwitch: s.HostsPerSwitch,
		HostLink: s.HostLink.spec(), RingLink: s.RingLink.spec(),
	}.Build()
}

// Explicit is any graph, node by node and link by link.
type Explicit struct {
	FabricCommon
	Hosts    []ExplicitHost `yaml:"hosts" need:"true" doc:"the list of hosts: a name, or {name: x, nics: 2}"`
	Switches []string       `yaml:"switches" need:"true" doc:"the list of the switches' names"`
	Links    []ExplicitLink `yaml:"links" need:"true" doc:"the list of links {a: x, b: y, rate: ...}"`
}

// ExplicitHost is one host of an explicit graph.
type ExplicitHost struct {
	Name string `yaml:"name" need:"true" doc:"the name of the host"`
	NICs int    `yaml:"nics" min:"1" max:"64" doc:"the number of its NICs"`
}

// DecodeNode reads a name or {name, nics}.
func (h *ExplicitHost) DecodeNode(v strict.Value) {
	type keys ExplicitHost
	k := keys{NICs: 1}
	if name, ok := v.Scalar(); ok {
		k.Name = name
	} else {
		v.Decode(&k)
	}
	*h = ExplicitHost(k)
}

// EncodeNode writes what DecodeNode reads.
func (h *ExplicitHost) EncodeNode() *yaml.Node {
	if h.NICs == 1 {
		return strict.Text(h.Name)
	}
	type keys ExplicitHost
	return strict.EncodeStruct(keys(*h))
}

// ExplicitLink is one link of an explicit graph.
type ExplicitLink struct {
	A string `yaml:"a" need:"true" doc:"one end: a switch or a host"`
	B string `yaml:"b" need:"true" doc:"the other end"`
	Link
}

func (s *Explicit) build() (*topo.Graph, error) {
	x := topo.Explicit{Switches: s.Switches}
	for _, h := range s.Hosts {
		x.Hosts = append(x.Hosts, topo.HostSpec{Name: h.Name, NICs: h.NICs})
	}
	for _, l := range s.Links {
		x.Links = append(x.Links, topo.ExplicitLink{A: l.A, B: l.B, LinkSpec: l.spec()})
	}
	return x.Build()
}

// DecodeNode reads the topology and then what that topology takes.
func (f *Fabric) DecodeNode(v strict.Value) {
	kind := ""
	if k, ok := v.Key("topology"); ok {
		kind, _ = k.Scalar()
	}
	f.Topology = newTopology(kind)
	if f.Topology == nil {
		f.Topology = &Star{}
		v.DecodeKinds("topology", f.common(), func(kind string) any { return newTopology(kind) })
		return
	}
	v.Decode(f.Topology)
}

// EncodeNode writes what DecodeNode reads.
func (f *Fabric) EncodeNode() *yaml.Node { return strict.EncodeStruct(f.Topology) }
