package nic

import (
	"rocesim/fabric"
	"rocesim/sim"
)

// Stats are a NIC's counters; the names that operators know stand behind them.
type Stats struct {
	Tx, Rx          [fabric.Priorities]Traffic
	Delivered       uint64 // payload bytes accepted by responders
	Marked          uint64 // np_ecn_marked_roce_packets
	CNPSent         uint64 // np_cnp_sent
	CNPHandled      uint64 // rp_cnp_handled
	CNPIgnored      uint64 // rp_cnp_ignored: the queue pair has no reaction point
	OutOfSequence   uint64 // out_of_sequence
	Duplicates      uint64 // duplicate_request
	NaksSent        uint64
	NaksReceived    uint64 // packet_seq_err
	Timeouts        uint64 // local_ack_timeout_err
	RetriesExceeded uint64 // req_transport_retries_exceeded
	Retransmitted   uint64 // packets sent again
	OutOfBuffer     uint64 // out_of_buffer: the receive buffer was full
	StormErrors     uint64 // tx_pause_storm_error_events: the NIC's watchdog stopped its pauses
}

// Traffic counts frames of one priority and their bytes.
type Traffic struct{ Packets, Bytes uint64 }

func (t *Traffic) count(frame uint16) {
	t.Packets++
	t.Bytes += uint64(frame)
}

// Stats returns the NIC's counters.
func (n *NIC) Stats() Stats {
	s := n.stats
	for i := range n.classes {
		s.Tx[i], s.Rx[i] = n.classes[i].tx, n.classes[i].rx
	}
	s.Delivered = n.payload
	return s
}

// Sent returns what the NIC has sent of all priorities: frames and frame bytes.
func (n *NIC) Sent() (packets, bytes uint64) {
	for i := range n.classes {
		t := &n.classes[i].tx
		packets, bytes = packets+t.Packets, bytes+t.Bytes
	}
	return packets, bytes
}

// CNPs returns how many CNPs the NIC has sent and acted upon.
func (n *NIC) CNPs() (sent, handled uint64) { return n.stats.CNPSent, n.stats.CNPHandled }

// Waiting describes one connection that has something to do.
type Waiting struct {
	Conn    int
	Dst     int
	Pending bool // has segments to send
	Unacked int64
	Paused  bool // its priority is paused at the source NIC
	// Window tells that more was posted than its window lets out.
	Window bool
	// Retry is when it times out unless an acknowledgement comes; Never if
	// nothing is outstanding or the timer is off.
	Retry sim.Time
	// Since is when something was last acknowledged, or sent first thereafter, or
	// timed out; Timeouts is how often that was in a row.
	Since    sim.Time
	Timeouts int
}

// Unfinished lists the connections with messages that are not acknowledged.
func (c *Cluster) Unfinished(now sim.Time) []Waiting {
	var out []Waiting
	for i := range c.requesters.len() {
		q := c.requesters.at(uint32(i))
		if q.rc.Idle() || q.failed {
			continue
		}
		out = append(out, c.Waiting(now, i))
	}
	return out
}

// Waiting describes what connection conn waits for.
func (c *Cluster) Waiting(now sim.Time, conn int) Waiting {
	q := c.requesters.at(uint32(conn))
	src := &c.nics[q.src]
	w := Waiting{
		Conn:     conn,
		Dst:      int(q.dst),
		Pending:  q.rc.HasNext(),
		Unacked:  q.rc.InFlight(),
		Paused:   src.Blocked(now)>>q.priority&1 == 1,
		Window:   q.rc.WindowFull() || q.rc.HasNext() && !q.maySend(),
		Retry:    sim.Never,
		Since:    q.progress,
		Timeouts: q.retry.Timeouts(),
	}
	if q.timing && q.rc.Outstanding() {
		w.Retry = q.progress + src.patience(q)
	}
	return w
}

// ControlWaiting returns how many ACKs, NAKs and CNPs wait in the NICs.
func (c *Cluster) ControlWaiting() int {
	count := 0
	for i := range c.nics {
		n := &c.nics[i]
		count += n.cnps.Len()
		for p := range n.classes {
			count += n.classes[p].acks.Len()
		}
	}
	return count
}
