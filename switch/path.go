package switching

import "rocesim/fabric/packet"

// Choice returns which of n equal-cost next hops all packets of a flow take.
// It reports false if the switch chooses packet by packet.
func (s *Switch) Choice(flow packet.Tuple, n int) (hop int, fixed bool) {
	switch {
	case n == 1:
		return 0, true
	case s.routing == ECMP:
		return int(uint64(spread(flow.Entropy()^s.hashSeed)) * uint64(n) >> 32), true
	case s.routing == Murmur3:
		return int(flow.Murmur3(s.hashSeed) % uint32(n)), true
	default:
		return 0, false
	}
}
