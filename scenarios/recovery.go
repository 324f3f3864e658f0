package scenarios

import (
	"fmt"

	"rocesim/nic/rc"
	"rocesim/sim"
)

// The time-outs of selective repeat in IRN's evaluation (Mittal et al., SIGCOMM
// 2018, section 4.1).
const (
	rtoLowDefault  = 100 * sim.Microsecond
	rtoHighDefault = 320 * sim.Microsecond
)

// recovery is what the NIC does about loss.
func (n *NIC) recovery() rc.Recovery {
	switch n.Recovery {
	case "go-back-0":
		return rc.GoBack0
	case "selective-repeat":
		return rc.SelectiveRepeat
	default:
		return rc.GoBackN
	}
}

// rto returns the time-outs of selective repeat, defaults filled in.
func (n *NIC) rto() (low, high sim.Time) {
	low, high = n.RTOLow, n.RTOHigh
	if high == 0 {
		high = max(rtoHighDefault, low)
	}
	if low == 0 {
		low = min(rtoLowDefault, high)
	}
	return low, high
}

// checkRecovery checks what the limits of single values do not.
func (p *planner) checkRecovery(n *NIC, path string) {
	if n.RTOLow > 0 && n.RTOHigh > 0 && n.RTOLow > n.RTOHigh {
		p.doc.Failf(path+".rto_low", "%v is above rto_high, %v; allowed: up to rto_high", n.RTOLow, n.RTOHigh)
	}
	if n.OutOfOrder && n.recovery() != rc.GoBackN {
		p.doc.Failf(path+".out_of_order", "given with recovery %s, to which a packet that was overtaken is lost; allowed: recovery go-back-n", n.Recovery)
	}
	if n.Window == 0 {
		return
	}
	packets := int64(n.Window) / int64(n.MTU)
	switch {
	case packets == 0:
		p.doc.Failf(path+".window", "%v holds no packet of the mtu, %d bytes; allowed: one packet or more, 0B for no limit", n.Window, n.MTU)
	case n.AckEvery == 0:
		p.doc.Failf(path+".window", "given with ack_every 0, so that nothing opens it before the end of a message; allowed: ack_every from 1 to the packets of the window, here %d", packets)
	case int64(n.AckEvery) > packets:
		p.doc.Failf(path+".window", "%v are %d packets of %d bytes, fewer than ack_every, %d; allowed: a window of ack_every packets or more", n.Window, packets, n.MTU, n.AckEvery)
	}
}

// checkRTO warns of a time-out that ends while an acknowledgement may still be
// on its way.
func (p *planner) checkRTO() {
	g := p.plan.Graph
	if g == nil {
		return
	}
	for i := range p.plan.NICs {
		c := &p.plan.NICs[i]
		round := 2 * p.port(i).Delay
		if c.Recovery == rc.SelectiveRepeat && c.RTOLow < round {
			p.find("timeout-below-round-trip", p.plan.NICPath(i, "rto_low"), []string{c.Name},
				fmt.Sprintf("nic.rto_low is %v, less than the %v that the first link of NIC %s takes to and fro; packets will be sent twice", c.RTOLow, round, c.Name),
				fmt.Sprintf("2 x %v = %v > %v", round/2, round, c.RTOLow), "set nic.rto_low and nic.rto_high above the round trip")
			return
		}
	}
}
