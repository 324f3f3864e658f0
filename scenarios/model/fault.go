package model

import (
	"cmp"
	"fmt"
	"slices"

	"rocesim/fabric"
	"rocesim/fabric/packet"
	"rocesim/fabric/topo"
	"rocesim/sim"
)

// FaultKind says what goes wrong.
type FaultKind uint8

// Kinds of faults.
const (
	LinkDown   FaultKind = iota // a link is out of service
	LinkRate                    // a link runs at Fault.Rate
	LinkLoss                    // a link loses frames as Fault.Loss says
	Reboot                      // a switch restarts: its buffers are lost, its links are down
	PauseStorm                  // a NIC pauses its switch for all its lossless priorities
)

// Direction says which directions of a link a loss concerns.
type Direction uint8

// Directions of a link: Forward is from its end A to its end B.
const (
	Forward Direction = 1 << iota
	Backward
)

// Fault is one thing that goes wrong during a run.
type Fault struct {
	Kind FaultKind
	// At is when it begins; For is how long it lasts, 0 to the end of the run.
	At, For sim.Time
	// Target is a link, a switch (counted from 0) or an endpoint, as Kind asks.
	Target int
	// Rate of either direction, for LinkRate.
	Rate sim.Rate
	// Directions and Loss are for LinkLoss. The model provides Loss.Random.
	Directions Direction
	Loss       fabric.Loss
}

// faultEvent is the beginning or the end of a fault, or the instant at which
// routing has learnt of a change at a link.
type faultEvent struct {
	at    sim.Time
	index int // of the fault, or of the link
	begin bool
}

// faults makes what goes wrong happen. It acts before everything else at an
// instant. A model without faults has none.
type faults struct {
	m      *Model
	id     sim.ID
	agenda []faultEvent // in order of time
	// learning holds the links whose routing changes are under way, in order
	// of time: each takes Spec.Convergence.
	learning []faultEvent
	links    []*fabric.Fault // by directed link; nil if nothing happens there
	changed  []sim.Time      // by link: when it last went down or came up
	avoided  []bool          // by link: routing does not use it
	endLoss  [][]func()      // by fault: what ends its losses
	observe  func(now sim.Time, link int, p *packet.Packet, c fabric.LossCause)
}

// newFaults makes the agenda. Ends come before beginnings at an instant, so
// that one fault may follow another without a gap.
func newFaults(m *Model) *faults {
	f := &faults{
		m:       m,
		links:   make([]*fabric.Fault, len(m.Links)),
		changed: make([]sim.Time, len(m.Spec.Graph.Links)),
		avoided: make([]bool, len(m.Spec.Graph.Links)),
		endLoss: make([][]func(), len(m.Spec.Faults)),
	}
	for i, x := range m.Spec.Faults {
		f.agenda = append(f.agenda, faultEvent{at: x.At, index: i, begin: true})
		if x.For > 0 {
			f.agenda = append(f.agenda, faultEvent{at: x.At + x.For, index: i})
		}
	}
	slices.SortStableFunc(f.agenda, func(a, b faultEvent) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(order(a.begin), order(b.begin)))
	})
	return f
}

func order(begin bool) int {
	if begin {
		return 1
	}
	return 0
}

// attach makes the faults of all links that something happens to, when the
// model is wired.
func (f *faults) attach(pauses fabric.PauseChannels, id sim.ID) {
	f.id = id
	for _, x := range f.m.Spec.Faults {
		for _, l := range f.cables(&x) {
			f.prepare(2*l, pauses)
			f.prepare(2*l+1, pauses)
		}
	}
	f.arm()
}

func (f *faults) prepare(link int, pauses fabric.PauseChannels) {
	if f.links[link] != nil {
		return
	}
	observe := func(now sim.Time, p *packet.Packet, c fabric.LossCause) {
		if f.observe != nil {
			f.observe(now, link, p, c)
		}
	}
	f.links[link] = fabric.NewFault(&f.m.Links[link], &pauses[link], f.m.Packets, f.m.Spec.Framing.PFC, observe)
}

// cables are the links that a fault concerns.
func (f *faults) cables(x *Fault) []int {
	switch x.Kind {
	case PauseStorm:
		return nil
	case Reboot:
		var all []int
		for _, p := range f.m.Spec.Graph.Ports(len(f.m.Spec.Graph.Endpoints) + x.Target) {
			all = append(all, p.Link)
		}
		return all
	default:
		return []int{x.Target}
	}
}

// Handle makes happen what is due.
func (f *faults) Handle(now sim.Time, _ int) {
	for len(f.agenda) > 0 && f.agenda[0].at <= now {
		e := f.agenda[0]
		f.agenda = f.agenda[1:]
		f.switchFault(now, e)
	}
	reroute := false
	for len(f.learning) > 0 && f.learning[0].at <= now {
		e := f.learning[0]
		f.learning = f.learning[1:]
		reroute = f.learn(now, e.index) || reroute
	}
	if reroute {
		f.reroute()
	}
	f.arm()
}

func (f *faults) arm() {
	t := sim.Never
	if len(f.agenda) > 0 {
		t = f.agenda[0].at
	}
	if len(f.learning) > 0 {
		t = min(t, f.learning[0].at)
	}
	if t < sim.Never {
		f.m.Engine.Arm(f.id, t)
	} else {
		f.m.Engine.Disarm(f.id)
	}
}

// switchFault begins or ends a fault.
func (f *faults) switchFault(now sim.Time, e faultEvent) {
	x := &f.m.Spec.Faults[e.index]
	switch x.Kind {
	case LinkDown:
		f.setDown(now, x.Target, fabric.LossDown, e.begin)
	case LinkRate:
		f.setRate(x, e.begin)
	case LinkLoss:
		f.setLoss(e)
	case Reboot:
		for _, l := range f.cables(x) {
			f.setDown(now, l, fabric.LossReboot, e.begin)
		}
		if e.begin {
			f.m.Switches[x.Target].Reset(now)
		}
	case PauseStorm:
		n := f.m.NICs.NIC(x.Target)
		if e.begin {
			n.StartStorm(now, n.Config().PFC)
		} else {
			n.StopStorm(now)
		}
	}
}

// setDown takes a cable out of service for a cause, or back if no other cause
// is left. Routing will learn of it.
func (f *faults) setDown(now sim.Time, l int, c fabric.LossCause, down bool) {
	was := f.links[2*l].IsDown()
	for _, d := range []int{2 * l, 2*l + 1} {
		if down {
			f.links[d].Down(now, c)
		} else {
			f.links[d].Up(now, c)
		}
	}
	if is := f.links[2*l].IsDown(); is != was {
		f.changed[l] = now
		f.learning = append(f.learning, faultEvent{at: now + f.m.Spec.Convergence, index: l})
		f.tell(now, l, is)
	}
}

// tell lets the nodes at both ends of a cable notice its state.
func (f *faults) tell(now sim.Time, l int, down bool) {
	g := f.m.Spec.Graph
	for _, end := range []topo.End{g.Links[l].A, g.Links[l].B} {
		sw := end.Node - len(g.Endpoints)
		switch {
		case sw < 0 && down:
			f.m.NICs.NIC(end.Node).LinkDown(now)
		case sw < 0:
			f.m.NICs.NIC(end.Node).LinkUp(now)
		case down:
			f.m.Switches[sw].LinkDown(now, end.Port)
		default:
			f.m.Switches[sw].LinkUp(now, end.Port)
		}
	}
}

// setRate changes the rate of both ends of a cable, or restores it.
func (f *faults) setRate(x *Fault, begin bool) {
	g := f.m.Spec.Graph
	rate := g.Links[x.Target].Rate
	if begin {
		rate = x.Rate
	}
	for _, end := range []topo.End{g.Links[x.Target].A, g.Links[x.Target].B} {
		if sw := end.Node - len(g.Endpoints); sw >= 0 {
			f.m.Switches[sw].Port(end.Port).SetRate(rate)
		} else {
			f.m.NICs.NIC(end.Node).SetRate(rate)
		}
	}
}

// setLoss begins a loss in its directions, or ends it. Each has a random stream
// of its own, named after what it does, so that other faults do not change what
// it loses.
func (f *faults) setLoss(e faultEvent) {
	if !e.begin {
		for _, end := range f.endLoss[e.index] {
			end()
		}
		return
	}
	x := &f.m.Spec.Faults[e.index]
	for back, d := range []Direction{Forward, Backward} {
		if x.Directions&d == 0 {
			continue
		}
		loss := x.Loss
		loss.Random = sim.NewStream(f.m.Spec.Seed, fmt.Sprintf("fault/%s/%d/%d/%v/%v",
			f.m.Spec.Graph.Links[x.Target].Name, back, loss.Frames, loss.BitErrors > 0, x.At))
		f.endLoss[e.index] = append(f.endLoss[e.index], f.links[2*x.Target+back].Lose(loss))
	}
}

// learn makes routing follow the state of a link, if that has held since the
// change. It reports whether routes change.
func (f *faults) learn(now sim.Time, l int) bool {
	down := f.links[2*l].IsDown()
	if f.changed[l]+f.m.Spec.Convergence != now || f.avoided[l] == down {
		return false
	}
	f.avoided[l] = down
	return true
}

// reroute gives all switches the routes without the links that routing avoids.
func (f *faults) reroute() {
	var avoided []int
	for l, is := range f.avoided {
		if is {
			avoided = append(avoided, l)
		}
	}
	routes := f.m.Routes
	if len(avoided) > 0 {
		routes = f.m.Routes.Without(avoided...)
	}
	for i, s := range f.m.Switches {
		s.SetRoutes(routes.Groups(i))
	}
}

// ObserveLosses has observe called for each packet that a link loses, before it
// is recycled. link is twice the link's number, plus 1 in its backward
// direction.
func (m *Model) ObserveLosses(observe func(now sim.Time, link int, p *packet.Packet, c fabric.LossCause)) {
	if m.faults != nil {
		m.faults.observe = observe
	}
}

// Losses returns what a direction of a link has lost (see ObserveLosses for its
// number).
func (m *Model) Losses(link int) fabric.LossStats {
	if m.faults == nil || m.faults.links[link] == nil {
		return fabric.LossStats{}
	}
	return m.faults.links[link].Stats()
}

// outOfService lists the links that are down.
func (m *Model) outOfService() []string {
	var out []string
	if m.faults == nil {
		return nil
	}
	for l := range m.Spec.Graph.Links {
		if f := m.faults.links[2*l]; f != nil && f.IsDown() {
			out = append(out, fmt.Sprintf("link %s is down", m.Spec.Graph.Links[l].Name))
		}
	}
	return out
}
