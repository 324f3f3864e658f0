package metrics

import (
	"fmt"

	"rocesim/fabric"
	"rocesim/fabric/packet"
	"rocesim/fabric/topo"
	"rocesim/results"
	"rocesim/sim"
	switching "rocesim/switch"
)

// lost counts a packet that a link lost, as a drop at the port that sent it.
func (c *Collector) lost(now sim.Time, link int, p *packet.Packet, cause fabric.LossCause) {
	from := c.sender(link)
	o := c.origin(p)
	k := dropKey{
		portPriority: portPriority{port: c.port(from)}, cause: switching.DropCauses + switching.DropCause(cause), kind: p.Kind,
		dscp: p.DSCP, sent: o.dscp, promised: o.lossless,
	}
	lossless := o.lossless
	if sw := from.Node - len(c.m.Spec.Graph.Endpoints); sw >= 0 {
		k.priority, lossless = p.Queue, c.m.Switches[sw].Lossless(p.Group)
	} else {
		k.priority = c.m.NICs.NIC(from.Node).Config().DSCPToPriority[p.DSCP&63]
	}
	c.count(now, k, p, cause.String(), lossless)
}

// sender is the port that sends into a directed link (model.ObserveLosses says
// how they are numbered).
func (c *Collector) sender(link int) topo.End {
	return c.m.Spec.Graph.From(topo.DirectedLink{Link: link / 2, Forward: link%2 == 0})
}

// port is the results' index of a port of the graph.
func (c *Collector) port(e topo.End) int32 {
	if sw := e.Node - len(c.m.Spec.Graph.Endpoints); sw >= 0 {
		return c.ports.of(sw, e.Port)
	}
	return c.ports.nic(e.Node)
}

// maxLossNotes bounds the notes about lost pause frames.
const maxLossNotes = 10

// lostPauses notes where pause frames were lost. They are no packets of a class
// and so no drops.
func (c *Collector) lostPauses(run *results.Run) {
	count := 0
	for link := range c.m.Links {
		for cause, n := range c.m.Losses(link).Pauses {
			if n == 0 {
				continue
			}
			if count++; count <= maxLossNotes {
				run.Manifest.Notes = append(run.Manifest.Notes, fmt.Sprintf("%d pause frames of %s were lost (%v)",
					n, run.PortName(c.port(c.sender(link))), fabric.LossCause(cause)))
			}
		}
	}
	if count > maxLossNotes {
		run.Manifest.Notes = append(run.Manifest.Notes, fmt.Sprintf("pause frames were lost at %d other places", count-maxLossNotes))
	}
}
