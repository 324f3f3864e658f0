package metrics

import (
	"rocesim/fabric/packet"
	"rocesim/results"
	"rocesim/sim"
	switching "rocesim/switch"
)

// dropped counts a packet that a switch drops.
func (c *Collector) dropped(now sim.Time, sw *switching.Switch, port int, p *packet.Packet, cause switching.DropCause) {
	number := c.ports.number[sw]
	o := c.origin(p)
	k := dropKey{
		portPriority: portPriority{c.ports.of(number, port), p.Group}, cause: cause, kind: p.Kind,
		dscp: p.DSCP, sent: o.dscp, promised: o.lossless,
	}
	name, lossless := cause.String(), sw.Lossless(p.Group)
	if !lossless && o.lossless {
		name = results.LossyMapping + ", " + name
	}
	c.count(now, k, p, name, lossless || o.lossless)
}

// count adds a packet to the drops of its kind.
func (c *Collector) count(now sim.Time, k dropKey, p *packet.Packet, cause string, lossless bool) {
	d := c.drops[k]
	if d == nil {
		d = &results.DropRow{
			Port: k.port, Priority: k.priority, Lossless: lossless,
			Cause: cause, Kind: kindName(k.kind), DSCP: k.dscp, SentDSCP: k.sent, First: now,
		}
		c.drops[k] = d
	}
	d.Packets++
	d.Bytes += int64(p.Frame)
}

// origin is a packet as its sender sees it, whatever switches make of it.
type origin struct {
	dscp uint8
	// lossless says that the NIC takes the class for lossless, in a fabric that
	// has lossless classes at all.
	lossless bool
}

// origin tells what a packet was when it was sent.
func (c *Collector) origin(p *packet.Packet) origin {
	flow := c.m.Flow(int(p.Conn))
	sender, dscp := flow.Src, flow.DSCP
	if p.Kind != packet.Data && p.Kind != packet.Datagram {
		sender = flow.Dst
	}
	k := c.m.NICs.NIC(int(sender)).Config()
	if p.Kind == packet.CNP {
		dscp = k.CNPDSCP
	}
	return origin{dscp, k.PFC>>k.DSCPToPriority[dscp&63]&1 == 1 && c.lossless}
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
