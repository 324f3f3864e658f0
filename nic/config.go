package nic

import (
	"rocesim/nic/rc"
	"rocesim/sim"
)

// Config is everything that one NIC needs to know, resolved. A NIC has one
// port; a server with two ports has two NICs.
type Config struct {
	Name string
	// Seed feeds the NIC's random streams (jitter, queue pair numbers).
	Seed uint64
	Rate sim.Rate
	// MTU is the path MTU: payload bytes of a full packet.
	MTU int

	// DSCPToPriority is the NIC's own map from DSCP to PFC priority.
	DSCPToPriority [64]uint8
	// PFC has bit n set if the NIC obeys pauses of priority n.
	PFC uint8
	// PauseResponse is how long it takes to obey (IEEE 802.3 Annex 31B.3.7
	// bounds it).
	PauseResponse sim.Time

	// TTL is the hop limit of what the NIC sends; 0 is 64, as Linux has it.
	TTL uint8

	// TxLatency is from posting a work request to the first bit on the wire of
	// an idle port: doorbell, WQE fetch, DMA read, pipeline.
	TxLatency sim.Time
	// RxLatency is from the last bit received to the data being visible in
	// memory (and a completion in the queue).
	RxLatency sim.Time
	// AckLatency is from the last bit of a packet to the first bit of its ACK.
	AckLatency sim.Time
	// AcksUnpaused sends ACKs even while the priority of their data is paused
	// (other simulators).
	AcksUnpaused bool
	// AckEvery is the number of packets after which an ACK is sent within a
	// message; the last packet of a message is always acknowledged. 1
	// acknowledges every packet, 0 only the last.
	AckEvery int

	// CNPDSCP marks congestion notification packets.
	CNPDSCP uint8
	// CNPInterval is the least time between two CNPs of one scope; CNPDelay is
	// from a marked packet to its CNP's first bit.
	CNPInterval, CNPDelay sim.Time
	// CNPScope is what CNPInterval is kept per.
	CNPScope CNPScope
	// EchoCNP puts the notification on the ACK instead of sending a CNP, and
	// keeps no interval (other simulators).
	EchoCNP bool

	// PacketInterval is the least time between two packets of the port (packet
	// rate limit); MessageInterval between the first packets of two messages
	// of the port; QPMessageInterval of one queue pair. 0 is without limit.
	PacketInterval, MessageInterval, QPMessageInterval sim.Time
	// PCIe is the rate at which payload can be read from and written to
	// memory; 0 is without limit.
	PCIe sim.Rate
	// PerMessage serves a queue pair until its message ends before turning to
	// the next; otherwise they take turns packet by packet.
	PerMessage bool

	// Timeout is the retransmission time-out; 0 never. RetryCount is how often
	// it is retried before the queue pair fails.
	Timeout    sim.Time
	RetryCount int
	// Recovery is what the NIC can do about loss. A connection uses what both
	// of its ends can do.
	Recovery rc.Recovery
	// Window is the most payload in bytes, in whole packets, that a queue pair
	// has outstanding (BDP-FC of IRN); 0 is without limit.
	Window int64
	// RTOLow and RTOHigh take the place of Timeout with selective repeat: RTOLow
	// while fewer than 3 packets are outstanding (IRN, section 3.1). Both 0 are
	// never.
	RTOLow, RTOHigh sim.Time
	// NakInterval repeats a NAK for the same gap after this time; 0 never (a
	// strict responder).
	NakInterval sim.Time
	// OutOfOrder lets the responder accept packets in any order (adaptive
	// routing); every packet then carries a RETH.
	OutOfOrder bool

	// Receive is a receive buffer that may pause the peer; nil is a host that
	// is always fast enough.
	Receive *ReceiveConfig
	// Storms says that StartStorm may be called.
	Storms bool
	// StuckAfter is the NIC's own watchdog: a NIC that has paused its peer for
	// so long, while nothing moved, stops pausing it; 0 is off.
	StuckAfter sim.Time

	// ClockPPM bounds how much slower than nominal the NIC's clock may run, in
	// parts per million; the value is drawn per NIC. Jitter bounds the random
	// delay of each packet. Both 0 make phase-locked senders stay locked.
	ClockPPM int
	Jitter   sim.Time
}

// CNPScope is what a notification point keeps its CNP interval per.
type CNPScope uint8

// Scopes of the CNP interval (they differ between NIC generations).
const (
	PerQP CNPScope = iota
	PerSource
	PerPort
)
