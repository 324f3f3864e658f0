package nic

import "rocesim/sim"

// retryTimer is a NIC's retransmission timer. Its heap holds each connection
// with unacknowledged packets once; an entry that comes due early, because
// acknowledgements arrived since, is put back for its real deadline. So an ACK
// costs no timer work.
type retryTimer struct {
	id   sim.ID
	heap alarms
}

// watch starts the retransmission timer of a requester that is about to send.
func (n *NIC) watch(now sim.Time, q *requester) {
	if q.unreliable || q.rc.Outstanding() {
		return
	}
	q.progress = now
	if q.timing || n.patience(q) == 0 {
		return
	}
	q.timing = true
	t := now + n.patience(q)
	n.retry.heap.push(alarm{at: t, q: q})
	if n.retry.heap[0].q == q {
		n.cluster.engine.Arm(n.retry.id, t)
	}
}

// fewOutstanding is the number of packets outstanding from which selective
// repeat waits longer: a loss among them shows without a time-out (N of IRN,
// section 3.1).
const fewOutstanding = 3

// patience is how long q waits for an acknowledgement before it times out; 0 is
// for ever.
func (n *NIC) patience(q *requester) sim.Time {
	switch {
	case !q.selective:
		return n.config.Timeout
	case q.rc.OutstandingPackets() < fewOutstanding:
		return n.config.RTOLow
	default:
		return n.config.RTOHigh
	}
}

// look returns when the timer of q must be looked at again. With selective
// repeat an acknowledgement may shorten its patience, though to no less than
// RTOLow from then on.
func (n *NIC) look(now sim.Time, q *requester) sim.Time {
	deadline := q.progress + n.patience(q)
	if q.selective {
		return min(deadline, now+n.config.RTOLow)
	}
	return deadline
}

// RetryTimers act for the kernel's retry class.
type RetryTimers struct{ Cluster *Cluster }

// Handle runs the retransmission timer of NIC i.
func (r RetryTimers) Handle(now sim.Time, i int) { r.Cluster.nics[i].retryDue(now) }

func (n *NIC) retryDue(now sim.Time) {
	h := &n.retry.heap
	for len(*h) > 0 && (*h)[0].at <= now {
		q := h.pop().q
		if !q.rc.Outstanding() || q.failed {
			q.timing = false
			continue
		}
		if q.progress+n.patience(q) <= now {
			n.timeout(now, q)
		}
		if q.failed {
			q.timing = false
			continue
		}
		h.push(alarm{at: n.look(now, q), q: q})
	}
	if len(*h) > 0 {
		n.cluster.engine.Arm(n.retry.id, (*h)[0].at)
	} else {
		n.cluster.engine.Disarm(n.retry.id)
	}
}

// timeout sends everything unacknowledged again, or fails the connection after
// RetryCount+1 attempts without progress (InfiniBand Architecture Volume 1,
// 9.9.2.1.2).
func (n *NIC) timeout(now sim.Time, q *requester) {
	n.stats.Timeouts++
	q.progress = now
	if q.retry.Timeout() {
		n.fail(now, q)
		return
	}
	q.rc.Timeout()
	n.activate(now, q)
}

// fail puts the connection into error and flushes its messages.
func (n *NIC) fail(now sim.Time, q *requester) {
	n.stats.RetriesExceeded++
	q.failed = true
	for {
		msg, ok := q.rc.Flush()
		if !ok {
			return
		}
		if f := n.cluster.env.Observer.Failed; f != nil {
			f(now, msg)
		}
	}
}
