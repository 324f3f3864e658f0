package scenarios

import (
	"fmt"
	"slices"

	"rocesim/fabric/topo"
	"rocesim/scenarios/strict"
	"rocesim/sim"
)

// headroom is the room of a lossless group on a port.
func (r *switchResolver) headroom(ref topo.PortRef) int64 {
	h := &r.spec.Headroom
	l := &r.plan.Graph.Links[ref.Link]
	switch {
	case h.Bytes != nil:
		return int64(*h.Bytes)
	case h.Delays > 0:
		return int64(h.Delays) * bytesIn(l.Rate, l.Delay)
	case h.Standard:
		return r.worstCase(ref)
	case len(h.Table) > 0:
		return r.fromTable(l)
	}
	r.doc.Failf("switch.headroom", "missing; allowed: one of bytes, delays, table and standard: true")
	return 0
}

// bytesIn returns what a rate carries in a time.
func bytesIn(r sim.Rate, t sim.Time) int64 { return scale(int64(r), int64(t), 8*int64(sim.Second)) }

// fromTable takes the row of the port's rate and of the next longer cable.
func (r *switchResolver) fromTable(l *topo.Link) int64 {
	length := strict.Length(l.Length)
	if length == 0 { // a delay was given: the cable that has it
		length = strict.Length(float64(l.Delay) / float64(topo.PropagationPerMetre))
	}
	var best *HeadroomRow
	var rates []sim.Rate
	for i := range r.spec.Headroom.Table {
		row := &r.spec.Headroom.Table[i]
		if !slices.Contains(rates, row.Rate) {
			rates = append(rates, row.Rate)
		}
		if row.Rate == l.Rate && row.Cable >= length && (best == nil || row.Cable < best.Cable) {
			best = row
		}
	}
	if best == nil {
		text := fmt.Sprintf("the table has no row for %v over %v or more, such as link %s has; its rates are %v", l.Rate, length, l.Name, rates)
		if missing := fmt.Sprintf("no headroom for %v %v", l.Rate, length); !r.said[missing] {
			r.said[missing] = true
			r.doc.Failf("switch.headroom", "%s; allowed: headroom: {bytes: 100KB}, {standard: true}, or a table with that row", text)
		}
		return 0
	}
	if best.Cable != length {
		r.note(fmt.Sprintf("headroom of %v ports with %v cable: the table's row for %v is taken, %v",
			l.Rate, length, best.Cable, best.Bytes))
	}
	return int64(best.Bytes)
}

// worstCase is what can still arrive at a port after it has sent XOFF (IEEE
// 802.1Qbb Annex O as laid out in Cisco's PFC white paper): the frame that
// delays the pause, the pause, the wire both ways, what the peer sends until it
// obeys, and the frame it has just begun; with frames in whole cells. Two terms
// are the model's own: a frame is charged as a whole, so the one that crosses the
// threshold lies in headroom too, and what is in the pipelines behind the peer's
// scheduler and before this buffer still arrives.
func (r *switchResolver) worstCase(ref topo.PortRef) int64 {
	f := r.plan.Framing
	l := &r.plan.Graph.Links[ref.Link]
	frame := int64(f.Wire(f.Frame(r.sc.NIC.MTU, true)))
	response := max(r.spec.PFC.Response, r.sc.NIC.PFC.Response)
	ahead := 2*l.Delay + response + r.spec.ingressLatency()
	if peer := ref.Peer.Node - len(r.plan.Graph.Endpoints); peer >= 0 {
		ahead += r.specs[peer].Latency - r.specs[peer].ingressLatency()
	}
	bytes := 3*frame + int64(f.Wire(f.PFC)) + bytesIn(l.Rate, ahead)
	cell := int64(r.spec.Buffer.Cell)
	cells := (frame + cell - 1) / cell
	return (bytes*cells*cell + frame - 1) / frame
}
