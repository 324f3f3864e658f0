// Package packet holds what travels: packets and their pool, sequence numbers,
// sizes, and pause frames.
package packet

import "rocesim/sim"

// Kind says what a packet is for.
type Kind uint8

// Kinds of packets. PFC frames are no packets: see Pause.
const (
	Data     Kind = iota // RC WRITE or SEND
	Ack                  // RC acknowledge
	Nak                  // RC negative acknowledge, PSN sequence error
	CNP                  // congestion notification packet (Annex A17.9.3)
	Datagram             // unreliable; nobody answers it
	Kinds                // their number
)

// Flags of a packet.
const (
	ECT        uint8 = 1 << iota // ECN-capable transport
	CE                           // congestion experienced
	First                        // first packet of a message (carries RETH)
	Last                         // last packet of a message
	AckReq                       // the responder shall acknowledge
	EchoCNP                      // an ACK that carries a congestion notification (other simulators)
	Retransmit                   // sent before
	Held                         // a cut-through switch waits for its last bit
)

// Packet is one frame in the fabric. It fills one cache line, and whoever
// holds it (a queue, a wire) links it through Next.
type Packet struct {
	// Next links the packet into the one list that owns it.
	Next *Packet
	// At is when the packet is due: its arrival while on a wire, the instant
	// it may leave while it waits in a NIC's control queue.
	At sim.Time
	// Sent is when the requester put it on the wire; ACKs echo it.
	Sent sim.Time
	// Conn is the connection it belongs to.
	Conn uint32
	// Dst is the endpoint (NIC) it goes to.
	Dst uint32
	// Entropy is the hash of its 5-tuple; equal for all packets of a flow in
	// one direction.
	Entropy uint32
	// Msg is the message that it is part of; in a NAK of selective repeat the
	// sequence number of the packet that called for it.
	Msg uint32
	// PSN is its sequence number, or the one acknowledged.
	PSN PSN
	// Payload is in bytes.
	Payload uint16
	// Frame is its size in bytes from MAC header to FCS.
	Frame uint16
	// In is the ingress port at the switch that holds it.
	In uint16
	// Group and Queue are its priority group and egress queue there.
	Group, Queue uint8

	Kind  Kind
	Flags uint8
	DSCP  uint8
	// TTL is decremented by every switch; at 0 the packet is dropped.
	TTL uint8
	// Charge is what it occupies in the buffer of the switch that holds it, in
	// bytes of whole cells.
	Charge uint16
	// PCP is the 802.1Q priority of its tag, for networks that trust it.
	PCP uint8
}

// Pool recycles packets. It grows when empty and never shrinks, so a run in
// steady state allocates nothing. It is used by one goroutine.
type Pool struct {
	free  *Packet
	inUse int
	total int
}

// poolChunk is how many packets one growth adds: 64 KiB worth.
const poolChunk = 1024

// Get returns a packet with undefined contents.
func (p *Pool) Get() *Packet {
	if p.free == nil {
		p.grow()
	}
	k := p.free
	p.free = k.Next
	k.Next = nil
	p.inUse++
	return k
}

// Put takes k back. The caller must not use it afterwards.
func (p *Pool) Put(k *Packet) {
	k.Next = p.free
	p.free = k
	p.inUse--
}

// InUse is how many packets are out of the pool: those in the fabric.
func (p *Pool) InUse() int { return p.inUse }

// Size is how many packets the pool has made.
func (p *Pool) Size() int { return p.total }

func (p *Pool) grow() {
	chunk := make([]Packet, poolChunk)
	for i := range chunk {
		chunk[i].Next = p.free
		p.free = &chunk[i]
	}
	p.total += poolChunk
}

// Queue is a first-in first-out list of packets.
type Queue struct{ head, tail *Packet }

// Empty reports whether the queue has no packet.
func (q *Queue) Empty() bool { return q.head == nil }

// Head returns the oldest packet, or nil.
func (q *Queue) Head() *Packet { return q.head }

// Push appends k.
func (q *Queue) Push(k *Packet) {
	k.Next = nil
	if q.head == nil {
		q.head = k
	} else {
		q.tail.Next = k
	}
	q.tail = k
}

// PushFront puts k before all others.
func (q *Queue) PushFront(k *Packet) {
	k.Next = q.head
	if q.head == nil {
		q.tail = k
	}
	q.head = k
}

// Pop removes and returns the oldest packet. Preconditions: not Empty.
func (q *Queue) Pop() *Packet {
	k := q.head
	q.head = k.Next
	k.Next = nil
	return k
}

// Len counts the packets. It walks the list: for tests and reports.
func (q *Queue) Len() int {
	n := 0
	for k := q.head; k != nil; k = k.Next {
		n++
	}
	return n
}
