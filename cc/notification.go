package cc

import "rocesim/sim"

// NotificationPoint spaces the CNPs of one flow (or source, or port: whatever
// the adapter keeps the interval per) (DCQCN paper, section 3.1). The zero
// value has sent none.
type NotificationPoint struct{ next sim.Time }

// Due reports whether the marked packet that arrived at now calls for a CNP,
// which the caller then sends: the first one at once, further ones if interval
// has passed since the last. Interval 0 answers every marked packet.
func (n *NotificationPoint) Due(now, interval sim.Time) bool {
	if now < n.next {
		return false
	}
	n.next = now + interval
	return true
}
