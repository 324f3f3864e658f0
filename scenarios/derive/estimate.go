package derive

import (
	"math"

	"rocesim/scenarios"
	"rocesim/scenarios/workload"
)

// EntryWork is what one entry of the workload will send within the run's time.
type EntryWork struct {
	Name, Type string
	// Streams is the number of pairs of endpoints that send, Connections that of
	// queue pairs; 0 if they are opened at random (Poisson).
	Streams, Connections int64
	// Messages, Payload in bytes, Packets of data, Acks and Hops, the links that
	// they cross together.
	Messages, Payload, Packets, Acks, Hops int64
	// MeanHops is the mean number of links of its packets.
	MeanHops float64
	// CNPs is how many its receivers send at most, CNPHops the links that they
	// cross together: see Work.CNPs.
	CNPs, CNPHops int64
	// AtMost is set if the entry sends as much as it is let, or more than there
	// is time for, or if something is to fail: then the numbers are what is
	// reached if nothing is paused or slowed down but by fair sharing of adapters
	// and leaf uplinks.
	AtMost bool
}

// Work estimates a run.
type Work struct {
	Entries []EntryWork
	// Packets of data, Acks and Hops of all entries. Retransmissions and pause
	// frames are not counted.
	Packets, Acks, Hops, Messages int64
	// CNPs come on top: at most so many where senders are meant to meet at one
	// receiver, as long as DCQCN has not settled; they cross CNPHops links. Those
	// of traffic that meets by chance are not counted.
	CNPs, CNPHops int64
	AtMost        bool
	// NanosPerHop is the processor time of a packet-hop: see nanosPerHop.
	NanosPerHop float64
	// Seconds of one processor and Memory in bytes.
	Seconds float64
	Memory  int64
}

// Estimate says how much a run would simulate, and how long and in how much memory
// (an order of magnitude: machines differ by a factor of two and more).
func (t *Traffic) Estimate() Work {
	p := t.Plan
	w := Work{NanosPerHop: nanosPerHop(len(p.Graph.Endpoints))}
	sums := make([]entrySum, len(p.Workload))
	cnps := t.notifications()
	for i := range t.streams {
		sums[t.streams[i].entry].add(t, &t.streams[i], cnps[i])
	}
	for i := range sums {
		e := sums[i].work(p.Names[i], p.Types[i])
		e.AtMost = e.AtMost || len(p.Faults) > 0
		w.Entries = append(w.Entries, e)
		w.Packets += e.Packets
		w.Acks += e.Acks
		w.Hops += e.Hops
		w.Messages += e.Messages
		w.CNPs += e.CNPs
		w.CNPHops += e.CNPHops
		w.AtMost = w.AtMost || e.AtMost
	}
	w.Seconds = float64(w.Hops) * w.NanosPerHop * 1e-9
	w.Memory = memory(p, w.Messages, w.connections())
	return w
}

func (w *Work) connections() (n int64) {
	for i := range w.Entries {
		n += w.Entries[i].Connections
	}
	return n
}

// entrySum adds up streams without rounding.
type entrySum struct {
	streams                                          int64
	pairs, messages, payload, packets, acks, hopsSum float64
	cnps, cnpHops                                    float64
	atMost                                           bool
}

func (e *entrySum) add(t *Traffic, s *stream, cnps float64) {
	messages := 0.0
	if s.rate > 0 {
		messages = s.rate * s.seconds / 8 / s.message
	}
	e.streams++
	e.pairs += s.pairs
	e.messages += messages
	e.payload += messages * s.message
	e.packets += messages * s.packets
	acks := 0.0
	if _, datagrams := t.Workload[s.entry].(workload.Datagrams); !datagrams {
		acks = messages * t.acks(s)
	}
	e.acks += acks
	hops := float64(t.Routes.Hops(s.src, s.dst))
	e.hopsSum += (messages*s.packets + acks) * hops
	e.cnps += cnps
	e.cnpHops += cnps * hops
	e.atMost = e.atMost || !s.finite || s.rate < s.demand*0.999
}

// acks is how many ACKs answer one message.
func (t *Traffic) acks(s *stream) float64 {
	if every := t.NICs[s.dst].AckEvery; every > 0 {
		return math.Ceil(s.packets / float64(every))
	}
	return 1
}

func (e *entrySum) work(name, kind string) EntryWork {
	w := EntryWork{
		Name: name, Type: kind, Streams: e.streams, Connections: whole(e.pairs),
		Messages: whole(e.messages), Payload: whole(e.payload), Packets: whole(e.packets), Acks: whole(e.acks),
		Hops: whole(e.hopsSum), AtMost: e.atMost, CNPs: whole(e.cnps), CNPHops: whole(e.cnpHops),
	}
	if sent := e.packets + e.acks; sent > 0 {
		w.MeanHops = e.hopsSum / sent
	}
	return w
}

func whole(v float64) int64 { return int64(math.Round(v)) }

// nanosPerHop is what a packet-hop costs on the machine of the README's table: 107
// ns with 16 adapters, 173 with 128 and 277 with 1,024 (permutation under PFC, ECN
// and DCQCN), on the line through the logarithms between them.
func nanosPerHop(endpoints int) float64 {
	rows := []struct{ endpoints, ns float64 }{{16, 107}, {128, 173}, {1024, 277}}
	n := float64(endpoints)
	if n <= rows[0].endpoints {
		return rows[0].ns
	}
	from, to := rows[0], rows[1]
	if n > to.endpoints {
		from, to = rows[1], rows[2]
	}
	return from.ns + (to.ns-from.ns)*math.Log(n/from.endpoints)/math.Log(to.endpoints/from.endpoints)
}

// memory is what a run takes, fitted to the resident size of runs with tables, plots
// and page: 48 to 60 MB for a few hosts, 66 and 75 MB for 18 and 32 thousand queue pairs
// of 96 hosts, 94 MB for 139 thousand messages of them, and 197 to 220 MB for the cluster
// of the README.
func memory(p *scenarios.Plan, messages, connections int64) int64 {
	const program, perPort, perConnection, perMessage = 52_000_000, 25_000, 300, 260
	ports := int64(2 * len(p.Graph.Links))
	return program + perPort*ports + perConnection*connections + perMessage*messages
}
