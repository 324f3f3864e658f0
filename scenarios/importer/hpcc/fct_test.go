package hpcc

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWriteFCT(t *testing.T) {
	var out bytes.Buffer
	rows := []FCTRow{
		{SrcNode: 0, DstNode: 32, SPort: 10000, DPort: 100, Bytes: 1000000, StartNs: 2000000000, FCTNs: 170008, IdealNs: 88000},
		{SrcNode: 255, DstNode: 256, SPort: 10001, DPort: 200, Bytes: 1, StartNs: 1, FCTNs: 2, IdealNs: 3},
	}
	require.NoError(t, WriteFCT(&out, rows))
	assert.Equal(t, "0b000001 0b002001 10000 100 1000000 2000000000 170008 88000\n0b00ff01 0b010001 10001 200 1 1 2 3\n", out.String())
}

func TestWriteFCTFails(t *testing.T) {
	full := errors.New("disk full")
	assert.ErrorIs(t, WriteFCT(failing{full}, make([]FCTRow, 1)), full)
	assert.ErrorIs(t, WriteFCT(failing{full}, make([]FCTRow, 1000)), full)
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// TestIdeal computes the formula by hand over small's links. 0 to 2: two links
// of 100G and 400G at 1 us, one of 25G at 1.5 us: propagation 2*(1000+1000+1500),
// serialisation of 1000 B 80+20+320; 3000 B in 3 packets are 3144 B with
// headers, 1006.08 ns at 25G.
func TestIdeal(t *testing.T) {
	g := parse(t, small)
	assert.EqualValues(t, 7000+420+1006, g.IdealNs(0, 2, 3000, 1000))
	// 100G all the way: 48 + 1 B are 3.92 ns.
	assert.EqualValues(t, 4000+160+3, g.IdealNs(0, 1, 1, 1000))
	// 7420 ns at 25G are 23187.5 B.
	assert.EqualValues(t, 23187, g.BDP(0, 2, 1000))
	// The largest is 0 to 3: (6000 + 80 + 20 + 80) ns at 100G.
	assert.EqualValues(t, 77250, g.MaxBDP(1000))

	split := parse(t, "6 2 4\n4 5\n0 4 1Gbps 1us 0\n1 4 1Gbps 1us 0\n2 5 1Gbps 1us 0\n3 5 1Gbps 1us 0\n")
	assert.Zero(t, split.IdealNs(0, 2, 1, 1000))
	assert.Zero(t, split.BDP(0, 2, 1000))
}
