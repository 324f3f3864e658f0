// Package headroom is the arithmetic of what a lossless priority group needs beyond
// XOFF. The same port gets the same figure everywhere. There are four figures:
//
//   - Port.Need, "needed": what a port of this model needs for full frames, exactly;
//     a frame less loses one.
//   - Port.Reserve, "any frames": the worst case of IEEE 802.1Qbb with the delays of
//     the port, for any mix of frames. It is never less than the need.
//   - IEEE: the worst case with the longest response that 802.3 allows, for
//     hardware whose response nobody has measured.
//   - Spectrum.Profile: what SONiC configures on NVIDIA's switches.
//
// Sizes are in bytes, times in picoseconds, rates in bit/s.
package headroom
