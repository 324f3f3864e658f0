package workload

import "rocesim/sim"

// agenda is a binary heap of what an entry wants to do next. Its order is
// (time, token), never the order of insertion.
type agenda struct{ items []appointment }

type appointment struct {
	at    sim.Time
	token int32
}

func (a appointment) before(b appointment) bool {
	return a.at < b.at || a.at == b.at && a.token < b.token
}

// next returns the earliest instant, or Never.
func (a *agenda) next() sim.Time {
	if len(a.items) == 0 {
		return sim.Never
	}
	return a.items[0].at
}

// push notes token for instant at; what no run can reach is dropped.
func (a *agenda) push(at sim.Time, token int32) {
	if at >= sim.Never {
		return
	}
	a.items = append(a.items, appointment{at, token})
	items := a.items
	i := len(items) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !items[i].before(items[parent]) {
			return
		}
		items[i], items[parent] = items[parent], items[i]
		i = parent
	}
}

// pop removes the earliest item and returns its token.
// Preconditions: the agenda is not empty.
func (a *agenda) pop() int32 {
	items := a.items
	top := items[0]
	last := len(items) - 1
	items[0] = items[last]
	items = items[:last]
	a.items = items
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			return top.token
		}
		if child+1 < last && items[child+1].before(items[child]) {
			child++
		}
		if !items[child].before(items[i]) {
			return top.token
		}
		items[i], items[child] = items[child], items[i]
		i = child
	}
}
