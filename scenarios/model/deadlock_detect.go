package model

import (
	"math/bits"

	"rocesim/sim"
)

// Times of the search for deadlocks. A look at which queues are paused is
// cheap; walking the queues is not, so after a fruitless walk the next one
// waits until the run has done several times as much work, or for maxQuiet
// looks.
const (
	deadlockLook = 10 * sim.Microsecond
	walkShare    = 4
	maxQuiet     = 10
)

// detector looks for deadlocks.
//
// A paused queue is stuck if the priority group that paused it cannot fall to
// its resume level even when all of its packets in queues that are not stuck
// have left. The largest set of such queues is found by taking all paused ones
// and striking out those that can go on, until none is left to strike. A queue
// paused by a NIC is never in the set: it waits for a receiver. Each group that
// holds a stuck queue has packets in another stuck queue of its switch, so a
// set that is not empty holds a circle (the trap state; it is sufficient, while
// cyclic buffer dependency is only necessary: Hu et al., HotNets 2016).
type detector struct {
	m     *Model
	found []Deadlock
	// list are the paused queues, held[i] what list[i] holds of which groups,
	// stuck how many bytes of each group wait in queues not struck out, and
	// count how many queues of list each switch has.
	list  []pausedQueue
	held  [][]share
	stuck map[groupID]int64
	count []int
	// locked is whether the last search found a deadlock, which is then not
	// reported again.
	locked bool
	// walked, quiet and events bound the work; seen is what the last fruitless
	// walk saw.
	walked, events uint64
	quiet          int
	seen           signature
	// next is when to look again; open is whether a walk was put off.
	next sim.Time
	open bool
}

func newDetector(m *Model) *detector {
	return &detector{m: m, stuck: map[groupID]int64{}, count: make([]int, len(m.Switches)), next: deadlockLook}
}

// due returns the instant of the next look. Looks are left out while nothing
// happens.
func (d *detector) due() sim.Time {
	if d.open {
		return d.next
	}
	return max(d.next, min(d.m.Engine.Next(), sim.Never-1))
}

// pausedQueue is queue n of a port of a switch, and the other end of its cable,
// a switch that has paused it.
type pausedQueue struct {
	sw, port, n    int
	peer, peerPort int
	priorities     uint8
	bytes          int64
	free           bool // struck out
}

// groupID is a priority group of a switch.
type groupID struct{ sw, port, n int }

// share is what a queue holds of a group.
type share struct {
	group groupID
	bytes int64
}

// signature changes whenever the contents of the paused queues do: a paused
// queue only grows, and a pause that ended in between counts.
type signature struct {
	queues      int
	bytes       int64
	transitions uint64
}

// look searches for a deadlock at now, if it is time to. It reports whether
// there is one that was not there at the last look.
func (d *detector) look(now sim.Time) bool {
	if now < d.next {
		return false
	}
	d.next, d.open = now+deadlockLook, false
	d.collect(now)
	if len(d.list) == 0 {
		d.locked = false
		return false
	}
	sign := d.sign()
	if sign == d.seen {
		return false
	}
	if !d.affordable() {
		d.open = true
		return false
	}
	d.seen = sign
	d.strike()
	was, first := d.locked, d.firstStuck()
	d.locked = first < len(d.list)
	if !d.locked || was {
		return false
	}
	d.found = append(d.found, Deadlock{At: now, Cycle: d.cycle(first)})
	return true
}

// affordable reports whether it is time for another walk.
func (d *detector) affordable() bool {
	d.quiet++
	events := d.m.Engine.Events()
	if d.quiet < maxQuiet && events-d.events < walkShare*d.walked {
		return false
	}
	d.quiet, d.events, d.walked = 0, events, 0
	return true
}

func (d *detector) sign() signature {
	s := signature{queues: len(d.list)}
	for i := range d.list {
		q := &d.list[i]
		s.bytes += q.bytes
		for _, n := range d.m.Switches[q.sw].Port(q.port).Stats().Transitions {
			s.transitions += n
		}
	}
	return s
}

// collect lists the queues that other switches have paused. Queues that lead
// to a switch without any such queue are left out: it can drain.
func (d *detector) collect(now sim.Time) {
	d.list = d.list[:0]
	clear(d.count)
	for i, s := range d.m.Switches {
		for port := range s.NumPorts() {
			if stopped := s.StoppedQueues(now, port); stopped != 0 {
				d.add(now, i, port, stopped)
			}
		}
	}
	for before := -1; before != len(d.list); {
		before = len(d.list)
		kept := d.list[:0]
		for _, q := range d.list {
			if d.count[q.peer] > 0 {
				kept = append(kept, q)
			} else {
				d.count[q.sw]--
			}
		}
		d.list = kept
	}
}

// add lists the stopped queues of one port.
func (d *detector) add(now sim.Time, sw, port int, stopped uint8) {
	g := d.m.Spec.Graph
	peer := g.Ports(len(g.Endpoints) + sw)[port].Peer
	to := peer.Node - len(g.Endpoints)
	if !g.IsSwitch(peer.Node) || !d.m.Switches[to].Renews(peer.Port) {
		return
	}
	s := d.m.Switches[sw]
	for v := stopped; v != 0; v &= v - 1 {
		n := bits.TrailingZeros8(v)
		d.list = append(d.list, pausedQueue{
			sw: sw, port: port, n: n, peer: to, peerPort: peer.Port,
			priorities: s.StoppingPriorities(now, port, n), bytes: s.QueueBytes(port, n),
		})
		d.count[sw]++
	}
}

// strike weighs the listed queues and marks those that can go on.
func (d *detector) strike() {
	d.weigh()
	for again := true; again; {
		again = false
		for i := range d.list {
			q := &d.list[i]
			if q.free {
				continue
			}
			if _, _, stuck := d.holder(q); stuck {
				continue
			}
			q.free, again = true, true
			for _, h := range d.held[i] {
				d.stuck[h.group] -= h.bytes
			}
		}
	}
}

// weigh walks the listed queues and notes what each holds of which groups, in
// the order of their first packets.
func (d *detector) weigh() {
	clear(d.stuck)
	d.held = d.held[:0]
	for i := range d.list {
		q := &d.list[i]
		var held []share
		d.m.Switches[q.sw].EachWaiting(q.port, q.n, func(in int, group uint8, charge int64) {
			d.walked++
			held = addShare(held, groupID{q.sw, in, int(group)}, charge)
		})
		d.held = append(d.held, held)
		for _, h := range held {
			d.stuck[h.group] += h.bytes
		}
	}
}

// addShare adds bytes of a group to what a queue holds.
func addShare(held []share, g groupID, bytes int64) []share {
	for i := range held {
		if held[i].group == g {
			held[i].bytes += bytes
			return held
		}
	}
	return append(held, share{g, bytes})
}

// holder returns a priority of q whose pause cannot end, and the group that
// would have to end it.
func (d *detector) holder(q *pausedQueue) (priority, group int, stuck bool) {
	s := d.m.Switches[q.peer]
	for v := q.priorities; v != 0; v &= v - 1 {
		priority = bits.TrailingZeros8(v)
		groups := s.PausingGroups(q.peerPort, priority)
		stuck = groups != 0
		for w := groups; w != 0; w &= w - 1 {
			group = bits.TrailingZeros8(w)
			stuck = stuck && !s.ResumesWith(q.peerPort, group, d.stuck[groupID{q.peer, q.peerPort, group}])
		}
		if stuck {
			return priority, group, true
		}
	}
	return 0, 0, false
}

// firstStuck returns the first queue that was not struck out.
func (d *detector) firstStuck() int {
	i := 0
	for i < len(d.list) && d.list[i].free {
		i++
	}
	return i
}

// cycle follows stuck queues from one of them until one comes again.
func (d *detector) cycle(at int) []Wait {
	var waits []Wait
	visited := map[int]int{}
	for {
		if first, again := visited[at]; again {
			return fromLeast(waits[first:])
		}
		visited[at] = len(waits)
		w := d.wait(&d.list[at])
		waits = append(waits, w)
		at = d.follow(groupID{w.Peer, w.PeerPort, w.Group})
	}
}

// wait describes one stuck queue.
func (d *detector) wait(q *pausedQueue) Wait {
	priority, group, _ := d.holder(q)
	w := Wait{
		Switch: q.sw, Port: q.port, Queue: q.n, QueueBytes: q.bytes,
		Priority: priority, Peer: q.peer, PeerPort: q.peerPort, Group: group,
		Stuck: d.stuck[groupID{q.peer, q.peerPort, group}],
	}
	w.GroupBytes, w.Xoff, w.Xon = d.m.Switches[q.peer].Levels(q.peerPort, group)
	return w
}

// follow returns the stuck queue that holds most of a group, the first of equals.
func (d *detector) follow(g groupID) int {
	best, most := 0, int64(0)
	for i := range d.list {
		if d.list[i].free {
			continue
		}
		for _, h := range d.held[i] {
			if h.group == g && h.bytes > most {
				best, most = i, h.bytes
			}
		}
	}
	return best
}

// fromLeast turns a circle so that it begins at the lowest switch, whichever
// queue was found first.
func fromLeast(cycle []Wait) []Wait {
	least := 0
	for i := range cycle {
		if cycle[i].Switch < cycle[least].Switch {
			least = i
		}
	}
	return append(append([]Wait{}, cycle[least:]...), cycle[:least]...)
}
