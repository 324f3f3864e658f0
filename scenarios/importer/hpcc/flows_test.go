package hpcc

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/sim"
)

func TestFlows(t *testing.T) {
	set, err := ParseFlows("flow.txt", []byte(`4
0 2 3 100 1000 2.000000962
1 3 3 200 5000000000 3.5
0 2 4 100 1 2.000009913
0 3 3 100 7 3.5

src dst pg dport bytes start
`), parse(t, small))
	require.NoError(t, err)
	assert.Equal(t, 2*sim.Second, set.Base)
	assert.Equal(t, []Flow{
		{SrcNode: 0, DstNode: 2, Src: 0, Dst: 2, PG: 3, SPort: 10000, DPort: 100, Bytes: 1000,
			Start: 962 * sim.Nanosecond, StartNs: 2000000962, Line: 2},
		{SrcNode: 0, DstNode: 2, Src: 0, Dst: 2, PG: 4, SPort: 10001, DPort: 100, Bytes: 1,
			Start: 9912 * sim.Nanosecond, StartNs: 2000009912, Line: 4},
		{SrcNode: 1, DstNode: 3, Src: 1, Dst: 3, PG: 3, SPort: 10000, DPort: 200, Bytes: 5e9,
			Start: 1500 * sim.Millisecond, StartNs: 3500000000, Line: 3},
		{SrcNode: 0, DstNode: 3, Src: 0, Dst: 3, PG: 3, SPort: 10000, DPort: 100, Bytes: 7,
			Start: 1500 * sim.Millisecond, StartNs: 3500000000, Line: 5},
	}, set.Flows)
	assert.Equal(t, []string{
		"flow.txt:3:11: 5000000000 bytes are sent; the original's counter wraps around at 4294967296",
		"flow.txt:4:1: this flow starts before the one in line 3; flows are sorted by start",
	}, texts(set.Warnings))
}

// TestNanoseconds: the binary value of 2.000009913 is just below it, so ns-3
// starts the flow at ...912; other numbers are just above.
func TestNanoseconds(t *testing.T) {
	cases := map[float64]int64{
		2: 2000000000, 2.000000962: 2000000962, 2.000009913: 2000009912, 0.1: 100000000, 0.3: 299999999, 1e-9: 1, 0: 0, 1e6: 1e15,
	}
	for seconds, want := range cases {
		assert.Equal(t, want, nanoseconds(seconds), "%v", seconds)
	}
}

func TestFlowCounts(t *testing.T) {
	one := "0 1 3 100 9 2\n"
	cases := []struct {
		name, text, warning string
		flows               int
	}{
		{"exact", "2\n" + one + one, "", 2},
		{"trailing blank behind the count", "2 \n" + one + one, "", 2},
		{"old digits behind the count", "20\n" + one + one, "flow.txt:1:1: 20 flows are announced, the file has 2", 2},
		{"further lines", "1\n" + one + one + "src dst ...\n",
			"flow.txt:3:1: this and further flows are ignored, the first line announces 1", 1},
		{"notes", "1\n" + one + "5 flows were meant\n...\nOrder by start!\n", "", 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			set, err := ParseFlows("flow.txt", []byte(c.text), parse(t, small))
			require.NoError(t, err)
			assert.Len(t, set.Flows, c.flows)
			assert.Equal(t, c.warning, strings.Join(texts(set.Warnings), "\n"))
		})
	}
}

func TestFlowErrors(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"empty", "", "flow.txt: the file is empty, expected a line with the number of flows"},
		{"no flow", "0\n", `flow.txt:1:1: the file has no flow, expected lines of "source destination pg dport bytes start"`},
		{"no count", "0 1 3 100 9 2\n", `flow.txt:1:1: "0" is not allowed, must be the number of flows, from 0 to 50000000, alone on its line`},
		{"negative count", "-1\n", `flow.txt:1:1: "-1" is not allowed, must be the number of flows, from 0 to 50000000, alone on its line`},
		{"all at once", `6
0 4 3 100 9 2
0 9 8 65536 0 -2
1 1 3 100 9 2
0 1 3 100
0 1 3 100 1.5 NaN
x 1 3 100 5 2
0 1 3 100 5 2
`, `flow.txt:2:3: "4" is not allowed, must be the id of a host that the topology links
flow.txt:3:3: "9" is not allowed, must be the id of a host that the topology links
flow.txt:3:5: "8" is not allowed, must be a whole number from 0 to 7
flow.txt:3:7: "65536" is not allowed, must be a whole number from 0 to 65535
flow.txt:3:13: "0" is not allowed, must be a whole number from 1 to 1099511627776
flow.txt:3:15: "-2" is not allowed, must be a start in seconds, from 0 to 1e+06
flow.txt:4:3: node 1 sends to itself, must be two different hosts
flow.txt:5:1: 4 word(s), must be "source destination pg dport bytes start"
flow.txt:6:11: "1.5" is not allowed, must be a whole number from 1 to 1099511627776
flow.txt:6:15: "NaN" is not allowed, must be a start in seconds, from 0 to 1e+06
flow.txt:7:1: "x" is not allowed, must be the id of a host that the topology links`},
		{"too late", "2\n0 1 3 100 9 2\n0 1 3 100 9 100\n",
			"flow.txt:3:1: the flow starts 98 s after the first one, at most 70 s are allowed"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParseFlows("flow.txt", []byte(c.text), parse(t, small))
			assert.EqualError(t, err, c.want)
		})
	}
}

func TestFlowWithoutPath(t *testing.T) {
	split := parse(t, "6 2 4\n4 5\n0 4 1Gbps 1us 0\n1 4 1Gbps 1us 0\n2 5 1Gbps 1us 0\n3 5 1Gbps 1us 0\n")
	_, err := ParseFlows("flow.txt", []byte("1\n0 2 3 100 9 2\n"), split)
	assert.EqualError(t, err, "flow.txt:2:1: there is no path from node 0 to node 2")
}

// TestNICsInTurn: the k-th flow of a pair of dual-homed hosts uses NIC k mod 2
// at both ends.
func TestNICsInTurn(t *testing.T) {
	dual := parse(t, "4 2 5\n2 3\n0 2 1Gbps 1us 0\n0 3 1Gbps 1us 0\n1 2 1Gbps 1us 0\n1 3 1Gbps 1us 0\n2 3 1Gbps 1us 0\n")
	set, err := ParseFlows("flow.txt", []byte("3\n0 1 3 100 9 2\n0 1 3 100 9 2\n0 1 3 100 9 2\n"), dual)
	require.NoError(t, err)
	var ends [][2]int
	for _, f := range set.Flows {
		ends = append(ends, [2]int{f.Src, f.Dst})
	}
	assert.Equal(t, [][2]int{{0, 2}, {1, 3}, {0, 2}}, ends)
}

// TestFlowsAreSorted: whatever the order of lines, flows come out by start, and
// those of one pair have ports without gaps.
func TestFlowsAreSorted(t *testing.T) {
	topology := parse(t, small)
	rapid.Check(t, func(t *rapid.T) {
		starts := rapid.SliceOfN(rapid.SampledFrom([]string{"2", "2.1", "2.000000001", "3.7"}), 1, 20).Draw(t, "starts")
		text := "99\n"
		for _, s := range starts {
			text += "0 1 3 100 9 " + s + "\n"
		}
		set, err := ParseFlows("flow.txt", []byte(text), topology)
		require.NoError(t, err)
		require.Len(t, set.Flows, len(starts))
		for i, f := range set.Flows {
			require.Equal(t, 10000+i, f.SPort)
			require.Equal(t, f.StartNs, int64((set.Base+f.Start)/sim.Nanosecond))
			if i > 0 {
				require.GreaterOrEqual(t, f.Start, set.Flows[i-1].Start)
			}
		}
	})
}
