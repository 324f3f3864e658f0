package switching

import (
	"fmt"

	"rocesim/fabric"
	"rocesim/fabric/packet"
	"rocesim/sim"
)

// Group returns the counters of one priority group of one port.
func (s *Switch) Group(port, n int) GroupStats {
	g, r := s.groupAt(port, n), &s.groupRules[n*len(s.ports)+port]
	return GroupStats{
		Packets: g.packets, Bytes: g.bytes,
		PeakShared: g.peak, PeakHeadroom: r.peakHeadroom,
		LeastThreshold: g.least,
		Drops:          r.drops,
	}
}

// Queue returns the counters of one egress queue.
func (s *Switch) Queue(port, n int) QueueStats {
	q, r := s.queueAt(port, n), &s.queueRules[n*len(s.ports)+port]
	return QueueStats{Packets: q.packets, Bytes: q.sent, Marked: r.marked, Dropped: r.dropped, Peak: q.peak}
}

// Sent returns what a port has sent of all queues: frames and frame bytes.
func (s *Switch) Sent(port int) (packets, bytes uint64) {
	for n := range Priorities {
		q := s.queueAt(port, n)
		packets, bytes = packets+q.packets, bytes+q.sent
	}
	return packets, bytes
}

// Marked returns how many packets one egress queue has marked.
func (s *Switch) Marked(port, n int) uint64 { return s.queueRules[n*len(s.ports)+port].marked }

func (s *Switch) groupAt(port, n int) *group { return &s.groups[n*len(s.ports)+port] }

func (s *Switch) queueAt(port, n int) *queue { return &s.queues[n*len(s.ports)+port] }

// QueueBytes returns the frame bytes waiting in one egress queue.
func (s *Switch) QueueBytes(port, n int) int64 { return s.queueAt(port, n).bytes }

// GroupUse returns what one priority group occupies: its use of reserve and
// shared pool, and of headroom, in bytes.
func (s *Switch) GroupUse(port, n int) (used, headroom int64) {
	g := s.groupAt(port, n)
	return g.used, g.headroom
}

// GroupShared returns what one priority group uses of the shared pool at this
// moment, in bytes: what is compared with Threshold.
func (s *Switch) GroupShared(port, n int) int64 { return s.groupAt(port, n).shared() }

// Pausing reports whether the switch holds the peer of a port paused for the
// priority of group n.
func (s *Switch) Pausing(port, n int) bool { return s.groupAt(port, n).paused }

// Port returns the sending half of a port, for its pause state and counters.
func (s *Switch) Port(port int) *fabric.Port { return &s.ports[port].Port }

// Drops returns how many packets were dropped for a cause.
func (s *Switch) Drops(cause DropCause) uint64 { return s.drops[cause] }

// Lossless reports whether a packet of priority group n must not be dropped.
func (s *Switch) Lossless(n uint8) bool { return s.config.Groups[n].Lossless }

// REDProfile returns the profile that holds for a queue, or nil.
func (s *Switch) REDProfile(port, n int) *REDProfile {
	return profileOf(&s.config.Queues[n], &s.config.Ports[port])
}

// Threshold returns the XOFF threshold of a group at this moment, in bytes.
func (s *Switch) Threshold(port, n int) int64 {
	return s.groupAt(port, n).threshold(s.mem(port))
}

// CheckConservation verifies that the bytes charged to priority groups, to the
// pools and to waiting packets agree, and that nothing is negative. It is for
// tests and the invariants build.
func (s *Switch) CheckConservation() error {
	waiting := make([][Priorities]int64, len(s.ports))
	for i := range s.ports {
		for n := range Priorities {
			if err := s.checkQueue(i, n, waiting); err != nil {
				return err
			}
		}
	}
	shared := make([]int64, len(s.pools))
	for i := range s.ports {
		for n := range Priorities {
			g := s.groupAt(i, n)
			if g.used < 0 || g.headroom < 0 || g.used+g.headroom != waiting[i][n] {
				return fmt.Errorf("switch %s port %d group %d: charged %d + %d headroom, waiting packets hold %d bytes",
					s.Name(), i, n, g.used, g.headroom, waiting[i][n])
			}
			shared[i*len(s.pools)/len(s.ports)] += g.shared()
		}
	}
	for i, used := range shared {
		total := s.config.Buffer.Shared / int64(len(s.pools))
		if s.pools[i].free < 0 || used+s.pools[i].free != total {
			return fmt.Errorf("switch %s pool %d: groups use %d, free %d, size %d", s.Name(), i, used, s.pools[i].free, total)
		}
	}
	return nil
}

func (s *Switch) checkQueue(i, n int, waiting [][Priorities]int64) error {
	q := s.queueAt(i, n)
	var bytes int64
	s.eachWaiting(i, n, func(p *packet.Packet) {
		bytes += int64(p.Frame)
		waiting[p.In][p.Group] += int64(p.Charge)
	})
	if bytes != q.bytes {
		return fmt.Errorf("switch %s port %d queue %d: counts %d bytes, holds %d", s.Name(), i, n, q.bytes, bytes)
	}
	return nil
}

// Waiting returns how many packets of queue n wait at a port.
func (s *Switch) Waiting(port, n int) int {
	waiting := 0
	s.eachWaiting(port, n, func(*packet.Packet) { waiting++ })
	return waiting
}

// Stuck lists what keeps the switch's waiting packets from moving, one entry
// per port whose waiting queues are all paused.
func (s *Switch) Stuck(now sim.Time) []Blockage {
	var out []Blockage
	for i := range s.ports {
		pt := &s.ports[i]
		blocked := pt.Blocked(now)
		for n := range Priorities {
			if pt.nonEmpty>>n&1 == 1 && s.stopped[blocked]>>n&1 == 1 {
				out = append(out, Blockage{Port: i, Queue: n, Bytes: s.queueAt(i, n).bytes})
			}
		}
	}
	return out
}

// Blockage is a queue that cannot send because its peer has paused it.
type Blockage struct {
	Port, Queue int
	Bytes       int64
}

// ensure that a Switch is what links deliver to.
var _ fabric.Receiver = (*Switch)(nil)
