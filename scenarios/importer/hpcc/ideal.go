package hpcc

import (
	"math/bits"

	"rocesim/fabric/topo"
	"rocesim/sim"
)

const (
	// frameOverhead is what the original puts around a payload, in bytes.
	frameOverhead = 48
	// bitNs is the bits of a byte times the nanoseconds of a second: bytes times
	// bitNs, over a rate, are nanoseconds.
	bitNs = 8 * int64(sim.Second/sim.Nanosecond)
)

// baseRTT is the original's round trip of a pair in ns: propagation there and
// back and a payload's serialisation on each link of the way, every term
// rounded down; and the least rate of the way. It is 0 if there is no path.
func (t *Topology) baseRTT(src, dst, payload int) (ns int64, bottleneck sim.Rate) {
	bottleneck = topo.MaxRate
	for _, hop := range t.Routes.FirstPath(src, dst) {
		link := &t.Graph.Links[hop.Link]
		ns += 2 * int64(link.Delay/sim.Nanosecond)
		ns += int64(payload) * bitNs / int64(link.Rate)
		bottleneck = min(bottleneck, link.Rate)
	}
	return ns, bottleneck
}

// IdealNs is the original's completion time of a flow between two endpoints of
// an empty network, in ns: the round trip, and all bytes with their headers at
// the least rate of the way. It is 0 if there is no path. Preconditions: bytes
// is what ParseFlows allows, payload (bytes per packet) at most 64 KiB.
func (t *Topology) IdealNs(src, dst int, bytes int64, payload int) int64 {
	rtt, bottleneck := t.baseRTT(src, dst, payload)
	if rtt == 0 {
		return 0
	}
	packets := max(1, (bytes+int64(payload)-1)/int64(payload))
	hi, lo := bits.Mul64(uint64(bytes+packets*frameOverhead), uint64(bitNs))
	q, _ := bits.Div64(hi, lo, uint64(bottleneck))
	return rtt + int64(q)
}

// BDP is the original's bandwidth-delay product of a pair of endpoints in
// bytes: the window of HAS_WIN without GLOBAL_T.
func (t *Topology) BDP(src, dst, payload int) int64 {
	rtt, bottleneck := t.baseRTT(src, dst, payload)
	hi, lo := bits.Mul64(uint64(rtt), uint64(bottleneck))
	q, _ := bits.Div64(hi, lo, uint64(bitNs))
	return int64(q)
}
