package derive

import (
	"math"

	"rocesim/scenarios"
	"rocesim/scenarios/headroom"
	"rocesim/sim"
	switching "rocesim/switch"
)

// Threshold is where lossless groups pause their peers and where queues mark, on
// ports of one rate of switches alike.
type Threshold struct {
	// Ports are alike; the first stands for all. Groups are their lossless
	// priority groups.
	Ports  []PortID
	Groups []int
	Rate   sim.Rate
	// Dynamic and Alpha are the threshold's; Static, in bytes, holds otherwise.
	Dynamic bool
	Alpha   float64
	Static  int64
	// Pool is the shared pool that the groups of one memory fill, in bytes,
	// without reserves and headroom; Reserved is what each group has beside it.
	Pool, Reserved int64
	// Marks is false without ECN on the queues of these groups; Kmin and Kmax,
	// in bytes, and Pmax are the profile.
	Marks      bool
	Kmin, Kmax int64
	Pmax       float64
	// Fill is the part of the cells of a full frame that is frame; 0 counts as 1.
	Fill float64
}

// Xoff is the shared use in bytes at which each of n groups that fill at the same
// pace pauses its peer: alpha x Pool / (1 + alpha x n) for a dynamic threshold
// (Choudhury and Hahne 1998). A static one is what it is, but no more than the
// n-th part of the pool, which is then empty.
func (t *Threshold) Xoff(n int) int64 { return int64(xoff(t.Dynamic, t.Alpha, t.Static, t.Pool, n)) }

func xoff(dynamic bool, alpha float64, static, pool int64, n int) float64 {
	if !dynamic {
		return min(float64(static), float64(pool)/float64(n))
	}
	return alpha * float64(pool) / (1 + alpha*float64(n))
}

// QueueAt is the length in bytes of an egress queue that k groups alone feed when
// the first of them pauses, while n groups are filling: k times reserve and Xoff,
// in frames instead of cells.
func (t *Threshold) QueueAt(k, n int) int64 {
	bytes := float64(k) * (float64(t.Reserved) + float64(t.Xoff(n)))
	if t.Fill > 0 {
		bytes *= t.Fill
	}
	return int64(bytes)
}

// MarksFirst reports whether a queue that k of n filling groups feed reaches
// level, Kmin or Kmax, before PFC stops its senders.
func (t *Threshold) MarksFirst(level int64, k, n int) bool { return t.QueueAt(k, n) > level }

// mostGroups is how far MarksUntil looks: more than a chip has lossless groups.
const mostGroups = 4096

// MarksUntil is the largest number of filling groups, each feeding a queue of its
// own, at which queues still reach level before PFC; 0 if PFC always comes first,
// and mostGroups or more if marking always does.
func (t *Threshold) MarksUntil(level int64) int {
	lo, hi := 0, mostGroups // MarksFirst holds at lo, fails above hi
	for lo < hi {
		if mid := (lo + hi + 1) / 2; t.MarksFirst(level, 1, mid) {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return lo
}

// Always reports whether a result of MarksUntil means any number of groups.
func Always(n int) bool { return n >= mostGroups }

// Thresholds returns the thresholds of all ports of switches with lossless groups,
// those alike together, in the order of the first port of each.
func Thresholds(p *scenarios.Plan) []Threshold {
	n := newNetwork(p)
	var all []Threshold
	type kind struct {
		rate                   sim.Rate
		dynamic, marks         bool
		alpha, pmax            float64
		static, pool, reserved int64
		kmin, kmax, cell       int64
		groups                 uint8
	}
	known := map[kind]int{}
	for i := range p.Switches {
		c := &p.Switches[i]
		for _, groups := range alikeGroups(c) {
			for port := range c.Ports {
				t := n.threshold(PortID{i, port}, groups)
				k := kind{t.Rate, t.Dynamic, t.Marks, t.Alpha, t.Pmax, t.Static, t.Pool, t.Reserved,
					t.Kmin, t.Kmax, int64(c.Buffer.Cell), bitsOf(groups)}
				if at, again := known[k]; again {
					all[at].Ports = append(all[at].Ports, t.Ports...)
					continue
				}
				known[k] = len(all)
				all = append(all, t)
			}
		}
	}
	return all
}

// alikeGroups splits the lossless groups of a switch by whether and how their
// queues mark.
func alikeGroups(c *switching.Config) [][]int {
	var split [][]int
	for _, g := range losslessGroups(c) {
		at := -1
		for i, groups := range split {
			if same(queueOf(c, groups[0]).RED, queueOf(c, g).RED) {
				at = i
			}
		}
		if at < 0 {
			split = append(split, nil)
			at = len(split) - 1
		}
		split[at] = append(split[at], g)
	}
	return split
}

func same(a, b *switching.REDProfile) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// queueOf is the egress queue of the first traffic class that a group holds.
func queueOf(c *switching.Config, group int) *switching.QueueConfig {
	for tc, g := range c.Classes.TCToGroup {
		if int(g) == group {
			return &c.Queues[c.Classes.TCToQueue[tc]]
		}
	}
	return &c.Queues[group]
}

func (n *network) threshold(id PortID, groups []int) Threshold {
	c := &n.Switches[id.Switch]
	port, g := &c.Ports[id.Port], &c.Groups[groups[0]]
	limit := g.Threshold
	if port.Threshold != nil {
		limit = *port.Threshold
	}
	t := Threshold{
		Ports: []PortID{id}, Groups: groups, Rate: port.Rate,
		Dynamic: limit.Dynamic, Alpha: float64(limit.Alpha) / switching.AlphaOne, Static: limit.Static,
		Pool: c.Buffer.Shared / int64(c.Buffer.Memories()), Reserved: g.Reserved,
		Fill: float64(n.room.Largest()) / float64(headroom.InCells(n.room.Largest(), int64(c.Buffer.Cell))),
	}
	red := queueOf(c, groups[0]).RED
	if red != nil && port.RED != nil {
		red = port.RED
	}
	if red != nil {
		t.Marks, t.Kmin, t.Kmax, t.Pmax = true, red.Kmin, red.Kmax, float64(red.Pmax)/math.Exp2(32)
	}
	return t
}
