package nic

import "rocesim/sim"

// qpState is where a requester stands in its NIC's scheduler.
type qpState uint8

const (
	idle    qpState = iota // nothing to send, or its window is full
	ready                  // in the ready list of its priority
	waiting                // in the heap, for its next instant
)

// list is a first-in first-out list of requesters.
type list struct{ head, tail *requester }

func (l *list) push(q *requester) {
	q.link = nil
	if l.head == nil {
		l.head = q
	} else {
		l.tail.link = q
	}
	l.tail = q
}

func (l *list) pushFront(q *requester) {
	q.link = l.head
	if l.head == nil {
		l.tail = q
	}
	l.head = q
}

func (l *list) pop() *requester {
	q := l.head
	l.head = q.link
	q.link = nil
	return q
}

// alarm is one entry of a heap of requesters by time; ties are broken by
// connection number, so order does not depend on insertion.
type alarm struct {
	at sim.Time
	q  *requester
}

func (a alarm) before(b alarm) bool { return a.at < b.at || a.at == b.at && a.q.conn < b.q.conn }

// alarms is a binary heap. It is written out because container/heap would box
// each entry.
type alarms []alarm

func (h *alarms) push(a alarm) {
	*h = append(*h, a)
	s := *h
	i := len(s) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !a.before(s[parent]) {
			break
		}
		s[i] = s[parent]
		i = parent
	}
	s[i] = a
}

func (h *alarms) pop() alarm {
	s := *h
	top := s[0]
	last := s[len(s)-1]
	s = s[:len(s)-1]
	*h = s
	if len(s) == 0 {
		return top
	}
	i := 0
	for {
		child := 2*i + 1
		if child >= len(s) {
			break
		}
		if child+1 < len(s) && s[child+1].before(s[child]) {
			child++
		}
		if !s[child].before(last) {
			break
		}
		s[i] = s[child]
		i = child
	}
	s[i] = last
	return top
}

// activate schedules a requester that may have something to send.
func (n *NIC) activate(now sim.Time, q *requester) {
	if q.state != idle || !q.maySend() {
		return
	}
	n.schedule(q, now)
	n.wake(now, q.next)
}

// maySend reports whether the requester has a segment and room in its window.
func (q *requester) maySend() bool {
	if !q.rc.HasNext() || q.failed {
		return false
	}
	if q.control == nil {
		return true
	}
	w := q.control.Window()
	return w == 0 || q.rc.InFlight() < w || q.rc.Repeating()
}

// schedule puts a requester into the ready list if its instant is at most
// horizon, else into the heap.
func (n *NIC) schedule(q *requester, horizon sim.Time) {
	if q.next <= horizon {
		q.state = ready
		n.classes[q.priority].ready.push(q)
		n.readyMask |= 1 << q.priority
		return
	}
	q.state = waiting
	n.waiting.push(alarm{at: q.next, q: q})
}

// promote moves the requesters whose instant has come to the ready lists.
func (n *NIC) promote(now sim.Time) {
	for len(n.waiting) > 0 && n.waiting[0].at <= now {
		q := n.waiting.pop().q
		n.schedule(q, now)
	}
}
