package model

import (
	"rocesim/cc"
	"rocesim/fabric/packet"
	"rocesim/nic"
	"rocesim/scenarios/workload"
	"rocesim/sim"
)

// qpnMask keeps queue pair numbers to their 24 bits.
const qpnMask = 1<<24 - 1

// Connect opens a connection for the workload. Queue pair numbers are random:
// small consecutive ones would starve the source port's hash of entropy.
func (m *Model) Connect(src, dst int, c workload.Class) int {
	local, remote := m.qpn.Uint32()&qpnMask, m.qpn.Uint32()&qpnMask
	f := Flow{Src: int32(src), Dst: int32(dst), DSCP: c.DSCP, Send: c.Send}
	f.Forward = packet.Tuple{SrcIP: m.address(src), DstIP: m.address(dst), SrcPort: c.SrcPort, DstPort: c.DstPort}
	if c.DstPort == 0 {
		f.Forward.DstPort = packet.RoCEPort
	}
	// A RoCEv2 answer has a source port of its own, from the same queue pair
	// numbers the other way round; with an explicit source port the tuple is
	// mirrored instead.
	f.Backward = f.Forward.Reverse()
	if c.SrcPort == 0 {
		f.Forward.SrcPort = packet.SourcePort(0, local, remote)
		f.Backward.SrcPort, f.Backward.DstPort = packet.SourcePort(0, remote, local), packet.RoCEPort
	}
	m.flows = append(m.flows, f)
	return m.NICs.Connect(nic.ConnectionConfig{
		Src:        src,
		Dst:        dst,
		DSCP:       c.DSCP,
		Unreliable: c.Unreliable,
		Send:       c.Send,
		Control:    m.control(src, c),
		Forward:    f.Forward.Entropy(),
		Backward:   f.Backward.Entropy(),
		Tally:      c.Entry,
	})
}

func (m *Model) control(src int, c workload.Class) cc.Controller {
	switch {
	case c.Rate > 0:
		return cc.NewFixed(c.Rate)
	case c.NoCC || c.Unreliable || m.Spec.Control == nil:
		return nil
	default:
		return m.Spec.Control(src)
	}
}

func (m *Model) address(endpoint int) uint32 {
	if m.Spec.Address != nil {
		return m.Spec.Address(endpoint)
	}
	return 10<<24 + uint32(endpoint) + 1
}

// Post hands a message of the workload to its NIC.
func (m *Model) Post(now sim.Time, conn int, bytes int64, msg uint32) {
	m.NICs.Post(now, conn, bytes, msg)
}

// Flow returns what is known of connection conn.
func (m *Model) Flow(conn int) Flow { return m.flows[conn] }

// tuple returns the 5-tuple of a packet.
func (m *Model) tuple(p *packet.Packet) packet.Tuple {
	if p.Kind == packet.Data || p.Kind == packet.Datagram {
		return m.flows[p.Conn].Forward
	}
	return m.flows[p.Conn].Backward
}

// PacketHops returns how many times a packet has been put on a link.
func (m *Model) PacketHops() uint64 {
	var n uint64
	for i := range m.NICs.Len() {
		for _, t := range m.NICs.NIC(i).Stats().Tx {
			n += t.Packets
		}
	}
	for _, s := range m.Switches {
		for p := range s.NumPorts() {
			for q := range packetPriorities {
				n += s.Queue(p, q).Packets
			}
		}
	}
	return n
}
