package headroom

import "rocesim/sim"

// Port is a port that pauses its peer, and what decides how much still comes.
type Port struct {
	// Rate is the link's, Delay the cable's one-way propagation time.
	Rate  sim.Rate
	Delay sim.Time
	// Response is how long the peer takes to obey, PeerEgress its pipeline behind
	// the scheduler (0 at a NIC), Ingress that of this switch before its buffer.
	Response, PeerEgress, Ingress sim.Time
	// Stores is set if frames are taken whole before they are admitted.
	Stores bool
	// Quantum is what the times of frames are rounded down to; 0 or 1 does not.
	Quantum sim.Time
	// Cell is the buffer's unit in bytes.
	Cell int64
	// Full are the sizes of full frames of the peer, Largest is the largest frame
	// that the pause may have to wait for, Least the smallest that the peer sends,
	// Pause the pause frame, all without preamble and gap.
	Full                  []int64
	Largest, Least, Pause int64
	// Preamble and Gap are around each frame on the wire.
	Preamble, Gap int64
}

// Term is a part of the time from the arrival of the frame that crosses XOFF to
// the arrival of the last frame that the peer still sends.
type Term struct {
	Name string
	Time sim.Time
	// Bytes is what the peer sends in that time, on the wire, rounded down.
	Bytes int64
}

// Need is what full frames take of headroom at worst.
type Need struct {
	// Terms add up to Reach, the time in which frames of the peer still begin to
	// count; the frame that crosses XOFF arrives at its beginning.
	Terms []Term
	Reach sim.Time
	// Frame is the full frame that needs most, Wire what it takes on the wire,
	// Charge what it takes of the buffer in whole cells.
	Frame, Wire, Charge int64
	// Frames is how many of them end up in headroom: the one that crosses XOFF and
	// as many as begin within Reach.
	Frames int64
	// Needed is Frames x Charge.
	Needed int64
}

// Need returns what the port needs if its peer sends full frames.
//
// The pause leaves behind a frame that the port has begun, takes its own time and
// the cable, and the peer obeys after its response time. Until then the peer
// begins frames, which pass its egress pipeline, the cable and the ingress
// pipeline of this switch before they are admitted. A frame that is stored whole
// is admitted when its last bit is in, so the time of one frame more lies between
// the start of a frame and its admission.
func (p *Port) Need() Need {
	var most Need
	for _, frame := range p.Full {
		n := Need{Frame: frame, Wire: p.wire(frame), Charge: p.charge(frame)}
		n.Terms, n.Reach = p.terms(n.Wire)
		n.Frames = 1 + int64(n.Reach/p.lasts(n.Wire))
		n.Needed = n.Frames * n.Charge
		if n.Needed > most.Needed { // of two sizes with as many cells, the smaller comes more often
			most = n
		}
	}
	return most
}

// terms lists what lies between the frame that crosses XOFF and the last one.
func (p *Port) terms(wire int64) (terms []Term, reach sim.Time) {
	gap := p.Rate.TxTimeCeil(p.Gap)
	for _, t := range []Term{
		{Name: "the pause waits for a frame begun", Time: p.lasts(p.wire(p.Largest))},
		{Name: "the pause frame", Time: p.lasts(p.wire(p.Pause)) - gap},
		{Name: "the cable there and back", Time: 2 * p.Delay},
		{Name: "the peer's response", Time: p.Response},
		{Name: "the peer's egress pipeline", Time: p.PeerEgress},
		{Name: "the ingress pipeline", Time: p.Ingress},
		{Name: "a frame is admitted with its last bit", Time: p.stored(wire) - gap},
	} {
		if t.Time > 0 {
			t.Bytes = BytesIn(p.Rate, t.Time)
			terms = append(terms, t)
			reach += t.Time
		}
	}
	return terms, reach
}

// stored is how long a frame takes to come in, if it is admitted only then.
func (p *Port) stored(wire int64) sim.Time {
	if !p.Stores {
		return 0
	}
	return p.lasts(wire)
}

// Reserve is the worst case of IEEE 802.1Qbb with the delays of a port, for any
// mix of frames.
type Reserve struct {
	// Full is the largest full frame, with what it takes of the buffer or of the
	// wire, whichever is more.
	Full int64
	// Waits is the frame that the pause waits for and Pause the pause, on the wire.
	Waits, Pause int64
	// Ahead is the cable there and back, the response and the pipelines, InFlight
	// what the rate carries in that time.
	Ahead    sim.Time
	InFlight int64
	// Worst is the frame that fills cells worst, without preamble and gap: for each
	// WorstWire bytes on the wire it takes WorstCharge of the buffer. All are 0 if
	// no frame takes more of the buffer than of the wire.
	Worst, WorstWire, WorstCharge int64
	// Total is 2 x Full + (Waits + Pause + InFlight) x WorstCharge / WorstWire.
	Total int64
}

// Reserve returns what suffices whatever the peer sends (IEEE 802.1Qbb Annex O as
// laid out in Cisco's PFC white paper): what the peer sends while a frame delays
// the pause, the pause itself, the wire both ways and until it obeys, and the frame
// that it has just begun. Two terms are the model's own: a frame is charged as a
// whole, so the one that crosses the threshold lies in headroom too, and what is
// in the pipelines still arrives.
//
// Small frames, such as ACKs in the class of the data, take whole cells. An ACK
// answers a packet of the other direction, so their part is not bounded by
// nic.ack_every: a port that is paused most of the time sends few data, and what
// it received meanwhile is answered as soon as it may. So all bytes between the
// first and the last frame count as if in the frames that fill cells worst, and
// those two as full ones.
func (p *Port) Reserve() Reserve {
	r := Reserve{Waits: p.wire(p.Largest), Pause: p.wire(p.Pause), Ahead: 2*p.Delay + p.Response + p.PeerEgress + p.Ingress}
	for _, frame := range p.Full {
		r.Full = max(r.Full, p.wire(frame), p.charge(frame))
	}
	r.InFlight = BytesIn(p.Rate, r.Ahead)
	between := r.Waits + r.Pause + r.InFlight
	// Of as many cells, the smallest frame is the worst, and more cells are
	// better: so it is the smallest frame, or the smallest of one cell more.
	for _, frame := range []int64{p.Least, p.charge(p.Least) + 1} {
		wire, charge := p.wire(frame), p.charge(frame)
		if charge > wire && (r.Worst == 0 || charge*r.WorstWire > r.WorstCharge*wire) {
			r.Worst, r.WorstWire, r.WorstCharge = frame, wire, charge
		}
	}
	if r.Worst > 0 {
		between = (between*r.WorstCharge + r.WorstWire - 1) / r.WorstWire
	}
	r.Total = 2*r.Full + between
	return r
}

// wire is what a frame takes on the wire.
func (p *Port) wire(frame int64) int64 { return p.Preamble + frame + p.Gap }

// charge is what a frame takes of the buffer.
func (p *Port) charge(frame int64) int64 { return InCells(frame, p.Cell) }

// InCells returns what a frame takes of a buffer that is allotted in cells, both in
// bytes.
func InCells(frame, cell int64) int64 { return (frame + cell - 1) / cell * cell }

// lasts is how long bytes last on the wire, floored as ports floor it: to at least
// one quantum.
func (p *Port) lasts(bytes int64) sim.Time {
	t := p.Rate.TxTimeCeil(bytes)
	if p.Quantum > 1 {
		return max(p.Quantum, t-t%p.Quantum)
	}
	return t
}
