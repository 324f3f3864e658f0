package switching

import (
	"fmt"

	"rocesim/fabric"
	"rocesim/sim"
)

// Group returns the counters of one priority group of one port.
func (s *Switch) Group(port, n int) GroupStats { return s.ports[port].groups[n].stats }

// Queue returns the counters of one egress queue.
func (s *Switch) Queue(port, n int) QueueStats { return s.ports[port].queues[n].stats }

// QueueBytes returns the frame bytes waiting in one egress queue.
func (s *Switch) QueueBytes(port, n int) int64 { return s.ports[port].queues[n].bytes }

// TakePeak returns the queue's peak since the last call and starts anew.
func (s *Switch) TakePeak(port, n int) int64 {
	q := &s.ports[port].queues[n]
	peak := q.stats.PeakNow
	q.stats.PeakNow = q.bytes
	return peak
}

// GroupUse returns what one priority group occupies: its use of reserve and
// shared pool, and of headroom, in bytes.
func (s *Switch) GroupUse(port, n int) (used, headroom int64) {
	g := &s.ports[port].groups[n]
	return g.used, g.headroom
}

// Pausing reports whether the switch holds the peer of a port paused for the
// priority of group n.
func (s *Switch) Pausing(port, n int) bool { return s.ports[port].groups[n].paused }

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
	pt := &s.ports[port]
	return pt.groups[n].threshold.limit(pt.mem.free)
}

// CheckConservation verifies that the bytes charged to priority groups, to the
// pools and to waiting packets agree, and that nothing is negative. It is for
// tests and the invariants build.
func (s *Switch) CheckConservation() error {
	waiting := make([][Priorities]int64, len(s.ports))
	for i := range s.ports {
		for n := range s.ports[i].queues {
			if err := s.checkQueue(i, n, waiting); err != nil {
				return err
			}
		}
	}
	shared := make([]int64, len(s.pools))
	for i := range s.ports {
		for n := range s.ports[i].groups {
			g := &s.ports[i].groups[n]
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
	q := &s.ports[i].queues[n]
	var bytes int64
	for p := q.list.Head(); p != nil; p = p.Next {
		bytes += int64(p.Frame)
		waiting[p.In][p.Group] += int64(p.Charge)
	}
	if bytes != q.bytes {
		return fmt.Errorf("switch %s port %d queue %d: counts %d bytes, holds %d", s.Name(), i, n, q.bytes, bytes)
	}
	return nil
}

// Waiting returns how many packets of queue n wait at a port.
func (s *Switch) Waiting(port, n int) int { return s.ports[port].queues[n].list.Len() }

// Stuck lists what keeps the switch's waiting packets from moving, one entry
// per port whose waiting queues are all paused.
func (s *Switch) Stuck(now sim.Time) []Blockage {
	var out []Blockage
	for i := range s.ports {
		pt := &s.ports[i]
		blocked := pt.Blocked(now)
		for n := range Priorities {
			if pt.nonEmpty>>n&1 == 1 && s.stopped[blocked]>>n&1 == 1 {
				out = append(out, Blockage{Port: i, Queue: n, Bytes: pt.queues[n].bytes})
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
