package switching

import (
	"rocesim/fabric"
	"rocesim/fabric/packet"
	"rocesim/sim"
)

// Observer is told of rare events. Nil functions are not called.
type Observer struct {
	// Dropped is called before a dropped packet is recycled; port is where it
	// came in.
	Dropped func(now sim.Time, sw *Switch, port int, p *packet.Packet, cause DropCause)
	// PauseSent is called when port sends XOFF (paused) or XON for a priority.
	PauseSent func(now sim.Time, sw *Switch, port, priority int, paused bool)
}

// Switch is one shared-memory switch. What every packet needs comes first.
type Switch struct {
	ports []port
	// By priority, then by port.
	queues []queue
	groups []group
	pools  []pool

	exits    []uint16 // by endpoint: a port, or several and the number of its hops
	hops     []hops
	next     []uint16 // ports, as hops refer to them
	hashSeed uint32
	cell     uint32
	cellInv  uint64 // 2^32/cell rounded up

	engine     *sim.Engine
	watchdog   *watchdog // nil: none
	bump       *Bump
	portID     sim.ID // of its first port
	strict     uint8  // queues
	routing    Routing
	cutThrough bool
	byPCP      bool
	classes    [64]class // by DSCP, or by PCP

	stopped    [256]uint8        // queues stopped by a vector of paused priorities
	pfcOf      [Priorities]uint8 // pause priority of a group
	queueRules []queueRules
	groupRules []groupRules
	incoming   []*fabric.Link // by port
	pkts       *packet.Pool
	random     *sim.Stream
	tuple      func(p *packet.Packet) packet.Tuple
	sprayed    uint32
	framing    packet.Framing
	quanta     uint16
	refresh    sim.Time
	refreshID  sim.ID
	pausing    []pausedGroup

	config   *Config
	observer Observer
	drops    [DropCauses]uint64
}

// class is where packets of one code point go.
type class struct{ group, queue uint8 }

// Env is what a switch needs from the run.
type Env struct {
	Engine  *sim.Engine
	Packets *packet.Pool
	Framing packet.Framing
	// Quantum floors serialisation times; 1 ps is exact.
	Quantum sim.Time
	// Links and Pauses are indexed by the numbers in Outgoing.
	Links  fabric.Links
	Pauses fabric.PauseChannels
	// Outgoing and Incoming are, for each port, the number of the link that
	// leaves it and of the link that ends there.
	Outgoing, Incoming []int
	// SetOf and Sets are the equal-cost next hops (ports) per endpoint.
	SetOf []uint16
	Sets  [][]uint16
	// Tuple returns a packet's 5-tuple (for Murmur3 routing only).
	Tuple func(p *packet.Packet) packet.Tuple
	// PortID and RefreshID are the switch's first port source and its refresh
	// source.
	PortID, RefreshID sim.ID
	// WatchdogID is its watchdog's source, if it has one.
	WatchdogID sim.ID
	Observer   Observer
}

// Ports are all ports of all switches of a run, in one slab; they act for the
// kernel's switch port class.
type Ports []port

// NewPorts returns n ports.
func NewPorts(n int) Ports { return slab[port](n) }

// slab returns n elements of a cache line each that begin where lines begin. An
// allocation with pointers of up to 32 KiB has a header of 8 bytes, larger ones
// are whole pages.
func slab[T any](n int) []T { return make([]T, n, max(n, 32<<10/64+1)) }

// Handle serves port i, whose wire has become free.
func (ps Ports) Handle(now sim.Time, i int) {
	pt := &ps[i]
	pt.armed, pt.held = false, false
	pt.sw.serve(now, pt)
	if !pt.armed {
		pt.sw.disarm(pt)
	}
}

// New returns a switch whose ports are the given part of the slab.
func New(c *Config, ports Ports, env Env) *Switch {
	s := &Switch{
		ports:      ports,
		engine:     env.Engine,
		pkts:       env.Packets,
		random:     sim.NewStream(c.Seed, "switch/"+c.Name),
		portID:     env.PortID,
		pfcOf:      c.Classes.GroupToPFC,
		cell:       uint32(c.Buffer.Cell),
		cellInv:    (1<<32 + uint64(c.Buffer.Cell) - 1) / uint64(c.Buffer.Cell),
		routing:    c.Routing,
		hashSeed:   c.HashSeed,
		tuple:      env.Tuple,
		bump:       c.Bump,
		cutThrough: c.CutThrough,
		framing:    env.Framing,
		quanta:     c.PFC.Quanta,
		refresh:    c.PFC.Refresh,
		refreshID:  env.RefreshID,
		config:     c,
		observer:   env.Observer,
	}
	for v := range s.stopped {
		for n := range Priorities {
			if v>>n&1 == 1 {
				s.stopped[v] |= 1 << c.Classes.PFCToQueue[n]
			}
		}
	}
	s.initClasses(&c.Classes)
	s.queues = slab[queue](Priorities * len(ports))
	s.queueRules = make([]queueRules, Priorities*len(ports))
	s.groups = make([]group, Priorities*len(ports))
	s.groupRules = make([]groupRules, Priorities*len(ports))
	s.initPools(c)
	s.initRoutes(env.SetOf, env.Sets)
	for i := range ports {
		s.initPort(i, c, env)
	}
	s.initWatchdog(c.Watchdog, env.WatchdogID)
	return s
}

func (s *Switch) initClasses(c *ClassMap) {
	tcOf := c.DSCPToTC
	if c.TrustPCP {
		s.byPCP = true
		copy(tcOf[:], c.PCPToTC[:])
	}
	for code, tc := range tcOf {
		s.classes[code] = class{group: c.TCToGroup[tc], queue: c.TCToQueue[tc]}
	}
}

func (s *Switch) initPools(c *Config) {
	parts := int64(c.Buffer.Memories())
	s.pools = make([]pool, parts)
	for i := range s.pools {
		s.pools[i] = pool{
			free:         c.Buffer.Shared / parts,
			headroomFree: 1 << 60,
			lossyFree:    c.Buffer.EgressLossy / parts,
		}
		if c.Buffer.EgressLossy == 0 {
			s.pools[i].lossyFree = c.Buffer.Shared / parts
		}
		if c.Buffer.HeadroomPool > 0 {
			s.pools[i].headroomFree = c.Buffer.HeadroomPool / parts
		}
	}
}

func (s *Switch) initPort(i int, c *Config, env Env) {
	pt := &s.ports[i]
	pc := c.Ports[i]
	*pt = port{sw: s, index: uint16(i)}
	s.incoming = append(s.incoming, &env.Links[env.Incoming[i]])
	obeys := c.PFC.Enabled
	if pc.NoPFC {
		obeys = 0
	}
	pt.Init(fabric.PortConfig{
		Link:     &env.Links[env.Outgoing[i]],
		Pauses:   &env.Pauses[env.Outgoing[i]],
		Rate:     pc.Rate,
		Framing:  env.Framing,
		Quantum:  env.Quantum,
		Infinite: c.PFC.Infinite,
		Obeys:    obeys,
	})
	for n := range Priorities {
		s.initGroup(i, n, c.PFC.Enabled>>c.Classes.GroupToPFC[n]&1 == 1)
		s.initQueue(i, n)
		if c.Queues[n].Strict {
			s.strict |= 1 << n
		}
	}
}

func (s *Switch) initGroup(port, n int, enabled bool) {
	c, pc := &s.config.Groups[n], &s.config.Ports[port]
	t := c.Threshold
	if c.Lossless && pc.Threshold != nil {
		t = *pc.Threshold
	}
	g := &s.groups[n*len(s.ports)+port]
	*g = group{
		limit:    t.Static,
		least:    1<<63 - 1,
		reserved: int32(c.Reserved),
		dynamic:  t.Dynamic,
		lossless: c.Lossless,
		noPFC:    pc.NoPFC || !enabled,
	}
	if t.Dynamic {
		g.limit = t.Alpha
	}
	s.groupRules[n*len(s.ports)+port] = groupRules{
		room:      pc.Headroom,
		xon:       c.Xon,
		xonOffset: c.XonOffset,
		liveXon:   c.LiveXon,
	}
}

// profileOf returns the RED profile of a queue at a port: the port's own for
// lossless queues, because thresholds depend on speed.
func profileOf(c *QueueConfig, pc *PortConfig) *REDProfile {
	if c.RED != nil && pc.RED != nil && !c.Lossy {
		return pc.RED
	}
	return c.RED
}

func (s *Switch) initQueue(port, n int) {
	c := &s.config.Queues[n]
	q := &s.queues[n*len(s.ports)+port]
	r := &s.queueRules[n*len(s.ports)+port]
	*q = queue{lossy: c.Lossy, guarded: c.Lossy, perIngress: c.PerIngress}
	*r = queueRules{limit: c.Limit, quantum: int32(max(1, c.Weight)) * quantumPerWeight}
	profile := profileOf(c, &s.config.Ports[port])
	if profile == nil {
		return
	}
	r.red = newRED(profile)
	r.markOnly = profile.MarkOnly
	q.floor = r.red.floor()
	switch {
	case profile.AtEnqueue:
		q.mode = redEnqueue
	case profile.WithDeparting:
		q.mode = redDequeueWith
	default:
		q.mode = redDequeue
	}
	q.guarded = c.Lossy || profile.AtEnqueue || !profile.MarkOnly
}

// mem returns the memory that a port belongs to.
func (s *Switch) mem(port int) *pool {
	if len(s.pools) == 1 {
		return &s.pools[0]
	}
	return &s.pools[MemoryOf(port, len(s.ports), len(s.pools))]
}

// queue returns queue n of a port, queueRule its rules.
func (s *Switch) queue(pt *port, n int) *queue {
	return &s.queues[n*len(s.ports)+int(pt.index)]
}

func (s *Switch) queueRule(pt *port, n int) *queueRules {
	return &s.queueRules[n*len(s.ports)+int(pt.index)]
}

// group returns priority group n of a port, groupRule its rules.
func (s *Switch) group(pt *port, n uint8) *group {
	return &s.groups[int(n)*len(s.ports)+int(pt.index)]
}

func (s *Switch) groupRule(pt *port, n uint8) *groupRules {
	return &s.groupRules[int(n)*len(s.ports)+int(pt.index)]
}

// Name returns the switch's name.
func (s *Switch) Name() string { return s.config.Name }

// Config returns what the switch was made from.
func (s *Switch) Config() *Config { return s.config }

// NumPorts returns the number of ports.
func (s *Switch) NumPorts() int { return len(s.ports) }
