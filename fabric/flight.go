package fabric

import (
	"rocesim/fabric/packet"
	"rocesim/sim"
)

// flight is the packets on one wire: a ring buffer in order of arrival. Times
// stand beside the pointers, so that arming the next arrival does not wait for
// the packet's cache line.
type flight struct {
	ring []arrival // its length is a power of two
	head uint32    // packets [head, tail) modulo the length
	tail uint32
}

type arrival struct {
	at sim.Time
	p  *packet.Packet
}

func (f *flight) empty() bool { return f.head == f.tail }

func (f *flight) len() int { return int(f.tail - f.head) }

// next is when the first packet arrives, or Never.
func (f *flight) next() sim.Time {
	if f.head == f.tail {
		return sim.Never
	}
	return f.ring[f.head&uint32(len(f.ring)-1)].at
}

func (f *flight) push(at sim.Time, p *packet.Packet) {
	if f.len() == len(f.ring) {
		f.grow()
	}
	f.ring[f.tail&uint32(len(f.ring)-1)] = arrival{at: at, p: p}
	f.tail++
}

func (f *flight) pushFront(at sim.Time, p *packet.Packet) {
	if f.len() == len(f.ring) {
		f.grow()
	}
	f.head--
	f.ring[f.head&uint32(len(f.ring)-1)] = arrival{at: at, p: p}
}

// pop takes the first packet. Preconditions: not empty.
func (f *flight) pop() *packet.Packet {
	p := f.ring[f.head&uint32(len(f.ring)-1)].p
	f.head++
	return p
}

// grow doubles the ring: most wires hold a few packets, a long one at 400G
// hundreds.
func (f *flight) grow() {
	ring := make([]arrival, max(4, 2*len(f.ring)))
	n := f.len()
	for i := range n {
		ring[i] = f.ring[(f.head+uint32(i))&uint32(len(f.ring)-1)]
	}
	f.ring, f.head, f.tail = ring, 0, uint32(n)
}
