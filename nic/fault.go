package nic

import "rocesim/sim"

// LinkDown tells the NIC that its link has failed: pauses of the switch are
// gone with it. The NIC goes on sending, into nothing; its queue pairs find out
// by their retransmission timers.
func (n *NIC) LinkDown(now sim.Time) {
	n.ForgetPauses(now)
	n.wake(now, now)
}
