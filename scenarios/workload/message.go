package workload

import (
	"fmt"

	"rocesim/sim"
)

// Message is one row of the flow table: a work request of one connection. It
// takes 56 bytes, so that a million cost little.
type Message struct {
	// Bytes of payload.
	Bytes int64
	// Start is when it was posted.
	Start sim.Time
	// Delivered is when its last byte was in the responder's memory; Never
	// until known.
	Delivered sim.Time
	// Completed is when the requester had its completion (for datagrams: when
	// the last packet had left); Never until known.
	Completed sim.Time
	// Conn is the network's number of the connection.
	Conn int32
	// Entry is the index of the workload entry.
	Entry int32
	// Src and Dst are endpoints (NIC ports).
	Src, Dst int32
	// Group is the round of an incast, permutation or all-to-all, the burst of
	// a saturating sender; -1 where there is none.
	Group int32
	// token says to the entry which of its parts the message belongs to; its
	// top bit is set when the queue pair failed.
	token uint32
}

const failedBit = 1 << 31

// Failed reports whether the queue pair ended in an error before the message
// was completed.
func (m Message) Failed() bool { return m.token&failedBit != 0 }

// pageSize is how many messages are allocated at once (224 KiB): the
// table grows without copying.
const pageSize = 4096

// table holds the messages of a run in the order in which they were posted.
type table struct {
	pages []*[pageSize]Message
	n     int
}

func (t *table) add(m Message) uint32 {
	if t.n%pageSize == 0 {
		t.pages = append(t.pages, new([pageSize]Message))
	}
	t.pages[t.n/pageSize][t.n%pageSize] = m
	t.n++
	return uint32(t.n - 1)
}

func (t *table) at(msg uint32) *Message {
	if int(msg) >= t.n {
		panic(fmt.Sprintf("workload: message %d reported, %d posted", msg, t.n))
	}
	return &t.pages[msg/pageSize][msg%pageSize]
}

// Progress counts messages.
type Progress struct {
	// Posted, Delivered and Completed messages. A datagram can be completed
	// and never delivered.
	Posted, Delivered, Completed int
	// Failed messages will never be completed.
	Failed int
	// Skipped counts latency probes that were due while the one before was
	// under way.
	Skipped int
	// PostedBytes and DeliveredBytes are payload.
	PostedBytes, DeliveredBytes int64
}

// Unfinished returns how many messages can still be completed.
func (p Progress) Unfinished() int { return p.Posted - p.Completed - p.Failed }

func (p *Progress) add(q Progress) {
	p.Posted += q.Posted
	p.Delivered += q.Delivered
	p.Completed += q.Completed
	p.Failed += q.Failed
	p.Skipped += q.Skipped
	p.PostedBytes += q.PostedBytes
	p.DeliveredBytes += q.DeliveredBytes
}
