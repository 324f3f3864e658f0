package derive

import (
	"slices"

	"rocesim/fabric/topo"
	"rocesim/scenarios"
	"rocesim/scenarios/headroom"
	"rocesim/sim"
	switching "rocesim/switch"
)

// PortID is a port of a switch.
type PortID struct {
	// Switch is an index into Plan.Switches, Port counts from 0.
	Switch, Port int
}

// Headroom is what lossless groups of a port need beyond XOFF, and what they
// have. Ports alike share one value.
type Headroom struct {
	// Ports have these numbers; the first stands for all.
	Ports []PortID
	// Groups are the lossless priority groups of the ports.
	Groups []int
	// Rate is that of the link, Delay its one-way propagation time and Cable its
	// length in metres, 0 if the delay was given directly.
	Rate  sim.Rate
	Delay sim.Time
	Cable float64
	// PeerIsSwitch tells a switch at the other end from a NIC. PeerObeys is false
	// if it ignores pauses of one of the groups: then no headroom suffices.
	PeerIsSwitch, PeerObeys bool
	// Pauses is false if this port sends no pauses: then headroom is of no use.
	Pauses bool

	// Need is what full frames take of headroom at worst, in whole cells of Cell:
	// with as much, no full frame of this model is lost.
	headroom.Need
	Cell int64
	// AnyFrames is what suffices whatever mix of frames comes (see
	// headroom.Port.Reserve): ACKs in the class of the data fill cells worse.
	AnyFrames headroom.Reserve
	// IEEE is the worst case of IEEE 802.1Qbb with the response that 802.3
	// allows; zero if the standard has no response time for the rate.
	IEEE headroom.Standard

	// Configured is the headroom of each group, Pool what bounds all groups of
	// a memory together; 0 is without bound.
	Configured, Pool int64
}

// Margin is what is configured beyond the need; negative if it does not suffice. A
// pool that is shared by more groups than it can serve may run dry whatever the
// margin: see Pools.
func (h *Headroom) Margin() int64 { return h.Configured - h.Needed }

// Headrooms returns the headroom of all ports of switches with lossless groups,
// those alike together, in the order of the first port of each.
func Headrooms(p *scenarios.Plan) []Headroom {
	n := newNetwork(p)
	var all []Headroom
	type kind struct {
		rate             sim.Rate
		delay            sim.Time
		cable            float64
		sw, obeys, sends bool
		needed, ieee     int64
		any, own, pool   int64
		cell             int64
		groups           uint8
	}
	known := map[kind]int{}
	for i := range p.Switches {
		groups := losslessGroups(&p.Switches[i])
		if len(groups) == 0 {
			continue
		}
		for port := range n.ports(i) {
			h := n.headroom(PortID{i, port}, groups)
			k := kind{h.Rate, h.Delay, h.Cable, h.PeerIsSwitch, h.PeerObeys, h.Pauses, h.Needed, h.IEEE.Total,
				h.AnyFrames.Total, h.Configured, h.Pool, h.Cell, bitsOf(groups)}
			if at, again := known[k]; again {
				all[at].Ports = append(all[at].Ports, h.Ports...)
				continue
			}
			known[k] = len(all)
			all = append(all, h)
		}
	}
	return all
}

// losslessGroups are the priority groups of a switch that pause.
func losslessGroups(c *switching.Config) []int {
	var groups []int
	for g := range c.Groups {
		if c.Groups[g].Lossless {
			groups = append(groups, g)
		}
	}
	return groups
}

func bitsOf(groups []int) uint8 {
	var v uint8
	for _, g := range groups {
		v |= 1 << g
	}
	return v
}

// headroom computes the numbers of one port.
func (n *network) headroom(id PortID, groups []int) Headroom {
	c, ref := &n.Switches[id.Switch], n.ports(id.Switch)[id.Port]
	link := &n.Graph.Links[ref.Link]
	port, arithmetic := &c.Ports[id.Port], n.room.Port(id.Switch, id.Port)
	h := Headroom{
		Ports: []PortID{id}, Groups: groups, Rate: link.Rate, Delay: link.Delay, Cable: link.Length,
		PeerIsSwitch: n.Graph.IsSwitch(ref.Peer.Node), PeerObeys: n.obeys(ref.Peer, c, groups),
		Pauses: !port.NoPFC && n.enabled(c, groups),
		Need:   arithmetic.Need(), Cell: arithmetic.Cell, AnyFrames: arithmetic.Reserve(),
		Configured: port.Headroom, Pool: c.Buffer.HeadroomPool / int64(c.Buffer.Memories()),
	}
	h.IEEE = headroom.IEEE(h.Rate, h.Delay, int64(n.Framing.Wire(int(n.room.Largest()))))
	return h
}

// obeys reports whether a node obeys the pauses for all of the groups.
func (n *network) obeys(e topo.End, c *switching.Config, groups []int) bool {
	enabled := uint8(0)
	if peer := n.switchAt(e.Node); peer == nil {
		enabled = n.NICs[e.Node].PFC
	} else if !peer.Ports[e.Port].NoPFC {
		enabled = peer.PFC.Enabled
	}
	return covers(enabled, c, groups)
}

// enabled reports whether a switch sends pauses for all of the groups.
func (n *network) enabled(c *switching.Config, groups []int) bool {
	return covers(c.PFC.Enabled, c, groups)
}

// covers reports whether all priorities that pauses of the groups name are
// enabled.
func covers(enabled uint8, c *switching.Config, groups []int) bool {
	return !slices.ContainsFunc(groups, func(g int) bool { return enabled>>c.Classes.GroupToPFC[g]&1 == 0 })
}
