package hpcc

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/sim"
)

// small is two hosts on each of two switches, which two unequal links join.
const small = `6 2 6
4 5
0 4 100Gbps 1000ns 0
1 4 100Gbps 0.001ms 0.000000
4 5 400Gbps 1us 0.01
2 5 25Gbps 1.5us 0
5 4 400Gb/s 1us 0
5 3 100Gbps 1000ns 0

src dst rate delay error_rate
...
`

func parse(t *testing.T, text string) *Topology {
	t.Helper()
	topology, err := ParseTopology("topology.txt", []byte(text))
	require.NoError(t, err)
	return topology
}

func texts(problems []Problem) []string {
	var list []string
	for _, p := range problems {
		list = append(list, p.Error())
	}
	return list
}

func TestTopology(t *testing.T) {
	g := parse(t, small)
	require.Empty(t, g.Graph.Validate())
	var names []string
	for _, l := range g.Graph.Links {
		names = append(names, l.Name)
	}
	assert.Equal(t, []string{"0:4", "1:4", "4:5", "2:5", "5:4#2", "5:3"}, names)
	assert.Equal(t, []float64{0, 0, 0.01, 0, 0, 0}, g.LossRate)
	assert.Equal(t, sim.Microsecond, g.Graph.Links[1].Delay)
	assert.Equal(t, 1500*sim.Nanosecond, g.Graph.Links[3].Delay)
	assert.Equal(t, 25*sim.Gbps, g.Graph.Links[3].Rate)
	assert.Equal(t, []string{
		"topology.txt:7:1: parallel to the link in line 5; both carry traffic, in the original only the last does",
	}, texts(g.Warnings))

	assert.Equal(t, []int{3}, g.Endpoints(3))
	assert.Empty(t, g.Endpoints(4), "a switch")
	assert.Empty(t, g.Endpoints(99))
	assert.Equal(t, 3, g.NodeID(3))
	assert.Equal(t, 5, g.NodeID(5))
	assert.Equal(t, []int{2, 4}, g.LinksBetween(5, 4))
	// Ports in the order of lines: 4 has hosts 0 and 1, then 5 twice.
	assert.Equal(t, []uint16{2, 3}, g.Routes.NextHops(0, 2))
	assert.Equal(t, 3, g.Routes.Hops(0, 3))
}

func TestTopologyCounts(t *testing.T) {
	links := "0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n"
	cases := []struct {
		name, text, warning string
		links               int
	}{
		{"exact", "3 1 2\n2\n" + links, "", 2},
		{"CRLF and byte order mark", "\ufeff3 1 2\r\n2\r\n" + strings.ReplaceAll(links, "\n", "\r\n"), "", 2},
		{"too many announced", "3 1 9\n2\n" + links + "the end\n", "topology.txt:1:1: 9 links are announced, the file has 2", 2},
		{"further lines", "3 1 2\n2\n" + links + "0 1 1Gbps 1us 0\n",
			"topology.txt:5:1: this and further links are ignored, the first line announces 2", 2},
		{"notes that begin with a number", "3 1 2\n2\n" + links + "10 Gbps is slow\n", "", 2},
		{"a node without link", "4 1 2\n2\n" + links, "topology.txt:1:1: node 3 is left out, it has no link", 2},
		{"no switch", "2 0 1\n0 1 1Gbps 1us 0\n", "", 1},
		{"a host with two links", "3 2 2\n1 2\n0 1 1Gbps 1us 0\n0 2 1Gbps 1us 0\n",
			"topology.txt: hosts with several links have a NIC on each, and flows take them in turn; the original hashes", 2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g := parse(t, c.text)
			assert.Len(t, g.Graph.Links, c.links)
			assert.Equal(t, c.warning, strings.Join(texts(g.Warnings), "\n"))
		})
	}
}

func TestTopologyErrors(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"empty", "", `topology.txt: the file is empty, expected a line "nodes switches links"`},
		{"blank", "\n \n", `topology.txt: the file is empty, expected a line "nodes switches links"`},
		{"header", "3 x 2\n", `topology.txt:1:3: "x" is not allowed, must be a whole number from 0 to 8192`},
		{"header words", "3 1\n", `topology.txt:1:1: 2 word(s), a topology must begin with a line "nodes switches links"`},
		{"SimAI", "16 8 2 3 20 H100\n",
			`topology.txt:1:1: six words: this is a topology of SimAI, a topology of HPCC must begin with a line "nodes switches links"`},
		{"huge", "999999999999 0 99999999999999999999\n",
			"topology.txt:1:1: \"999999999999\" is not allowed, must be a whole number from 1 to 73728\n" +
				"topology.txt:1:16: \"99999999999999999999\" is not allowed, must be a whole number from 1 to 131072"},
		{"cut off", "3 1 2\n", "topology.txt:2:1: the file ends, expected the ids of 1 switches\n" +
			`topology.txt:1:1: the file has no link, expected lines of "source destination rate delay error_rate"`},
		{"switch ids", "3 2 1\n1 1\n0 1 1Gbps 1us 0\n", "topology.txt:2:3: switch 1 is listed twice"},
		{"too few switch ids", "3 2 1\n1\n0 1 1Gbps 1us 0\n", "topology.txt:2:1: 1 ids of switches, the first line announces 2"},
		{"all at once", `4 1 6
3
0 3 100 1us 0
0 9 1Gbps 1us 0
1 3 1Gbps
  1 1 1Gbps 1us 0
2 3 100Gbit -1us 2
2 x 0Gbps 1min zero
`, `topology.txt:3:5: "100" is not allowed, must be a rate from 1Mbps to 100Tbps like 100Gbps or 50Mb/s
topology.txt:4:3: "9" is not allowed, must be a node id from 0 to 3
topology.txt:5:1: 3 word(s), must be "source destination rate delay error_rate"
topology.txt:6:5: node 1 is linked to itself, must be two different nodes
topology.txt:7:5: "100Gbit" is not allowed, must be a rate from 1Mbps to 100Tbps like 100Gbps or 50Mb/s
topology.txt:7:13: "-1us" is not allowed, must be a delay up to 1s like 1000ns or 0.001ms
topology.txt:7:18: "2" is not allowed, must be an error rate from 0 to 1
topology.txt:8:3: "x" is not allowed, must be a node id from 0 to 3
topology.txt:8:5: "0Gbps" is not allowed, must be a rate from 1Mbps to 100Tbps like 100Gbps or 50Mb/s
topology.txt:8:11: "1min" is not allowed, must be a delay up to 1s like 1000ns or 0.001ms
topology.txt:8:16: "zero" is not allowed, must be an error rate from 0 to 1`},
		{"a node with too many links", "2 0 70\n" + strings.Repeat("0 1 1Gbps 1us 0\n", 70),
			"topology.txt:1:1: hosts[0].nics: 70 is not allowed, must be from 0 to 64\n" +
				"topology.txt:1:1: hosts[1].nics: 70 is not allowed, must be from 0 to 64"},
		{"long word", "3 1 2\n2\n0 2 " + strings.Repeat("9", 100) + "Gbps 1us 0\n",
			"topology.txt:3:5: \"" + strings.Repeat("9", 40) + "\"... is not allowed, must be a rate from 1Mbps to 100Tbps like 100Gbps or 50Mb/s"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			g, err := ParseTopology("topology.txt", []byte(c.text))
			assert.EqualError(t, err, c.want)
			assert.Nil(t, g)
		})
	}
}

func TestManyErrorsAreCut(t *testing.T) {
	_, err := ParseTopology("t", []byte("2 0 100\n"+strings.Repeat("0 0 1Gbps 1us 0\n", 100)))
	lines := strings.Split(err.Error(), "\n")
	require.Len(t, lines, maxProblems+1)
	assert.Equal(t, "t: and 50 more", lines[maxProblems])
	assert.Len(t, err.(*Problems).Unwrap(), maxProblems)
}

func TestFilesAreBounded(t *testing.T) {
	_, err := ParseTopology("t", make([]byte, MaxFileBytes+1))
	assert.EqualError(t, err, "t: the file has 67108865 bytes, at most 67108864 are allowed")
}

// TestUnits has the spellings that ns-3's DataRate and Time accept.
func TestUnits(t *testing.T) {
	rates := map[string]int64{
		"100Gbps": 100e9, "50Mb/s": 50e6, "1000kbps": 1e6, "1000Kb/s": 1e6, "1GB/s": 8e9, "2.5Gbps": 25e8,
		"1Mib/s": 1 << 20, "1KiB/s": 8192, "400000000bps": 4e8, "12": 12, "0.4Tbps": 4e11, "1Gib/s": 1 << 30,
	}
	for text, want := range rates {
		got, ok := field{text: text}.quantity(rateUnit, 1<<60)
		assert.True(t, ok, text)
		assert.Equal(t, want, got, text)
	}
	times := map[string]sim.Time{
		"1000ns": sim.Microsecond, "0.001ms": sim.Microsecond, "1us": sim.Microsecond, "0.000025ms": 25 * sim.Nanosecond,
		"2": 2 * sim.Second, "1s": sim.Second, "7ps": 7, "0.0005ns": 0, "0ns": 0,
	}
	for text, want := range times {
		got, ok := field{text: text}.quantity(timeUnit, 1<<60)
		assert.True(t, ok, text)
		assert.Equal(t, want, sim.Time(got), text)
	}
	for _, text := range []string{"Gbps", "1.2.3Gbps", "1e9bps", "1 Gbps", "1xbps", "0x10", "1/2", ".", "99999999999Tbps", "1Mips"} {
		_, ok := field{text: text}.quantity(rateUnit, 1<<60)
		assert.False(t, ok, text)
	}
}
