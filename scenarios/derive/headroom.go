package derive

import (
	"cmp"
	"math"
	"slices"

	"rocesim/fabric/topo"
	"rocesim/scenarios"
	"rocesim/sim"
	switching "rocesim/switch"
)

// PortID is a port of a switch.
type PortID struct {
	// Switch is an index into Plan.Switches, Port counts from 0.
	Switch, Port int
}

// Term is a part of the time from the arrival of the frame that crosses XOFF to
// the arrival of the last frame that the peer still sends.
type Term struct {
	Name string
	Time sim.Time
	// Bytes is what the peer sends in that time, on the wire, rounded down.
	Bytes int64
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

	// Terms add up to Reach, the time in which the peer goes on sending; the
	// frame that crosses XOFF arrives at its beginning.
	Terms []Term
	Reach sim.Time
	// Frame is the full frame that needs most, Wire what it takes on the wire with
	// preamble and gap, Charge what it takes of the buffer in whole cells of Cell.
	Frame, Wire, Charge, Cell int64
	// Frames is how many of them end up in headroom at worst: one that crosses
	// XOFF and as many as begin within Reach.
	Frames int64
	// Needed is Frames x Charge: with as much, no full frame of this model is lost.
	Needed int64
	// Small is the need if the peer sends nothing but frames of 64 bytes, which
	// fill cells worst. ACKs among the full frames lie between the two.
	Small int64

	// Standard is the worst case of IEEE 802.1Qbb with the response that 802.3
	// allows (see Standard), in bytes on the wire without cells; 0 if the
	// standard has no response time for the rate.
	Standard int64

	// Configured is the headroom of each group, Pool what bounds all groups of
	// a memory together; 0 is without bound.
	Configured, Pool int64
}

// Margin is what is configured beyond the need; negative if it does not suffice.
func (h *Headroom) Margin() int64 { return h.Configured - h.Needed }

// Suffices reports whether no full frame can be lost: the headroom is enough, the
// port pauses and the peer obeys. A pool that is shared by more groups than it can serve may still
// run dry: see Pools.
func (h *Headroom) Suffices() bool { return h.PeerObeys && h.Pauses && h.Margin() >= 0 }

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
		needed, standard int64
		small, own, pool int64
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
			k := kind{h.Rate, h.Delay, h.Cable, h.PeerIsSwitch, h.PeerObeys, h.Pauses, h.Needed, h.Standard,
				h.Small, h.Configured, h.Pool, h.Cell, bitsOf(groups)}
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
//
// The pause leaves behind a frame that the port has begun, takes its own time and
// the cable, and the peer obeys after its response time. Until then the peer
// begins frames, which pass its egress pipeline, the cable and the ingress
// pipeline of this switch before they are admitted. A frame that is stored whole
// is admitted when its last bit is in, so the time of one frame more lies between
// the start of a frame and its admission.
func (n *network) headroom(id PortID, groups []int) Headroom {
	c, ref := &n.Switches[id.Switch], n.ports(id.Switch)[id.Port]
	link := &n.Graph.Links[ref.Link]
	port := &c.Ports[id.Port]
	h := Headroom{
		Ports: []PortID{id}, Groups: groups, Rate: link.Rate, Delay: link.Delay, Cable: link.Length,
		PeerIsSwitch: n.Graph.IsSwitch(ref.Peer.Node), PeerObeys: n.obeys(ref.Peer, c, groups),
		Pauses: !port.NoPFC && n.enabled(c, groups),
		Cell:   int64(c.Buffer.Cell), Configured: port.Headroom, Pool: c.Buffer.HeadroomPool / int64(max(1, c.Buffer.Partitions)),
	}
	for _, frame := range n.frames {
		n.fill(&h, c, ref, frame)
	}
	h.Small = h.Needed
	if least := int64(n.Framing.Min); least < h.Frame {
		small := h
		small.Needed = 0
		n.fill(&small, c, ref, least)
		h.Small = small.Needed
	}
	h.Standard, _ = Standard(h.Rate, h.Delay, int64(n.Framing.Wire(int(n.largest))))
	return h
}

// fill computes the need for frames of one size, and keeps it if it is larger than
// what is there: of two sizes with as many cells, the smaller comes more often.
func (n *network) fill(h *Headroom, c *switching.Config, ref topo.PortRef, frame int64) {
	one := *h
	one.Frame, one.Wire, one.Charge = frame, int64(n.Framing.Wire(int(frame))), inCells(frame, h.Cell)
	one.Terms, one.Reach = nil, 0
	one.terms(n, c, ref)
	one.Frames = 1 + int64(one.Reach/n.lasts(one.Rate, one.Wire))
	one.Needed = one.Frames * one.Charge
	if one.Needed > h.Needed {
		*h = one
	}
}

// terms lists what lies between the frame that crosses XOFF and the last one.
func (h *Headroom) terms(n *network, c *switching.Config, ref topo.PortRef) {
	f := &n.Framing
	gap := h.Rate.TxTimeCeil(int64(f.Gap))
	add := func(name string, t sim.Time) {
		if t <= 0 {
			return
		}
		h.Terms = append(h.Terms, Term{name, t, bytesIn(h.Rate, t)})
		h.Reach += t
	}
	add("the pause waits for a frame begun", n.lasts(h.Rate, int64(f.Wire(int(n.largest)))))
	add("the pause frame", n.lasts(h.Rate, int64(f.Wire(f.PFC)))-gap)
	add("the cable there and back", 2*h.Delay)
	add("the peer's response", n.response(ref.Peer))
	if peer := n.switchAt(ref.Peer.Node); peer != nil {
		add("the peer's egress pipeline", peer.EgressLatency)
	}
	add("the ingress pipeline", c.IngressLatency)
	if n.stores(c, h.Rate) {
		add("a frame is admitted with its last bit", n.lasts(h.Rate, h.Wire)-gap)
	}
}

// stores reports whether a switch may have to take frames from a port of this
// rate whole before it admits them: if it stores and forwards, or if a port is
// faster.
func (n *network) stores(c *switching.Config, rate sim.Rate) bool {
	return !c.CutThrough || slices.ContainsFunc(c.Ports, func(p switching.PortConfig) bool { return p.Rate > rate })
}

// response is how long the node at an end takes to obey a pause.
func (n *network) response(e topo.End) sim.Time {
	if peer := n.switchAt(e.Node); peer != nil {
		return peer.PFC.Response
	}
	return n.NICs[e.Node].PauseResponse
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

// inCells returns what a frame takes of the buffer.
func inCells(frame, cell int64) int64 { return (frame + cell - 1) / cell * cell }

// bytesIn returns what a rate carries in a time, rounded down.
func bytesIn(r sim.Rate, t sim.Time) int64 {
	return int64(math.Floor(float64(r) / 8 * t.Seconds()))
}

// Response is the longest time, in bytes of the rate, that a port may take to obey
// a pause (IEEE 802.3 Annex 31B.3.7, quanta of 64 bytes as sonic-swss has them in
// buffer_headroom_mellanox.lua; 60 quanta at 10G by the standard). ok is false
// for a rate that the table does not have.
func Response(r sim.Rate) (bytes int64, ok bool) {
	rows := []struct{ gbit, quanta int64 }{{10, 60}, {25, 80}, {40, 118}, {50, 147}, {100, 394}, {200, 453}, {400, 905}, {800, 905}}
	at, found := slices.BinarySearchFunc(rows, int64(r), func(row struct{ gbit, quanta int64 }, r int64) int {
		return cmp.Compare(row.gbit*int64(sim.Gbps), r)
	})
	if !found {
		return 0, false
	}
	return rows[at].quanta * 64, true
}

// Standard is the headroom that planners take whatever the hardware: the frame
// that delays the pause, the pause (84 bytes), the cable there and back, the
// longest response that IEEE 802.3 allows, and the frame that the peer has just
// begun (802.1Qbb as Cisco's PFC white paper lays it out). wire is the largest
// frame with preamble and gap. Cells are not counted. ok is false for a rate
// without response time.
func Standard(r sim.Rate, delay sim.Time, wire int64) (bytes int64, ok bool) {
	response, ok := Response(r)
	if !ok {
		return 0, false
	}
	const pause = 84
	return wire + pause + bytesIn(r, 2*delay) + response + wire, true
}
