package hpcc

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
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

func TestFCTRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		node, port := rapid.IntRange(0, maxNode), rapid.IntRange(0, 65535)
		number := rapid.Int64Range(0, 1<<50)
		row := FCTRow{
			SrcNode: node.Draw(t, "src"), DstNode: node.Draw(t, "dst"), SPort: port.Draw(t, "sport"), DPort: port.Draw(t, "dport"),
			Bytes: number.Draw(t, "bytes"), StartNs: number.Draw(t, "start"), FCTNs: number.Draw(t, "fct"), IdealNs: number.Draw(t, "ideal"),
		}
		var out bytes.Buffer
		require.NoError(t, WriteFCT(&out, []FCTRow{row}))
		rows, err := ParseFCT("fct.txt", out.Bytes())
		require.NoError(t, err)
		require.Equal(t, []FCTRow{row}, rows)
	})
}

func TestParseFCT(t *testing.T) {
	rows, err := ParseFCT("fct.txt", []byte("7 12 10000 100 9 1 2 3\n"))
	require.NoError(t, err)
	assert.Equal(t, []FCTRow{{SrcNode: 7, DstNode: 12, SPort: 10000, DPort: 100, Bytes: 9, StartNs: 1, FCTNs: 2, IdealNs: 3}}, rows)

	_, err = ParseFCT("fct.txt", []byte("0b000002 x 70000 -1 a 1 2 3\n1 2 3\n"))
	assert.EqualError(t, err, `fct.txt:1:1: "0b000002" is not allowed, must be an address like 0b000101, or a node id from 0 to 65535
fct.txt:1:10: "x" is not allowed, must be an address like 0b000101, or a node id from 0 to 65535
fct.txt:1:12: "70000" is not allowed, must be a whole number from 0 to 65535
fct.txt:1:18: "-1" is not allowed, must be a whole number from 0 to 65535
fct.txt:1:21: "a" is not allowed, must be a whole number from 0 to 4611686018427387904
fct.txt:2:1: 3 word(s), must be "sip dip sport dport bytes start fct ideal"`)
}

func TestParsePFC(t *testing.T) {
	rows, err := ParsePFC("pfc.txt", []byte("2000014121 1 0 1 1\n2000018769 64 1 20 0\n"))
	require.NoError(t, err)
	assert.Equal(t, []PFCRow{
		{TimeNs: 2000014121, Node: 1, Port: 0, Pause: true},
		{TimeNs: 2000018769, Node: 64, AtSwitch: true, Port: 19},
	}, rows)

	_, err = ParsePFC("pfc.txt", []byte("1 1 2 0 1\n1 1\n"))
	assert.EqualError(t, err, `pfc.txt:1:5: "2" is not allowed, must be a whole number from 0 to 1
pfc.txt:1:7: "0" is not allowed, must be a whole number from 1 to 65535
pfc.txt:2:1: 2 word(s), must be "time node node_type port type"`)
}

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
