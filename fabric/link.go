package fabric

import (
	"rocesim/fabric/packet"
	"rocesim/sim"
)

// Receiver is the node at the end of a link.
type Receiver interface {
	// Receive is called when p has arrived at port (its last bit; its first bit
	// at a cut-through switch) and passed the node's ingress latency. The
	// receiver owns p from then on.
	Receive(now sim.Time, port int, p *packet.Packet)
	// ReceivePause is called when a pause frame takes effect at port: after
	// propagation and the port's response time.
	ReceivePause(now sim.Time, port int, f packet.Pause)
}

// Link is one direction of a cable. It is one event source whatever it
// carries: packets in flight wait in a list, and only the head is armed. It fills
// one cache line.
type Link struct {
	inFlight flight
	to       Receiver
	wire     *wire
	id       sim.ID
	port     uint16
}

// wire is what links are made of. Those that are alike share one.
type wire struct {
	engine   *sim.Engine
	delay    sim.Time
	fault    *Fault // nil if frames do not get lost
	atHeader bool   // deliver with the first bit
}

// LinkConfig describes one direction of a cable.
type LinkConfig struct {
	// To and Port are where it ends.
	To   Receiver
	Port int
	// Propagation along the cable, one way.
	Propagation sim.Time
	// SenderLatency and ReceiverLatency are what the nodes at both ends add
	// between their buffer and the wire.
	SenderLatency, ReceiverLatency sim.Time
	// AtHeader delivers with the first bit instead of the last (cut-through).
	AtHeader bool
	// Response is how long the node at the end takes to obey a pause.
	Response sim.Time
}

// Send puts p on the wire; firstBit and lastBit are when it leaves the sender.
func (l *Link) Send(p *packet.Packet, firstBit, lastBit sim.Time) {
	w := l.wire
	t := lastBit
	if w.atHeader {
		t = firstBit
	}
	t += w.delay
	if l.inFlight.empty() {
		w.engine.Arm(l.id, t)
	}
	l.inFlight.push(t, p)
}

// Hold gives p back to its link until instant t, when it is delivered again.
// A cut-through switch holds a frame whose egress link is faster until it is
// stored whole. Preconditions: p was just delivered by l, and t lies before the
// next delivery (frames follow each other on the wire).
func (l *Link) Hold(p *packet.Packet, t sim.Time) {
	l.inFlight.pushFront(t, p)
	l.wire.engine.Arm(l.id, t)
}

// InFlight returns how many packets are on the wire.
func (l *Link) InFlight() int { return l.inFlight.len() }

func (l *Link) arrive(now sim.Time) {
	for {
		p := l.inFlight.pop()
		next := l.inFlight.next()
		again := next <= now
		switch {
		case again: // zero-length transmissions: several packets at one instant
		case next < sim.Never:
			l.wire.engine.Arm(l.id, next)
		default:
			l.wire.engine.Disarm(l.id)
		}
		if f := l.wire.fault; f == nil || !f.loses(now, p) {
			l.to.Receive(now, int(l.port), p)
		}
		if !again || l.inFlight.next() > now { // p may have been given back by Hold
			return
		}
	}
}

// lossy makes f decide about what arrives; nil loses nothing. Other links go on
// sharing the wire that this one had.
func (l *Link) lossy(f *Fault) {
	w := *l.wire
	w.fault = f
	l.wire = &w
}

// Links are all links of a run; they act for the kernel's link class.
type Links []Link

// Init wires link i as source first+i.
func (ls Links) Init(i int, e *sim.Engine, first sim.ID, c LinkConfig) {
	w := wire{engine: e, delay: c.Propagation + c.SenderLatency + c.ReceiverLatency, atHeader: c.AtHeader}
	ls[i] = Link{to: c.To, wire: ls.like(i, w), id: first + sim.ID(i), port: uint16(c.Port)}
}

// like returns the wire of the same direction of the cable before link i's if it
// is w, else a new one.
func (ls Links) like(i int, w wire) *wire {
	if i >= 2 && ls[i-2].wire != nil && *ls[i-2].wire == w {
		return ls[i-2].wire
	}
	own := new(wire)
	*own = w
	return own
}

// Handle delivers what arrives over link i.
func (ls Links) Handle(now sim.Time, i int) { ls[i].arrive(now) }

// PauseChannel carries the pause frames of one link. They overtake the data in
// the peer's pipeline, hence a channel of their own.
type PauseChannel struct {
	frames []timedPause // frames[next:] are under way
	next   int
	to     Receiver
	engine *sim.Engine
	delay  sim.Time
	fault  *Fault // nil if no frame gets lost
	id     sim.ID
	port   int32
}

type timedPause struct {
	at    sim.Time
	frame packet.Pause
}

// Send sends f, whose last bit leaves at lastBit.
func (c *PauseChannel) Send(f packet.Pause, lastBit sim.Time) {
	if c.next == len(c.frames) {
		c.frames, c.next = c.frames[:0], 0
		c.engine.Arm(c.id, lastBit+c.delay)
	}
	c.frames = append(c.frames, timedPause{at: lastBit + c.delay, frame: f})
}

// PauseChannels are those of all links; they act for the kernel's pause class.
type PauseChannels []PauseChannel

// Init wires channel i as source first+i.
func (cs PauseChannels) Init(i int, e *sim.Engine, first sim.ID, c LinkConfig) {
	cs[i] = PauseChannel{
		to:     c.To,
		engine: e,
		delay:  c.Propagation + c.Response,
		id:     first + sim.ID(i),
		port:   int32(c.Port),
	}
}

// Handle makes the frames take effect that are due on channel i.
func (cs PauseChannels) Handle(now sim.Time, i int) {
	c := &cs[i]
	due := c.next
	for c.next < len(c.frames) && c.frames[c.next].at <= now {
		c.next++
	}
	end := c.next
	if c.next < len(c.frames) {
		c.engine.Arm(c.id, c.frames[c.next].at)
	} else {
		c.engine.Disarm(c.id)
	}
	for ; due < end; due++ {
		if c.fault == nil || !c.fault.losesPause() {
			c.to.ReceivePause(now, int(c.port), c.frames[due].frame)
		}
	}
}

// clear forgets the frames under way and returns their number.
func (c *PauseChannel) clear() int {
	n := len(c.frames) - c.next
	c.frames, c.next = c.frames[:0], 0
	c.engine.Disarm(c.id)
	return n
}
