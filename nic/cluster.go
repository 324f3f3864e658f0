package nic

import (
	"rocesim/cc"
	"rocesim/fabric"
	"rocesim/fabric/packet"
	"rocesim/nic/rc"
	"rocesim/sim"
)

// Observer is told when messages end. The instants given may lie a receive
// latency after the event being handled. Nil functions are not called.
type Observer struct {
	// Delivered: the last byte of a message is in the responder's memory.
	Delivered func(at sim.Time, msg uint32)
	// Completed: the requester has its completion (for datagrams: the last
	// packet has left).
	Completed func(at sim.Time, msg uint32)
	// Failed: the queue pair went into error (retries exhausted) before the
	// message was acknowledged.
	Failed func(at sim.Time, msg uint32)
}

// Env is what NICs need from the run.
type Env struct {
	Engine  *sim.Engine
	Packets *packet.Pool
	Framing packet.Framing
	// Quantum floors serialisation times; 1 ps is exact.
	Quantum sim.Time
	// InfinitePause makes received pauses last until XON.
	InfinitePause bool
	Links         fabric.Links
	Pauses        fabric.PauseChannels
	// Outgoing is, for each NIC, the number of the link that leaves it.
	Outgoing []int
	// PortID and RetryID are the first sources of the NIC port and the retry
	// timer class.
	PortID, RetryID sim.ID
	// PauserID is the first source of the class that PauseTimers serve, if
	// Pausers asks for one.
	PauserID sim.ID
	Observer Observer
}

// Cluster is all NICs of a run and the connections between them.
type Cluster struct {
	nics       []NIC
	requesters paged[requester]
	responders paged[responder]
	env        Env
	engine     *sim.Engine
	pkts       *packet.Pool
	framing    packet.Framing
	// delivered counts packets accepted, to see progress.
	delivered uint64
	tally     []int64
}

// NewCluster returns a cluster with one NIC per configuration.
func NewCluster(configs []Config, env Env) *Cluster {
	c := &Cluster{
		nics:    make([]NIC, len(configs)),
		env:     env,
		engine:  env.Engine,
		pkts:    env.Packets,
		framing: env.Framing,
	}
	for i := range configs {
		c.nics[i].init(c, i, &configs[i])
	}
	return c
}

// Handle serves the port of NIC i.
func (c *Cluster) Handle(now sim.Time, i int) { c.nics[i].due(now) }

// NIC returns NIC i.
func (c *Cluster) NIC(i int) *NIC { return &c.nics[i] }

// Len returns the number of NICs.
func (c *Cluster) Len() int { return len(c.nics) }

// Connections returns the number of connections.
func (c *Cluster) Connections() int { return c.requesters.len() }

// DeliveredPackets returns how many data packets responders have accepted.
func (c *Cluster) DeliveredPackets() uint64 { return c.delivered }

// ConnectionConfig describes one direction of a connection.
type ConnectionConfig struct {
	// Src and Dst are NIC numbers.
	Src, Dst int
	// DSCP of data and of its ACKs.
	DSCP uint8
	// Unreliable messages are datagrams: nobody answers, nothing is repeated.
	Unreliable bool
	// Send makes messages SENDs, whose first packet has no RETH, instead of
	// WRITEs.
	Send bool
	// Control is the reaction point; nil sends at line rate.
	Control cc.Controller
	// Forward and Backward are the 5-tuple hashes of data and of answers.
	Forward, Backward uint32
	// Tally is the number of the sum that its delivered payload is added to.
	Tally int
}

// Connect makes a connection and returns its number.
func (c *Cluster) Connect(k ConnectionConfig) int {
	src, dst := &c.nics[k.Src], &c.nics[k.Dst]
	priority := src.config.DSCPToPriority[k.DSCP&63]
	for k.Tally >= len(c.tally) {
		c.tally = append(c.tally, 0)
	}
	q := c.requesters.add()
	*q = requester{
		control:    k.Control,
		conn:       uint32(c.requesters.len() - 1),
		src:        uint32(k.Src),
		dst:        uint32(k.Dst),
		entropy:    k.Forward,
		dscp:       k.DSCP,
		priority:   priority,
		unreliable: k.Unreliable,
		send:       k.Send,
		retry:      rc.Retry{Count: src.config.RetryCount},
	}
	first := packet.PSN(src.random.Uint32()).Add(0)
	q.rc.Init(src.config.MTU, src.ackEvery(k.Unreliable), first)
	how := q.recover(src.config, dst.config)
	r := c.responders.add()
	*r = responder{
		src:      uint32(k.Src),
		tally:    uint32(k.Tally),
		entropy:  k.Backward,
		dscp:     k.DSCP,
		priority: dst.config.DSCPToPriority[k.DSCP&63],
	}
	// The requester asks for ACKs, so the responder need not count packets.
	r.rc.Init(first, 0)
	if !k.Unreliable {
		r.variant = newVariant(how, dst.config.OutOfOrder, first)
	}
	return int(q.conn)
}

// Post hands a message of n bytes to the requester of a connection at now.
func (c *Cluster) Post(now sim.Time, conn int, n int64, msg uint32) {
	q := c.requesters.at(uint32(conn))
	if q.failed {
		if c.env.Observer.Failed != nil {
			c.env.Observer.Failed(now, msg)
		}
		return
	}
	n0 := &c.nics[q.src]
	if !q.rc.HasNext() {
		q.next = max(q.next, now+n0.config.TxLatency)
	}
	q.rc.Post(n, msg)
	if v := c.responders.at(uint32(conn)).variant; v != nil {
		v.posted = append(v.posted, msg)
	}
	n0.activate(now, q)
}

// ReceivedBytes returns the payload that connection conn's responder has
// accepted.
func (c *Cluster) ReceivedBytes(conn int) int64 { return c.responders.at(uint32(conn)).bytes }

// Tally returns the payload in bytes delivered on all connections of a tally.
func (c *Cluster) Tally(i int) int64 {
	if i >= len(c.tally) {
		return 0
	}
	return c.tally[i]
}

// TallyOf returns the tally that connection conn's payload is added to.
func (c *Cluster) TallyOf(conn int) int { return int(c.responders.at(uint32(conn)).tally) }

// Rate returns the rate at which connection conn would send at now.
func (c *Cluster) Rate(now sim.Time, conn int) sim.Rate {
	q := c.requesters.at(uint32(conn))
	if q.control == nil {
		return c.nics[q.src].Rate()
	}
	return q.control.Rate(now)
}

// Reacts reports whether notifications change the rate of connection conn.
func (c *Cluster) Reacts(conn int) bool {
	switch c.requesters.at(uint32(conn)).control.(type) {
	case nil, cc.Fixed:
		return false
	}
	return true
}

// Sending reports whether connection conn has data to send that its window lets
// out.
func (c *Cluster) Sending(conn int) bool {
	q := c.requesters.at(uint32(conn))
	return q.rc.HasNext() && !q.failed
}

// Unreliable reports whether connection conn carries datagrams.
func (c *Cluster) Unreliable(conn int) bool { return c.requesters.at(uint32(conn)).unreliable }

// Retransmitted returns how many packets connection conn has sent again.
func (c *Cluster) Retransmitted(conn int) uint32 { return c.requesters.at(uint32(conn)).repeats }

// requester is the sending half of a connection: a queue pair's send queue.
type requester struct {
	rc         rc.Requester
	control    cc.Controller
	link       *requester // next in a ready list
	next       sim.Time   // earliest start of its next packet
	started    sim.Time   // start of the message being sent
	progress   sim.Time   // last acknowledgement, or first packet after idleness
	conn       uint32
	src, dst   uint32
	entropy    uint32
	repeats    uint32
	retry      rc.Retry
	dscp       uint8
	priority   uint8
	state      qpState
	unreliable bool
	send       bool
	placed     bool // every packet says where it belongs (RETH)
	selective  bool // selective repeat
	timing     bool // in the NIC's retry heap
	failed     bool
}

// responder is the receiving half of a connection.
type responder struct {
	rc       rc.Responder
	variant  *variant // takes the place of rc unless nil
	bytes    int64
	notify   cc.NotificationPoint
	lastNak  sim.Time
	src      uint32
	tally    uint32
	entropy  uint32
	dscp     uint8 // of what it sends, and priority its class by the own NIC's map
	priority uint8
	echo     bool // a marked packet awaits its ACK (EchoCNP)
}

// paged is a growing array whose elements never move.
type paged[T any] struct {
	pages [][]T
	n     int
}

const (
	pageBits = 8
	pageSize = 1 << pageBits
)

func (p *paged[T]) len() int { return p.n }

func (p *paged[T]) at(i uint32) *T { return &p.pages[i>>pageBits][i&(pageSize-1)] }

func (p *paged[T]) add() *T {
	if p.n&(pageSize-1) == 0 {
		p.pages = append(p.pages, make([]T, pageSize))
	}
	p.n++
	return p.at(uint32(p.n - 1))
}
