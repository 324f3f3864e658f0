package packet

// RoCEPort is the UDP destination port of RoCEv2 (IANA).
const RoCEPort = 4791

// sourcePortBase is where RoCEv2 source ports start: they carry 14 bits of
// entropy (Annex A17; rdma_flow_label_to_udp_sport in Linux).
const sourcePortBase = 0xC000

// SourcePort returns the UDP source port of a RoCEv2 queue pair as Linux
// derives it: from the 20-bit flow label, or, if that is 0, from the numbers of
// the local and the remote queue pair.
func SourcePort(flowLabel, localQPN, remoteQPN uint32) uint16 {
	fl := flowLabel & 0xFFFFF
	if fl == 0 {
		v := uint64(localQPN) * uint64(remoteQPN)
		v ^= v >> 20
		v ^= v >> 40
		fl = uint32(v & 0xFFFFF)
	}
	return uint16(fl&0x3FFF^fl&0xFC000>>14) | sourcePortBase
}

// Tuple is the 5-tuple of a flow (the protocol is UDP).
type Tuple struct {
	SrcIP, DstIP     uint32
	SrcPort, DstPort uint16
}

// Reverse returns the tuple of the opposite direction's packets that answer on
// the same ports.
func (t Tuple) Reverse() Tuple {
	return Tuple{SrcIP: t.DstIP, DstIP: t.SrcIP, SrcPort: t.DstPort, DstPort: t.SrcPort}
}

// Entropy returns a 32-bit hash of the tuple (MurmurHash3 x86_32, Appleby,
// public domain, seed 0). Each switch mixes its own seed into it.
func (t Tuple) Entropy() uint32 { return t.Murmur3(0) }

// Murmur3 returns the MurmurHash3 x86_32 of the tuple's twelve bytes as three
// little-endian words: source IP, destination IP, source port | destination
// port << 16.
func (t Tuple) Murmur3(seed uint32) uint32 {
	h := seed
	for _, k := range [...]uint32{t.SrcIP, t.DstIP, uint32(t.SrcPort) | uint32(t.DstPort)<<16} {
		k *= 0xcc9e2d51
		k = k<<15 | k>>17
		k *= 0x1b873593
		h ^= k
		h = h<<13 | h>>19
		h = h*5 + 0xe6546b64
	}
	h ^= 12
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}
