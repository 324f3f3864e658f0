package why

import (
	"cmp"
	"slices"

	"rocesim/results"
	"rocesim/sim"
)

// fairShares estimates for each flow how long it would have taken if the links
// of its hosts had been shared fairly among the messages that were under way
// beside it, and nothing else had held it up. It is the larger of the times at
// both ends; 0 for flows without an ideal time. Of a flow that has not finished
// it is for what was sent. The crowd is the mean number of messages at the end
// that more of them share.
func (e *explainer) fairShares() (fair []sim.Time, crowd []float64) {
	fair, crowd = make([]sim.Time, len(e.Flows)), make([]float64, len(e.Flows))
	for i := range e.Flows {
		fair[i] = e.Flows[i].Ideal
	}
	began := make([]served, len(e.Flows))
	for _, end := range []func(f *results.FlowRow) int32{
		func(f *results.FlowRow) int32 { return f.Src }, func(f *results.FlowRow) int32 { return f.Dst },
	} {
		flows := make([][]int32, len(e.Nodes))
		for i := range e.Flows {
			node := end(&e.Flows[i])
			flows[node] = append(flows[node], int32(i))
		}
		for node, here := range flows {
			if port, links := e.linksOf(int32(node)); links > 0 && len(here) > 0 {
				e.shareLinks(here, port, links, began, fair, crowd)
			}
		}
	}
	return fair, crowd
}

// linksOf returns a port of a host that sent something, and how many did.
func (e *explainer) linksOf(node int32) (port int32, links int) {
	for i := range e.Ports {
		if e.Ports[i].Node == node && e.Ports[i].WireBytes > 0 {
			port = int32(i)
			links++
		}
	}
	return port, links
}

// change is a message that begins or ends.
type change struct {
	at   sim.Time
	flow int32
	ends bool
}

// served is what the links of a host did up to a time: the sum over its messages
// of how long they were under way, and their bytes.
type served struct{ together, bytes float64 }

// shareLinks raises the estimates of the flows that begin or end at one host.
// Each is taken to have sent its bytes evenly over its time. Began is room for a
// value of each flow of the run.
func (e *explainer) shareLinks(flows []int32, port int32, links int, began []served, fair []sim.Time, crowd []float64) {
	changes := make([]change, 0, 2*len(flows))
	for _, i := range flows {
		if from, to, _ := e.underWay(&e.Flows[i]); to > from {
			changes = append(changes, change{from, i, false}, change{to, i, true})
		}
	}
	slices.SortFunc(changes, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.flow, b.flow))
	})
	var now sim.Time
	var n, rate float64 // messages under way, and their bytes per ps
	var sum served
	for _, c := range changes {
		sum.together += n * float64(c.at-now)
		sum.bytes += rate * float64(c.at-now)
		now = c.at
		f := &e.Flows[c.flow]
		from, to, sent := e.underWay(f)
		pace := float64(sent) / float64(to-from)
		if !c.ends {
			n, rate = n+1, rate+pace
			began[c.flow] = sum
			continue
		}
		n, rate = n-1, rate-pace
		if f.Ideal == 0 {
			continue
		}
		t := turns{atATime: (sum.together-began[c.flow].together)/float64(to-from) - 1, links: links}
		t.busy = e.Ports[port].Rate.TxTimeCeil(int64(max(0, sum.bytes-began[c.flow].bytes-float64(sent)) / float64(links)))
		fair[c.flow] = max(fair[c.flow], f.Ideal+min(t.busy, e.turnTime(t, f, port)))
		crowd[c.flow] = max(crowd[c.flow], t.atATime+1)
	}
}

// turnTime is how long a flow waits for others that take turns with it, packet
// by packet: for each of its own bytes one of each other, and at least for a
// frame.
func (e *explainer) turnTime(t turns, f *results.FlowRow, port int32) sim.Time {
	one := e.Ports[port].Rate.TxTimeCeil(max(f.Bytes, e.Manifest.LargestFrame))
	return sim.Time(float64(one) * max(0, t.atATime) / float64(t.links))
}
