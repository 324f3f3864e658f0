package nic

import (
	"rocesim/fabric/packet"
	"rocesim/sim"
)

// LinkDown tells the NIC that its link has failed: pauses of the switch are
// gone with it. The NIC goes on sending, into nothing; its queue pairs find out
// by their retransmission timers.
func (n *NIC) LinkDown(now sim.Time) {
	n.ForgetPauses(now)
	n.wake(now, now)
}

// LinkUp tells the NIC that its link is back. The switch knows of no pause any
// more, so what the NIC holds is paused again.
func (n *NIC) LinkUp(now sim.Time) { n.tell(now, n.Held(), packet.MaxQuanta) }
