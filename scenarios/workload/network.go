package workload

import "rocesim/sim"

// Network is what a workload drives. Its endpoints are NIC ports, numbered
// from 0. It reports back through Driver's Delivered, Completed and Failed.
type Network interface {
	// Connect opens a connection for data from src to dst and returns its
	// number. It is called while the Driver is built, and later by entries
	// that open a connection per flow.
	Connect(src, dst int, c Class) (conn int)
	// Post hands over a work request of bytes at now. msg comes back in the
	// reports about it.
	Post(now sim.Time, conn int, bytes int64, msg uint32)
}

// Class says how a connection's packets travel. The zero value is a reliable
// connection on the network's default class under congestion control.
type Class struct {
	// DSCP marks the packets (RFC 2474).
	DSCP uint8
	// Unreliable sends datagrams that nobody answers.
	Unreliable bool
	// Send makes messages SENDs instead of WRITEs.
	Send bool
	// NoCC exempts the connection from congestion control.
	NoCC bool
	// Rate is a fixed pacing rate in bits on the wire; at 0 congestion control
	// decides.
	Rate sim.Rate
	// SrcPort and DstPort are UDP ports; SrcPort 0 is derived from the queue
	// pair numbers, DstPort 0 is RoCEv2's 4791.
	SrcPort, DstPort uint16
	// Entry is the index of the workload entry that opens the connection; the
	// Driver fills it in.
	Entry int
}

// NIC chooses the NIC of a host: ByQP, or a number counted from 1.
type NIC int

// ByQP gives queue pair k of a connection the NIC k mod n of a host's n, on
// both ends.
const ByQP NIC = 0

// Host is one server.
type Host struct {
	// Name is for messages to the user.
	Name string
	// Endpoints are the host's NIC ports, in the order of its NICs.
	Endpoints []int
	// Rate is the sum of the line rates of its NICs.
	Rate sim.Rate
}

// Hosts are all servers of a fabric. Entries name a host by its index.
type Hosts []Host

// endpoint returns the NIC port that queue pair qp uses on host.
func (h Hosts) endpoint(host, qp int, nic NIC) int {
	ports := h[host].Endpoints
	if nic != ByQP {
		return ports[nic-1]
	}
	return ports[qp%len(ports)]
}

// Pair is a sender and a receiver.
type Pair struct {
	// Src and Dst are hosts.
	Src, Dst int
	// SrcNIC and DstNIC override the entry's choice of NIC.
	SrcNIC, DstNIC NIC
}

// Common is what every entry has.
type Common struct {
	// Name is the entry's name in results; unique within a run.
	Name string
	// Class is the class of the entry's connections.
	Class Class
	// NIC is used on both ends of the entry's connections.
	NIC NIC
}

// Label returns the entry's name.
func (c Common) Label() string { return c.Name }

// Entry is one item of a scenario's workload: one of this package's entry
// types.
type Entry interface {
	// Label returns the entry's name.
	Label() string
	// Validate checks the entry against the hosts. The error is of type
	// Problems and holds everything that is wrong.
	Validate(h Hosts) error
	// Bounded reports whether the entry comes to an end by itself, so that a
	// run can wait for it.
	Bounded() bool
	common() Common
	// start opens connections and schedules the first steps.
	start(s *source) generator
}

func (c Common) common() Common { return c }

// CommonOf returns what an entry has in common with others.
func CommonOf(e Entry) Common { return e.common() }
