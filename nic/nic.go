package nic

import (
	"math/bits"

	"rocesim/cc"
	"rocesim/fabric"
	"rocesim/fabric/packet"
	"rocesim/sim"
)

// NIC is one RDMA NIC with one port. What every packet needs comes first.
type NIC struct {
	fabric.Port
	cluster *Cluster
	config  *Config // see alike

	armedAt     sim.Time // Never if the port is not armed
	dataFree    sim.Time // when the next data packet may start (packet rate, PCIe)
	msgStart    sim.Time // start of the last message
	waiting     alarms
	id          sim.ID
	readyMask   uint8
	ackMask     uint8
	turn        uint8 // priority served last
	serving     bool
	fullFrame   uint16 // of a middle packet
	cnpPriority uint8

	cnps        packet.Queue
	late        sim.Time  // of what the received packet causes; see accept
	rx          *rxBuffer // nil: never full
	random      *sim.Stream
	pciePerByte sim.Time
	payload     uint64  // payload bytes accepted by responders
	pauser      *pauser // nil: never pauses its peer

	classes [fabric.Priorities]class

	made    *Config // what the NIC was made from
	index   uint32
	retry   retryTimer
	notify  cc.NotificationPoint             // of the port, for PerPort
	sources map[uint32]*cc.NotificationPoint // for PerSource
	stats   Stats                            // without what stands elsewhere: see Stats

	_ [16]byte // so that a NIC is whole cache lines
}

// class is what a NIC has of one priority; it fills one cache line.
type class struct {
	ready  list         // requesters that may send
	acks   packet.Queue // answers that wait
	tx, rx Traffic
}

func (n *NIC) init(c *Cluster, i int, cfg *Config) {
	*n = NIC{
		cluster:     c,
		config:      c.alike(i, cfg),
		made:        cfg,
		random:      sim.NewStream(cfg.Seed, "nic/"+cfg.Name),
		id:          c.env.PortID + sim.ID(i),
		index:       uint32(i),
		armedAt:     sim.Never,
		fullFrame:   uint16(c.framing.Frame(cfg.MTU, false)),
		cnpPriority: cfg.DSCPToPriority[cfg.CNPDSCP&63],
		rx:          newRxBuffer(cfg),
		pauser:      newPauser(c.env.PauserID+sim.ID(i), cfg, c.env.InfinitePause),
		retry:       retryTimer{id: c.env.RetryID + sim.ID(i)},
	}
	if cfg.CNPScope == PerSource {
		n.sources = map[uint32]*cc.NotificationPoint{}
	}
	if cfg.PCIe > 0 {
		n.pciePerByte = cfg.PCIe.TxTimeCeil(1)
	}
	slow := 0
	if cfg.ClockPPM > 0 {
		slow = n.random.Intn(1000 * cfg.ClockPPM)
	}
	n.Init(fabric.PortConfig{
		Link:     &c.env.Links[c.env.Outgoing[i]],
		Pauses:   &c.env.Pauses[c.env.Outgoing[i]],
		Rate:     cfg.Rate,
		Framing:  c.framing,
		Quantum:  c.env.Quantum,
		SlowPPB:  slow,
		Infinite: c.env.InfinitePause,
		Obeys:    cfg.PFC,
	})
}

// alike returns the configuration of NIC i less its name and seed. It is that of
// the NIC before if that is the same: what thousands of NICs have in common stays
// in the cache.
func (c *Cluster) alike(i int, cfg *Config) *Config {
	common := new(Config)
	*common = *cfg
	common.Name, common.Seed = "", 0
	if i > 0 && *c.nics[i-1].config == *common {
		return c.nics[i-1].config
	}
	return common
}

// Config returns what the NIC was made from.
func (n *NIC) Config() *Config { return n.made }

// ackEvery is the spacing of ACK requests within a message.
func (n *NIC) ackEvery(unreliable bool) int {
	if unreliable {
		return 0
	}
	return n.config.AckEvery
}

// due handles the port's event.
func (n *NIC) due(now sim.Time) {
	n.armedAt = sim.Never
	n.serve(now)
	if n.armedAt == sim.Never {
		n.cluster.engine.Disarm(n.id)
	}
}

// wake sees to it that the port looks for work at t, or when it is free after
// that.
func (n *NIC) wake(now, t sim.Time) {
	t = max(t, n.Busy())
	switch {
	case n.armedAt <= t || n.serving:
	case t <= now:
		n.serve(now)
	default:
		n.arm(t)
	}
}

func (n *NIC) arm(t sim.Time) {
	n.armedAt = t
	n.cluster.engine.Arm(n.id, t)
}

// serve sends the next packet of an idle port: CNPs, then ACKs, then the ready
// requesters of unpaused priorities in turn. Then it arms the port for the next
// one.
func (n *NIC) serve(now sim.Time) {
	if n.Busy() > now { // a pause frame took the wire meanwhile
		n.arm(n.Busy())
		return
	}
	n.serving = true
	n.promote(now)
	blocked := n.Blocked(now)
	if !n.sendControl(now, blocked) && now >= n.dataFree {
		n.sendReady(now, blocked)
	}
	n.serving = false
	n.rearm(now, blocked)
}

// sendReady sends a segment of the requester whose turn it is. Requesters that
// have nothing to send any more (acknowledged meanwhile, window closed, failed)
// lose their turn.
func (n *NIC) sendReady(now sim.Time, blocked uint8) {
	for avail := n.readyMask &^ blocked; avail != 0; avail = n.readyMask &^ blocked {
		q := n.next(avail)
		if q.maySend() {
			n.sendData(now, q)
			return
		}
		q.state = idle
	}
}

// rearm arms the port for the first instant at which it may have something to
// send, or leaves it to whoever brings work.
func (n *NIC) rearm(now sim.Time, blocked uint8) {
	free := n.Busy()
	if n.readyMask&^blocked != 0 && n.dataFree <= free && free > now {
		n.arm(free)
		return
	}
	t := n.nextWork(blocked)
	switch {
	case t < sim.Never:
		n.arm(max(t, free))
	case n.armedAt < sim.Never:
		n.armedAt = sim.Never
		n.cluster.engine.Disarm(n.id)
	}
}

// nextWork returns when something that waits here may be sent, regardless of
// the wire.
func (n *NIC) nextWork(blocked uint8) sim.Time {
	t := sim.Never
	if n.readyMask&^blocked != 0 {
		t = n.dataFree
	}
	if len(n.waiting) > 0 {
		t = min(t, max(n.waiting[0].at, n.dataFree))
	}
	if p := n.cnps.Head(); p != nil && blocked>>n.cnpPriority&1 == 0 {
		t = min(t, p.At)
	}
	for m := n.answering(blocked); m != 0; m &= m - 1 {
		t = min(t, n.classes[bits.TrailingZeros8(m)].acks.Head().At)
	}
	held := n.readyMask | n.ackMask
	if !n.cnps.Empty() {
		held |= 1 << n.cnpPriority
	}
	return min(t, n.Expiry(blocked&held))
}

// next takes the requester whose turn it is among the given priorities.
func (n *NIC) next(avail uint8) *requester {
	above := avail & (0xFF << (n.turn + 1))
	if above == 0 {
		above = avail
	}
	n.turn = uint8(bits.TrailingZeros8(above))
	l := &n.classes[n.turn].ready
	q := l.pop()
	if l.head == nil {
		n.readyMask &^= 1 << n.turn
	}
	return q
}

// ReceivePause obeys a pause frame whose response time has passed.
func (n *NIC) ReceivePause(now sim.Time, _ int, f packet.Pause) {
	if n.ApplyPause(now, f) {
		n.wake(now, now)
	}
}

var _ fabric.Receiver = (*NIC)(nil)
