package derive

import "math"

// link stands for a capacity that streams share: an adapter's way out or in, or
// all the links by which a leaf is connected to the fabric.
type link struct {
	left   float64 // bit/s not yet given away
	active float64 // weight of the streams that still get more
}

// share gives every stream its max-min fair part of the adapters and leaf uplinks
// that it crosses, each queue pair alike, up to its demand: progressive filling.
// Equal paths are taken as one, and nothing is lost.
func (t *Traffic) share() {
	links, uses := t.links()
	open := make([]int, 0, len(t.streams))
	for i := range t.streams {
		if s := &t.streams[i]; s.demand > 0 && s.wire > 0 {
			open = append(open, i)
			for _, l := range uses(s) {
				links[l].active += s.weight()
			}
		}
	}
	level := 0.0 // wire rate of each queue pair
	for len(open) > 0 {
		step := t.step(links, open, level)
		level += step
		for l := range links {
			links[l].left -= step * links[l].active
		}
		open = t.settle(links, uses, open, level)
	}
}

// weight is how many queue pairs share; random ones count as one.
func (s *stream) weight() float64 { return max(1, s.pairs) }

// most is the wire rate of each queue pair at which a stream has its demand.
func (s *stream) most() float64 { return s.demand * s.wire / s.message / s.weight() }

// step is how far all open streams can rise until one is satisfied or a link is
// full.
func (t *Traffic) step(links []link, open []int, level float64) float64 {
	step := math.Inf(1)
	for _, i := range open {
		step = min(step, t.streams[i].most()-level)
	}
	for l := range links {
		if links[l].active > 0 {
			step = min(step, links[l].left/links[l].active)
		}
	}
	return max(0, step)
}

// settle takes out the streams that cannot rise any more.
func (t *Traffic) settle(links []link, uses func(*stream) []int, open []int, level float64) []int {
	const slack = 1e-9 // of the rounding of sums
	full := make([]bool, len(links))
	for l := range links {
		full[l] = links[l].active > 0 && links[l].left <= slack*links[l].active*(level+1)
	}
	kept := open[:0]
	for _, i := range open {
		s := &t.streams[i]
		done := s.most() <= level*(1+slack)
		for _, l := range uses(s) {
			done = done || full[l]
		}
		if !done {
			kept = append(kept, i)
			continue
		}
		s.rate = level * s.weight() * s.message / s.wire
		for _, l := range uses(s) {
			links[l].active -= s.weight()
		}
	}
	return kept
}

// links lists the capacities, and says which of them a stream uses: adapters by
// endpoint, out and in, then leaves, up and down. What it says holds until it is
// asked again.
func (t *Traffic) links() ([]link, func(*stream) []int) {
	endpoints := len(t.Graph.Endpoints)
	links := make([]link, 2*endpoints+2*len(t.Switches))
	for e := range endpoints {
		rate := float64(t.NICs[e].Rate)
		if pcie := float64(t.NICs[e].PCIe); pcie > 0 {
			rate = min(rate, pcie*float64(t.room.Largest())/float64(t.NICs[e].MTU))
		}
		links[e].left, links[endpoints+e].left = rate, rate
	}
	for sw := range t.Switches {
		_, beyond := t.capacity(sw)
		links[2*endpoints+2*sw].left, links[2*endpoints+2*sw+1].left = float64(beyond), float64(beyond)
	}
	leaf := func(e int) int { return t.Graph.Ports(e)[0].Peer.Node - endpoints }
	var used [4]int
	return links, func(s *stream) []int {
		from, to := leaf(s.src), leaf(s.dst)
		if from == to || from < 0 || to < 0 {
			used = [4]int{s.src, endpoints + s.dst}
			return used[:2]
		}
		used = [4]int{s.src, endpoints + s.dst, 2*endpoints + 2*from, 2*endpoints + 2*to + 1}
		return used[:]
	}
}
