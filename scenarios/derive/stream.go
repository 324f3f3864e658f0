package derive

import (
	"fmt"
	"math"
	"slices"

	"rocesim/fabric/packet"
	"rocesim/results/metrics"
	"rocesim/scenarios"
	"rocesim/scenarios/workload"
	"rocesim/sim"
)

// stream is the traffic of one entry between two endpoints: all its queue pairs.
type stream struct {
	entry, src, dst int
	// pairs is the number of queue pairs; an expectation where they are random.
	pairs float64
	// message is the payload of one message in bytes, packets how many packets
	// it makes, wire what those take on the wire; means where sizes are random.
	message, packets, wire float64
	// demand bounds the payload in bit/s that the hosts offer; 0 is without bound.
	demand float64
	// finite is set if the payload is known beforehand: demand over the time that
	// the entry has.
	finite bool
	// seconds is for how long the entry can send.
	seconds float64
	// rate is what the stream gets of demand, in bit/s of payload.
	rate float64
}

// Traffic is who sends to whom in a workload, and at most how much.
type Traffic struct {
	*network
	idle    *metrics.Idle
	entry   int
	index   map[[2]int]map[int]int // of streams by entry and src, and by dst
	streams []stream
	lone    map[[2]int]float64 // what alone has found, by entry and links
}

// NewTraffic finds out who sends to whom: the entries open their connections on a
// network that only takes note.
func NewTraffic(p *scenarios.Plan) *Traffic {
	n := newNetwork(p)
	t := &Traffic{network: n, idle: idleOf(p), index: map[[2]int]map[int]int{}, lone: map[[2]int]float64{}}
	// The entries were found valid when the plan was made.
	if _, err := workload.NewDriver(t, n.Seed, n.Hosts, n.Workload); err != nil {
		panic(fmt.Sprintf("derive: traffic of %s: %v", n.Name, err))
	}
	for i, e := range n.Workload {
		t.entry = i
		t.later(e)
	}
	for i := range t.streams {
		t.offer(&t.streams[i])
	}
	t.share()
	return t
}

// Connect notes a queue pair.
func (t *Traffic) Connect(src, dst int, c workload.Class) int {
	t.add(c.Entry, src, dst, 1)
	return 0
}

// Post does nothing.
func (t *Traffic) Post(sim.Time, int, int64, uint32) {}

func (t *Traffic) add(entry, src, dst int, pairs float64) *stream {
	of := t.index[[2]int{entry, src}]
	if of == nil {
		of = map[int]int{}
		t.index[[2]int{entry, src}] = of
	}
	at, known := of[dst]
	if !known {
		at = len(t.streams)
		of[dst] = at
		if at == cap(t.streams) { // there may be millions: doubled, they are copied once or twice
			t.streams = slices.Grow(t.streams, at+64)
		}
		t.streams = append(t.streams, stream{entry: entry, src: src, dst: dst})
	}
	s := &t.streams[at]
	s.pairs += pairs
	return s
}

// later notes what entries open during the run.
func (t *Traffic) later(e workload.Entry) {
	switch e := e.(type) {
	case workload.Flows:
		for _, f := range e.Flows {
			if f.Start < t.StopTime {
				s := t.add(t.entry, t.endpoint(f.Src, f.SrcNIC, e.NIC), t.endpoint(f.Dst, f.DstNIC, e.NIC), 1)
				t.sized(s, (s.message*(s.pairs-1)+float64(f.Bytes))/s.pairs)
			}
		}
	case workload.Poisson:
		t.poisson(&e)
	}
}

// endpoint is the NIC that the first queue pair of a flow uses on a host.
func (t *Traffic) endpoint(host int, own, entry workload.NIC) int {
	ports := t.Hosts[host].Endpoints
	if own == workload.ByQP {
		own = max(entry, 1)
	}
	return ports[own-1]
}

// mostPeers is how many destinations stand for those of a Poisson source.
const mostPeers = 64

// poisson spreads the arrivals of each source over destinations, evenly chosen
// where there are many.
func (t *Traffic) poisson(e *workload.Poisson) {
	sizes := map[int]stream{} // what messages are like, by MTU
	for i, src := range e.Sources {
		step := (len(e.Destinations) + mostPeers - 1) / mostPeers
		var peers []int
		for k := i % step; k < len(e.Destinations); k += step {
			if e.Destinations[k] != src {
				peers = append(peers, e.Destinations[k])
			}
		}
		load := e.Load * float64(t.Hosts[src].Rate) / float64(len(peers))
		for k, dst := range peers {
			s := t.add(t.entry, t.nicOf(src, e.NIC, k), t.nicOf(dst, e.NIC, k), 0)
			mtu := t.NICs[s.src].MTU
			drawn, known := sizes[mtu]
			if !known {
				drawn = t.drawn(e.Sizes, mtu)
				sizes[mtu] = drawn
			}
			s.message, s.packets, s.wire = drawn.message, drawn.packets, drawn.wire
			s.demand += load
		}
	}
}

func (t *Traffic) nicOf(host int, nic workload.NIC, k int) int {
	ports := t.Hosts[host].Endpoints
	if nic != workload.ByQP {
		return ports[nic-1]
	}
	return ports[k%len(ports)]
}

// quantiles is how finely a distribution of sizes is sampled for packets.
const quantiles = 1000

// drawn returns what messages are like whose sizes are drawn, in their mean.
func (t *Traffic) drawn(sizes *workload.CDF, mtu int) stream {
	s := stream{message: sizes.Mean()}
	for i := range quantiles {
		n := sizes.Quantile((float64(i) + 0.5) / quantiles)
		s.packets += float64(packet.Packets(n, mtu)) / quantiles
		s.wire += float64(t.Framing.MessageWire(n, mtu)) / quantiles
	}
	return s
}

// sized sets what one message is like.
func (t *Traffic) sized(s *stream, message float64) {
	mtu := t.NICs[s.src].MTU
	s.message = message
	s.packets = float64(packet.Packets(int64(message), mtu))
	s.wire = float64(t.Framing.MessageWire(int64(message), mtu))
}

// window is the time in seconds that an entry has to send: from its start until
// the run or the entry stops.
func (t *Traffic) window(e workload.Entry) float64 {
	var start, stop sim.Time
	switch e := e.(type) {
	case workload.Incast:
		start, stop = e.Start, e.Stop
	case workload.Permutation:
		start, stop = e.Repeat.Start, e.Repeat.Stop
	case workload.AllToAll:
		start, stop = e.Repeat.Start, e.Repeat.Stop
	case workload.Saturate:
		start, stop = e.Start, e.Stop
	case workload.Latency:
		start, stop = e.Start, e.Stop
	case workload.Datagrams:
		start, stop = e.Start, e.Stop
	case workload.Poisson:
		start, stop = e.Start, e.Stop
	}
	end := t.StopTime
	if stop > 0 {
		end = min(end, stop)
	}
	return max(0, end-start).Seconds()
}

// offer sets how much payload the hosts of a stream offer.
func (t *Traffic) offer(s *stream) {
	s.seconds = t.window(t.Workload[s.entry])
	if s.seconds == 0 {
		return
	}
	switch e := t.Workload[s.entry].(type) {
	case workload.Flows:
		s.total(s.pairs)
	case workload.Incast:
		t.sized(s, float64(e.Bytes))
		s.total(s.pairs * incastRounds(&e, s.seconds))
	case workload.Permutation:
		t.sized(s, float64(e.Bytes))
		t.rounds(s, &e.Repeat, float64(max(1, e.Partners)*max(1, e.QPs)), 1)
	case workload.AllToAll:
		t.sized(s, float64(e.Bytes))
		peers := len(e.Hosts) - 1
		window := peers
		if e.Window > 0 {
			window = min(window, e.Window)
		}
		t.rounds(s, &e.Repeat, float64(peers*max(1, e.QPs)), math.Ceil(float64(peers)/float64(window)))
	case workload.Saturate:
		t.saturate(s, &e)
	case workload.Latency:
		t.sized(s, float64(e.Bytes))
		s.total(s.seconds / e.Every.Seconds())
	case workload.Datagrams:
		t.datagrams(s, &e)
	case workload.Poisson:
		if e.Flows > 0 {
			all := float64(e.Flows) * e.Sizes.Mean() * 8 / s.seconds
			s.demand = min(s.demand, all/float64(len(e.Sources)*min(mostPeers, len(e.Destinations))))
		}
		s.finite = true
	}
}

// total spreads a known number of messages over the time there is.
func (s *stream) total(messages float64) {
	s.finite = true
	s.demand = messages * s.message * 8 / s.seconds
}

func incastRounds(e *workload.Incast, seconds float64) float64 {
	if e.Every == 0 {
		return 1
	}
	rounds := math.Ceil(seconds / e.Every.Seconds())
	if e.Rounds > 0 {
		rounds = min(rounds, float64(e.Rounds))
	}
	return rounds
}

// rounds handles exchanges: so many rounds, or as many as there is time for. No
// round is faster than its messages on the sender's wire, or than one after the
// other on an idle path.
func (t *Traffic) rounds(s *stream, r *workload.Repeat, messages, turns float64) {
	if r.Rounds > 0 || r.Stop == 0 {
		s.total(s.pairs * float64(max(1, r.Rounds)))
		return
	}
	wire := messages * s.wire * 8 / t.speed(s)
	s.demand = s.pairs * s.message * 8 / (max(wire, turns*t.alone(s)) + r.Gap.Seconds())
}

// speed is what the host of a stream can send, in bit/s on the wire.
func (t *Traffic) speed(s *stream) float64 {
	host := t.Graph.Endpoints[s.src].Host
	return float64(t.Hosts[host].Rate)
}

// alone is how long a message of a stream takes on the idle fabric, in seconds: as
// for the first stream of its entry with as many links.
func (t *Traffic) alone(s *stream) float64 {
	key := [2]int{s.entry, t.Routes.Hops(s.src, s.dst)}
	seconds, known := t.lone[key]
	if !known {
		seconds = t.idle.Message(s.src, s.dst, int64(s.message), false).Seconds()
		t.lone[key] = seconds
	}
	return seconds
}

// saturate bounds a closed loop by its depth: so many messages in the time of one
// on the idle path, or on the wire.
func (t *Traffic) saturate(s *stream, e *workload.Saturate) {
	t.sized(s, float64(e.Bytes))
	if e.Messages > 0 {
		s.total(s.pairs * float64(e.Messages))
		return
	}
	depth := float64(max(1, e.Depth))
	wire := s.wire * 8 / float64(t.NICs[s.src].Rate)
	round, messages := max(t.alone(s), depth*wire)+e.Gap.Seconds(), depth
	if n := float64(e.Burst.Messages); n > 0 {
		round, messages = max(t.alone(s)*math.Ceil(n/depth), n*wire)+e.Burst.Pause.Seconds(), n
	}
	s.demand = s.pairs * messages * s.message * 8 / round
	if interval := t.NICs[s.src].QPMessageInterval; interval > 0 {
		s.demand = min(s.demand, s.pairs*s.message*8/interval.Seconds())
	}
}

// datagrams sends at its rates whatever happens. Each rate opens a connection.
func (t *Traffic) datagrams(s *stream, e *workload.Datagrams) {
	mtu := t.NICs[s.src].MTU
	s.message, s.packets = float64(e.Bytes), float64(packet.Packets(e.Bytes, mtu))
	s.wire = 0
	for left := e.Bytes; left > 0; left -= int64(mtu) {
		s.wire += float64(t.Framing.Wire(t.Framing.DatagramFrame(int(min(left, int64(mtu))))))
	}
	end := t.StopTime
	if e.Stop > 0 {
		end = min(end, e.Stop)
	}
	bits, at, rate := 0.0, e.Start, e.Rate
	for _, step := range e.Steps {
		bits += float64(rate) * max(0, min(step.At, end)-at).Seconds()
		at, rate = step.At, step.Rate
	}
	bits += float64(rate) * max(0, end-at).Seconds()
	s.finite = true
	s.demand = bits * s.message / s.wire / s.seconds
}
