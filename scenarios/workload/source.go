package workload

import "rocesim/sim"

// generator is the behaviour of a running entry.
type generator interface {
	// wake is called when an instant that the entry asked for has come, or
	// when a message that the entry follows is completed. token is what it
	// asked with. Of one instant, small tokens come first.
	wake(now sim.Time, token int32)
}

// source is what a running entry has in common with others: its agenda, its
// way to the network and its counts.
type source struct {
	net       Network
	generator generator
	table     *table
	agenda    agenda
	hosts     Hosts
	name      string
	seed      uint64
	class     Class
	nic       NIC
	entry     int32
	// follows is set by entries that want to be woken by completions.
	follows  bool
	progress Progress
}

// lane is an open connection and its two endpoints.
type lane struct{ conn, src, dst int32 }

// connect opens queue pair qp of a connection.
func (s *source) connect(p Pair, qp int, c Class) lane {
	srcNIC, dstNIC := s.nic, s.nic
	if p.SrcNIC != ByQP {
		srcNIC = p.SrcNIC
	}
	if p.DstNIC != ByQP {
		dstNIC = p.DstNIC
	}
	src := s.hosts.endpoint(p.Src, qp, srcNIC)
	dst := s.hosts.endpoint(p.Dst, qp, dstNIC)
	c.Entry = int(s.entry)
	return lane{int32(s.net.Connect(src, dst, c)), int32(src), int32(dst)}
}

// connectAll opens qps queue pairs for each pair, pair after pair.
func (s *source) connectAll(pairs []Pair, qps int) []lane {
	lanes := make([]lane, 0, len(pairs)*qps)
	for _, p := range pairs {
		for qp := range qps {
			lanes = append(lanes, s.connect(p, qp, s.class))
		}
	}
	return lanes
}

// post sends bytes on l. token wakes the entry at completion, if it follows.
func (s *source) post(now sim.Time, l lane, bytes int64, token, group int32) {
	msg := s.table.add(Message{
		Bytes: bytes, Start: now, Delivered: sim.Never, Completed: sim.Never,
		Conn: l.conn, Entry: s.entry, Src: l.src, Dst: l.dst,
		Group: group, token: uint32(token),
	})
	s.progress.Posted++
	s.progress.PostedBytes += bytes
	s.net.Post(now, int(l.conn), bytes, msg)
}

// schedule asks for a wake-up at an instant, unless the entry has stopped by
// then.
func (s *source) schedule(at, stop sim.Time, token int32) {
	if !ended(at, stop) {
		s.agenda.push(at, token)
	}
}

// stream returns the random stream of one part of the entry.
func (s *source) stream(part string) *sim.Stream {
	return sim.NewStream(s.seed, "workload/"+s.name+"/"+part)
}

// ended reports whether an entry posts no more at now; stop 0 is never.
func ended(now, stop sim.Time) bool { return stop != 0 && now >= stop }

// atLeastOne reads a count whose zero value means one.
func atLeastOne(n int) int { return max(n, 1) }
