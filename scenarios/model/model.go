// Package model puts a network together: links, switches and NICs on one
// engine, from resolved configurations. It is the only place that constructs
// parts of every model package.
//
// New builds the network of a Spec and opens the connections of its workload
// (connect.go); Model.Run lets it go until it is to stop, or nothing can move any
// more (run.go). What happens to it meanwhile: faults (fault.go), NICs that pause
// without end and watchdogs (pauses.go), circles of buffers, which a detector
// looks for (deadlock_detect.go). ExplainStall and ExplainDeadlocks say who waits
// for whom.
//
// At one instant the parts act in the order in which build adds their classes to
// the engine: faults, arrivals from links, ports of switches, NICs, pauses,
// timers, the workload, and samplers last. The order is part of what a fingerprint
// covers.
package model

import (
	"fmt"

	"rocesim/cc"
	"rocesim/fabric"
	"rocesim/fabric/packet"
	"rocesim/fabric/topo"
	"rocesim/nic"
	"rocesim/scenarios/workload"
	"rocesim/sim"
	switching "rocesim/switch"
)

// Spec describes a network and its traffic.
type Spec struct {
	Graph *topo.Graph
	// Routes are its equal-cost next hops; nil computes them.
	Routes *topo.Routes
	// Switches and NICs are in the order of Graph.Switches and Graph.Endpoints. They
	// may be those of other models too, which only read them.
	Switches []switching.Config
	NICs     []nic.Config
	Framing  packet.Framing
	// Quantum floors serialisation times to a multiple; 0 and 1 ps are exact.
	Quantum sim.Time
	// InfinitePause makes pauses last until XON at NICs.
	InfinitePause bool
	// OutliveDeadlock lets the run go on after a deadlock; otherwise it ends
	// there, unless a switch has a watchdog that may break it.
	OutliveDeadlock bool
	Seed            uint64
	// Control returns the reaction point of a new connection that leaves
	// endpoint src; nil, or a nil result, is none.
	Control func(src int) cc.Controller
	// Address returns the IPv4 address of an endpoint; nil numbers 10.0.0.0/8.
	Address func(endpoint int) uint32
	Hosts   workload.Hosts
	Entries []workload.Entry
	// Faults are what goes wrong, and Convergence is how long routing takes to
	// stop using a link that failed, and to use it again.
	Faults      []Fault
	Convergence sim.Time
	// Queue replaces the engine's event queue, for tests.
	Queue sim.Queue
	// Memory, if not nil, is that of an earlier model, which must not be used any
	// more.
	Memory *sim.Memory
	// Observer hears of what switches do.
	Observer switching.Observer
}

// Model is a network that is ready to run.
type Model struct {
	Spec     *Spec
	Engine   *sim.Engine
	Routes   *topo.Routes
	Links    fabric.Links
	Switches []*switching.Switch
	NICs     *nic.Cluster
	Driver   *workload.Driver
	Packets  *packet.Pool

	qpn      *sim.Stream
	ports    switching.Ports
	flows    []Flow
	sampler  *samplers
	pausing  pauseClasses
	faults   *faults // nil if there are none
	detector *detector
	// haltWhenDone ends the run with the last message; end is when the last
	// report took effect.
	haltWhenDone bool
	end          sim.Time
}

// Flow is what the model remembers of a connection.
type Flow struct {
	// Forward and Backward are the 5-tuples of its data and of the answers.
	Forward, Backward packet.Tuple
	// Src and Dst are endpoints.
	Src, Dst int32
	DSCP     uint8
	// Send tells that its messages are SENDs.
	Send bool
}

// New builds the network and opens the workload's connections.
func New(spec *Spec) (*Model, error) {
	g := spec.Graph
	if len(spec.Switches) != len(g.Switches) || len(spec.NICs) != len(g.Endpoints) {
		return nil, fmt.Errorf("model: %d switch and %d NIC configurations for %d switches and %d NICs",
			len(spec.Switches), len(spec.NICs), len(g.Switches), len(g.Endpoints))
	}
	m := &Model{
		Spec:    spec,
		Engine:  newEngine(spec),
		Routes:  spec.Routes,
		Packets: &packet.Pool{},
		qpn:     sim.NewStream(spec.Seed, "qpn"),
		sampler: &samplers{},
	}
	if m.Routes == nil {
		m.Routes = topo.NewRoutes(g)
	}
	if err := m.build(); err != nil {
		return nil, err
	}
	return m, nil
}

func newEngine(spec *Spec) *sim.Engine {
	switch {
	case spec.Queue != nil:
		return sim.NewEngineOn(spec.Queue)
	case spec.Memory != nil:
		return sim.NewEngineIn(spec.Memory)
	}
	return sim.NewEngine()
}

// maxSamplers is how many periodic observers a model can have.
const maxSamplers = 4

// build adds the classes in the order in which they act at one instant, then
// makes the parts.
func (m *Model) build() error {
	g := m.Spec.Graph
	nLinks := 2 * len(g.Links)
	m.Links = make(fabric.Links, nLinks)
	pauses := make(fabric.PauseChannels, nLinks)
	m.ports = switching.NewPorts(m.switchPorts())
	m.Switches = make([]*switching.Switch, len(g.Switches))
	cluster := &lateHandler{}
	retry := &lateHandler{}

	var a allocator
	a.engine = m.Engine
	var fault sim.ID
	if len(m.Spec.Faults) > 0 {
		m.faults = newFaults(m)
		fault = a.class("fault", 1, false, m.faults)
	}
	links := a.class("link", nLinks, false, m.Links)
	ports := a.class("port", len(m.ports), false, m.ports)
	nics := a.class("nic", len(g.Endpoints), false, cluster)
	pauseIDs := a.class("pause", nLinks, false, pauses)
	refresh := a.class("refresh", len(g.Switches), true, switching.Refreshers(m.Switches))
	retryIDs := a.class("retry", len(g.Endpoints), false, retry)
	m.pausing = m.pauseClasses(&a)
	entries := a.class("workload", len(m.Spec.Entries), false, traffic{m})
	sample := a.class("sample", maxSamplers, true, m.sampler)
	if a.err != nil {
		return a.err
	}
	m.sampler.engine, m.sampler.first = m.Engine, sample
	m.NICs = m.makeNICs(pauses, nics, retryIDs)
	cluster.Handler, retry.Handler = m.NICs, nic.RetryTimers{Cluster: m.NICs}
	m.pausing.nics.Handler = nic.PauseTimers{Cluster: m.NICs}
	m.makeSwitches(pauses, ports, refresh)
	m.wire(pauses, links, pauseIDs)
	if m.faults != nil {
		m.faults.attach(pauses, fault)
	}
	driver, err := workload.NewDriver(m, m.Spec.Seed, m.Spec.Hosts, m.Spec.Entries)
	if err != nil {
		return err
	}
	m.Driver = driver
	m.detector = newDetector(m)
	driver.Attach(m.Engine, entries)
	return nil
}

// lateHandler stands in for a handler that is made after its class.
type lateHandler struct{ sim.Handler }

type allocator struct {
	engine *sim.Engine
	err    error
}

func (a *allocator) class(name string, n int, background bool, h sim.Handler) sim.ID {
	id, err := a.engine.AddClass(name, n, background, h)
	if a.err == nil {
		a.err = err
	}
	return id
}

func (m *Model) switchPorts() int {
	n := 0
	for i := range m.Spec.Graph.Switches {
		n += len(m.Spec.Graph.Ports(len(m.Spec.Graph.Endpoints) + i))
	}
	return n
}

// outgoing and incoming number the two directions of a cable: 2l runs from end
// A to end B, 2l+1 back.
func outgoing(p topo.PortRef) int {
	if p.Forward {
		return 2 * p.Link
	}
	return 2*p.Link + 1
}

func incoming(p topo.PortRef) int { return outgoing(p) ^ 1 }

func (m *Model) makeNICs(pauses fabric.PauseChannels, ports, retry sim.ID) *nic.Cluster {
	g := m.Spec.Graph
	env := nic.Env{
		Engine:        m.Engine,
		Packets:       m.Packets,
		Framing:       m.Spec.Framing,
		Quantum:       max(1, m.Spec.Quantum),
		InfinitePause: m.Spec.InfinitePause,
		Links:         m.Links,
		Pauses:        pauses,
		PortID:        ports,
		RetryID:       retry,
		PauserID:      m.pausing.pauser,
		Observer: nic.Observer{
			Delivered: m.delivered,
			Completed: m.completed,
			Failed:    m.failed,
		},
	}
	for e := range g.Endpoints {
		env.Outgoing = append(env.Outgoing, outgoing(g.Ports(e)[0]))
	}
	return nic.NewCluster(m.Spec.NICs, env)
}

func (m *Model) makeSwitches(pauses fabric.PauseChannels, ports, refresh sim.ID) {
	g := m.Spec.Graph
	first := 0
	for i := range g.Switches {
		refs := g.Ports(len(g.Endpoints) + i)
		env := switching.Env{
			Engine:     m.Engine,
			Packets:    m.Packets,
			Framing:    m.Spec.Framing,
			Quantum:    max(1, m.Spec.Quantum),
			Links:      m.Links,
			Pauses:     pauses,
			PortID:     ports + sim.ID(first),
			RefreshID:  refresh + sim.ID(i),
			WatchdogID: m.pausing.watchdog + sim.ID(i),
			Tuple:      m.tuple,
			Observer:   m.Spec.Observer,
		}
		env.SetOf, env.Sets = m.Routes.Groups(i)
		for _, r := range refs {
			env.Outgoing = append(env.Outgoing, outgoing(r))
			env.Incoming = append(env.Incoming, incoming(r))
		}
		m.Switches[i] = switching.New(&m.Spec.Switches[i], m.ports[first:first+len(refs)], env)
		first += len(refs)
	}
}

// wire connects both directions of every cable.
func (m *Model) wire(pauses fabric.PauseChannels, links, pauseIDs sim.ID) {
	for l, cable := range m.Spec.Graph.Links {
		for back, ends := range [2][2]topo.End{{cable.A, cable.B}, {cable.B, cable.A}} {
			c := m.direction(ends[0], ends[1], cable.Delay)
			m.Links.Init(2*l+back, m.Engine, links, c)
			pauses.Init(2*l+back, m.Engine, pauseIDs, c)
		}
	}
}

func (m *Model) direction(from, to topo.End, delay sim.Time) fabric.LinkConfig {
	g := m.Spec.Graph
	c := fabric.LinkConfig{Port: to.Port, Propagation: delay}
	if g.IsSwitch(from.Node) {
		c.SenderLatency = m.Spec.Switches[from.Node-len(g.Endpoints)].EgressLatency
	}
	if !g.IsSwitch(to.Node) {
		c.To = m.NICs.NIC(to.Node)
		c.Response = m.Spec.NICs[to.Node].PauseResponse
		return c
	}
	sw := to.Node - len(g.Endpoints)
	k := &m.Spec.Switches[sw]
	c.To = m.Switches[sw]
	c.ReceiverLatency = k.IngressLatency
	c.AtHeader = k.CutThrough
	c.Response = k.PFC.Response
	return c
}
