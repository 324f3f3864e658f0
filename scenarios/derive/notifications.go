package derive

import (
	"math"

	"rocesim/nic"
	"rocesim/scenarios/workload"
)

// overload is what several senders bring to one adapter at once.
type overload struct {
	sources map[int]bool
	rate    float64 // of their adapters, bit/s
	wire    float64 // bytes until the run ends
	seconds float64 // for which they may send
	streams int
}

// notifications returns, for each stream, how many CNPs its receiver sends at
// most: where the senders of the stream's receiver are together faster than its
// link and the port marks, one for each packet, and one for each CNP interval of
// the time in which the link carries all of it. So it is while the queue is above
// Kmax, as it is when senders start at line rate; once DCQCN has settled there are
// far fewer (Control.Point.Notifications). Traffic that meets by chance (random
// arrivals, exchanges) is not looked at.
func (t *Traffic) notifications() []float64 {
	into := map[int]*overload{}
	for i := range t.streams {
		if s := &t.streams[i]; t.meets(s) && s.rate > 0 {
			o := into[s.dst]
			if o == nil {
				o = &overload{sources: map[int]bool{}}
				into[s.dst] = o
			}
			if !o.sources[s.src] {
				o.sources[s.src] = true
				o.rate += float64(t.NICs[s.src].Rate)
			}
			o.wire += s.rate * s.seconds / 8 / s.message * s.wire
			o.seconds = max(o.seconds, s.seconds)
			o.streams++
		}
	}
	most := make([]float64, len(t.streams))
	for i := range t.streams {
		s := &t.streams[i]
		if o := into[s.dst]; o != nil && t.meets(s) && s.rate > 0 && o.rate > float64(t.NICs[s.dst].Rate) {
			most[i] = t.notified(s, o)
		}
	}
	return most
}

// notified is the most that one stream brings about.
func (t *Traffic) notified(s *stream, o *overload) float64 {
	c := &t.NICs[s.dst]
	packets := s.rate * s.seconds / 8 / s.message * s.packets
	if c.CNPInterval <= 0 {
		return packets
	}
	carried := min(o.seconds, o.wire*8/float64(c.Rate))
	every := 1 + math.Floor(carried/c.CNPInterval.Seconds())
	switch c.CNPScope {
	case nic.PerPort:
		every /= float64(o.streams)
	case nic.PerQP:
		every *= s.weight()
	}
	return min(packets, every)
}

// meets reports whether the senders of a stream are meant to meet at its
// receiver, whose link marks and which answers marks by CNPs.
func (t *Traffic) meets(s *stream) bool {
	switch t.Workload[s.entry].(type) {
	case workload.Flows, workload.Incast, workload.Saturate:
	default:
		return false
	}
	peer := t.Graph.Ports(s.dst)[0].Peer
	if !t.Graph.IsSwitch(peer.Node) || t.NICs[s.dst].EchoCNP {
		return false
	}
	_, marks := t.profile(PortID{peer.Node - len(t.Graph.Endpoints), peer.Port})
	return marks
}
