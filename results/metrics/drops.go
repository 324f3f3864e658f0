package metrics

import (
	"rocesim/fabric/packet"
	"rocesim/results"
	"rocesim/sim"
	switching "rocesim/switch"
)

// dropped counts a packet that a switch drops.
func (c *Collector) dropped(now sim.Time, sw *switching.Switch, port int, p *packet.Packet, cause switching.DropCause) {
	k := dropKey{portPriority{c.ports.of(c.ports.number[sw], port), p.Group}, cause, p.Kind, p.DSCP}
	d := c.drops[k]
	if d == nil {
		d = &results.DropRow{
			Port:     k.port,
			Priority: k.priority,
			Lossless: sw.Lossless(p.Group),
			Cause:    cause.String(),
			Kind:     kindName(p.Kind),
			DSCP:     p.DSCP,
			First:    now,
		}
		if !d.Lossless && c.promised(p) {
			d.Lossless = true
			d.Cause = results.LossyMapping + ", " + d.Cause
		}
		c.drops[k] = d
	}
	d.Packets++
	d.Bytes += int64(p.Frame)
}

// promised reports whether the NIC that sent a packet takes its class for
// lossless, in a fabric that has lossless classes at all.
func (c *Collector) promised(p *packet.Packet) bool {
	flow := c.m.Flow(int(p.Conn))
	sender := flow.Src
	if p.Kind != packet.Data && p.Kind != packet.Datagram {
		sender = flow.Dst
	}
	k := c.m.NICs.NIC(int(sender)).Config()
	return k.PFC>>k.DSCPToPriority[p.DSCP&63]&1 == 1 && c.lossless
}

// anyLossless reports whether a switch of the fabric has a lossless class.
func (c *Collector) anyLossless() bool {
	for _, s := range c.m.Switches {
		for n := range switching.Priorities {
			if s.Lossless(uint8(n)) && s.Config().PFC.Enabled != 0 {
				return true
			}
		}
	}
	return false
}

func kindName(k packet.Kind) string {
	switch k {
	case packet.Ack:
		return "ack"
	case packet.Nak:
		return "nak"
	case packet.CNP:
		return "cnp"
	case packet.Datagram:
		return "datagram"
	default:
		return "data"
	}
}
