package results

import (
	"cmp"
	"slices"

	"rocesim/sim"
)

// StormRow is one storm that a PFC watchdog of a switch detected, with the
// counters of "show pfcwd stats" for the time that it lasted.
type StormRow struct {
	// Port is the switch's port whose queue was paused for too long.
	Port     int32
	Priority uint8
	// Action is what the watchdog did: "drop", "forward" or "alert".
	Action string
	// Detected is when it acted, Restored when PFC worked again; 0 if it did
	// not before the run ended.
	Detected, Restored sim.Time
	// Packets sent from the queue and dropped at it, and received in its class
	// from the port and dropped, during the storm.
	TxOK, TxDropped, RxOK, RxDropped int64
}

// PauseTree is how pauses of one priority spread: the port at its root was
// paused by its peer for no reason that the pauses of others explain, and every
// other port was paused by a switch because the port before it was.
type PauseTree struct {
	Priority uint8
	// Ports are those of the tree. Ports[0] is its root; every other one stands
	// behind the port that explains it.
	Ports []PausedPort
	// Circular says that the pauses of the root are explained by one of its own
	// tree: the ports wait for each other in a circle.
	Circular bool
	Victims  []Victim
}

// PausedPort is one port of a pause tree.
type PausedPort struct {
	Port int32
	// Cause is the index of the port that explains this one; -1 at the root.
	Cause, Depth int
	// First is when the port was first paused, Last when its last pause ended;
	// Time is the sum of its pauses, Pauses their number.
	First, Last, Time sim.Time
	Pauses            int
}

// RootHost returns the node whose NIC pauses the root of a tree, and whether
// there is one: other trees begin at a congested switch.
func (t *PauseTree) RootHost(run *Run) (int32, bool) {
	peer := run.Ports[t.Ports[0].Port].Peer
	return peer, peer < run.hosts()
}

// hosts is the number of hosts, which come before the switches among the nodes.
func (r *Run) hosts() int32 {
	n := int32(0)
	for i := range r.NICs {
		n = max(n, r.NICs[i].Node+1)
	}
	return n
}

// PauseTrees finds how pauses spread, from the pauses that the run recorded:
// the trees with the most paused time come first. A pause is explained by the
// port of the pausing switch that was itself paused at that moment, for the
// longest; a port hangs on the port that explains most of its paused time, and
// is a root if most of it has no explanation.
func PauseTrees(run *Run) []PauseTree {
	s := newPauseSweep(run)
	for i := range run.Pauses {
		s.add(&run.Pauses[i])
	}
	trees := s.trees()
	for i := range trees {
		trees[i].Victims = victims(run, &trees[i])
	}
	return trees
}

// pauseSweep goes through pauses in order of their beginning.
type pauseSweep struct {
	run *Run
	// known are the paused ports, index their places by port and priority.
	known []pausedPort
	index []int32
	// active are the pauses under way by node and priority; those that have
	// ended are removed when they are met.
	active [][]activePause
	hosts  int32 // nodes below this are hosts
}

type pausedPort struct {
	PausedPort
	priority uint8
	reasons  []reason
	children []int32
}

// reason is for how long another port explains the pauses of one.
type reason struct {
	by   int32 // index into known
	time sim.Time
}

type activePause struct {
	known    int32
	from, to sim.Time
}

func newPauseSweep(run *Run) *pauseSweep {
	s := &pauseSweep{
		run: run, hosts: run.hosts(),
		index: make([]int32, len(run.Ports)*Priorities), active: make([][]activePause, len(run.Nodes)*Priorities),
	}
	for i := range s.index {
		s.index[i] = -1
	}
	return s
}

func (s *pauseSweep) add(p *Pause) {
	k := &s.index[int(p.Port)*Priorities+int(p.Priority)]
	if *k < 0 {
		*k = int32(len(s.known))
		s.known = append(s.known, pausedPort{PausedPort: PausedPort{Port: p.Port, Cause: -1, First: p.From}, priority: p.Priority})
	}
	port := &s.known[*k]
	port.Pauses++
	port.Time += p.To - p.From
	port.Last = max(port.Last, p.To)
	if by := s.explain(p); by >= 0 {
		port.blame(by, p.To-p.From)
	}
	own := &s.active[int(s.run.Ports[p.Port].Node)*Priorities+int(p.Priority)]
	*own = append(*own, activePause{*k, p.From, p.To})
}

// explain returns the port of the pausing node that was paused itself when p
// began, for the longest; -1 if none was.
func (s *pauseSweep) explain(p *Pause) int32 {
	peer := s.run.Ports[p.Port].Peer
	if peer < s.hosts { // the NICs of a host have nothing to do with each other
		return -1
	}
	list := &s.active[int(peer)*Priorities+int(p.Priority)]
	*list = slices.DeleteFunc(*list, func(a activePause) bool { return a.to <= p.From })
	for _, a := range *list { // in order of their beginning
		if s.run.Ports[s.known[a.known].Port].Peer != s.run.Ports[p.Port].Node {
			return a.known
		}
	}
	return -1
}

func (p *pausedPort) blame(by int32, time sim.Time) {
	for i := range p.reasons {
		if p.reasons[i].by == by {
			p.reasons[i].time += time
			return
		}
	}
	p.reasons = append(p.reasons, reason{by, time})
}

// cause returns the index of the port that explains most, -1 for a root.
func (p *pausedPort) cause() int32 {
	var best reason
	explained := sim.Time(0)
	for _, r := range p.reasons { // in order of their first occurrence
		explained += r.time
		if r.time > best.time {
			best = r
		}
	}
	if 2*explained <= p.Time {
		return -1
	}
	return best.by
}

// trees hangs the ports onto each other.
func (s *pauseSweep) trees() []PauseTree {
	var roots []int32
	parent := make([]int32, len(s.known))
	for i := range s.known {
		parent[i] = s.known[i].cause()
	}
	circular := s.cut(parent)
	for i, p := range parent {
		if p < 0 {
			roots = append(roots, int32(i))
		} else {
			s.known[p].children = append(s.known[p].children, int32(i))
		}
	}
	var out []PauseTree
	for _, r := range roots {
		t := PauseTree{Priority: s.known[r].priority, Circular: circular[r]}
		s.grow(&t, r, -1, 0)
		out = append(out, t)
	}
	slices.SortStableFunc(out, func(a, b PauseTree) int {
		return cmp.Or(cmp.Compare(b.paused(), a.paused()), cmp.Compare(a.Ports[0].Port, b.Ports[0].Port), cmp.Compare(a.Priority, b.Priority))
	})
	return out
}

// cut makes a root of the port of each circle that was paused first, and says
// which those are.
func (s *pauseSweep) cut(parent []int32) []bool {
	circular := make([]bool, len(parent))
	seen := make([]int32, len(parent)) // 1 + the walk that came by
	for start := range parent {
		at := int32(start)
		for at >= 0 && seen[at] == 0 {
			seen[at] = int32(start) + 1
			at = parent[at]
		}
		if at < 0 || seen[at] != int32(start)+1 {
			continue
		}
		first := at // known ports are in order of their first pause
		for next := parent[at]; next != at; next = parent[next] {
			first = min(first, next)
		}
		parent[first] = -1
		circular[first] = true
	}
	return circular
}

// grow adds a port and all that it explains.
func (s *pauseSweep) grow(t *PauseTree, known int32, cause, depth int) {
	p := s.known[known].PausedPort
	p.Cause, p.Depth = cause, depth
	place := len(t.Ports)
	t.Ports = append(t.Ports, p)
	for _, c := range s.known[known].children {
		s.grow(t, c, place, depth+1)
	}
}

// paused is the paused time of all ports of a tree.
func (t *PauseTree) paused() sim.Time {
	var sum sim.Time
	for i := range t.Ports {
		sum += t.Ports[i].Time
	}
	return sum
}

// depth is how many hops the pauses went.
func (t *PauseTree) depth() int {
	most := 0
	for i := range t.Ports {
		most = max(most, t.Ports[i].Depth)
	}
	return most
}
