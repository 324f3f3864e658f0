package derive

import (
	"rocesim/nic/rc"
	"rocesim/scenarios"
	"rocesim/sim"
)

// Answers returns how long a queue pair from one endpoint to another waits for the
// acknowledgement of a full packet on an idle fabric, from the first bit that it
// sends: what a retransmission time-out must be above. It is 0 without a path.
func Answers(p *scenarios.Plan) func(src, dst int) sim.Time {
	idle := idleOf(p)
	return func(src, dst int) sim.Time {
		from := &p.NICs[src]
		t := idle.Message(src, dst, int64(from.MTU), false)
		if t == 0 {
			return 0
		}
		return t - from.TxLatency - from.RxLatency
	}
}

// Patience returns how long queue pairs of an endpoint wait for an acknowledgement at
// least before they send again, 0 for ever, and whether that is the lower time-out of
// selective repeat.
func Patience(p *scenarios.Plan, endpoint int) (wait sim.Time, selective bool) {
	if n := &p.NICs[endpoint]; n.Recovery == rc.SelectiveRepeat {
		return n.RTOLow, true
	}
	return p.NICs[endpoint].Timeout, false
}
