package scenarios

import (
	"fmt"
	"slices"

	"rocesim/fabric/topo"
	"rocesim/scenarios/headroom"
	"rocesim/scenarios/strict"
	"rocesim/sim"
)

// room is the room of a lossless group on a port.
func (r *switchResolver) room(ref topo.PortRef) int64 {
	h := &r.spec.Headroom
	l := &r.plan.Graph.Links[ref.Link]
	switch {
	case h.Bytes != nil:
		return int64(*h.Bytes)
	case h.Delays > 0:
		return int64(h.Delays) * headroom.BytesIn(l.Rate, l.Delay)
	case h.Standard:
		return r.worstCase(ref)
	case len(h.Table) > 0:
		return r.fromTable(l)
	}
	r.doc.Failf("switch.headroom", "missing; allowed: one of bytes, delays, table and standard: true")
	return 0
}

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

// worstCase is what suffices for any mix of frames. The slowest response counts: that
// of the switch, of NICs, and of what is at the other end.
func (r *switchResolver) worstCase(ref topo.PortRef) int64 {
	l := &r.plan.Graph.Links[ref.Link]
	response := r.sc.NIC.PFC.Response
	if ref.Peer.Node < len(r.adapters) {
		response = r.adapters[ref.Peer.Node].PFC.Response
	}
	port := r.pauser(l, int64(r.spec.Buffer.Cell))
	port.Ingress, port.Response = r.spec.ingressLatency(), max(r.spec.PFC.Response, response)
	if peer := ref.Peer.Node - len(r.plan.Graph.Endpoints); peer >= 0 {
		port.Response = max(port.Response, r.specs[peer].PFC.Response)
		port.PeerEgress = r.specs[peer].Latency - r.specs[peer].ingressLatency()
	}
	return port.Reserve().Total
}

// pauser is a port that pauses its peer over a link, without the delays of the
// nodes at both ends. The largest frame is that of all NICs, as frames come
// from any of them.
func (p *planner) pauser(l *topo.Link, cell int64) headroom.Port {
	f := p.plan.Framing
	frame := int64(f.Frame(p.mtu, true))
	return headroom.Port{
		Rate: l.Rate, Delay: l.Delay, Cell: cell, Full: []int64{frame}, Largest: frame,
		Least: int64(min(f.Ack, f.Frame(1, false))), Pause: int64(f.PFC), Preamble: int64(f.Preamble), Gap: int64(f.Gap),
	}
}
