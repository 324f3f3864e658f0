package metrics

import (
	"cmp"
	"slices"
	"strings"

	"rocesim/fabric"
	"rocesim/fabric/topo"
	"rocesim/results"
	"rocesim/sim"
	switching "rocesim/switch"
)

// Collect returns everything measured until now. The caller completes the
// manifest.
func (c *Collector) Collect(now sim.Time) *results.Run {
	run := &results.Run{Workloads: c.opt.Workloads}
	run.Manifest.SimulatedTime = now
	run.Manifest.MeasureFrom = c.opt.MeasureFrom
	run.Manifest.Fingerprint = c.m.Engine.Fingerprint()
	run.Manifest.Events = c.m.Engine.Events()
	run.Manifest.PacketHops = c.m.PacketHops()
	run.Manifest.LargestFrame, run.Manifest.PauseFrame = c.frames()
	if c.pausesLost > 0 {
		run.Manifest.Notes = append(run.Manifest.Notes, "the pause timeline is cut off: too many pauses; counters are complete")
	}
	g := c.m.Spec.Graph
	for _, h := range g.Hosts {
		run.Nodes = append(run.Nodes, h.Name)
	}
	for _, s := range g.Switches {
		run.Nodes = append(run.Nodes, s.Name)
	}
	c.portRows(run)
	c.queueRows(run, now)
	c.nicRows(run)
	c.dropRows(run)
	c.stormRows(run)
	c.lostPauses(run)
	c.pauseRows(run, now)
	run.Flows = c.flows(now)
	run.Series = c.sampler.series(run)
	run.Paths = c.paths(run)
	run.Latency = c.latency()
	return run
}

// node returns the results' index of a graph node and of one of its ports.
func (c *Collector) node(e topo.End) (node, number int32) {
	g := c.m.Spec.Graph
	if g.IsSwitch(e.Node) {
		return int32(len(g.Hosts) + e.Node - len(g.Endpoints)), int32(e.Port)
	}
	ep := g.Endpoints[e.Node]
	return int32(ep.Host), int32(ep.Index)
}

func (c *Collector) portRows(run *results.Run) {
	g, room := c.m.Spec.Graph, NewHeadroom(c.m.Spec)
	for n := range g.NumNodes() {
		for i, ref := range g.Ports(n) {
			row := results.PortRow{Rate: g.Links[ref.Link].Rate, Tier: tier(g.NodeName(n), g.IsSwitch(n)) + ">" + tier(g.NodeName(ref.Peer.Node), g.IsSwitch(ref.Peer.Node))}
			row.Node, row.Number = c.node(topo.End{Node: n, Port: i})
			row.Delay = g.Links[ref.Link].Delay
			row.Response, row.IngressLatency, row.EgressLatency = c.reaction(n)
			row.Peer, row.PeerNumber = c.node(ref.Peer)
			if g.IsSwitch(n) {
				port := room.Port(n-len(g.Endpoints), i)
				need := port.Need()
				row.HeadroomNeed, row.HeadroomFrame, row.HeadroomReach = need.Needed, need.Charge, need.Reach
			}
			row.WireBytes = c.wireBytes(topo.End{Node: n, Port: i})
			run.Ports = append(run.Ports, row)
		}
	}
}

// wireBytes returns what a port has sent, with preambles, gaps and pause frames.
func (c *Collector) wireBytes(e topo.End) int64 {
	f := &c.m.Spec.Framing
	frames, bytes, pauses := c.transmitted(e.Node, e.Port)
	return int64(bytes) + int64(frames)*int64(f.Preamble+f.Gap) + int64(pauses)*int64(f.Wire(f.PFC))
}

// reaction returns how long a node takes to obey a pause, and its pipeline.
func (c *Collector) reaction(node int) (response, ingress, egress sim.Time) {
	g := c.m.Spec.Graph
	if !g.IsSwitch(node) {
		return c.m.Spec.NICs[node].PauseResponse, 0, 0
	}
	k := &c.m.Spec.Switches[node-len(g.Endpoints)]
	return k.PFC.Response, k.IngressLatency, k.EgressLatency
}

// frames returns the wire bytes of the largest data frame and of a pause frame.
func (c *Collector) frames() (largest, pause int64) {
	f := c.m.Spec.Framing
	for i := range c.m.Spec.NICs {
		largest = max(largest, int64(f.Wire(f.Frame(c.m.Spec.NICs[i].MTU, true))))
	}
	return largest, int64(f.Wire(f.PFC))
}

// tier is a node's layer: its name without numbers, "host" for hosts.
func tier(name string, isSwitch bool) string {
	if !isSwitch {
		return "host"
	}
	return strings.TrimRight(name, "0123456789_")
}

// transmitted returns the frames and frame bytes that a port has sent, and its
// pause frames, which are not among them.
func (c *Collector) transmitted(node, port int) (frames, bytes, pauses uint64) {
	e := len(c.m.Spec.Graph.Endpoints)
	if node < e {
		n := c.m.NICs.NIC(node)
		frames, bytes = n.Sent()
		return frames, bytes, n.PausesSent()
	}
	s := c.m.Switches[node-e]
	frames, bytes = s.Sent(port)
	return frames, bytes, s.Port(port).PausesSent()
}

// queueRows has one row for each port and priority that carried, dropped or
// paused anything.
func (c *Collector) queueRows(run *results.Run, now sim.Time) {
	for i := range c.m.NICs.Len() {
		n := c.m.NICs.NIC(i)
		st := n.Stats()
		for p := range fabric.Priorities {
			row := results.QueueRow{Port: c.ports.nic(i), Priority: uint8(p), Lossless: n.Config().PFC>>p&1 == 1, PFC: n.Config().PFC>>p&1 == 1}
			row.TxPackets, row.TxBytes = int64(st.Tx[p].Packets), int64(st.Tx[p].Bytes)
			row.RxPackets, row.RxBytes = int64(st.Rx[p].Packets), int64(st.Rx[p].Bytes)
			row.FirstXoff, row.TxPaused = n.FirstHeld(p), n.HeldTime(now, p)
			c.addQueueRow(run, row, &n.Port, now)
		}
	}
	for i, s := range c.m.Switches {
		for port := range s.NumPorts() {
			for p := range fabric.Priorities {
				c.addQueueRow(run, c.switchRow(i, s, port, p), s.Port(port), now)
			}
		}
	}
}

func (c *Collector) switchRow(i int, s *switching.Switch, port, p int) results.QueueRow {
	q, g := s.Queue(port, p), s.Group(port, p)
	index := c.ports.of(i, port)
	row := results.QueueRow{
		Port: index, Priority: uint8(p), Lossless: s.Lossless(uint8(p)),
		TxPackets: int64(q.Packets), TxBytes: int64(q.Bytes),
		RxPackets: int64(g.Packets), RxBytes: int64(g.Bytes),
		PeakQueue: q.Peak, MeanQueue: c.sampler.mean(int(index), p),
		PeakShared: g.PeakShared, PeakHeadroom: g.PeakHeadroom,
		ECNMarked: int64(q.Marked), EgressDrops: int64(q.Dropped),
		PFC: c.pausable(s, port, p),
	}
	for cause := range switching.DropCauses {
		switch cause {
		case switching.DropHeadroom, switching.DropIngress, switching.DropNoRoute, switching.DropTTL:
			row.IngressDrops += int64(g.Drops[cause])
		}
	}
	if row.Lossless {
		row.Headroom = s.Config().Ports[port].Headroom
		if g.LeastThreshold < 1<<62 {
			row.XoffMin = g.LeastThreshold
		}
	}
	if red := s.REDProfile(port, p); red != nil {
		row.Kmin, row.Kmax = red.Kmin, red.Kmax
	}
	return row
}

// pausable reports whether a port of a switch sends and obeys pauses of a
// priority group.
func (c *Collector) pausable(s *switching.Switch, port, group int) bool {
	k := s.Config()
	return !k.Ports[port].NoPFC && k.PFC.Enabled>>k.Classes.GroupToPFC[group]&1 == 1
}

// addQueueRow completes a row with the port's pause counters and keeps it if it
// says anything.
func (c *Collector) addQueueRow(run *results.Run, row results.QueueRow, port *fabric.Port, now sim.Time) {
	p := int(row.Priority)
	st := port.Stats()
	row.TxPause, row.TxXoff = int64(st.Sent[p]), int64(st.Xoff[p])
	row.RxPause, row.RxXoff = int64(st.Received[p]), int64(st.ReceivedXoff[p])
	row.RxTransitions = int64(st.Transitions[p])
	row.RxPaused = port.PausedTime(now, p)
	k := portPriority{row.Port, row.Priority}
	if s := c.sent[k]; s != nil {
		row.FirstXoff, row.FirstXoffUse, row.FirstXoffThreshold = s.first, s.use, s.threshold
		row.TxPaused = s.total
		if since, open := c.xoffSince[k]; open {
			row.TxPaused += now - since
		}
	}
	if row.TxPackets+row.RxPackets+row.TxPause+row.RxPause+row.EgressDrops+row.IngressDrops > 0 {
		run.Queues = append(run.Queues, row)
	}
}

func (c *Collector) nicRows(run *results.Run) {
	g := c.m.Spec.Graph
	for i := range c.m.NICs.Len() {
		st := c.m.NICs.NIC(i).Stats()
		_, peak := c.m.NICs.NIC(i).ReceiveBuffer(c.m.Now())
		run.NICs = append(run.NICs, results.NICRow{
			Node:              int32(g.Endpoints[i].Host),
			Name:              g.Endpoints[i].Name,
			CongestionControl: c.opt.CongestionControl,
			CNPSent:           int64(st.CNPSent),
			ECNMarked:         int64(st.Marked),
			CNPHandled:        int64(st.CNPHandled),
			CNPIgnored:        int64(st.CNPIgnored),
			OutOfSequence:     int64(st.OutOfSequence),
			PacketSeqErr:      int64(st.NaksReceived),
			DuplicateRequest:  int64(st.Duplicates),
			AckTimeouts:       int64(st.Timeouts),
			RetriesExceeded:   int64(st.RetriesExceeded),
			Retransmitted:     int64(st.Retransmitted),
			OutOfBuffer:       int64(st.OutOfBuffer),
			ReceivePeak:       peak,
			StormErrors:       int64(st.StormErrors),
		})
	}
}

// dropRows orders the drops by port, priority, cause, kind and code points.
func (c *Collector) dropRows(run *results.Run) {
	keys := make([]dropKey, 0, len(c.drops))
	for k := range c.drops {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b dropKey) int {
		return cmp.Or(cmp.Compare(a.port, b.port), cmp.Compare(a.priority, b.priority), cmp.Compare(a.cause, b.cause),
			cmp.Compare(a.kind, b.kind), cmp.Compare(a.dscp, b.dscp), cmp.Compare(a.sent, b.sent), rank(a.promised)-rank(b.promised))
	})
	for _, k := range keys {
		run.Drops = append(run.Drops, *c.drops[k])
	}
}

func rank(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// pauseRows closes the pauses under way and orders all by their beginning.
func (c *Collector) pauseRows(run *results.Run, now sim.Time) {
	run.Pauses = slices.Clone(c.pauses)
	for k, from := range c.pausedSince {
		run.Pauses = append(run.Pauses, results.Pause{From: from, To: now, Port: k.port, Priority: k.priority})
	}
	slices.SortFunc(run.Pauses, func(a, b results.Pause) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Port, b.Port), cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.To, b.To))
	})
}

// isProbe reports whether entry i is a latency probe.
func (c *Collector) isProbe(i int) bool { return c.opt.Workloads[i].Probe }
