package packet_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/fabric/packet"
)

// IBTA 9.7: sequence numbers are 24 bits and wrap.
func TestPSNTable(t *testing.T) {
	const top = 1<<24 - 1
	assert.Equal(t, packet.PSN(0), packet.PSN(top).Add(1))
	assert.Equal(t, packet.PSN(top), packet.PSN(0).Add(-1))
	assert.Equal(t, packet.PSN(5), packet.PSN(5).Add(1<<24))
	assert.Equal(t, packet.PSN(5), packet.PSN(5).Add(-3<<24))
	assert.Equal(t, packet.PSN(0xCDEF01), packet.PSN(0xABCDEF01).Add(0), "Add(0) masks a wider number")
	for _, c := range []struct {
		p, q packet.PSN
		want int
	}{
		{0, 0, 0}, {1, 0, 1}, {0, 1, -1}, {0, top, 1}, {top, 0, -1},
		{1<<23 - 1, 0, 1<<23 - 1}, {1 << 23, 0, -1 << 23}, {1<<23 + 1, 0, -1<<23 + 1},
	} {
		assert.Equal(t, c.want, c.p.Diff(c.q), "%d - %d", c.p, c.q)
		assert.Equal(t, c.want < 0, c.p.Before(c.q))
	}
}

// PSN arithmetic is that of whole numbers modulo 2^24.
func TestPSNIsArithmeticModulo24Bits(t *testing.T) {
	modulus := big.NewInt(1 << 24)
	rapid.Check(t, func(t *rapid.T) {
		p := packet.PSN(rapid.Uint32Range(0, 1<<24-1).Draw(t, "p"))
		n := rapid.Int64().Draw(t, "n") >> 2
		q := p.Add(int(n))
		want := new(big.Int).Add(big.NewInt(int64(p)), big.NewInt(n))
		want.Mod(want, modulus)
		require.Equal(t, want.Int64(), int64(q))

		d := q.Diff(p)
		require.GreaterOrEqual(t, d, -1<<23)
		require.Less(t, d, 1<<23)
		require.Equal(t, q, p.Add(d), "Diff undoes Add")
		require.Zero(t, new(big.Int).Mod(big.NewInt(int64(d)-n), modulus).Int64())
		require.Equal(t, d < 0, q.Before(p))
		if d != 0 && d != -1<<23 {
			require.NotEqual(t, q.Before(p), p.Before(q), "of two, one comes first")
		}
	})
}
