package packet_test

import (
	"encoding/binary"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/fabric/packet"
)

// The five vectors of V-6.
func TestSourcePort(t *testing.T) {
	for _, c := range []struct {
		label, local, remote uint32
		want                 uint16
	}{
		{0, 0x11, 0x22, 0xC242},
		{0, 0x1A2B, 0x3C4D, 0xF2AA},
		{0, 0xD02, 0x10B, 0xD120},
		{0x12345, 1, 2, 0xE341},
		{0xFFFFF, 1, 2, 0xFFC0},
	} {
		assert.Equal(t, c.want, packet.SourcePort(c.label, c.local, c.remote))
	}
	assert.Equal(t, uint16(0xE341), packet.SourcePort(0xABC12345, 1, 2), "a flow label has 20 bits")
}

// Ports lie in 0xC000-0xFFFF (Linux, rdma_flow_label_to_udp_sport), and both ends of a connection
// compute the same one from their numbers.
func TestSourcePortRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		label := rapid.Uint32().Draw(t, "label")
		local, remote := rapid.Uint32Range(0, 1<<24-1).Draw(t, "local"), rapid.Uint32Range(0, 1<<24-1).Draw(t, "remote")
		require.GreaterOrEqual(t, packet.SourcePort(label, local, remote), uint16(0xC000))
		require.Equal(t, packet.SourcePort(0, local, remote), packet.SourcePort(0, remote, local))
	})
}

// slowMurmur3 is MurmurHash3 x86_32 of any bytes, written from its description
// with whole numbers that are reduced modulo 2^32 after each step.
func slowMurmur3(key []byte, seed uint32) uint32 {
	mod := new(big.Int).Lsh(big.NewInt(1), 32)
	num := func(x uint32) *big.Int { return new(big.Int).SetUint64(uint64(x)) }
	times := func(x *big.Int, k uint32) *big.Int { x = new(big.Int).Mul(x, num(k)); return x.Mod(x, mod) }
	rotate := func(x *big.Int, n uint) *big.Int {
		high := new(big.Int).Rsh(x, 32-n)
		low := new(big.Int).Lsh(x, n)
		return high.Add(high, low.Mod(low, mod))
	}
	scramble := func(k uint32) *big.Int { return times(rotate(times(num(k), 0xcc9e2d51), 15), 0x1b873593) }
	h := num(seed)
	rest := key
	for ; len(rest) >= 4; rest = rest[4:] {
		h.Xor(h, scramble(binary.LittleEndian.Uint32(rest)))
		h = rotate(h, 13)
		h.Add(times(h, 5), num(0xe6546b64)).Mod(h, mod)
	}
	if len(rest) > 0 {
		h.Xor(h, scramble(binary.LittleEndian.Uint32(append(append([]byte{}, rest...), 0, 0, 0)[:4])))
	}
	h.Xor(h, num(uint32(len(key))))
	h.Xor(h, new(big.Int).Rsh(h, 16))
	h = times(h, 0x85ebca6b)
	h.Xor(h, new(big.Int).Rsh(h, 13))
	h = times(h, 0xc2b2ae35)
	h.Xor(h, new(big.Int).Rsh(h, 16))
	return uint32(h.Uint64())
}

// The slow hash gives the published test vectors of MurmurHash3 x86_32
// (https://en.wikipedia.org/wiki/MurmurHash).
func TestSlowMurmur3IsMurmur3(t *testing.T) {
	for _, c := range []struct {
		key  string
		seed uint32
		want uint32
	}{
		{"", 0, 0},
		{"", 1, 0x514E28B7},
		{"", 0xFFFFFFFF, 0x81F16F39},
		{"test", 0, 0xBA6BD213},
		{"test", 0x9747B28C, 0x704B81DC},
		{"Hello, world!", 0, 0xC0363E43},
		{"Hello, world!", 0x9747B28C, 0x24884CBA},
		{"The quick brown fox jumps over the lazy dog", 0, 0x2E4FF723},
		{"The quick brown fox jumps over the lazy dog", 0x9747B28C, 0x2FA826CD},
	} {
		assert.Equal(t, c.want, slowMurmur3([]byte(c.key), c.seed), "%q, seed %#x", c.key, c.seed)
	}
}

// Tuple.Murmur3 hashes source address, destination address, source port,
// destination port as twelve little-endian bytes.
func TestMurmur3OfATuple(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tuple := packet.Tuple{
			SrcIP: rapid.Uint32().Draw(t, "source"), DstIP: rapid.Uint32().Draw(t, "destination"),
			SrcPort: rapid.Uint16().Draw(t, "source port"), DstPort: rapid.Uint16().Draw(t, "destination port"),
		}
		seed := rapid.Uint32().Draw(t, "seed")
		var key []byte
		key = binary.LittleEndian.AppendUint32(key, tuple.SrcIP)
		key = binary.LittleEndian.AppendUint32(key, tuple.DstIP)
		key = binary.LittleEndian.AppendUint16(key, tuple.SrcPort)
		key = binary.LittleEndian.AppendUint16(key, tuple.DstPort)
		require.Equal(t, slowMurmur3(key, seed), tuple.Murmur3(seed))
		require.Equal(t, slowMurmur3(key, 0), tuple.Entropy())
	})
}

func TestReverse(t *testing.T) {
	a := packet.Tuple{SrcIP: 1, DstIP: 2, SrcPort: 3, DstPort: 4}
	assert.Equal(t, packet.Tuple{SrcIP: 2, DstIP: 1, SrcPort: 4, DstPort: 3}, a.Reverse())
	assert.Equal(t, a, a.Reverse().Reverse())
	assert.NotEqual(t, a.Entropy(), a.Reverse().Entropy(), "the way back has a hash of its own (Linux, rdma_flow_label_to_udp_sport)")
}
